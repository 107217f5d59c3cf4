//! A request that was not served.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use kit_core::{Fault, Kind};
use kit_http::Problem;
use serde_json::{Map, Value};
use universe_core::json::encode;

use crate::{Error, wire};

/// Status and body.
pub(super) struct Failure {
    status: StatusCode,
    body: Map<String, Value>,
}

impl Failure {
    pub(super) fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, body: Map::from_iter([("error".to_owned(), error.into().into())]) }
    }

    pub(super) fn bad(error: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error)
    }

    /// The body alone, for a stream that has begun.
    pub(super) fn into_body(self) -> Map<String, Value> {
        self.body
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match (error.kind(), &error) {
            (_, Error::Stale { .. }) => StatusCode::PRECONDITION_FAILED,
            (Kind::Invalid, _) => StatusCode::BAD_REQUEST,
            (Kind::NotFound, _) => StatusCode::NOT_FOUND,
            (Kind::Conflict, _) => StatusCode::CONFLICT,
            (Kind::Forbidden, _) => StatusCode::FORBIDDEN,
            (Kind::Unavailable, _) => StatusCode::SERVICE_UNAVAILABLE,
            (Kind::Internal, _) => {
                tracing::error!(error = &error as &dyn std::error::Error, "a request failed");
                return Self::new(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error");
            }
        };
        Self { status, body: wire::failure(&error) }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::new(problem.status(), problem.report().error.clone())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = super::json(self.status, encode(&self.body));
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
