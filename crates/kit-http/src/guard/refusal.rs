//! How the guard says no.

use axum::response::Response;
use http::{HeaderName, HeaderValue, Request, StatusCode, header};
use kit_core::{Kind, Report};
use serde::Serialize;

use super::grpc;
use crate::{Problem, json};

/// Why a request was refused before it reached a route: the word in the log and in the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    Overload,
    Host,
    Origin,
    Token,
    Rate,
    Body,
    Panic,
}

impl Reason {
    pub(crate) const ALL: [Self; 7] = [
        Self::Overload,
        Self::Host,
        Self::Origin,
        Self::Token,
        Self::Rate,
        Self::Body,
        Self::Panic,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Overload => "overload",
            Self::Host => "host",
            Self::Origin => "origin",
            Self::Token => "token",
            Self::Rate => "rate",
            Self::Body => "body",
            Self::Panic => "panic",
        }
    }
}

/// Who asks, and so in which words a refusal must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surface {
    Mcp,
    Grpc,
    Http,
}

impl Surface {
    pub(crate) fn of<B>(request: &Request<B>) -> Self {
        let content = request.headers().get(header::CONTENT_TYPE);
        if content.is_some_and(|content| content.as_bytes().starts_with(b"application/grpc")) {
            return Self::Grpc;
        }
        if request.uri().path().ends_with("/mcp") { Self::Mcp } else { Self::Http }
    }
}

/// A request that goes no further.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) reason: Reason,
    status: StatusCode,
    report: Box<Report>,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Refusal {
    pub(crate) fn new(reason: Reason, status: StatusCode, report: Report) -> Self {
        Self { reason, status, report: Box::new(report), header: None }
    }

    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.header = Some((name, value));
        self
    }

    /// In the words of the surface that was asked: JSON-RPC on an MCP endpoint, a status towards gRPC, a
    /// problem elsewhere.
    pub(crate) fn into_response(self, surface: Surface) -> Response {
        let mut response = match surface {
            Surface::Mcp => as_json_rpc(self.status, &self.report),
            Surface::Grpc => grpc::refusal(self.status, &self.report),
            Surface::Http => {
                axum::response::IntoResponse::into_response(Problem::new(self.status, *self.report))
            }
        };
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, value);
        }
        response.extensions_mut().insert(self.reason);
        response
    }
}

#[derive(Serialize)]
struct RpcError<'a> {
    jsonrpc: &'static str,
    /// The body was not read, so the id is not known.
    id: (),
    error: RpcErrorObject<'a>,
}

#[derive(Serialize)]
struct RpcErrorObject<'a> {
    code: i32,
    message: &'a str,
    data: &'a Report,
}

fn as_json_rpc(status: StatusCode, report: &Report) -> Response {
    // "Invalid request" and "internal error" of JSON-RPC; the finer word is in `data.code`.
    let code = if status.is_server_error() { -32603 } else { -32600 };
    let error = RpcErrorObject { code, message: &report.error, data: report };
    let body = RpcError { jsonrpc: "2.0", id: (), error };
    json::with_type(status, "application/json", &body)
}

/// A report whose code is the guard's word, not one of the five kinds.
pub(crate) fn report(code: &str, error: impl Into<String>, hint: impl Into<String>) -> Report {
    let mut report = Report::new(Kind::Invalid, error).hint(hint);
    code.clone_into(&mut report.code);
    report
}
