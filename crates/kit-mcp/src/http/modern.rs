//! Requests of the 2026-07-28 revision, which rmcp serves: they carry all they need, and it checks it.

use std::{convert::Infallible, sync::Arc};

use axum::{
    body::{Body, Bytes},
    response::Response,
};
use http::{StatusCode, header, request::Parts};
use http_body_util::{BodyExt, Full};
use rmcp::{
    model::{ErrorCode, RequestId},
    transport::{
        StreamableHttpServerConfig, StreamableHttpService,
        streamable_http_server::session::never::NeverSessionManager,
    },
};
use tokio_util::sync::CancellationToken;

use super::reply::Refusal;
use crate::{Server, handler::Handler};

/// The longest refusal of rmcp's that is turned into ours.
const LONGEST_REFUSAL: usize = 16 * 1024;

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
            return Ok(
                response.map(|body| Body::new(body.map_err(|never: Infallible| match never {})))
            );
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
        StatusCode::INTERNAL_SERVER_ERROR => ErrorCode::INTERNAL_ERROR,
        _ => ErrorCode::INVALID_REQUEST,
    };
    let refusal = Refusal::new(status, code, text);
    id.iter().fold(refusal, Refusal::answering)
}
