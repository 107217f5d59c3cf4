//! The tools over HTTP, and what programs ask beside them.

use std::time::Duration;

use axum::{
    Json,
    body::Bytes,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, StatusCode, header};
use kit_core::{Kind, Report};
use kit_http::Problem;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    Service,
    tools::{self, Given},
};

/// `POST /api/TOOL`: `{"result": …}` or `{"error": "…"}`.
pub(super) async fn call(
    State(service): State<Service>,
    Path(tool): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let arguments = match arguments(&headers, &body) {
        Ok(arguments) => arguments,
        Err(problem) => return problem.into_response(),
    };
    match tools::call(&service, &tool, &arguments).await {
        Ok(answer) => {
            let result = match answer.result {
                Given::Text(text) => Value::String(text),
                Given::Json(value) => value,
            };
            let mut body = json!({"result": result});
            if !answer.notes.is_empty() {
                body["notes"] = json!(answer.notes);
            }
            Json(body).into_response()
        }
        Err(error) => Problem::from(error).into_response(),
    }
}

/// A body that says that it is JSON: no form of a foreign page can.
fn arguments(headers: &HeaderMap, body: &[u8]) -> Result<Map<String, Value>, Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let json = kind.is_some_and(|kind| {
        kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
    });
    if !json {
        let report = Report::new(Kind::Invalid, "the content type must be application/json");
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, report));
    }
    if body.trim_ascii().is_empty() {
        return Ok(Map::new());
    }
    serde_json::from_slice(body).map_err(|error| {
        let report = Report::new(Kind::Invalid, format!("the body is not a JSON object: {error}"));
        Problem::new(StatusCode::BAD_REQUEST, report)
    })
}

#[derive(Deserialize)]
pub(super) struct Waiting {
    timeout: Option<f64>,
    session: Option<String>,
}

/// `GET /wait`: events as a JSON array, or 204 when none came in time.
pub(super) async fn wait(
    State(service): State<Service>,
    Query(Waiting { timeout, session }): Query<Waiting>,
) -> Response {
    #[expect(clippy::cast_precision_loss, reason = "two minutes")]
    let (usual, longest) = (tools::WAIT as f64, tools::LONGEST_WAIT as f64);
    let seconds = timeout.filter(|seconds| seconds.is_finite()).unwrap_or(usual);
    let session = session.filter(|id| !id.is_empty()).unwrap_or_else(|| tools::FIRST.to_owned());
    let longest = Duration::from_secs_f64(seconds.clamp(1.0, longest));
    match service.wait(&session, longest).await {
        Ok(events) if events.is_empty() => StatusCode::NO_CONTENT.into_response(),
        Ok(events) => Json(events).into_response(),
        Err(error) => Problem::from(error).into_response(),
    }
}

/// The sessions there are, for the overview.
pub(super) async fn sessions(State(service): State<Service>) -> Response {
    let Ok(running) = service.running() else {
        return Json(json!({"sessions": []})).into_response();
    };
    let now = running.clock.now_ms();
    let mut list = Vec::new();
    for session in running.sessions() {
        let usage = session.usage();
        let ago = |time: Duration| now - i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        list.push(json!({
            "id": session.id,
            "url": format!("{}/{}/", running.url, session.id),
            "type": session.type_shown().await,
            "connections": usage.connections,
            "started": ago(usage.age),
            "active": ago(usage.idle),
        }));
    }
    Json(json!({"sessions": list})).into_response()
}
