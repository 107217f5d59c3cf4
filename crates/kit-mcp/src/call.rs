//! What a tool or a resource may know and do while it answers.

use kit_core::Principal;
use rmcp::{
    ErrorData, RoleServer,
    handler::server::common::{AsRequestContext, FromContextPart},
    service::RequestContext,
};
use serde_json::Value;

/// One call in progress: who asks, whether they still want it, and the way to tell them how far it is.
/// A tool takes it as an argument: `async fn run(&self, call: Call, …)`.
#[derive(Clone)]
pub struct Call {
    principal: Principal,
    session: Option<String>,
    context: RequestContext<RoleServer>,
}

impl Call {
    /// Who asks.
    pub fn principal(&self) -> &Principal {
        &self.principal
    }

    /// What state across calls is kept under: the session, or the process on stdio, or the principal.
    pub fn state_key(&self) -> String {
        self.session.clone().unwrap_or_else(|| self.principal.to_string())
    }

    /// Ends when the caller no longer wants the answer.
    pub async fn cancelled(&self) {
        self.context.ct.cancelled().await;
    }

    /// Tells how far the work is; does nothing unless the client asked to hear.
    pub async fn progress(&self, done: f64, total: Option<f64>, message: &str) {
        let _ = (done, total, message);
    }

    /// Sends a log message to the client, if it wants messages of this level.
    pub async fn log(&self, level: &str, data: Value) {
        let _ = (level, data);
    }
}

impl<C: AsRequestContext> FromContextPart<C> for Call {
    fn from_context_part(context: &mut C) -> Result<Self, ErrorData> {
        let context = context.as_request_context().clone();
        Ok(Self { principal: Principal::local(), session: None, context })
    }
}
