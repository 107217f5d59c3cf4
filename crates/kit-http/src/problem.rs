//! A refusal as `application/problem+json` (RFC 9457).

use std::error::Error;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use kit_core::{Fault, Kind, Report};
use serde::Serialize;

/// A request that was not served: a status and the same report that every other surface gives.
///
/// `?` makes one from any [`Fault`]. The causes of an internal fault are not in the body; they travel
/// beside the response to the guard, which logs them with the request's id.
#[derive(Debug, Clone)]
pub struct Problem {
    status: StatusCode,
    report: Box<Report>,
    causes: Option<Causes>,
}

/// Why an internal fault happened, for the log only.
#[derive(Debug, Clone)]
pub(crate) struct Causes(pub(crate) String);

impl Problem {
    pub fn new(status: StatusCode, report: Report) -> Self {
        Self { status, report: Box::new(report), causes: None }
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// The status that stands for a kind of fault, on every HTTP surface.
pub(crate) fn status_of(kind: Kind) -> StatusCode {
    match kind {
        Kind::Invalid => StatusCode::BAD_REQUEST,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl<F: Fault + 'static> From<F> for Problem {
    fn from(fault: F) -> Self {
        let kind = fault.kind();
        let causes = (kind == Kind::Internal).then(|| Causes(chain(&fault)));
        Self { status: status_of(kind), report: Box::new(fault.report()), causes }
    }
}

/// The error and everything below it, in one line.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}

/// What goes over the wire: the standard members, then the report's own.
#[derive(Serialize)]
struct Body<'a> {
    title: &'a str,
    status: u16,
    detail: &'a str,
    #[serde(flatten)]
    report: &'a Report,
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = Body {
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            detail: &self.report.error,
            report: &self.report,
        };
        let body = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = (self.status, body).into_response();
        let json = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        if let Some(causes) = self.causes {
            response.extensions_mut().insert(causes);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use insta::assert_snapshot;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    enum Refused {
        #[error("no star `sol`")]
        Unknown,
        #[error("the store failed")]
        Failed(#[source] std::io::Error),
    }

    impl Fault for Refused {
        fn kind(&self) -> Kind {
            match self {
                Self::Unknown => Kind::NotFound,
                Self::Failed(_) => Kind::Internal,
            }
        }

        fn hint(&self) -> Option<String> {
            matches!(self, Self::Unknown).then(|| "list the stars first".into())
        }
    }

    async fn shown(problem: Problem) -> String {
        let response = problem.into_response();
        let status = response.status();
        let kind = response.headers()[header::CONTENT_TYPE].to_str().unwrap().to_owned();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        format!("{status}\n{kind}\n{}", String::from_utf8_lossy(&body))
    }

    #[tokio::test]
    async fn a_fault_keeps_its_report_and_gains_the_standard_members() {
        assert_snapshot!(shown(Refused::Unknown.into()).await, @r#"
        404 Not Found
        application/problem+json
        {"title":"Not Found","status":404,"detail":"no star `sol`","error":"no star `sol`","code":"not_found","hint":"list the stars first"}
        "#);
    }

    #[tokio::test]
    async fn causes_of_an_internal_fault_reach_the_log_but_not_the_reader() {
        let problem = Problem::from(Refused::Failed(std::io::Error::other("disk on fire")));
        let causes = problem.clone().into_response().extensions().get::<Causes>().unwrap().clone();
        assert_eq!(causes.0, "the store failed: disk on fire");
        assert!(!shown(problem).await.contains("disk"));
    }
}
