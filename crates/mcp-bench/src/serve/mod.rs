//! The servers written in Rust: one process each, the same tool, the same listener.

mod bare;
mod rmcp;

use std::io::{Read, Write};

use axum::{Router, serve::ListenerExt};
use tokio::net::TcpListener;

/// What to serve.
#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    kind: Kind,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum Kind {
    /// axum and `serde_json`, nothing of MCP
    Bare,
    /// Stock rmcp with its session workers
    RmcpSessions,
    /// Stock rmcp without sessions, JSON answers
    RmcpStateless,
    /// Stock rmcp on standard input and output
    RmcpStdio,
}

#[tokio::main]
pub(crate) async fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    match args.kind {
        Kind::Bare => listen(bare::routes()).await,
        Kind::RmcpSessions => listen(rmcp::routes(rmcp::Mode::Sessions)).await,
        Kind::RmcpStateless => listen(rmcp::routes(rmcp::Mode::Stateless)).await,
        Kind::RmcpStdio => rmcp::stdio().await,
    }
}

/// Serves on a free port, which is the first line of standard output, until standard input ends:
/// no server outlives the run that started it, however that ends.
async fn listen(routes: Router) -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "{}", listener.local_addr()?)?;
    // Without it an answer written in two pieces waits for the peer's delayed acknowledgement.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    tokio::select! {
        ended = axum::serve(listener, routes) => ended?,
        () = input_ended() => {}
    }
    Ok(())
}

async fn input_ended() {
    let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
    // A thread of its own: the runtime would wait for a blocking task before it ends.
    std::thread::spawn(move || {
        drop(std::io::stdin().read_to_end(&mut Vec::new()));
        drop(sender);
    });
    drop(receiver.await);
}
