//! Requests of the 2026-07-28 revision, which carry all they need.
//!
//! rmcp serves and checks them, at the price of a connection of its own for each. A tool call that has nothing
//! unusual about it is therefore recognised here ([`plain_call`]) and served as calls in sessions are, at a third
//! of the cost (docs/performance.md).

use std::{convert::Infallible, sync::Arc};

use axum::{
    body::{Body, Bytes},
    response::Response,
};
use http::{HeaderMap, HeaderName, StatusCode, header, request::Parts};
use http_body_util::{BodyExt, Full};
use rmcp::{
    model::{ClientRequest, ErrorCode, ProtocolVersion, RequestId},
    transport::{
        StreamableHttpServerConfig, StreamableHttpService,
        streamable_http_server::session::never::NeverSessionManager,
    },
};
use tokio_util::sync::CancellationToken;

use super::{
    VERSION_HEADER,
    message::{Envelope, Incoming},
    post::{self, Ask},
    reply::Refusal,
};
use crate::{Server, handler::Handler, members};

const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");

/// The longest refusal of rmcp's that is turned into ours.
const LONGEST_REFUSAL: usize = 16 * 1024;

/// The tool call that a request plainly is: each header there once and equal to what the body says, the metadata
/// complete, no argument sent as a header. Anything else is `None`: rmcp judges it and has the words to refuse it.
pub(super) fn plain_call(
    server: &Server,
    headers: &HeaderMap,
    envelope: &Envelope<'_>,
) -> Option<Ask> {
    let method = "tools/call";
    let version = ProtocolVersion::V_2026_07_28;
    let headers_agree = envelope.method.as_deref() == Some(method)
        && is_only(headers, METHOD_HEADER, method)
        && is_only(headers, VERSION_HEADER, version.as_str())
        && post::accepts_both(headers);
    if !headers_agree {
        return None;
    }
    let Incoming::Request { id, request, meta } = envelope.call(envelope.id().ok()??).ok()? else {
        return None;
    };
    let ClientRequest::CallToolRequest(call) = &*request else { return None };
    let name = &*call.params.name;
    let tool = server.core.catalog.tool(name).ok()?;
    let plain = is_only(headers, NAME_HEADER, name)
        && !tool.has_headers
        && meta.protocol_version() == Some(version)
        && meta.client_capabilities().is_some();
    plain.then_some(Ask { id, request, meta })
}

/// Whether the header is there, once, with this value.
fn is_only(headers: &HeaderMap, name: HeaderName, value: &str) -> bool {
    let mut all = headers.get_all(name).iter();
    all.next().is_some_and(|first| first == value) && all.next().is_none()
}

/// The status that the answer is sent with, which in this revision tells more than in those before.
pub(super) fn status(error: &rmcp::ErrorData) -> StatusCode {
    match error.code {
        ErrorCode::UNSUPPORTED_PROTOCOL_VERSION
        | ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY
        | ErrorCode::HEADER_MISMATCH => StatusCode::BAD_REQUEST,
        ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

pub(crate) struct Modern {
    service: StreamableHttpService<Handler, NeverSessionManager>,
}

impl Modern {
    pub(crate) fn new(server: &Server, shutdown: &CancellationToken) -> Self {
        // Host, Origin and size were checked before the request came here.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_sse_retry(None)
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(server.core.limits.message_bytes)
            .with_cancellation_token(shutdown.child_token());
        let handler = server.unbound_handler();
        let factory = move || Ok(handler.clone());
        let service =
            StreamableHttpService::new(factory, Arc::new(NeverSessionManager::default()), config);
        Self { service }
    }

    pub(crate) async fn serve(
        &self,
        parts: Parts,
        body: Bytes,
        id: Option<RequestId>,
    ) -> Result<Response, Refusal> {
        let request = http::Request::from_parts(parts, Full::<Bytes>::new(body));
        let response = self.service.handle(request).await;
        let json_or_stream = response
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|kind| {
                kind.starts_with("application/json") || kind.starts_with("text/event-stream")
            });
        if json_or_stream || response.status().is_success() {
            if !members::in_use() {
                return Ok(response
                    .map(|body| Body::new(body.map_err(|never: Infallible| match never {}))));
            }
            // An event is written in one piece, so nothing that has to be lifted is ever cut in two.
            return Ok(response.map(|body| {
                let whole = body.map_frame(|frame| {
                    frame.map_data(|data: Bytes| members::lift(data.into()).into())
                });
                Body::new(whole.map_err(|never: Infallible| match never {}))
            }));
        }
        Err(in_our_words(response, id).await)
    }
}

/// rmcp refuses in plain text; every refusal of ours is a JSON-RPC error.
async fn in_our_words<B>(response: http::Response<B>, id: Option<RequestId>) -> Refusal
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: std::error::Error + Send + Sync,
{
    let status = response.status();
    let text = axum::body::to_bytes(Body::new(response.into_body()), LONGEST_REFUSAL).await;
    let text = text.map(|text| String::from_utf8_lossy(&text).into_owned()).unwrap_or_default();
    let code = match status {
        StatusCode::INTERNAL_SERVER_ERROR => {
            tracing::error!(why = text, "a request could not be served");
            ErrorCode::INTERNAL_ERROR
        }
        _ => ErrorCode::INVALID_REQUEST,
    };
    let refusal = Refusal::new(status, code, text);
    id.iter().fold(refusal, Refusal::answering)
}
