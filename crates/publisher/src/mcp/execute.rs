//! Asking.

use std::{future::Future, pin::pin, sync::Arc, time::Duration};

use kit_mcp::{
    Call,
    rmcp::{
        self,
        handler::server::wrapper::Parameters,
        model::{CallToolResult, ContentBlock},
        tool, tool_router,
    },
};
use publisher_core::{advice, uri::Place};

use super::{
    Tools, failure,
    failure::json_contents,
    input::{Execute, Form},
    shown,
};
use crate::{Answer, Ask, At, By, Error, ModelKind, Surface, What, wire};

/// How often somebody who wants to hear of progress does.
const HEARTBEAT: Duration = Duration::from_secs(1);

#[tool_router(router = execute, vis = "pub(super)")]
impl Tools {
    /// Run a query on a model and get its rows as JSON. Give either `query` (Malloy text with a `run:`) or the name of a
    /// saved one: `sourceName` and `queryName` for a view, `queryName` alone for a query of the model. Find names with
    /// `malloy_getContext` first. Without a `limit:` of its own a query gives at most 1000 rows, and says when it was cut.
    #[tool(
        name = "malloy/executeQuery",
        title = "Run a Malloy query",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn execute_query(
        &self,
        call: Call,
        Parameters(input): Parameters<Execute>,
    ) -> CallToolResult {
        let (query, source, name) = (&*input.query, &*input.source_name, &*input.query_name);
        let what = match wire::asked(Some(query), Some(source), Some(name)) {
            Ok(what) => what,
            Err(error) => {
                let text = format!("MCP error -32602: {}", error.message);
                return CallToolResult::error(vec![ContentBlock::text(text)]);
            }
        };
        let at = At::new(&input.project_name, &input.package_name, &input.model_path);
        let ask = Ask {
            at: at.clone(),
            what,
            givens: input.givens,
            row_limit: input.row_limit,
            by: By { fresh: input.fresh, ..By::new(call.principal(), Surface::Mcp) },
        };
        match told(&call, self.ask(ask)).await {
            Ok(answer) => {
                // Writing a large result takes a while, in which others want to be served.
                let form = input.answer;
                let written = move || success(&at, &answer, form);
                tokio::task::spawn_blocking(written).await.unwrap_or_else(|error| {
                    let advice = advice::internal("executeQuery", &error.to_string());
                    failure::result(Some("error://executeQuery/queryExecution"), &advice)
                })
            }
            Err(error) => {
                let (uri, advice) = failure::of_query(&at, &error);
                failure::result(Some(uri), &advice)
            }
        }
    }
}

impl Tools {
    async fn ask(&self, ask: Ask) -> Result<Arc<Answer>, Error> {
        let (_, model) = self.service.found(&ask.at).await?;
        if model.kind == ModelKind::Notebook {
            // It has no place among models; the queries of its cells can be run on the models that it imports.
            return Err(Error::new(What::Model, format!("{} is a notebook", model.path)));
        }
        self.service.query(ask).await
    }
}

/// Waits for an answer, telling the client every now and then that there will be one.
async fn told<T>(call: &Call, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut seconds = 0.0;
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            () = tokio::time::sleep(HEARTBEAT) => {
                seconds += HEARTBEAT.as_secs_f64();
                let words = format!("the query has been running for {seconds} s");
                call.progress(seconds, None, Some(&words)).await;
            }
        }
    }
}

fn success(at: &At, answer: &Answer, form: Form) -> CallToolResult {
    let model = Place::of_model(&at.project, &at.package, &answer.model.path).uri();
    let block = |part: &str, text: String| {
        ContentBlock::resource(json_contents(text, format!("{model}#{part}")))
    };
    let content = match form {
        Form::Full => vec![
            block("queryResult", shown::raw(answer)),
            block("modelDef", wire::definition_text(&answer.model)),
            block("dataStyles", wire::styles_text(&answer.model)),
        ],
        Form::Result => vec![block("queryResult", shown::raw(answer))],
        Form::Stable => vec![block("result", shown::stable(answer))],
        // Plain text: whoever asks for rows has a model that reads them.
        Form::Rows => vec![ContentBlock::text(shown::rows(answer))],
    };
    CallToolResult::success(content)
}
