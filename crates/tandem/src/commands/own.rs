//! `tandem <application> <command of its own>`

use clap::ArgMatches;
use futures::future::LocalBoxFuture;
use kit_cli::{Client, Outcome, Ui};

use crate::{
    apps::Application,
    args::{Flags, Keeping},
    config::Keep,
    door,
    host::Host,
    log, routes,
};

/// What an application does with an answer at hand to ask for.
type Asking =
    for<'a> fn(&'a mut Ui, Client, &'a ArgMatches) -> LocalBoxFuture<'a, anyhow::Result<Outcome>>;

/// Asks the server that has the store; without one, opens the store for as long as the command takes.
pub(crate) async fn own(
    ui: &mut Ui,
    app: &'static Application,
    (needs_store, run): (bool, Asking),
    keeping: &Keeping,
    matches: &ArgMatches,
) -> anyhow::Result<Outcome> {
    // The store that `<application> serve` would have.
    let (mut config, _) = keeping.load(Some(app))?;
    if !needs_store {
        config.server.store = Keep::Memory;
    }
    // A command speaks by its result; what happens inside is for whoever asks.
    if ui.global().verbose > 0 {
        log::start(ui.global(), &config.log)?;
    }
    match Host::start_or_join(&config, &[app]).await? {
        None => {
            let client = door::client(&config.server.data_dir, app.name);
            run(ui, client, matches).await
        }
        Some(host) => {
            let client = Client::here(app.name, routes::of_commands(&host));
            let outcome = run(ui, client, matches).await;
            host.stop().await;
            outcome
        }
    }
}
