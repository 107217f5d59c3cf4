//! Paths and query strings whose mistakes are problems too.

use axum::extract::{FromRequestParts, path::ErrorKind, rejection::PathRejection};
use http::{StatusCode, request::Parts};
use kit_core::{Kind, Report};
use serde::de::DeserializeOwned;

use crate::Problem;

/// The variables of the route, as [`axum::extract::Path`].
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match axum::extract::Path::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(PathRejection::FailedToDeserializePathParams(error)) => {
                let message = match error.kind() {
                    ErrorKind::ParseErrorAtKey { key, value, expected_type } => {
                        format!("`{value}` in the place of `{key}` is not a {expected_type}")
                    }
                    _ => error.body_text(),
                };
                Err(invalid(message))
            }
            Err(error) => Err(invalid(error.body_text())),
        }
    }
}

/// The query string, as [`axum::extract::Query`].
#[derive(Debug, Clone, Copy)]
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        axum::extract::Query::try_from_uri(&parts.uri)
            .map(|axum::extract::Query(value)| Self(value))
            .map_err(|error| invalid(error.body_text()))
    }
}

fn invalid(message: String) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, Report::new(Kind::Invalid, message))
}

#[cfg(test)]
mod tests {
    use axum::{Router, body::Body, routing::get};
    use http::Request;
    use tower::ServiceExt;

    use super::*;

    async fn status_and_detail(uri: &str) -> (StatusCode, String) {
        let routes =
            Router::new().route("/stars/{id}", get(|_: Path<u32>, _: Query<Page>| async {}));
        let request = Request::get(uri).body(Body::empty()).unwrap();
        let response = routes.oneshot(request).await.unwrap();
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), 1 << 16).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        (status, body["detail"].as_str().unwrap().to_owned())
    }

    #[derive(serde::Deserialize)]
    struct Page {
        #[serde(rename = "limit")]
        _limit: Option<u32>,
    }

    #[tokio::test]
    async fn a_wrong_path_variable_is_a_problem() {
        let (status, detail) = status_and_detail("/stars/sol").await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert!(detail.contains("`sol`"), "{detail}");
    }

    #[tokio::test]
    async fn a_wrong_query_is_a_problem() {
        let (status, detail) = status_and_detail("/stars/1?limit=many").await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert!(detail.contains("limit"), "{detail}");
    }
}
