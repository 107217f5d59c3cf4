//! The endpoint of [`Mode::StatelessEvents`](crate::Mode::StatelessEvents).
//!
//! What servers do that make a transport of the TypeScript SDK for every request, with its codes and words, because
//! programs rely on them; but an answer always ends its stream, and a failure is never a page of HTML. Requests of
//! 2026-07-28 are served as everywhere.

use std::{panic::AssertUnwindSafe, sync::Arc};

use axum::{
    body::{Body, Bytes},
    response::{IntoResponse, Response},
};
use futures::{FutureExt, StreamExt};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts};
use rmcp::{
    ServerHandler,
    model::{
        ClientRequest, ErrorCode, InitializeRequestParams, ProtocolVersion, RequestId,
        ServerJsonRpcMessage, ServerResult,
    },
};
use serde_json::value::RawValue;

use super::{
    Service, header_version,
    message::{Envelope, Incoming},
    post::{self, Ask, Work},
    principal,
    reply::{self, Refusal},
    stream::ResponseStream,
};
use crate::handler::Origin;

/// What the SDK says when the transport itself refuses.
const TRANSPORT: ErrorCode = ErrorCode(-32000);

/// Requests of one body that are worked on at once.
const AT_ONCE: usize = 16;

pub(super) async fn serve(service: &Arc<Service>, request: Parts, body: Body) -> Response {
    let served = match request.method {
        Method::POST => post(service, request, body).await,
        Method::OPTIONS => Ok(StatusCode::NO_CONTENT.into_response()),
        Method::GET | Method::DELETE => Err(not_allowed("Method Not Allowed in Stateless Mode")),
        _ => Err(not_allowed("Method Not Allowed")),
    };
    let mut response = served.unwrap_or_else(|refusal| {
        service.server.core.metrics.rejected.inc();
        // Refused, but by the protocol and not by the transport: an answer as any other.
        if refusal.status() == StatusCode::OK {
            return reply::event_stream(event(refusal.body().as_bytes()).into());
        }
        refusal.into_response()
    });
    open_to_all(response.headers_mut());
    response
}

async fn post(service: &Arc<Service>, request: Parts, body: Body) -> Result<Response, Refusal> {
    if !post::accepts_both(&request.headers) {
        let why = "Not Acceptable: Client must accept both application/json and text/event-stream";
        return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, TRANSPORT, why));
    }
    if !post::is_json(&request.headers) {
        let why = "Unsupported Media Type: Content-Type must be application/json";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, TRANSPORT, why));
    }
    let most = service.server.core.limits.message_bytes;
    let body = post::read_body(&request.headers, body, most).await?;
    let id = Envelope::read(&body).ok().and_then(|envelope| envelope.id().ok().flatten());
    let served = AssertUnwindSafe(messages(service, request, body)).catch_unwind().await;
    served.unwrap_or_else(|_| {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        let refusal = Refusal::new(status, ErrorCode::INTERNAL_ERROR, "Internal server error");
        Err(id.iter().fold(refusal, Refusal::answering))
    })
}

async fn messages(
    service: &Arc<Service>,
    request: Parts,
    body: Bytes,
) -> Result<Response, Refusal> {
    let is_batch = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    if is_batch {
        let messages: Vec<&RawValue> =
            serde_json::from_slice(&body).map_err(|error| not_json(&error))?;
        let read = |message: &&RawValue| read(message.get().as_bytes());
        let messages = messages.iter().map(read).collect::<Result<_, _>>()?;
        return answer(service, &request, messages).await;
    }
    let envelope = Envelope::read(&body).map_err(|refusal| not_a_message(&refusal))?;
    if post::is_modern(&request.headers, &envelope) {
        return post::modern_request(service, request, &envelope, body.clone()).await;
    }
    let message = read_rest(envelope, &body)?;
    answer(service, &request, vec![message]).await
}

fn read(message: &[u8]) -> Result<Incoming, Refusal> {
    read_rest(Envelope::read(message).map_err(|refusal| not_a_message(&refusal))?, message)
}

