//! What a browser needs to be told before it lets another page read an answer.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};

const METHODS: HeaderValue = HeaderValue::from_static("GET,HEAD,PUT,PATCH,POST,DELETE");
const HEADERS: HeaderValue = HeaderValue::from_static(
    "content-type, accept, authorization, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, \
     last-event-id, x-request-id",
);
const EXPOSED: HeaderValue =
    HeaderValue::from_static("mcp-session-id, www-authenticate, x-request-id, location");
/// The longest that browsers keep the answer to a preflight.
const KEPT: HeaderValue = HeaderValue::from_static("7200");
const PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// Whether a browser asks for leave before it sends the request itself.
pub(crate) fn is_preflight(head: &Parts) -> bool {
    head.method == Method::OPTIONS
        && head.headers.contains_key(header::ORIGIN)
        && head.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Grants leave; the origin was checked before.
pub(crate) fn preflight(head: &Parts) -> Response {
    let mut response = (StatusCode::NO_CONTENT, Body::empty()).into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, KEPT);
    if head.headers.contains_key("access-control-request-private-network") {
        headers.insert(PRIVATE_NETWORK, HeaderValue::from_static("true"));
    }
    response
}

/// Lets every page read the answer, and says so to whoever asks.
pub(crate) fn expose_to_all(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
}

/// Lets the page at `origin` read the answer.
pub(crate) fn expose(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.append(header::VARY, HeaderValue::from_static("origin"));
}
