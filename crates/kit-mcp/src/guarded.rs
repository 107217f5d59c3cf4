//! A call as the layer lets it run: checked, bounded in time, unable to take the server with it.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use futures::FutureExt;
use kit_core::{Kind, Report};
use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolRequestParams, CallToolResponse, CallToolResult, ErrorCode},
    service::RequestContext,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::{
    ArgumentErrors, ToolError, call::Scope, catalog::ToolEntry, metrics::Outcomes, server::Core,
};

/// How a call ended.
#[expect(clippy::large_enum_variant, reason = "one lives for a moment on the stack of its call")]
enum Ended {
    Answered(Result<CallToolResponse, ErrorData>),
    Panicked,
    TimedOut(Duration),
    Cancelled,
}

pub(crate) async fn tool_call(
    core: &Core,
    entry: &Arc<ToolEntry>,
    scope: &Arc<Scope>,
    mut params: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let mut arguments = params.arguments.take().unwrap_or_default();
    for (other, known) in entry.app.aliases {
        if !arguments.contains_key(*known)
            && let Some(value) = arguments.remove(*other)
        {
            arguments.insert((*known).to_owned(), value);
        }
    }
    let arguments = Value::Object(arguments);
    let policy = entry.app.argument_errors;
    if policy != ArgumentErrors::ByTheTool
        && let Err(bad) = entry.validator.check(&arguments)
    {
        core.metrics.calls.tool_error.inc();
        if policy == ArgumentErrors::AsResult {
            return Ok(bad.into_result().into());
        }
        let data = serde_json::to_value(bad.report()).ok();
        return Err(ErrorData::invalid_params(bad.message(), data));
    }
    if let Value::Object(arguments) = arguments {
        params.arguments = Some(arguments);
    }
    if *params.name != *entry.name {
        params.name = entry.name.clone().into();
    }
    let cancelled = context.ct.clone();
    let work = AssertUnwindSafe(entry.app.tools.call(params, context)).catch_unwind();
    let ended = tokio::select! {
        biased;
        answer = work => answer.map_or(Ended::Panicked, Ended::Answered),
        limit = out_of_time(entry.app.time_limit, core.limits.call_longest, scope) => Ended::TimedOut(limit),
        () = cancelled.cancelled() => Ended::Cancelled,
    };
    note(core, entry, scope, &ended);
    answer(entry, ended, &cancelled)
}

/// Runs what is not a tool call: a panic becomes an answer, nothing else is bounded here.
pub(crate) async fn quietly<T>(
    work: impl Future<Output = Result<T, ErrorData>>,
) -> Result<T, ErrorData> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| Err(our_mistake()))
}

/// Ends when the call has gone on for `limit` without telling progress, or for `longest` in all.
async fn out_of_time(limit: Duration, longest: Duration, scope: &Scope) -> Duration {
    let mut quiet_since = Duration::ZERO;
    loop {
        let allowed = (quiet_since + limit).min(longest);
        tokio::time::sleep(allowed.saturating_sub(scope.started.elapsed())).await;
        let told = Duration::from_millis(scope.progress_at.load(Ordering::Relaxed));
        if allowed >= longest || told <= quiet_since {
            return allowed;
        }
        quiet_since = told;
    }
}

fn answer(
    entry: &ToolEntry,
    ended: Ended,
    cancelled: &CancellationToken,
) -> Result<CallToolResponse, ErrorData> {
    match ended {
        Ended::Answered(answer) => answer,
        Ended::Panicked => Ok(failure(
            Kind::Internal,
            format!("tool `{}` failed by a mistake of ours", entry.tool.name),
            "the details are in the server's log; other calls are not affected",
        )),
        Ended::TimedOut(limit) => {
            cancelled.cancel();
            Ok(failure(
                Kind::Unavailable,
                format!("tool `{}` was stopped after {} s", entry.tool.name, limit.as_secs_f64()),
                "ask for less at a time: narrower filters, fewer items, a smaller range",
            ))
        }
        Ended::Cancelled => {
            let why = format!("call of `{}` cancelled", entry.tool.name);
            Err(ErrorData::new(ErrorCode::INVALID_REQUEST, why, None))
        }
    }
}

fn failure(kind: Kind, error: String, hint: &str) -> CallToolResponse {
    ToolError::new(Report::new(kind, error).hint(hint)).into_result().into()
}

pub(crate) fn our_mistake() -> ErrorData {
    ErrorData::internal_error(
        "the server failed by a mistake of ours; its log has the details",
        None,
    )
}

/// Counts the call, and writes a line for each one that may have changed something or went wrong.
fn note(core: &Core, entry: &ToolEntry, scope: &Scope, ended: &Ended) {
    let elapsed = scope.started.elapsed();
    core.metrics.call_seconds.observe(elapsed.as_secs_f64());
    let outcome = count(&core.metrics.calls, ended);
    let tool = &*entry.tool.name;
    let ms = elapsed.as_secs_f64() * 1000.0;
    let principal = scope.principal.as_str();
    match outcome {
        "panic" | "timeout" => tracing::error!(tool, outcome, ms, principal, "call"),
        _ if entry.writes => tracing::info!(tool, outcome, ms, principal, "call"),
        _ => tracing::debug!(tool, outcome, ms, principal, "call"),
    }
}

fn count(calls: &Outcomes, ended: &Ended) -> &'static str {
    let (counter, name) = match ended {
        Ended::Answered(Ok(CallToolResponse::Complete(CallToolResult {
            is_error: Some(true),
            ..
        }))) => (&calls.tool_error, "tool_error"),
        Ended::Answered(Ok(_)) => (&calls.ok, "ok"),
        Ended::Answered(Err(_)) => (&calls.protocol_error, "protocol_error"),
        Ended::Panicked => (&calls.panic, "panic"),
        Ended::TimedOut(_) => (&calls.timeout, "timeout"),
        Ended::Cancelled => (&calls.cancelled, "cancelled"),
    };
    counter.inc();
    name
}
