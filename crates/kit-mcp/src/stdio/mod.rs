//! MCP on standard input and output: a line, a message.
//!
//! rmcp runs the connection; the transport here adds what it leaves open: a line that is no message is answered and
//! the stream goes on, a request id in use is refused, and the end of input waits for the calls that still run.

mod pipes;
mod transport;

use std::{
    io,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use kit_core::Principal;
use rmcp::{
    RoleServer,
    service::{Peer, ServerInitializeError, serve_server_with_ct},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    sync::broadcast,
};
use tokio_util::sync::CancellationToken;

use self::transport::Lines;
use crate::{
    Change, Server,
    handler::{Origin, State},
    hub::Told,
    server::Core,
};

/// Serves this process's standard input and output until the input ends or `shutdown`. From then on nothing but
/// the protocol reaches standard output: whatever else is printed goes to standard error.
pub async fn serve(server: Server, shutdown: CancellationToken) -> io::Result<()> {
    let (input, output) = pipes::take()?;
    serve_on(server, input, output, shutdown).await
}

/// The same on any pair of streams.
pub async fn serve_on(
    server: Server,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    shutdown: CancellationToken,
) -> io::Result<()> {
    let state = Arc::new(State::default());
    let core = server.core.clone();
    let key: Arc<str> = connection_name().into();
    let handler = server.handler(Origin {
        key: Some(key.clone()),
        state: Some(state.clone()),
        prints: true,
        ..Origin::unbound(Principal::local())
    });
    // From before the first request, so that no change is missed that a call brings about.
    let (_, changes) = core.hub.listen(None);
    let lines = Lines::new(input, output, core.limits.message_bytes);
    let running = match serve_server_with_ct(handler, lines, shutdown).await {
        Ok(running) => running,
        // Nobody spoke, or we were told to stop before anybody did.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
            return Ok(());
        }
        Err(error) => return Err(io::Error::other(error)),
    };
    let told = tokio::spawn(tell_changes(core, (key, state), running.peer().clone(), changes));
    let ended = running.waiting().await;
    told.abort();
    ended.map(drop).map_err(io::Error::other)
}

/// A process may serve several of these at once, on its own input and on sockets; each is a session of its own.
fn connection_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("stdio-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Passes changes on to a client of a revision that expects them unasked.
async fn tell_changes(
    core: Arc<Core>,
    (key, state): (Arc<str>, Arc<State>),
    peer: Peer<RoleServer>,
    mut changes: broadcast::Receiver<Arc<Told>>,
) {
    // A client that did not say `initialize` is of the newest revision and listens on its own; there is no
    // subscription for an application's own notifications, which are said to whoever is there.
    let listens = peer.peer_info().is_none();
    loop {
        match changes.recv().await {
            Ok(told)
                if core.catalog.serves(&told.app)
                    && told.concerns(Some(&key))
                    && state.wants(&told.change)
                    && (!listens || matches!(told.change, Change::Custom { .. })) =>
            {
                if peer.send_notification(told.notification()).await.is_err() {
                    return;
                }
            }
            Ok(_) => {}
            Err(broadcast::error::RecvError::Lagged(missed)) => {
                tracing::warn!(missed, "the client reads slower than things change");
            }
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}

/// Passes this process's standard input and output on to a server elsewhere, until either side ends. As with
/// [`serve`], nothing else reaches standard output from then on.
pub async fn forward(
    server: impl AsyncRead + AsyncWrite + Send,
    shutdown: CancellationToken,
) -> io::Result<()> {
    let (mut input, mut output) = pipes::take()?;
    let (mut from, mut to) = tokio::io::split(server);
    let mut asked = pin!(async {
        tokio::io::copy(&mut input, &mut to).await?;
        // The end of input: the server finishes what runs, and ends in turn.
        to.shutdown().await
    });
    let mut answered = pin!(async {
        tokio::io::copy(&mut from, &mut output).await?;
        output.flush().await
    });
    let mut over = false;
    loop {
        tokio::select! {
            sent = &mut asked, if !over => {
                sent?;
                over = true;
            }
            ended = &mut answered => {
                ended?;
                let early = || io::Error::from(io::ErrorKind::UnexpectedEof);
                return if over { Ok(()) } else { Err(early()) };
            }
            () = shutdown.cancelled() => return Ok(()),
        }
    }
}
