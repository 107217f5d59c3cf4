//! Checking texts, reloading, and how the server is.

use kit_mcp::{
    Call,
    rmcp::{self, handler::server::wrapper::Parameters, tool, tool_router},
};
use serde_json::{Value, json};

use super::{
    Tools,
    answer::{Failed, Object},
    input::{Check, Nothing, OfPackage},
};
use crate::{At, CompileAsk, wire};

#[tool_router(router = work, vis = "pub(super)")]
impl Tools {
    /// Check Malloy text without running it: errors and warnings with their places. Use it before you show a query to a
    /// person, and after you edited a model (`scope: "file"` with the whole new text).
    #[tool(
        name = "malloy_compile",
        title = "Check Malloy text",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn compile(
        &self,
        call: Call,
        Parameters(input): Parameters<Check>,
    ) -> Result<Object<Value>, Failed> {
        let at = At::new(&input.project_name, &input.package_name, &input.model_path);
        let ask = CompileAsk {
            at: at.clone(),
            source: input.source,
            scope: input.scope.into(),
            include_sql: input.include_sql,
            givens: input.givens,
            caller: call.principal().clone(),
        };
        let report = self.service.compile(ask).await.map_err(|error| Failed::at(&at, &error))?;
        Ok(Object(wire::report(&at.path, &report)))
    }

    /// Load a package anew after its files were edited. What compiled before and does not any more keeps serving; the answer
    /// then names what is wrong.
    #[tool(
        name = "malloy_reloadPackage",
        title = "Reload a package",
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn reload_package(
        &self,
        Parameters(OfPackage { project_name, package_name }): Parameters<OfPackage>,
    ) -> Result<Object<Value>, Failed> {
        let reloaded = self.service.reload(&project_name, &package_name).await;
        let reloaded =
            reloaded.map_err(|error| Failed::of(&project_name, &package_name, &error))?;
        let package = &reloaded.package;
        let broken = !reloaded.problems.is_empty() || package.error.is_some();
        let status = match (broken, &package.stale) {
            (false, None) => "ok",
            (_, Some(_)) => "stale",
            (true, None) => "error",
        };
        let mut answer = json!({"status": status, "mode": "reload", "name": package.name,
            "models": package.models.len(), "loadMs": package.load_ms});
        let problems = wire::problems(&reloaded.problems);
        if !problems.is_empty() {
            answer["problems"] = problems.into();
        }
        if !package.warnings.is_empty() {
            answer["warnings"] = json!(package.warnings);
        }
        if let Some(error) = &package.error {
            answer["error"] = json!(error);
        }
        Ok(Object(answer))
    }

    /// Tell how the server is: its projects, the packages that are loaded, what could not be loaded and why, and what is
    /// served as it was before an edit broke it.
    #[tool(
        name = "malloy_getStatus",
        title = "Get the server's status",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn get_status(&self, _: Parameters<Nothing>) -> Object<Value> {
        let status = self.service.status();
        let loaded: Vec<Value> = status
            .loaded
            .iter()
            .map(|package| {
                json!({"project": package.project, "package": package.name, "models": package.models.len(),
                    "stale": package.stale.is_some(), "loadedAt": package.loaded_at})
            })
            .collect();
        let mut answer = serde_json::to_value(&status).unwrap_or_default();
        answer["packages"] = loaded.into();
        Object(answer)
    }
}
