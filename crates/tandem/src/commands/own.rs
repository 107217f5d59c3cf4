//! `tandem <application> <command of its own>`

use clap::ArgMatches;
use kit_cli::{Client, Outcome, Ui};

use crate::{
    apps::{Application, Commands},
    args::{Flags, Keeping},
    config::Keep,
    door,
    host::Host,
    log, routes,
};

/// Asks the server that has the store; without one, opens the store for as long as the command takes.
pub(crate) async fn own(
    ui: &mut Ui,
    app: &'static Application,
    commands: &Commands,
    keeping: &Keeping,
    matches: &ArgMatches,
) -> anyhow::Result<Outcome> {
    // The store that `<application> serve` would have.
    let (mut config, _) = keeping.load(Some(app))?;
    if !(commands.needs_store)(matches) {
        config.server.store = Keep::Memory;
    }
    // A command speaks by its result; what happens inside is for whoever asks.
    if ui.global().verbose > 0 {
        log::start(ui.global(), &config.log)?;
    }
    match Host::start_or_join(&config, &[app]).await? {
        None => {
            let client = door::client(&config.server.data_dir, app.name);
            (commands.run)(ui, client, matches).await
        }
        Some(host) => {
            let client = Client::here(app.name, routes::of_commands(&host));
            let outcome = (commands.run)(ui, client, matches).await;
            host.stop().await;
            outcome
        }
    }
}
