//! Accepts connections and hands their requests to the guard.

mod at_once;
mod connection;
mod watched;

use std::{io, sync::Arc, time::Duration};

use axum::Router;
use connection::Connection;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::Guard;

/// Serves routes behind a guard: HTTP/1.1, and HTTP/2 without TLS on the same port.
#[derive(Debug, Clone)]
pub struct Server {
    routes: Router,
    guard: Guard,
}

impl Server {
    pub fn new(routes: Router, guard: Guard) -> Self {
        Self { routes, guard }
    }

    /// Serves until `stop` is cancelled; then accepts nothing more and returns when the requests in work are
    /// answered, or after `grace`. Whoever cancels must see to it that streams end.
    pub async fn serve(self, listener: TcpListener, stop: CancellationToken, grace: Duration) {
        let connections = TaskTracker::new();
        let shared = Arc::new(self);
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => shared.clone().begin(stream, &connections, &stop),
                    Err(error) => pause_after(&error).await,
                },
            }
        }
        drop(listener);
        connections.close();
        if tokio::time::timeout(grace, connections.wait()).await.is_err() {
            tracing::warn!(open = connections.len(), "gave up waiting for connections");
        }
    }

    fn begin(
        self: Arc<Self>,
        stream: TcpStream,
        connections: &TaskTracker,
        stop: &CancellationToken,
    ) {
        // An answer written in two pieces would otherwise wait for the peer's delayed acknowledgement.
        drop(stream.set_nodelay(true));
        let (counted, open) = self.guard.metrics().connected();
        if open > i64::from(self.guard.limits().connections) {
            connections.spawn(turn_away(stream));
            return;
        }
        let connection = Connection::new(self.routes.clone(), self.guard.clone());
        connections.spawn(connection.run(stream, counted, stop.clone()));
    }
}

/// Tells one connection too many why it is closed.
async fn turn_away(mut stream: TcpStream) {
    let body = r#"{"title":"Service Unavailable","status":503,"detail":"the server has too many connections","error":"the server has too many connections","code":"unavailable","hint":"repeat the request in a moment"}"#;
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\n\
         content-length: {}\r\nretry-after: 1\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let told = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await
    };
    drop(tokio::time::timeout(Duration::from_secs(1), told).await);
}

/// A connection that is gone before it was accepted is nothing; running out of descriptors passes only with
/// time, and asking again at once would use up a core.
async fn pause_after(error: &io::Error) {
    let gone = [
        io::ErrorKind::ConnectionRefused,
        io::ErrorKind::ConnectionAborted,
        io::ErrorKind::ConnectionReset,
    ];
    if !gone.contains(&error.kind()) {
        tracing::error!(%error, "cannot accept a connection");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