/// What is no message is refused in the SDK's words; parameters that do not fit are the request's own failure.
fn read_rest(envelope: Envelope<'_>, message: &[u8]) -> Result<Incoming, Refusal> {
    envelope.open(message, false).map_err(|refusal| match refusal.status() {
        StatusCode::OK => refusal,
        _ => not_a_message(&refusal),
    })
}

/// Answers all that wants an answer, each as an event of one stream.
async fn answer(
    service: &Arc<Service>,
    request: &Parts,
    messages: Vec<Incoming>,
) -> Result<Response, Refusal> {
    let version = header_version(&request.headers)?;
    let count = messages.len();
    let mut asks = Vec::with_capacity(count);
    for message in messages {
        // Nobody here was asked anything, and a request that runs cannot be named from another one.
        let Incoming::Request { id, request: asked, meta } = message else { continue };
        let ask = match *asked {
            ClientRequest::InitializeRequest(_) if count > 1 => {
                let why = "Invalid Request: Only one initialization request is allowed";
                return Err(Refusal::invalid(why));
            }
            ClientRequest::InitializeRequest(hello) => {
                return agree(service, request, id, &hello.params);
            }
            other => Ask { id, request: Box::new(other), meta },
        };
        asks.push(ask);
    }
    match asks.len() {
        0 => Ok(reply::accepted()),
        1 => asks.remove(0).alone(service, principal(request), version).await,
        _ => Ok(together(service, request, asks, version)),
    }
}

/// Agrees on a revision. What needs a stream that stays open is not promised.
fn agree(
    service: &Service,
    request: &Parts,
    id: RequestId,
    client: &InitializeRequestParams,
) -> Result<Response, Refusal> {
    let handler = service.server.handler(Origin::unbound(principal(request)));
    let mut agreed = handler
        .negotiate_initialize(client)
        .map_err(|error| Refusal::new(StatusCode::OK, error.code, error.message).answering(&id))?;
    let able = &mut agreed.capabilities;
    if let Some(resources) = &mut able.resources {
        (resources.subscribe, resources.list_changed) = (None, None);
    }
    if let Some(tools) = &mut able.tools {
        tools.list_changed = None;
    }
    if let Some(prompts) = &mut able.prompts {
        prompts.list_changed = None;
    }
    let answer = ServerJsonRpcMessage::response(ServerResult::InitializeResult(agreed), id);
    Ok(reply::event_stream(event(&reply::json(&answer)).into()))
}

/// Several requests of one body. Whoever hangs up wants none of them any more.
fn together(
    service: &Arc<Service>,
    request: &Parts,
    asks: Vec<Ask>,
    version: Option<ProtocolVersion>,
) -> Response {
    let most = service.server.core.limits.stream_messages + asks.len();
    let stream = ResponseStream::loose(most);
    let version = version.unwrap_or(ProtocolVersion::V_2025_03_26);
    let (works, wanted): (Vec<Work>, Vec<_>) = asks
        .into_iter()
        .map(|ask| ask.loose(service, principal(request), &version, stream.clone()))
        .unzip();
    let writer = stream.clone();
    tokio::spawn(async move {
        let each = futures::stream::iter(works).for_each_concurrent(AT_ONCE, async |work| {
            if let Some(answer) = work.await {
                writer.write(answer.json());
            }
        });
        // What is written before the end is not lost by a panic, and the stream ends in any case.
        drop(AssertUnwindSafe(each).catch_unwind().await);
        writer.finish(None);
    });
    post::stream_now(service, stream, false, wanted)
}

/// One answer as an event.
pub(super) fn event(json: &[u8]) -> Bytes {
    [b"event: message\ndata: ".as_slice(), json, b"\n\n"].concat().into()
}

fn not_allowed(words: &str) -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, ErrorCode::METHOD_NOT_FOUND, words)
}

fn not_json(error: &serde_json::Error) -> Refusal {
    parse_error(&format!("the body is not JSON: {error}"))
}

fn not_a_message(refusal: &Refusal) -> Refusal {
    parse_error(refusal.message())
}

fn parse_error(why: &str) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, ErrorCode::PARSE_ERROR, "Parse error").data(why.into())
}

/// Lets every page read the answer. Which pages may ask at all is decided in front of the endpoint.
fn open_to_all(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "POST, OPTIONS"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "content-type, accept, authorization, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name",
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
