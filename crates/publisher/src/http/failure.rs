//! A request that was not served.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, Method, StatusCode, Uri, header};
use kit_http::Problem;
use serde_json::{Map, Value, json};

use super::answer::text;
use crate::{Error, What, wire};

/// Status and body: `code` and `message`, then what helps, then the members of a problem document.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    body: Map<String, Value>,
}

impl Failure {
    fn new(status: StatusCode, mut body: Map<String, Value>) -> Self {
        let title = status.canonical_reason().unwrap_or("Error");
        body.entry("title").or_insert_with(|| json!(title));
        body.insert("status".to_owned(), json!(status.as_u16()));
        let message = body.get("message").cloned().unwrap_or_default();
        body.insert("detail".to_owned(), message);
        Self { status, body }
    }

    /// The request is wrong as it stands.
    pub(super) fn bad(message: impl Into<String>) -> Self {
        Error::new(What::Request, message).into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = StatusCode::from_u16(error.status());
        Self::new(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), wire::failure(&error))
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        let (status, report) = (problem.status(), problem.report());
        let mut body = Map::new();
        body.insert("code".to_owned(), json!(status.as_u16()));
        body.insert("message".to_owned(), json!(report.error));
        body.insert("suggestions".to_owned(), json!(report.suggestions));
        if let Some(hint) = &report.hint {
            body.insert("hint".to_owned(), json!(hint));
        }
        Self::new(status, body)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = Value::Object(self.body).to_string();
        let mut response = text(self.status, "application/json; charset=utf-8", body);
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// Anything below `/api` that is no route.
pub(super) async fn no_such_path(uri: Uri) -> Failure {
    let mut body = Map::new();
    body.insert("code".to_owned(), json!(404));
    body.insert("message".to_owned(), json!(format!("there is no `{}`", uri.path())));
    body.insert("suggestions".to_owned(), json!([]));
    body.insert("hint".to_owned(), json!("`/openapi.json` lists what there is"));
    Failure::new(StatusCode::NOT_FOUND, body)
}

/// A route that does not take this method. `OPTIONS` asks just that.
pub(super) async fn no_such_method(method: Method, uri: Uri) -> Response {
    if method == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    let mut body = Map::new();
    body.insert("code".to_owned(), json!(405));
    body.insert("message".to_owned(), json!(format!("`{}` does not take `{method}`", uri.path())));
    body.insert("suggestions".to_owned(), json!([]));
    body.insert("hint".to_owned(), json!("the `Allow` header lists what it takes"));
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, body).into_response()
}
