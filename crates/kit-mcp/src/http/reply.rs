//! Answers and refusals as HTTP.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};
use rmcp::model::{ErrorCode, RequestId, ServerJsonRpcMessage, ServerResult};
use serde_json::{Value, json};

use crate::{members, structured};

/// A message as the bytes of a body.
pub(crate) fn json(message: &ServerJsonRpcMessage) -> Vec<u8> {
    if let ServerJsonRpcMessage::Response(answer) = message
        && let ServerResult::CallToolResult(result) = &answer.result
        && let Some(bytes) = structured::encode(&answer.id, result)
    {
        return bytes;
    }
    let mut bytes = Vec::with_capacity(256);
    if let Err(error) = serde_json::to_writer(&mut bytes, message) {
        tracing::error!(%error, "a message could not be encoded");
    }
    members::lift(bytes)
}

pub(crate) fn ok_json(body: impl Into<Bytes>) -> Response {
    let mut response = Response::new(Body::from(body.into()));
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

pub(crate) fn event_stream(body: Body) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

pub(crate) fn accepted() -> Response {
    StatusCode::ACCEPTED.into_response()
}

/// A request that the transport does not let through. Always a JSON-RPC error object with words for its reader.
#[derive(Debug)]
pub(crate) struct Refusal(Box<Said>);

#[derive(Debug)]
struct Said {
    status: StatusCode,
    code: ErrorCode,
    message: String,
    id: Option<RequestId>,
    data: Option<Value>,
    retry_after: Option<u32>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Said { status, code, message, id: None, data: None, retry_after: None }))
    }

    /// 400, `-32600`: it is JSON, but not what the protocol allows here.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ErrorCode::INVALID_REQUEST, message)
    }

    /// 503: the same request may do later.
    pub(crate) fn overloaded(message: impl Into<String>) -> Self {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Self::new(status, ErrorCode::INTERNAL_ERROR, message).retry_after(1)
    }

    /// 429: this client asks for too much at once.
    pub(crate) fn busy(message: impl Into<String>) -> Self {
        let status = StatusCode::TOO_MANY_REQUESTS;
        Self::new(status, ErrorCode::INVALID_REQUEST, message).retry_after(1)
    }

    /// Whether it is our state that refuses, and not what was asked.
    pub(crate) fn is_overload(&self) -> bool {
        self.0.status == StatusCode::SERVICE_UNAVAILABLE
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.0.status
    }

    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    pub(crate) fn answering(mut self, id: &RequestId) -> Self {
        self.0.id = Some(id.clone());
        self
    }

    pub(crate) fn data(mut self, data: Value) -> Self {
        self.0.data = Some(data);
        self
    }

    fn retry_after(mut self, seconds: u32) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    /// The refusal as a message of the protocol.
    pub(crate) fn body(&self) -> String {
        let Said { code, message, id, data, .. } = &*self.0;
        let mut error = json!({"code": code.0, "message": message});
        if let Some(data) = data {
            error["data"] = data.clone();
        }
        json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = ok_json(self.body());
        *response.status_mut() = self.0.status;
        if self.0.status == StatusCode::METHOD_NOT_ALLOWED {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
        }
        if let Some(seconds) = self.0.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}
