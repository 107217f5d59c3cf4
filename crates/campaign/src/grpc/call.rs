//! What every call passes on its way in and out: its name, its time, and what it may not be.

use std::time::Duration;

use axum::{
    body::Body,
    extract::Request,
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use kit_core::{Kind, Principal, Report};
use kit_http::{Problem, RequestId};
use tonic::Status;
use tracing::Instrument as _;

use super::deadline;
use crate::Caller;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-duality-request-id");
pub(crate) const INVOCATION_ID: HeaderName = HeaderName::from_static("x-duality-invocation-id");
pub(crate) const PARTICIPANT_ID: HeaderName = HeaderName::from_static("x-duality-participant-id");
pub(crate) const PARTICIPANT_TOKEN: HeaderName =
    HeaderName::from_static("x-duality-participant-token");
/// What other systems call a request's id.
const PLAIN_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
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
    let span =
        tracing::info_span!("grpc", request = ?names.request, invocation = ?names.invocation);
    request.extensions_mut().insert(names.clone());
    let answer = tokio::time::timeout(time, next.run(request).instrument(span)).await;
    let mut response = answer.unwrap_or_else(|_| too_late(time));
    plain_words(response.headers_mut());
    names.write(response.headers_mut());
    response
}

impl Names {
    fn of(request: &Request) -> Self {
        let given = |name: &HeaderName| request.headers().get(name).filter(|id| is_sane(id));
        let named = given(&REQUEST_ID).or_else(|| given(&PLAIN_REQUEST_ID)).cloned();
        // Behind the host's guard there is one already, which stands in its log.
        let guard = || request.extensions().get().and_then(|id: &RequestId| value(id.as_str()));
        let fresh = || value(&uuid::Uuid::new_v4().to_string());
        let request_id = named.or_else(guard).or_else(fresh);
        Self {
            request: request_id.unwrap_or_else(|| HeaderValue::from_static("?")),
            invocation: given(&INVOCATION_ID).cloned(),
        }
    }

    fn write(self, headers: &mut HeaderMap) {
        headers.insert(REQUEST_ID, self.request);
        headers.extend(self.invocation.map(|id| (INVOCATION_ID, id)));
    }
}

/// Who asks: the names of the call, and the participant that its client speaks as.
pub(super) fn caller<T>(request: &tonic::Request<T>) -> Caller {
    let principal = request.extensions().get::<Principal>().cloned();
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let said = |name: &HeaderName| {
        let value = request.metadata().get(name.as_str())?.to_str().ok()?;
        Some(value.to_owned())
    };
    let mut caller = Caller::new(principal.unwrap_or_else(Principal::local), "grpc")
        .speaking_as(said(&PARTICIPANT_ID), said(&PARTICIPANT_TOKEN));
    if let Some(names) = request.extensions().get::<Names>() {
        caller.request_id = text(&names.request);
        caller.invocation_id = names.invocation.as_ref().map(text).unwrap_or_default();
    }
    caller
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
    const STATUS: HeaderName = HeaderName::from_static("grpc-status");
    if headers.get(STATUS).is_some_and(|status| status == "11") {
        headers.insert(STATUS, HeaderValue::from_static("8"));
    }
}
