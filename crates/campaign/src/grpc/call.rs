//! What every call passes on its way in and out: its name, its time, and what it may not be.

use std::time::Duration;

use axum::{
    body::Body,
    extract::Request,
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use kit_core::{Kind, Principal, Report};
use kit_http::{Problem, RequestId};
use tonic::Status;
use tracing::{Instrument as _, Span};

use super::deadline;
use crate::Caller;

pub(crate) const REQUEST_ID: &str = "x-duality-request-id";
pub(crate) const INVOCATION_ID: &str = "x-duality-invocation-id";
pub(crate) const PARTICIPANT_ID: &str = "x-duality-participant-id";
pub(crate) const PARTICIPANT_TOKEN: &str = "x-duality-participant-token";
/// What other systems call a request's id.
const PLAIN_REQUEST_ID: &str = "x-request-id";
/// An id is for finding a line in a log; longer ones are replaced.
const LONGEST_ID: usize = 256;

/// The names of a call: in the journal, in the log and in the answer.
#[derive(Debug, Clone)]
pub(super) struct Names {
    pub(super) request: HeaderValue,
    pub(super) invocation: Option<HeaderValue>,
}

/// Names the call, gives it its time, and sends the names back whatever came of it.
pub(super) async fn frame(mut request: Request, next: Next) -> Response {
    if !speaks_grpc(request.headers()) {
        return other_protocol(request.uri().path()).into_response();
    }
    let names = Names::of(&request);
    let time = deadline::of(request.headers());
    let span = names.span(request.headers());
    request.extensions_mut().insert(names.clone());
    let answer = tokio::time::timeout(time, next.run(request).instrument(span)).await;
    let mut response = answer.unwrap_or_else(|_| too_late(time));
    plain_words(response.headers_mut());
    names.write(response.headers_mut());
    response
}

impl Names {
    fn of(request: &Request) -> Self {
        let given = |name| request.headers().get(name).filter(|id| is_sane(id));
        let named = given(REQUEST_ID).or_else(|| given(PLAIN_REQUEST_ID)).cloned();
        // Behind the host's guard there is one already, which stands in its log.
        let guard = || request.extensions().get().and_then(|id: &RequestId| value(id.as_str()));
        let fresh = || value(&uuid::Uuid::new_v4().to_string());
        let request_id = named.or_else(guard).or_else(fresh);
        Self {
            request: request_id.unwrap_or_else(|| HeaderValue::from_static("?")),
            invocation: given(INVOCATION_ID).cloned(),
        }
    }

    /// What every line of the log says that is written on the call's behalf.
    fn span(&self, headers: &HeaderMap) -> Span {
        let said = |name| headers.get(name).and_then(text);
        tracing::info_span!(
            "grpc",
            request = text(&self.request),
            invocation = self.invocation.as_ref().and_then(text),
            campaign = said("x-duality-campaign-id"),
            session = said("x-duality-session-id"),
            participant = said(PARTICIPANT_ID),
        )
    }

    fn write(self, headers: &mut HeaderMap) {
        headers.insert(REQUEST_ID, self.request);
        if let Some(id) = self.invocation {
            headers.insert(INVOCATION_ID, id);
        }
    }
}

/// Who asks: the names of the call, and the participant that its client speaks as.
pub(super) fn caller<T>(request: &tonic::Request<T>) -> Caller {
    let principal = request.extensions().get::<Principal>().cloned();
    let said = |name| {
        let value = request.metadata().get(name)?.to_str().ok()?;
        Some(value.to_owned())
    };
    let caller = Caller::new(principal.unwrap_or_else(Principal::local), "grpc")
        .speaking_as(said(PARTICIPANT_ID), said(PARTICIPANT_TOKEN));
    let Some(names) = request.extensions().get::<Names>() else { return caller };
    let owned = |id: &HeaderValue| text(id).unwrap_or_default().to_owned();
    let invocation_id = names.invocation.as_ref().map(owned).unwrap_or_default();
    Caller { request_id: owned(&names.request), invocation_id, ..caller }
}

fn text(value: &HeaderValue) -> Option<&str> {
    value.to_str().ok()
}

fn value(text: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(text).ok()
}

fn is_sane(id: &HeaderValue) -> bool {
    let id = id.as_bytes();
    !id.is_empty() && id.len() <= LONGEST_ID && id.iter().all(|byte| (b' '..=b'~').contains(byte))
}

fn speaks_grpc(headers: &HeaderMap) -> bool {
    let content = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    // gRPC over HTTP/1.1 for browsers begins the same way and is another protocol.
    content.is_some_and(|content| {
        content.starts_with(b"application/grpc") && !content.starts_with(b"application/grpc-web")
    })
}

/// A browser or a program that took the address for a page.
fn other_protocol(path: &str) -> Problem {
    let error = format!("`{path}` is a method of gRPC");
    let hint = "call it with a gRPC client, or use the REST routes under `/campaign`";
    Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, Report::new(Kind::Invalid, error).hint(hint))
}

fn too_late(time: Duration) -> Response {
    let message = format!("the call was not answered within its {} ms", time.as_millis());
    Status::deadline_exceeded(message).into_http::<Body>()
}

/// A message that is too large is "out of range" for the library; everybody else calls it exhausted, and so do
/// all our other limits. Nothing of ours answers with that status.
fn plain_words(headers: &mut HeaderMap) {
    const STATUS: &str = "grpc-status";
    if headers.get(STATUS).is_some_and(|status| status == "11") {
        headers.insert(STATUS, HeaderValue::from_static("8"));
    }
}

#[cfg(test)]
mod tests {
    use axum::{Router, middleware::from_fn, routing::post};
    use tower::ServiceExt as _;

    use super::*;

    /// The headers of the answer to a call that takes a minute.
    async fn slow(names: &[(&'static str, &'static str)]) -> HeaderMap {
        let minute = || tokio::time::sleep(Duration::from_mins(1));
        let routes = Router::new().route("/a.B/C", post(minute)).layer(from_fn(frame));
        let call = Request::post("/a.B/C").header("content-type", "application/grpc+proto");
        let call = names.iter().fold(call, |call, (name, value)| call.header(*name, *value));
        let answer = routes.oneshot(call.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        answer.into_parts().0.headers
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_takes_too_long_is_told_so_and_keeps_its_name() {
        let start = tokio::time::Instant::now();
        let answer = slow(&[("grpc-timeout", "250m"), ("x-duality-request-id", "req-1")]).await;
        assert_eq!(start.elapsed(), Duration::from_millis(250));
        assert_eq!(answer[REQUEST_ID], "req-1");
        let status = Status::from_header_map(&answer).unwrap();
        assert_eq!(status.code(), tonic::Code::DeadlineExceeded);
        assert_eq!(status.message(), "the call was not answered within its 250 ms");
        slow(&[("grpc-timeout", "1H")]).await;
        assert_eq!(start.elapsed(), Duration::from_millis(30_250), "half a minute is the longest");
    }

    #[tokio::test(start_paused = true)]
    async fn a_name_that_no_log_should_have_is_replaced() {
        let long = "x".repeat(LONGEST_ID + 1).leak();
        for name in ["", "t\tb", long] {
            let answer = slow(&[("x-duality-request-id", name)]).await;
            assert_ne!(answer[REQUEST_ID], name);
            assert!(answer[REQUEST_ID].len() > 8);
        }
        let answer = slow(&[("x-duality-invocation-id", "caf\u{e9}")]).await;
        assert!(!answer.contains_key(INVOCATION_ID));
    }
}
