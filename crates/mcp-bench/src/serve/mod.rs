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
    /// The same, writing the log that `tandem serve` writes
    TandemLogged,
    /// The same without the guard in front and without the log
    TandemUnguarded,
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
    // Held until the end: the directory goes with it.
    let directory = tempfile::tempdir()?;
    let in_file = || Store::sqlite(directory.path());
    match args.kind {
        Kind::Bare => plain(bare::routes()).await,
        Kind::TandemSessions => guarded(tandem::routes(Mode::Sessions, &in_file()?)).await,
        Kind::TandemLogged => {
            tandem::start_log()?;
            guarded(tandem::routes(Mode::Sessions, &in_file()?)).await
        }
        Kind::TandemUnguarded => plain(tandem::routes(Mode::Sessions, &in_file()?)).await,
        Kind::TandemMemory => guarded(tandem::routes(Mode::Sessions, &Store::memory())).await,
        Kind::TandemStateless => guarded(tandem::routes(Mode::Stateless, &Store::memory())).await,
        Kind::TandemStdio => tandem::stdio().await,
        Kind::RmcpSessions => plain(rmcp::routes(rmcp::Mode::Sessions)).await,
        Kind::RmcpStateless => plain(rmcp::routes(rmcp::Mode::Stateless)).await,
        Kind::RmcpStdio => rmcp::stdio().await,
    }
}

async fn plain(routes: Router) -> anyhow::Result<()> {
    // Without it an answer written in two pieces waits for the peer's delayed acknowledgement.
    let listener = listen().await?.tap_io(|stream| drop(stream.set_nodelay(true)));
    tokio::select! {
        ended = axum::serve(listener, routes) => Ok(ended?),
        () = input_ended() => Ok(()),
    }
}

async fn guarded(routes: Router) -> anyhow::Result<()> {
    let listener = listen().await?;
    tokio::select! {
        ended = tandem::guarded(routes, listener) => ended,
        () = input_ended() => Ok(()),
    }
}

/// Listens on a free port, which is the first line of standard output.
async fn listen() -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "{}", listener.local_addr()?)?;
    Ok(listener)
}

/// No server outlives the run that started it, however that ends.
async fn input_ended() {
    let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
    // A thread of its own: the runtime would wait for a blocking task before it ends.
    std::thread::spawn(move || {
        drop(std::io::stdin().read_to_end(&mut Vec::new()));
        drop(sender);
    });
    drop(receiver.await);
}
