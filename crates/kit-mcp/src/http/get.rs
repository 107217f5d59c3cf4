//! `GET /mcp`: what the server tells a session that it did not ask for right now, or missed.

use std::{collections::VecDeque, convert::Infallible, sync::Arc};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use futures::{Stream, StreamExt};
use http::{HeaderMap, StatusCode, header, request::Parts};
use rmcp::model::{ErrorCode, ProtocolVersion, ServerJsonRpcMessage};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use super::{
    Service, header_version, name_session,
    reply::{self, Refusal},
    session::Session,
    stream::{KEEP_ALIVE, ResponseStream, SIGN_OF_LIFE},
};
use crate::{Mode, hub::Told, server::Core};

pub(super) async fn get(service: &Arc<Service>, request: &Parts) -> Result<Response, Refusal> {
    let headers = &request.headers;
    service.needs_sessions(headers)?;
    check_accept(service.mode, headers)?;
    header_version(headers)?;
    let entered = service.enter(request).await?;
    let session = &entered.session;
    let mut response = match last_event(headers)? {
        Some(Last::Response { stream, next }) => resume(service, session, stream, next)?,
        Some(Last::Change(number)) => listen(service, session, Some(number))?,
        None => listen(service, session, None)?,
    };
    name_session(&mut response, session);
    entered.introduce(service, &mut response);
    Ok(response)
}

/// The event after which a client goes on.
enum Last {
    /// On the response stream of one of its requests.
    Response { stream: u64, next: u64 },
    /// On the stream of changes.
    Change(u64),
}

fn last_event(headers: &HeaderMap) -> Result<Option<Last>, Refusal> {
    let Some(value) = headers.get("last-event-id") else { return Ok(None) };
    let id = value.to_str().unwrap_or_default();
    let parsed = id.split_once('-').and_then(|(stream, event)| match (stream, event) {
        ("change", number) => number.parse().ok().map(Last::Change),
        (stream, "p") => Some(Last::Response { stream: stream.parse().ok()?, next: 0 }),
        (stream, event) => {
            let seen: u64 = event.parse().ok()?;
            Some(Last::Response { stream: stream.parse().ok()?, next: seen.checked_add(1)? })
        }
    });
    let unknown =
        || Refusal::invalid(format!("`Last-Event-ID`: `{id}` is no event of this server"));
    parsed.map(Some).ok_or_else(unknown)
}

fn resume(
    service: &Service,
    session: &Session,
    stream: u64,
    next: u64,
) -> Result<Response, Refusal> {
    let Some(stream) = session.kept_stream(stream) else {
        let why = "the stream of this `Last-Event-ID` is no longer kept: repeat the request";
        return Err(Refusal::new(StatusCode::NOT_FOUND, ErrorCode::INVALID_REQUEST, why));
    };
    stream.resume();
    let events = ResponseStream::read(stream, next, false).map(Ok::<_, Infallible>);
    let shutdown = service.shutdown.clone();
    Ok(reply::event_stream(Body::from_stream(events.take_until(shutdown.cancelled_owned()))))
}

fn listen(
    service: &Arc<Service>,
    session: &Arc<Session>,
    after: Option<u64>,
) -> Result<Response, Refusal> {
    let over = session.listen(after.is_some()).ok_or_else(|| {
        let why = "this session has an open stream already";
        Refusal::new(StatusCode::CONFLICT, ErrorCode::INVALID_REQUEST, why)
    })?;
    let core = service.server.core.clone();
    let (missed, changes) = core.hub.listen(after);
    core.metrics.streams.inc();
    let opening = opening(session);
    let listener = Listener {
        missed: missed.into(),
        changes,
        session: session.clone(),
        shutdown: service.shutdown.clone(),
        over: over.clone(),
        core,
    };
    Ok(reply::event_stream(Body::from_stream(listener.events(opening))))
}

/// The first bytes, at once: a client sees that the stream is open, and the newest revision's can come back.
fn opening(session: &Session) -> Bytes {
    if session.version >= ProtocolVersion::V_2025_11_25 {
        Bytes::from_static(b": open\n\nid: change-0\ndata: \n\n")
    } else {
        Bytes::from_static(b": open\n\n")
    }
}

/// One open stream of changes.
struct Listener {
    core: Arc<Core>,
    session: Arc<Session>,
    missed: VecDeque<Arc<Told>>,
    changes: broadcast::Receiver<Arc<Told>>,
    over: CancellationToken,
    shutdown: CancellationToken,
}

impl Listener {
    fn events(self, opening: Bytes) -> impl Stream<Item = Result<Bytes, Infallible>> {
        let begin = futures::stream::once(async { Ok(opening) });
        begin.chain(futures::stream::unfold(self, |mut listener| async move {
            let event = listener.next().await?;
            Some((Ok(event), listener))
        }))
    }

    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let told = match self.missed.pop_front() {
                Some(told) => told,
                None => match self.wait().await? {
                    Some(told) => told,
                    None => return Some(Bytes::from_static(SIGN_OF_LIFE)),
                },
            };
            if self.core.catalog.serves(&told.app)
                && told.concerns(Some(&self.session.id))
                && self.session.state.wants(&told.change)
            {
                return Some(event(&told));
            }
        }
    }

    /// The next change; `Some(None)` when it is time for a sign of life, `None` when the stream is over.
    async fn wait(&mut self) -> Option<Option<Arc<Told>>> {
        tokio::select! {
            told = self.changes.recv() => match told {
                Ok(told) => Some(Some(told)),
                Err(broadcast::error::RecvError::Lagged(_)) => {
                    // The reader is slower than the changes: it comes back and reads what it wants.
                    self.core.metrics.streams_dropped.inc();
                    None
                }
                Err(broadcast::error::RecvError::Closed) => None,
            },
            () = tokio::time::sleep(KEEP_ALIVE) => Some(None),
            () = self.over.cancelled() => None,
            () = self.shutdown.cancelled() => None,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.over.cancel();
        self.core.metrics.streams.dec();
    }
}

fn event(told: &Told) -> Bytes {
    let message = ServerJsonRpcMessage::notification(told.notification());
    let mut event = format!("id: change-{}\nevent: message\ndata: ", told.number).into_bytes();
    event.extend_from_slice(&reply::json(&message));
    event.extend_from_slice(b"\n\n");
    event.into()
}

fn check_accept(mode: Mode, headers: &HeaderMap) -> Result<(), Refusal> {
    let named = |kind: &str| {
        let mut values = headers.get_all(header::ACCEPT).iter();
        values.any(|value| value.to_str().is_ok_and(|value| value.contains(kind)))
    };
    // Where requests may be written by hand, asking for nothing in particular is enough.
    let by_hand = mode == Mode::Cookie && (!headers.contains_key(header::ACCEPT) || named("*/*"));
    if by_hand || named("text/event-stream") {
        return Ok(());
    }
    let why = "`Accept` must name text/event-stream";
    Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, ErrorCode::INVALID_REQUEST, why))
}
