//! JSON bodies, in and out.

use std::error::Error;

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::BodyExt;
use kit_core::{Kind, Report, nearest};
use serde::{Serialize, de::DeserializeOwned};

use crate::{Problem, guard::UploadTimedOut};

/// A JSON body. One that cannot be read is a [`Problem`] that names the field and the place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        check_content_type(request.headers())?;
        let body = read(request).await?;
        parse(&body).map(Self)
    }
}

fn check_content_type(headers: &HeaderMap) -> Result<(), Problem> {
    let found = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = found.map(|value| value.split(';').next().unwrap_or_default().trim());
    if essence.is_some_and(is_json) {
        return Ok(());
    }
    let error = match found {
        Some(found) => format!("content type `{found}` is not JSON"),
        None => "the body has no content type".to_owned(),
    };
    let report = Report::new(Kind::Invalid, error).hint("send `Content-Type: application/json`");
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, report))
}

fn is_json(essence: &str) -> bool {
    let lower = essence.to_ascii_lowercase();
    lower == "application/json" || (lower.starts_with("application/") && lower.ends_with("+json"))
}

async fn read(request: Request) -> Result<Bytes, Problem> {
    match request.into_body().collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) => Err(unreadable(&error)),
    }
}

/// Tells the ways in which a body ends early apart, however deep the cause is wrapped.
fn unreadable(error: &(dyn Error + 'static)) -> Problem {
    let mut next = Some(error);
    while let Some(cause) = next {
        if cause.is::<http_body_util::LengthLimitError>() {
            let report = Report::new(Kind::Invalid, "the body is larger than this server takes")
                .hint("send less at once, or raise `limits.body_bytes`");
            return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, report);
        }
        if cause.is::<UploadTimedOut>() {
            let report = Report::new(Kind::Invalid, cause.to_string());
            return Problem::new(StatusCode::REQUEST_TIMEOUT, report);
        }
        next = cause.source();
    }
    let report = Report::new(Kind::Invalid, "the body ended before it was complete");
    Problem::new(StatusCode::BAD_REQUEST, report)
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    let mut text = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut text).map_err(|error| {
        let path = error.path().to_string();
        misfit(&path, error.inner())
    })?;
    text.end().map_err(|error| misfit(".", &error))?;
    Ok(value)
}

/// Says what is wrong with the body, in which field, and where in the text.
fn misfit(path: &str, error: &serde_json::Error) -> Problem {
    let (line, column) = (error.line(), error.column());
    let full = error.to_string();
    let what = full.split(" at line ").next().unwrap_or(&full);
    let named = (path != ".").then_some(path);
    let message = match (error.is_data(), named) {
        (true, Some(field)) => format!("field `{field}`: {what}"),
        (true, None) => format!("the body does not fit: {what}"),
        (false, _) => format!("the body is not JSON: {what}"),
    };
    let message = format!("{message} (line {line}, column {column})");
    let mut report = Report::new(Kind::Invalid, message).with("line", line).with("column", column);
    if let (true, Some(field)) = (error.is_data(), named) {
        report = report.with("field", field);
    }
    report.hint = near_miss(what);
    Problem::new(StatusCode::BAD_REQUEST, report)
}

/// Serde lists what it knows (``unknown field `naem`, expected `name` or `id` ``); the reader wants one of them.
fn near_miss(what: &str) -> Option<String> {
    if !what.starts_with("unknown ") {
        return None;
    }
    let mut words = what.split('`').skip(1).step_by(2);
    let given = words.next()?;
    nearest(given, words).map(|known| format!("did you mean `{known}`?"))
}

/// JSON with another content type than `application/json`.
pub(crate) fn with_type(status: StatusCode, kind: &'static str, body: &impl Serialize) -> Response {
    let body = serde_json::to_vec(body).unwrap_or_default();
    let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(kind))];
    (status, headers, body).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use insta::assert_snapshot;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Orbit {
        #[serde(rename = "apoapsis")]
        _apoapsis: f64,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct AddPlanet {
        #[serde(rename = "name")]
        _name: String,
        #[serde(rename = "orbit")]
        _orbit: Orbit,
    }

    async fn refused(kind: &str, body: impl Into<Body>) -> String {
        let request = Request::post("/").header(header::CONTENT_TYPE, kind);
        let request = request.body(body.into()).unwrap();
        let problem = Json::<AddPlanet>::from_request(request, &()).await.unwrap_err();
        let report = serde_json::to_string(problem.report()).unwrap();
        format!("{}\n{report}", problem.status())
    }

    #[tokio::test]
    async fn a_wrong_type_names_the_field_and_the_place() {
        let body = "{\"name\": \"Nibiru\",\n \"orbit\": {\"apoapsis\": \"far\"}}";
        assert_snapshot!(refused("application/json", body).await, @r#"
        400 Bad Request
        {"error":"field `orbit.apoapsis`: invalid type: string \"far\", expected f64 (line 2, column 28)","code":"invalid","line":2,"column":28,"field":"orbit.apoapsis"}
        "#);
    }

    #[tokio::test]
    async fn an_unknown_field_names_the_nearest() {
        assert_snapshot!(refused("application/json; charset=utf-8", r#"{"naem": "x"}"#).await, @r#"
        400 Bad Request
        {"error":"field `naem`: unknown field `naem`, expected `name` or `orbit` (line 1, column 7)","code":"invalid","hint":"did you mean `name`?","line":1,"column":7,"field":"naem"}
        "#);
    }

    #[tokio::test]
    async fn broken_json_names_line_and_column() {
        assert_snapshot!(refused("application/json", "{\"name\": }").await, @r#"
        400 Bad Request
        {"error":"the body is not JSON: expected value (line 1, column 10)","code":"invalid","line":1,"column":10}
        "#);
    }

    #[tokio::test]
    async fn text_after_the_value_is_refused() {
        let body = r#"{"name": "x", "orbit": {"apoapsis": 1}} {}"#;
        assert!(refused("application/json", body).await.contains("trailing characters"));
    }

    #[tokio::test]
    async fn another_content_type_is_415() {
        assert_snapshot!(refused("text/plain", "{}").await, @r#"
        415 Unsupported Media Type
        {"error":"content type `text/plain` is not JSON","code":"invalid","hint":"send `Content-Type: application/json`"}
        "#);
    }

    #[tokio::test]
    async fn a_body_past_the_limit_is_413() {
        let body = Body::new(http_body_util::Limited::new(Body::from(vec![b' '; 100]), 10));
        assert!(refused("application/json", body).await.starts_with("413"));
    }
}
