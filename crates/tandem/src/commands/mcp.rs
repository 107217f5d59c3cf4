//! `tandem mcp`

use kit_cli::{Outcome, Ui};
use kit_mcp::{Identity, Server};

use crate::{
    apps::{self, Application},
    args::{Flags, Keeping},
    config::Config,
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
    let host = Host::start(&config, &apps).await?;
    let server = host.combined();
    run(host, server).await
}

/// `tandem <application> mcp`: one alone, under its own tool names.
pub(crate) async fn alone(
    ui: &Ui,
    app: &'static Application,
    keeping: &Keeping,
) -> anyhow::Result<Outcome> {
    let (config, _): (Config, _) = keeping.load(Some(app))?;
    log::start(ui.global(), &config.log)?;
    let host = Host::start(&config, &[app]).await?;
    let server = host.single(&host.mounts[0]);
    run(host, server).await
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
