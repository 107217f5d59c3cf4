//! Sessions of the revisions before 2026-07-28: rows in the store, a small struct in memory while in use.
#![expect(deprecated, reason = "logging serves the revisions that still have it")]

use std::{
    collections::HashMap,
    sync::{
        Arc, Weak,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use http::HeaderValue;
use kit_core::Principal;
use kit_store::SessionRow;
use parking_lot::Mutex;
use rmcp::{
    ErrorData,
    model::{
        ClientCapabilities, ClientResult, Implementation, InitializeRequestParams, ProtocolVersion,
        RequestId,
    },
};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::{reply::Refusal, stream::ResponseStream};
use crate::{Limits, call::AskError, handler::State};

/// One client's session.
pub(crate) struct Session {
    pub(crate) id: Arc<str>,
    pub(crate) header: HeaderValue,
    pub(crate) principal: Principal,
    pub(crate) version: ProtocolVersion,
    pub(crate) capabilities: Arc<ClientCapabilities>,
    client: Implementation,
    pub(crate) state: Arc<State>,
    /// Cancelled when the session ends, which ends its streams.
    pub(crate) ended: CancellationToken,
    /// Milliseconds since 1970.
    pub(crate) seen_at: AtomicI64,
    /// When the store last heard that the session is in use.
    pub(crate) touched_at: AtomicI64,
    /// When the row was last seen to be there still.
    pub(crate) checked_at: AtomicI64,
    questions: AtomicU64,
    live: Mutex<Live>,
}

/// What goes on in a session right now. Empty, and then without any allocation, most of the time.
#[derive(Default)]
struct Live {
    /// A list, since it is short: most clients have one request running, and none may have many.
    running: Vec<Run>,
    /// Our questions that the client has not answered yet.
    open: HashMap<RequestId, oneshot::Sender<Result<ClientResult, ErrorData>>>,
    streams: Vec<Arc<ResponseStream>>,
    last_stream: u64,
    /// Ends the notification stream that is open.
    listener: Option<CancellationToken>,
}

struct Run {
    id: RequestId,
    token: CancellationToken,
    /// The client said so.
    unwanted: bool,
}

/// What of a session is kept in its row.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    protocol_version: ProtocolVersion,
    capabilities: ClientCapabilities,
    client_info: Implementation,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    subscriptions: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log_level: Option<rmcp::model::LoggingLevel>,
}

impl Session {
    pub(crate) fn new(
        id: &str,
        principal: Principal,
        version: ProtocolVersion,
        client: InitializeRequestParams,
    ) -> Option<Arc<Self>> {
        let state = Arc::new(State::default());
        Self::assemble(id, principal, version, client.capabilities, client.client_info, state)
    }

    pub(crate) fn restore(row: SessionRow) -> Option<Arc<Self>> {
        let kept: Kept = serde_json::from_value(row.data).ok()?;
        let state = Arc::new(State::default());
        state.subscriptions.lock().extend(kept.subscriptions);
        *state.log_level.lock() = kept.log_level;
        let principal = Principal::new(row.principal);
        let version = kept.protocol_version;
        Self::assemble(&row.id, principal, version, kept.capabilities, kept.client_info, state)
    }

    fn assemble(
        id: &str,
        principal: Principal,
        version: ProtocolVersion,
        capabilities: ClientCapabilities,
        client: Implementation,
        state: Arc<State>,
    ) -> Option<Arc<Self>> {
        let now = now_ms();
        Some(Arc::new(Self {
            header: HeaderValue::from_str(id).ok()?,
            id: id.into(),
            principal,
            version,
            capabilities: Arc::new(capabilities),
            client,
            state,
            ended: CancellationToken::new(),
            seen_at: now.into(),
            touched_at: now.into(),
            checked_at: now.into(),
            questions: AtomicU64::new(0),
            live: Mutex::default(),
        }))
    }

    pub(crate) fn row(&self, app: &str) -> SessionRow {
        let kept = Kept {
            protocol_version: self.version.clone(),
            capabilities: (*self.capabilities).clone(),
            client_info: self.client.clone(),
            subscriptions: self.state.subscriptions.lock().iter().cloned().collect(),
            log_level: *self.state.log_level.lock(),
        };
        SessionRow {
            id: self.id.to_string(),
            app: app.to_owned(),
            principal: self.principal.to_string(),
            data: serde_json::to_value(kept).unwrap_or_default(),
            seen_at: self.seen_at.load(Ordering::Relaxed),
        }
    }

    /// Notes that request `id` runs, until the returned guard is dropped; `token` is cancelled when the client says so.
    pub(crate) fn begin(
        self: &Arc<Self>,
        id: &RequestId,
        token: &CancellationToken,
        limits: &Limits,
    ) -> Result<Running, Refusal> {
        let mut live = self.live.lock();
        if live.running.iter().any(|running| running.id == *id) {
            let why = format!("request id `{id}` is in use by a request that still runs");
            return Err(Refusal::invalid(why).answering(id));
        }
        if live.running.len() >= limits.calls_per_session {
            let why = format!("{} requests of this session run already", live.running.len());
            return Err(Refusal::busy(why).answering(id));
        }
        live.running.push(Run { id: id.clone(), token: token.clone(), unwanted: false });
        Ok(Running { session: Some(self.clone()), id: id.clone() })
    }

    pub(crate) fn cancel(&self, id: &RequestId) {
        let mut live = self.live.lock();
        if let Some(running) = live.running.iter_mut().find(|running| running.id == *id) {
            running.unwanted = true;
            running.token.cancel();
        }
    }

    /// Request `id` has ended; whether the client still wants to hear of it.
    fn ended(&self, id: &RequestId) -> bool {
        let mut live = self.live.lock();
        let place = live.running.iter().position(|running| running.id == *id);
        let wanted = place.is_none_or(|place| !live.running.swap_remove(place).unwanted);
        if live.running.is_empty() {
            // A session is idle most of its life and there are many: give back what a burst took.
            live.running.shrink_to(4);
        }
        wanted
    }

    pub(crate) fn stream(self: &Arc<Self>, limits: &Limits) -> Arc<ResponseStream> {
        let mut live = self.live.lock();
        live.last_stream += 1;
        let number = live.last_stream;
        Arc::new(ResponseStream::new(number, Arc::downgrade(self), limits.stream_messages))
    }

    /// Keeps a stream that has begun, so that it can be resumed; forgets those that ended long ago.
    pub(crate) fn keep(&self, stream: &Arc<ResponseStream>, kept: Duration) {
        let mut live = self.live.lock();
        live.streams.retain(|old| old.finished_at().is_none_or(|at| at.elapsed() < kept));
        live.streams.push(stream.clone());
    }

    pub(crate) fn kept_stream(&self, number: u64) -> Option<Arc<ResponseStream>> {
        self.live.lock().streams.iter().find(|stream| stream.number() == number).cloned()
    }

    /// Takes the place of the notification stream. One that is open keeps it, unless the newcomer `resumes`: then
    /// the old connection is dead and only does not know it yet.
    pub(crate) fn listen(&self, resumes: bool) -> Option<CancellationToken> {
        let mut live = self.live.lock();
        if let Some(open) = &live.listener
            && !open.is_cancelled()
        {
            if !resumes {
                return None;
            }
            open.cancel();
        }
        let token = self.ended.child_token();
        live.listener = Some(token.clone());
        Some(token)
    }

    /// A question to the client, not yet asked.
    pub(crate) fn question(self: &Arc<Self>) -> Question {
        let number = self.questions.fetch_add(1, Ordering::Relaxed);
        let id = RequestId::String(format!("ask-{number}").into());
        let (sender, answer) = oneshot::channel();
        self.live.lock().open.insert(id.clone(), sender);
        Question { session: Arc::downgrade(self), id, answer }
    }

    /// Hands the client's answer to whoever asked; an answer to nothing is dropped.
    pub(crate) fn answered(&self, id: &RequestId, answer: Result<ClientResult, ErrorData>) {
        let asker = self.live.lock().open.remove(id);
        if let Some(asker) = asker {
            drop(asker.send(answer));
        }
    }

    /// Whether nothing but the row needs it.
    pub(crate) fn is_idle(&self) -> bool {
        let live = self.live.lock();
        live.running.is_empty()
            && live.open.is_empty()
            && live.listener.as_ref().is_none_or(CancellationToken::is_cancelled)
    }
}

/// A request that runs.
pub(crate) struct Running {
    /// `None` once it has ended.
    session: Option<Arc<Session>>,
    id: RequestId,
}

impl Running {
    /// Whether the client wants the answer: a cancelled request gets none, whatever became of it.
    pub(crate) fn end(mut self) -> bool {
        self.session.take().is_none_or(|session| session.ended(&self.id))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            session.ended(&self.id);
        }
    }
}

/// A question to the client.
pub(crate) struct Question {
    session: Weak<Session>,
    id: RequestId,
    answer: oneshot::Receiver<Result<ClientResult, ErrorData>>,
}

impl Question {
    pub(crate) fn id(&self) -> &RequestId {
        &self.id
    }

    pub(crate) async fn answer(mut self) -> Result<ClientResult, AskError> {
        match (&mut self.answer).await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(error)) => Err(AskError::Refused(error.message.into_owned())),
            Err(_) => Err(AskError::Unreachable("the session ended".to_owned())),
        }
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        if let Some(session) = self.session.upgrade() {
            session.live.lock().open.remove(&self.id);
        }
    }
}

pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
