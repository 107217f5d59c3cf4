//! `tandem mcp`

use kit_cli::{Outcome, Ui};
use kit_mcp::{Identity, Server};
use tokio_util::sync::CancellationToken;

use crate::{
    apps::{self, Application, Remote},
    args::{Flags, Keeping, ToAgents, Transport},
    commands::serve,
    config::Config,
    door::{self, Wish},
    host::Host,
    log,
    signals::Orders,
};

/// Serve the applications to agents on standard input and output
#[derive(Debug, clap::Args)]
pub(crate) struct McpArgs {
    /// Serve only these applications (default: all)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    apps: Vec<String>,

    #[command(flatten)]
    keeping: Keeping,
}

pub(crate) async fn mcp(ui: &Ui, args: &McpArgs) -> anyhow::Result<Outcome> {
    let (config, _) = args.keeping.load(None)?;
    let apps = apps::named(&args.apps)?;
    log::start(ui.global(), &config.log)?;
    match Host::start_or_join(&config, &apps).await? {
        Some(host) => {
            let names: Vec<_> = apps.iter().map(|app| app.name).collect();
            let server = host.combined(&names);
            run(host, server).await
        }
        None => join(&config, &Wish::Combined(args.apps.clone())).await,
    }
}

/// `tandem <application> mcp`: one alone, under its own tool names.
pub(crate) async fn alone(
    ui: &mut Ui,
    app: &'static Application,
    flags: &ToAgents,
) -> anyhow::Result<Outcome> {
    let (mut config, _): (Config, _) = flags.load(Some(app))?;
    config.keep_for(app);
    if flags.transport == Transport::Http {
        return serve::to_agents(ui, &config, async || Host::start(&config, &[app]).await).await;
    }
    log::start(ui.global(), &config.log)?;
    match Host::start_or_join(&config, &[app]).await? {
        Some(host) => {
            let server = host.single(&host.mounts[0]);
            run(host, server).await
        }
        None => join(&config, &Wish::Single(app.name.to_owned())).await,
    }
}

/// The same in front of a server elsewhere.
pub(crate) async fn remote(
    ui: &mut Ui,
    app: &'static Application,
    remote: &Remote,
    flags: &ToAgents,
    address: &str,
) -> anyhow::Result<Outcome> {
    let (config, _): (Config, _) = flags.load(Some(app))?;
    let start = || Host::elsewhere(&config, app, |deps| (remote.mount)(&config, address, deps));
    if flags.transport == Transport::Http {
        return serve::to_agents(ui, &config, async || start()).await;
    }
    log::start(ui.global(), &config.log)?;
    let host = start()?;
    let server = host.single(&host.mounts[0]);
    run(host, server).await
}

/// Another process has the store: the agent speaks to that one, and people who watch it see what the agent does.
async fn join(config: &Config, wish: &Wish) -> anyhow::Result<Outcome> {
    let (stop, mut orders) = (CancellationToken::new(), Orders::listen()?);
    let stopped = stop.clone();
    tokio::spawn(async move {
        orders.stop().await;
        stopped.cancel();
    });
    door::mcp(&config.server.data_dir, wish, stop).await?;
    Ok(Outcome::Success)
}

async fn run(host: Host, server: Server) -> anyhow::Result<Outcome> {
    let (stop, mut orders) = (host.shutdown.clone(), Orders::listen()?);
    tokio::spawn(async move {
        orders.stop().await;
        stop.cancel();
    });
    let ended = kit_mcp::stdio::serve(server, host.shutdown.clone()).await;
    host.stop().await;
    ended?;
    Ok(Outcome::Success)
}

/// How all applications together present themselves.
pub(crate) fn identity() -> Identity {
    Identity {
        name: "tandem".to_owned(),
        title: Some("Tandem".to_owned()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instructions: None,
    }
}
