//! A refusal in the words of gRPC. Its clients read neither the status of HTTP nor a body, but two headers.

use axum::{body::Body, response::Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use kit_core::Report;

const TYPE: HeaderValue = HeaderValue::from_static("application/grpc");
const STATUS: HeaderName = HeaderName::from_static("grpc-status");
const MESSAGE: HeaderName = HeaderName::from_static("grpc-message");

/// An answer of headers alone. It is a success for HTTP, as the protocol wants it.
pub(crate) fn refusal(status: StatusCode, report: &Report) -> Response {
    let mut text = report.error.clone();
    if let Some(hint) = &report.hint {
        text.push_str("; ");
        text.push_str(hint);
    }
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, TYPE);
    headers.insert(STATUS, HeaderValue::from(code(status)));
    headers.extend(HeaderValue::try_from(escaped(&text)).ok().map(|text| (MESSAGE, text)));
    response
}

/// The number of the status that says the same. Not the table for proxies of other makes, which has no word for
/// "too much" and calls a bad request an internal error.
fn code(status: StatusCode) -> u16 {
    match status {
        StatusCode::UNAUTHORIZED => 16,
        StatusCode::FORBIDDEN => 7,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::PAYLOAD_TOO_LARGE => 8,
        StatusCode::SERVICE_UNAVAILABLE => 14,
        status if status.is_server_error() => 13,
        _ => 3,
    }
}

/// Only printable ASCII may travel in a header; all else, and `%` itself, is escaped.
fn escaped(text: &str) -> String {
    let escaped = text.bytes().map(|byte| match byte {
        b' '..=b'~' if byte != b'%' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    escaped.collect()
}
