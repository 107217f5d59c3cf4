//! Work that goes on after its call was answered: a task, which its caller asks after, answers and cancels.
//!
//! A tool decides by itself, with [`Call::task`] or [`Call::task_if_able`]; what it then does with its [`Call`]
//! (progress, questions) reaches the client through the task.

use std::{
    collections::HashMap,
    panic::AssertUnwindSafe,
    sync::atomic::{AtomicU64, Ordering},
};

use futures::FutureExt;
use kit_core::{Kind, Principal, Report};
use parking_lot::Mutex;
use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{
        CallToolResponse, CallToolResult, ClientCapabilities, ClientResult, CreateTaskResult,
        InputRequest, ServerRequest,
    },
    task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions},
};
use tokio_util::sync::CancellationToken;

use crate::{AskError, Call, Limits, ToolError, guarded, outbound::Outbound, structured};

/// How often a client had better ask, in milliseconds.
const POLL_MS: u64 = 500;

/// The tasks of one server. Each caller has their own, so that an id is of no use to anybody else.
pub(crate) struct Tasks {
    callers: Mutex<HashMap<Principal, TaskManager>>,
    /// Most that may run for one caller.
    most: usize,
    kept_ms: u64,
}

/// The way from a running task back to its client.
pub(crate) struct TaskLine {
    context: TaskContext,
    questions: AtomicU64,
}

impl Tasks {
    pub(crate) fn new(limits: &Limits) -> Self {
        let kept_ms = u64::try_from(limits.task_kept.as_millis()).unwrap_or(u64::MAX);
        Self { callers: Mutex::default(), most: limits.tasks_per_caller, kept_ms }
    }

    pub(crate) fn of(&self, caller: &Principal) -> TaskManager {
        self.callers.lock().entry(caller.clone()).or_default().clone()
    }
}

impl Call {
    /// Goes on with `work` as a task and answers at once with its id. A client that does not know tasks is
    /// refused, so this is for work that nobody could wait for.
    pub fn task<W>(&self, work: impl FnOnce(Self) -> W) -> Result<CallToolResponse, ErrorData>
    where
        W: Future<Output: IntoCallToolResult> + Send + 'static,
    {
        if !self.knows_tasks() {
            let needed = ClientCapabilities::builder().enable_tasks().build();
            return Err(ErrorData::missing_required_client_capability(needed));
        }
        let tasks = self.tasks();
        let mine = tasks.of(self.principal());
        if mine.running_task_count() >= tasks.most {
            return Ok(too_many(tasks.most));
        }
        let options = TaskOptions::new().with_ttl_ms(tasks.kept_ms).with_poll_interval_ms(POLL_MS);
        let task = mine.spawn(options, |context| {
            let cancelled = CancellationToken::new();
            let line = TaskLine { context: context.clone(), questions: AtomicU64::new(1) };
            let call = self.continued(Outbound::Task(line.into()), cancelled.clone());
            let work = AssertUnwindSafe(work(call)).catch_unwind();
            Box::pin(async move {
                let stop = cancelled.drop_guard();
                let ended = tokio::select! {
                    ended = work => ended.map_err(|_| guarded::our_mistake()),
                    () = context.cancelled() => return Err(TaskExit::Cancelled),
                };
                stop.disarm();
                Ok(result(ended?.into_call_tool_result()?)?)
            })
        });
        Ok(CreateTaskResult::new(task).into())
    }

    /// Goes on with `work` as a task if the client knows tasks, and within the call if not.
    pub async fn task_if_able<W>(
        &self,
        work: impl FnOnce(Self) -> W,
    ) -> Result<CallToolResponse, ErrorData>
    where
        W: Future<Output: IntoCallToolResult> + Send + 'static,
    {
        if self.knows_tasks() {
            self.task(work)
        } else {
            work(self.clone()).await.into_call_tool_result()
        }
    }
}

impl TaskLine {
    /// What the caller sees when it next asks how the task is.
    pub(crate) fn status(&self, message: &str) {
        self.context.set_status_message(message);
    }

    pub(crate) async fn ask(&self, request: ServerRequest) -> Result<ClientResult, AskError> {
        let request = match request {
            ServerRequest::ElicitRequest(request) => InputRequest::Elicitation(request),
            ServerRequest::CreateMessageRequest(request) => InputRequest::CreateMessage(request),
            ServerRequest::ListRootsRequest(request) => InputRequest::ListRoots(request),
            _ => return Err(AskError::Unexpected),
        };
        let key = format!("ask-{}", self.questions.fetch_add(1, Ordering::Relaxed));
        let answer = self.context.request_input(key, request).await;
        let answer = answer.map_err(|_| AskError::Unreachable("the task was cancelled".into()))?;
        serde_json::from_value(answer).map_err(|_| AskError::Unexpected)
    }
}

fn result(response: CallToolResponse) -> Result<CallToolResult, ErrorData> {
    match response {
        CallToolResponse::Complete(mut result) => {
            structured::complete(&mut result);
            Ok(result)
        }
        _ => Err(ErrorData::internal_error("a task asks by `Call` and begins no other task", None)),
    }
}

fn too_many(most: usize) -> CallToolResponse {
    let report = Report::new(Kind::Unavailable, format!("{most} tasks run already"))
        .hint("wait for one to end, or cancel one with `tasks/cancel`");
    ToolError::new(report).into_result().into()
}
