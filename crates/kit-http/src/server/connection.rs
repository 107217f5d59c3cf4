//! One connection: its requests, and when it has been quiet for too long.

use std::{convert::Infallible, pin::pin, sync::Arc, time::Duration};

use axum::{Router, body::Body};
use bytes::Bytes;
use http::Request;
use http_body::{Frame, SizeHint};
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::conn::auto,
};
use std::task::{Context, Poll};
use tokio::{net::TcpStream, time::Instant};
use tokio_util::sync::CancellationToken;

use super::{
    at_once::AtOnce,
    watched::{Busy, Watch, Watched},
};
use crate::{Guard, Limits, metrics::Counted};

/// HTTP/2 peers that say nothing are asked whether they are still there.
const PING: Duration = Duration::from_secs(20);
/// After being asked to end, a connection that still does not is dropped.
const LAST_WORDS: Duration = Duration::from_secs(5);

pub(super) struct Connection {
    routes: Router,
    guard: Guard,
}

impl Connection {
    pub(super) fn new(routes: Router, guard: Guard) -> Self {
        Self { routes, guard }
    }

    pub(super) async fn run(self, stream: TcpStream, counted: Counted, stop: CancellationToken) {
        let watch = Arc::new(Watch::new());
        let limits = self.guard.limits().clone();
        let io = TokioIo::new(Watched::new(stream, watch.clone(), counted));
        let service = service_fn({
            let watch = watch.clone();
            move |request: Request<Incoming>| {
                let (routes, guard) = (self.routes.clone(), self.guard.clone());
                let busy = Busy::new(watch.clone());
                async move {
                    let response = guard.answer(routes, request).await;
                    Ok::<_, Infallible>(response.map(|body| Answer { body, _busy: busy }))
                }
            }
        });
        let builder = builder();
        let mut connection = pin!(builder.serve_connection_with_upgrades(io, service));
        let mut check = pin!(tokio::time::sleep(tick(&limits)));
        let mut ending: Option<Instant> = None;
        loop {
            tokio::select! {
                // What ends a connection early is the client's business: it is gone, or broke the protocol.
                _ = connection.as_mut() => return,
                () = stop.cancelled(), if ending.is_none() => {
                    connection.as_mut().graceful_shutdown();
                    // The server's grace bounds how long a running request may take from here.
                    ending = Some(Instant::now() + Duration::from_hours(1));
                }
                () = check.as_mut() => {
                    if ending.is_some_and(|last| Instant::now() >= last)
                        || watch.write_stalled_for() > limits.write_stall()
                    {
                        return;
                    }
                    if ending.is_none() && watch.quiet_for() > quiet_limit(&watch, &limits) {
                        connection.as_mut().graceful_shutdown();
                        ending = Some(Instant::now() + LAST_WORDS);
                    }
                    check.as_mut().reset(Instant::now() + tick(&limits));
                }
            }
        }
    }
}

fn builder() -> auto::Builder<AtOnce> {
    let mut builder = auto::Builder::new(AtOnce);
    // The watch sees slow heads and idle connections without a timer for each request.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING)
        .keep_alive_timeout(PING)
        .enable_connect_protocol()
        .max_concurrent_streams(256);
    builder
}

fn quiet_limit(watch: &Watch, limits: &Limits) -> Duration {
    if watch.has_served() { limits.idle() } else { limits.head() }
}

/// How often a connection is looked at: often enough for the shortest limit to be kept to about a half.
fn tick(limits: &Limits) -> Duration {
    let shortest = limits.head().min(limits.idle()).min(limits.write_stall());
    (shortest / 2).clamp(Duration::from_millis(250), Duration::from_secs(5))
}

/// An answer's body; as long as it is being sent, the connection counts as busy.
struct Answer {
    body: Body,
    _busy: Busy,
}

impl http_body::Body for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        std::pin::Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
