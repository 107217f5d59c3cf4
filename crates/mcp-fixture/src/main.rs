//! `mcp-fixture`: the fixture as a program, on standard input and output or over HTTP.

use std::{io::Write as _, net::SocketAddr};

use clap::{Parser, ValueEnum};
use mcp_fixture::Setup;
use tokio::{net::TcpListener, signal::unix::SignalKind};
use tokio_util::sync::CancellationToken;

/// Serve what the MCP conformance suite expects
#[derive(Debug, Parser)]
struct Args {
    /// Serve HTTP on this address, port 0 being any, and print the URL; without it, standard input and output
    #[arg(long)]
    http: Option<SocketAddr>,
    /// How sessions are kept over HTTP
    #[arg(long, value_enum, default_value_t)]
    mode: Mode,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Mode {
    #[default]
    Sessions,
    Cookie,
    Stateless,
}

impl From<Mode> for kit_mcp::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Sessions => Self::Sessions,
            Mode::Cookie => Self::Cookie,
            Mode::Stateless => Self::Stateless,
        }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    // rmcp warns of every refusal and every client that went away, which is what is tested here.
    let filter = tracing_subscriber::EnvFilter::new("warn,rmcp=off");
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_env_filter(filter).init();
    let args = Args::parse();
    let setup = Setup { mode: args.mode.into(), ..Setup::default() };
    let shutdown = CancellationToken::new();
    tokio::spawn(stop_on_signal(shutdown.clone())?);
    let Some(address) = args.http else {
        return Ok(mcp_fixture::serve_stdio(&setup, shutdown).await?);
    };
    let listener = TcpListener::bind(address).await?;
    writeln!(std::io::stdout(), "http://{}/mcp", listener.local_addr()?)?;
    mcp_fixture::serve(listener, setup, shutdown).await;
    Ok(())
}

fn stop_on_signal(shutdown: CancellationToken) -> std::io::Result<impl Future<Output = ()>> {
    let mut asked = tokio::signal::unix::signal(SignalKind::terminate())?;
    Ok(async move {
        asked.recv().await;
        shutdown.cancel();
    })
}
