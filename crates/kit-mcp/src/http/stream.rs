//! The response to one `POST`, once it has more to say than the answer.
//!
//! A call writes, the connection reads; neither waits for the other. What was written stays for a while under
//! numbered events, so that a client that lost its connection, or was sent away, gets the rest by `Last-Event-ID`.

use std::{
    collections::VecDeque,
    sync::{Arc, Weak},
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures::Stream;
use parking_lot::Mutex;
use rmcp::model::{ClientResult, ServerJsonRpcMessage, ServerNotification, ServerRequest};
use tokio::sync::Notify;

use super::{reply, session::Session};
use crate::call::AskError;

/// How often a stream on which nothing happens shows that it is there, which keeps proxies from closing it.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(15);
pub(super) const SIGN_OF_LIFE: &[u8] = b": still here\n\n";

/// How long a client that was sent away waits before it comes back, in milliseconds.
const COME_BACK_MS: u64 = 500;

/// Messages of one call on their way to its client.
pub(crate) struct ResponseStream {
    /// Its number in the session; 0 where there is no session to resume it in.
    number: u64,
    /// Where answers to our questions arrive.
    session: Weak<Session>,
    /// Most events kept.
    most: usize,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    /// Number of the first event in `events`.
    first: u64,
    events: VecDeque<Bytes>,
    /// Somebody wrote or wants the connection back: the response is a stream, not a JSON body.
    begun: bool,
    /// The reader is to go away and come back.
    released: bool,
    finished: Option<Instant>,
}

impl ResponseStream {
    /// For a request outside of any session: it can be written to but not resumed, and nobody answers.
    pub(crate) fn loose(most: usize) -> Arc<Self> {
        Arc::new(Self::new(0, Weak::new(), most))
    }

    pub(crate) fn new(number: u64, session: Weak<Session>, most: usize) -> Self {
        Self { number, session, most, state: Mutex::default(), changed: Notify::new() }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(crate) fn notify(&self, notification: ServerNotification) {
        self.write(&reply::json(&ServerJsonRpcMessage::notification(notification)));
    }

    /// Asks the client and waits for what it posts back.
    pub(crate) async fn ask(&self, request: ServerRequest) -> Result<ClientResult, AskError> {
        let Some(session) = self.session.upgrade() else {
            let why = "a stateless endpoint has no way back for the answer";
            return Err(AskError::Unreachable(why.to_owned()));
        };
        let question = session.question();
        let message = ServerJsonRpcMessage::request(request, question.id().clone());
        self.write(&reply::json(&message));
        question.answer().await
    }

    /// Writes one encoded message.
    pub(crate) fn write(&self, json: &[u8]) {
        let mut state = self.state.lock();
        let number = state.first + state.events.len() as u64;
        let event = self.event(number, json);
        if state.events.len() == self.most {
            state.events.pop_front();
            state.first += 1;
        }
        state.events.push_back(event);
        state.begun = true;
        drop(state);
        self.changed.notify_waiters();
    }

    /// Writes the encoded answer, after which there is nothing more; a cancelled call has none.
    pub(crate) fn finish(&self, answer: Option<&[u8]>) {
        if let Some(answer) = answer {
            self.write(answer);
        }
        self.state.lock().finished = Some(Instant::now());
        self.changed.notify_waiters();
    }

    /// Sends the reader away; the call goes on.
    pub(crate) fn release(&self) {
        if self.number == 0 {
            return;
        }
        let mut state = self.state.lock();
        state.begun = true;
        state.released = true;
        drop(state);
        self.changed.notify_waiters();
    }

    /// Lets a reader that came back stay.
    pub(crate) fn resume(&self) {
        self.state.lock().released = false;
    }

    pub(crate) fn finished_at(&self) -> Option<Instant> {
        self.state.lock().finished
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.state.lock().begun
    }

    /// Ends when there is something to stream.
    pub(crate) async fn begun(&self) {
        self.until(|state| state.begun).await;
    }

    /// The event stream from event `from` on. `primed` begins with an empty event, by whose id a client
    /// that loses the connection before anything arrived can come back.
    pub(crate) fn read(
        self: Arc<Self>,
        from: u64,
        primed: bool,
    ) -> impl Stream<Item = Bytes> + Send + 'static {
        let priming = (primed && self.number != 0).then(|| self.priming());
        futures::stream::unfold(
            (self, from, priming, false),
            |(stream, next, priming, over)| async move {
                if over {
                    return None;
                }
                if let Some(priming) = priming {
                    return Some((priming, (stream, next, None, false)));
                }
                let (chunk, next, over) = stream.next(next).await?;
                Some((chunk, (stream, next, None, over)))
            },
        )
    }

    /// Everything written from event `next` on, as one chunk; `None` when there will be no more.
    async fn next(&self, next: u64) -> Option<(Bytes, u64, bool)> {
        let something = self.until(|state| {
            state.released
                || state.finished.is_some()
                || state.first + state.events.len() as u64 > next
        });
        if tokio::time::timeout(KEEP_ALIVE, something).await.is_err() {
            return Some((Bytes::from_static(SIGN_OF_LIFE), next, false));
        }
        let state = self.state.lock();
        let end = state.first + state.events.len() as u64;
        let from = next.max(state.first);
        if from < end {
            let skip = usize::try_from(from - state.first).unwrap_or(usize::MAX);
            let mut chunk = Vec::new();
            for event in state.events.iter().skip(skip) {
                chunk.extend_from_slice(event);
            }
            return Some((chunk.into(), end, false));
        }
        if state.finished.is_none() && state.released {
            let bye = format!("retry: {COME_BACK_MS}\n\n");
            return Some((bye.into(), end, true));
        }
        None
    }

    async fn until(&self, reached: impl Fn(&State) -> bool) {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            if reached(&self.state.lock()) {
                return;
            }
            changed.await;
        }
    }

    fn event(&self, number: u64, json: &[u8]) -> Bytes {
        let mut event = Vec::with_capacity(json.len() + 48);
        if self.number != 0 {
            event.extend_from_slice(format!("id: {}-{number}\n", self.number).as_bytes());
        }
        event.extend_from_slice(b"event: message\ndata: ");
        event.extend_from_slice(json);
        event.extend_from_slice(b"\n\n");
        event.into()
    }

    fn priming(&self) -> Bytes {
        format!("id: {}-p\nretry: {COME_BACK_MS}\ndata: \n\n", self.number).into()
    }
}
