//! Tools that go on as tasks.

use std::time::Duration;

use kit_mcp::{
    Call, ToolError,
    rmcp::{
        self, ErrorData,
        handler::server::wrapper::Parameters,
        model::CallToolResponse,
        schemars::{self, JsonSchema},
        tool, tool_router,
    },
};
use serde::Deserialize;
use serde_json::json;

use crate::{Fixture, rounds, talk};

type Response = Result<CallToolResponse, ErrorData>;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Greet {
    /// Who is greeted.
    name: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SlowCompute {
    /// How long it takes.
    #[schemars(range(min = 0, max = 600))]
    seconds: u64,
    /// A name to tell one computation from another.
    #[serde(default)]
    label: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ConfirmDelete {
    /// The file to delete (nothing is deleted).
    filename: String,
}

#[tool_router(router = task_tools, vis = "pub(crate)")]
impl Fixture {
    /// Greet, at once.
    #[tool(annotations(read_only_hint = true))]
    async fn greet(&self, Parameters(Greet { name }): Parameters<Greet>) -> String {
        format!("Hello, {name}!")
    }

    /// Compute for some seconds, as a task where the client knows tasks.
    #[tool(annotations(read_only_hint = true))]
    async fn slow_compute(
        &self,
        call: Call,
        Parameters(SlowCompute { seconds, label }): Parameters<SlowCompute>,
    ) -> Response {
        call.task_if_able(move |_| async move {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            format!("Computed {label:?} for {seconds} s")
        })
        .await
    }

    /// Fail as a tool does, only ever as a task.
    #[tool(annotations(read_only_hint = true))]
    async fn failing_job(&self, call: Call) -> Response {
        call.task(|_| async { Err::<String, _>("The job failed, as it always does".to_owned()) })
    }

    /// Fail as a server does, only ever as a task.
    #[tool(annotations(read_only_hint = true))]
    async fn protocol_error_job(&self, call: Call) -> Response {
        call.task(|_| async {
            Err::<String, _>(ErrorData::internal_error("The server failed, as asked", None))
        })
    }

    /// Ask the user before deleting a file, in the middle of a task.
    #[tool(annotations(read_only_hint = true))]
    async fn confirm_delete(
        &self,
        call: Call,
        Parameters(ConfirmDelete { filename }): Parameters<ConfirmDelete>,
    ) -> Response {
        call.task(move |call| async move { confirm(&call, &format!("Delete {filename}?")).await })
    }

    /// Ask the user two things at once, in the middle of a task.
    #[tool(annotations(read_only_hint = true))]
    async fn multi_input(&self, call: Call) -> Response {
        call.task(|call| async move {
            let (first, second) =
                tokio::try_join!(confirm(&call, "The first?"), confirm(&call, "The second?"))?;
            Ok::<_, ToolError>(format!("{first}; {second}"))
        })
    }

    /// Ask for a name by way of the result, then go on as a task.
    #[tool(annotations(read_only_hint = true))]
    async fn test_tool_with_task(&self, call: Call) -> Response {
        let Some(name) = rounds::accepted(&call, "user_name", "name") else {
            let ask = rounds::form("What is your name?", "name", "string");
            return Ok(rounds::ask([("user_name", ask)], None).into());
        };
        call.task(move |_| async move { format!("The task is done, {name}") })
    }
}

async fn confirm(call: &Call, message: &str) -> Result<String, ToolError> {
    let fields = json!({ "confirm": { "type": "boolean" } });
    let answer = call.elicit(talk::form(message, &fields, &["confirm"])).await?;
    Ok(format!("The user answered: {:?}", answer.action))
}
