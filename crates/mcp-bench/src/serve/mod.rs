//! The servers written in Rust: one process each, the same tool, the same listener.

mod bare;
mod rmcp;
mod tandem;

use std::io::{Read, Write};

use axum::{Router, serve::ListenerExt};
use kit_mcp::Mode;
use kit_store::Store;
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
    /// Tandem with sessions, kept in a file as it does by itself
    TandemSessions,
    /// Tandem with sessions, kept in memory
    TandemMemory,
    /// Tandem without sessions
    TandemStateless,
    /// Tandem on standard input and output
    TandemStdio,
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
        Kind::TandemSessions => {
            let directory = tempfile::tempdir()?;
            let store = Store::sqlite(directory.path())?;
            listen(tandem::routes(Mode::Sessions, &store)).await
        }
        Kind::TandemMemory => listen(tandem::routes(Mode::Sessions, &Store::memory())).await,
        Kind::TandemStateless => listen(tandem::routes(Mode::Stateless, &Store::memory())).await,
        Kind::TandemStdio => tandem::stdio().await,
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
