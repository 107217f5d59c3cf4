//! What a tool or a resource may know and do while it answers.
#![expect(deprecated, reason = "logging and sampling serve the revisions that still have them")]

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use kit_core::{Fault, Kind, Principal};
use rmcp::{
    ErrorData, RoleServer,
    handler::server::common::{AsRequestContext, FromContextPart},
    model::{
        ClientCapabilities, ClientResult, CreateMessageRequest, CreateMessageRequestParams,
        CreateMessageResult, ElicitRequest, ElicitRequestParams, ElicitResult, InputResponses,
        ListRootsRequest, ListRootsResult, LoggingLevel, LoggingMessageNotification,
        LoggingMessageNotificationParam, ProgressNotification, ProgressNotificationParam,
        ProtocolVersion, ServerNotification, ServerRequest,
    },
    service::RequestContext,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{outbound::Outbound, tasks::Tasks};

/// One call in progress: who asks, whether they still want it, and the way to tell them how far it is.
/// A tool takes it as an argument: `async fn run(&self, call: Call, …)`.
#[derive(Clone)]
pub struct Call {
    scope: Arc<Scope>,
    context: RequestContext<RoleServer>,
}

/// What the layer knows of a call and rmcp's context does not.
pub(crate) struct Scope {
    pub(crate) principal: Principal,
    pub(crate) session: Option<Arc<str>>,
    pub(crate) outbound: Outbound,
    pub(crate) tasks: Arc<Tasks>,
    pub(crate) round: Round,
    pub(crate) capabilities: Option<Arc<ClientCapabilities>>,
    /// The least severe level that the client wants to hear; `None`: it did not say.
    pub(crate) log_level: Option<LoggingLevel>,
    pub(crate) started: Instant,
    /// Milliseconds after `started` at which the last progress was told.
    pub(crate) progress_at: AtomicU64,
}

/// What a client of 2026-07-28 sent along when it called again after `InputRequiredResult`.
#[derive(Clone, Default)]
pub(crate) struct Round {
    pub(crate) inputs: Option<InputResponses>,
    pub(crate) state: Option<String>,
}

/// Why a client could not be asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AskError {
    #[error("the client refused: {0}")]
    Refused(String),
    #[error("the client cannot be asked: {0}")]
    Unreachable(String),
    #[error("the client answered with something else")]
    Unexpected,
}

impl Fault for AskError {
    fn kind(&self) -> Kind {
        match self {
            Self::Refused(_) | Self::Unexpected => Kind::Invalid,
            Self::Unreachable(_) => Kind::Unavailable,
        }
    }

    fn hint(&self) -> Option<String> {
        Some("give what is missing as arguments of the call".into())
    }
}

impl Call {
    pub(crate) fn new(scope: Arc<Scope>, context: RequestContext<RoleServer>) -> Self {
        Self { scope, context }
    }

    /// Who asks.
    pub fn principal(&self) -> &Principal {
        &self.scope.principal
    }

    /// What state across calls is kept under: the session, on stdio the connection. `None`: the client has none, and
    /// each of its requests stands alone.
    pub fn session(&self) -> Option<&str> {
        self.scope.session.as_deref()
    }

    /// The protocol revision of this request.
    pub fn protocol_version(&self) -> ProtocolVersion {
        self.context.protocol_version().unwrap_or(ProtocolVersion::V_2025_03_26)
    }

    /// Whether the client speaks 2026-07-28 or later: it is never sent requests, a tool answers
    /// `InputRequiredResult` instead.
    pub fn is_modern(&self) -> bool {
        self.protocol_version() >= ProtocolVersion::V_2026_07_28
    }

