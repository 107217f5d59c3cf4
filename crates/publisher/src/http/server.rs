//! The server itself: how it is, what was asked of it, what it offers.

use axum::{extract::State, response::Response};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Api,
    answer::{Json, text},
    failure::Failure,
    input::Search,
    openapi,
};

pub(super) async fn up() -> Json<Value> {
    Json(json!({"status": "UP"}))
}

pub(super) async fn status(State(api): State<Api>) -> Json<Value> {
    let status = api.service.status();
    let loaded = |project: &str| -> Vec<Value> {
        let packages = status.loaded.iter().filter(|package| package.project == project);
        packages
            .map(|package| {
                json!({
                    "name": package.name,
                    "models": package.models.len(),
                    "loadedAt": package.loaded_at,
                    "loadMs": package.load_ms,
                    "stale": package.stale.is_some(),
                })
            })
            .collect()
    };
    let environments: Vec<Value> = status
        .projects
        .iter()
        .map(|name| json!({"name": name, "packages": loaded(name)}))
        .collect();
    let errors: Vec<Value> = status
        .load_errors
        .iter()
        .map(|error| {
            let mut made = json!(error);
            made["environment"] = json!(error.project);
            made
        })
        .collect();
    let mut made = json!(status);
    made["environments"] = environments.into();
    made["loadErrors"] = errors.into();
    made["version"] = json!(env!("CARGO_PKG_VERSION"));
    Json(made)
}

#[derive(Deserialize)]
pub(super) struct HistorySearch {
    limit: Option<usize>,
}

/// How many queries of the past are told without being asked for more.
const FEW: usize = 50;

pub(super) async fn history(
    State(api): State<Api>,
    Search(search): Search<HistorySearch>,
) -> Result<Json<Vec<Value>>, Failure> {
    let runs = api.service.history(search.limit.unwrap_or(FEW));
    Ok(Json(runs.iter().map(|run| json!(**run)).collect()))
}

pub(super) async fn watch_status(State(api): State<Api>) -> Json<Value> {
    watching(&api)
}

/// The project to watch, by either of its names; all without one.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WatchBody {
    #[serde(alias = "environmentName")]
    project_name: Option<String>,
}

pub(super) async fn start_watching(
    State(api): State<Api>,
    body: axum::body::Bytes,
) -> Result<Json<Value>, Failure> {
    // Nothing at all is as good as an empty object.
    let body = if body.is_empty() { &b"{}"[..] } else { &body };
    let WatchBody { project_name } =
        serde_json::from_slice(body).map_err(|error| Failure::bad(error.to_string()))?;
    api.service.start_watching(project_name.as_deref()).await?;
    Ok(watching(&api))
}

pub(super) async fn stop_watching(State(api): State<Api>) -> Result<Json<Value>, Failure> {
    api.service.stop_watching()?;
    Ok(watching(&api))
}

fn watching(api: &Api) -> Json<Value> {
    let names = api.service.watched();
    Json(json!({"enabled": !names.is_empty(), "environments": names}))
}

pub(super) async fn document() -> Response {
    text(StatusCode::OK, "application/json; charset=utf-8", openapi::text())
}

pub(super) async fn document_as_yaml() -> Response {
    text(StatusCode::OK, "application/yaml; charset=utf-8", openapi::yaml())
}

pub(super) async fn document_as_page() -> Response {
    text(StatusCode::OK, "text/html; charset=utf-8", openapi::page())
}