    /// What the client says it can do.
    pub fn client_capabilities(&self) -> ClientCapabilities {
        match &self.scope.capabilities {
            Some(capabilities) => (**capabilities).clone(),
            None => self.context.client_capabilities().unwrap_or_default(),
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.context.ct.is_cancelled()
    }

    /// Ends when the caller no longer wants the answer.
    pub async fn cancelled(&self) {
        self.context.ct.cancelled().await;
    }

    /// Tells how far the work is; does nothing unless the client asked to hear. `done` only grows.
    /// Progress also extends the time that the call may take.
    pub async fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let elapsed = u64::try_from(self.scope.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.scope.progress_at.store(elapsed, Ordering::Relaxed);
        if let (Outbound::Task(line), Some(message)) = (&self.scope.outbound, message) {
            line.status(message);
        }
        let Some(token) = self.context.meta.get_progress_token() else { return };
        let mut param = ProgressNotificationParam::new(token, done);
        param.total = total;
        param.message = message.map(str::to_owned);
        let notification = ProgressNotification::new(param);
        self.scope.outbound.notify(ServerNotification::ProgressNotification(notification)).await;
    }

    /// Sends a log message to the client, if it wants messages of this level.
    pub async fn log(&self, level: LoggingLevel, logger: Option<&str>, data: Value) {
        if !self.wants(level) {
            return;
        }
        let mut param = LoggingMessageNotificationParam::new(level, data);
        param.logger = logger.map(str::to_owned);
        let message = LoggingMessageNotification::new(param);
        self.scope.outbound.notify(ServerNotification::LoggingMessageNotification(message)).await;
    }

    /// Asks the person behind the client. Only for clients before 2026-07-28 (see [`Call::is_modern`]).
    pub async fn elicit(&self, params: ElicitRequestParams) -> Result<ElicitResult, AskError> {
        let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
        match self.scope.outbound.ask(request).await? {
            ClientResult::ElicitResult(result) => Ok(result),
            _ => Err(AskError::Unexpected),
        }
    }

    /// Asks the client's model. Only for clients before 2026-07-28 (see [`Call::is_modern`]).
    pub async fn sample(
        &self,
        params: CreateMessageRequestParams,
    ) -> Result<CreateMessageResult, AskError> {
        let request = ServerRequest::CreateMessageRequest(CreateMessageRequest::new(params));
        match self.scope.outbound.ask(request).await? {
            ClientResult::CreateMessageResult(result) => Ok(*result),
            _ => Err(AskError::Unexpected),
        }
    }

    /// Asks for the client's roots. Only for clients before 2026-07-28 (see [`Call::is_modern`]).
    pub async fn roots(&self) -> Result<ListRootsResult, AskError> {
        let request = ListRootsRequest::default();
        match self.scope.outbound.ask(ServerRequest::ListRootsRequest(request)).await? {
            ClientResult::ListRootsResult(result) => Ok(result),
            _ => Err(AskError::Unexpected),
        }
    }

    /// What the client answered to the request `key` of an `InputRequiredResult`, as it sent it.
    pub fn input(&self, key: &str) -> Option<&Value> {
        self.scope.round.inputs.as_ref()?.get(key)
    }

    /// The state that the client was given with `InputRequiredResult`. It comes from outside: what matters in it
    /// must have been sealed.
    pub fn request_state(&self) -> Option<&str> {
        self.scope.round.state.as_deref()
    }

    /// Whether the client may be answered with a task. Asked the way rmcp asks before it lets such an answer pass.
    pub(crate) fn knows_tasks(&self) -> bool {
        self.context.client_capabilities().is_some_and(|able| able.supports_tasks())
    }

    pub(crate) fn tasks(&self) -> &Tasks {
        &self.scope.tasks
    }

    /// The same call, speaking to its client another way and ended by another token.
    pub(crate) fn continued(&self, outbound: Outbound, cancelled: CancellationToken) -> Self {
        let old = &self.scope;
        let scope = Scope {
            principal: old.principal.clone(),
            session: old.session.clone(),
            outbound,
            tasks: old.tasks.clone(),
            round: old.round.clone(),
            capabilities: old.capabilities.clone(),
            log_level: old.log_level,
            started: Instant::now(),
            progress_at: AtomicU64::new(0),
        };
        let mut context = self.context.clone();
        context.ct = cancelled;
        Self { scope: Arc::new(scope), context }
    }

    /// Ends the connection but not the call: the client comes back for the rest by `Last-Event-ID`, so that
    /// long work holds no socket. Does nothing where there is no stream to come back to.
    pub fn release_connection(&self) {
        if let Outbound::Stream(stream) = &self.scope.outbound {
            stream.release();
        }
    }

    fn wants(&self, level: LoggingLevel) -> bool {
        // A modern client names the level in each request, and hears nothing if it does not.
        let least = match self.context.meta.log_level() {
            Some(level) => Some(level),
            None if self.is_modern() => return false,
            None => self.scope.log_level,
        };
        least.is_none_or(|least| severity(level) >= severity(least))
    }
}

fn severity(level: LoggingLevel) -> u8 {
    level as u8
}

impl<C: AsRequestContext> FromContextPart<C> for Call {
    fn from_context_part(context: &mut C) -> Result<Self, ErrorData> {
        let context = context.as_request_context_mut();
        let scope = context.extensions.get::<Arc<Scope>>().cloned().ok_or_else(|| {
            ErrorData::internal_error("`Call` is only there in calls that kit-mcp serves", None)
        })?;
        // What a call looks at is not in the extensions, and a copy of them is the dearest part of the context.
        let extensions = std::mem::take(&mut context.extensions);
        let own = context.clone();
        context.extensions = extensions;
        Ok(Self { scope, context: own })
    }
}
