//! `POST /mcp`: what clients say.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes},
    response::Response,
};
use futures::StreamExt;
use http::{HeaderMap, StatusCode, header, request::Parts};
use kit_core::Principal;
use rmcp::{
    model::{
        ClientNotification, ClientRequest, ErrorCode, InitializeRequestParams, ProtocolVersion,
        RequestId, RequestMetaObject, ServerJsonRpcMessage, ServerResult,
    },
    service::RequestContext,
};
use serde_json::value::RawValue;
use tokio_util::sync::DropGuard;

use super::{
    Service, VERSION_HEADER, events, header_version,
    message::{Envelope, Incoming},
    modern, name_session, principal,
    reply::{self, Refusal},
    session::Session,
    stream::ResponseStream,
};
use crate::{
    Mode,
    handler::{GONE, Origin},
};

const USUAL_ACCEPT: &str = "application/json, text/event-stream";

pub(super) async fn post(
    service: &Arc<Service>,
    request: Parts,
    body: Body,
) -> Result<Response, Refusal> {
    let headers = &request.headers;
    check_content_type(headers)?;
    let body = read_body(headers, body, service.server.core.limits.message_bytes).await?;
    if body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return Box::pin(batch(service, &request, &body)).await;
    }
    let envelope = Envelope::read(&body)?;
    if is_modern(headers, &envelope) {
        return modern_request(service, request, &envelope, body.clone()).await;
    }
    check_accept(service.mode, headers)?;
    let version = header_version(headers)?;
    let incoming = envelope.open(&body, service.mode == Mode::Cookie)?;
    match incoming {
        Incoming::Request { id, request: asked, meta } => {
            if let ClientRequest::InitializeRequest(hello) = *asked {
                let begun = initialize_session(service, &request, id, hello.params, version);
                return Box::pin(begun).await;
            }
            // An `initialize` that rmcp could not read opens nothing and is told what it lacks.
            let unread = matches!(&*asked, ClientRequest::CustomRequest(custom) if custom.method == "initialize");
            let named = if service.mode.is_stateless() || unread {
                None
            } else {
                let found = service.enter(&request).await;
                Some(found.map_err(|refusal| refusal.answering(&id))?)
            };
            let ask = Ask { id, request: asked, meta };
            let Some(entered) = named else {
                return ask.alone(service, principal(&request), version).await;
            };
            let mut response = ask.in_session(service, &entered.session).await?;
            entered.introduce(service, &mut response);
            Ok(response)
        }
        Incoming::Notification(notification) => {
            if !service.mode.is_stateless() {
                let entered = service.enter(&request).await?;
                heed(&entered.session, &notification);
                let mut response = reply::accepted();
                entered.introduce(service, &mut response);
                return Ok(response);
            }
            Ok(reply::accepted())
        }
        Incoming::Answer { id, answer } => {
            if service.mode.is_stateless() {
                return Err(Refusal::invalid("nothing was asked: this endpoint is stateless")
                    .answering(&id));
            }
            let session = service.session(&request).await?;
            session.answered(&id, answer.map(|result| *result));
            Ok(reply::accepted())
        }
    }
}

/// A request of 2026-07-28.
pub(super) async fn modern_request(
    service: &Arc<Service>,
    request: Parts,
    envelope: &Envelope<'_>,
    body: Bytes,
) -> Result<Response, Refusal> {
    let headers = &request.headers;
    let id = envelope.id().ok().flatten();
    if let Some(method) = envelope.method.as_deref().filter(|method| GONE.contains(method)) {
        let why =
            format!("`{method}` ended with revision 2025-11-25, this request is of a later one");
        let refusal = Refusal::new(StatusCode::NOT_FOUND, ErrorCode::METHOD_NOT_FOUND, why);
        return Err(id.iter().fold(refusal, Refusal::answering));
    }
    if let Some(ask) = modern::plain_call(&service.server, headers, envelope) {
        let version = ProtocolVersion::V_2026_07_28;
        return ask.alone(service, principal(&request), Some(version)).await;
    }
    Box::pin(service.modern.serve(request, body, id)).await
}

fn heed(session: &Session, notification: &ClientNotification) {
    if let ClientNotification::CancelledNotification(cancelled) = notification
        && let Some(id) = &cancelled.params.request_id
    {
        session.cancel(id);
    }
}

/// `initialize`: opens a session, or with a stateless endpoint only agrees on the revision.
async fn initialize_session(
    service: &Arc<Service>,
    request: &Parts,
    id: RequestId,
    client: InitializeRequestParams,
    version: Option<ProtocolVersion>,
) -> Result<Response, Refusal> {
    if version.is_some_and(|version| version != client.protocol_version) {
        let why = "`MCP-Protocol-Version` and `params.protocolVersion` name different revisions";
        return Err(Refusal::invalid(why).answering(&id));
    }
    let asker = principal(request);
    if service.mode == Mode::Sessions
        && let Some(named) = service.session_id(&request.headers)
        && service.registry.find(named, &asker).await.is_ok()
    {
        let why = "this session is initialized already: leave `Mcp-Session-Id` out to open another";
        return Err(Refusal::invalid(why).answering(&id));
    }
    let handler = service.server.handler(Origin::unbound(asker.clone()));
    let agreed = rmcp::ServerHandler::negotiate_initialize(&handler, &client);
    let agreed = agreed.map_err(|error| {
        Refusal::new(StatusCode::BAD_REQUEST, error.code, error.message).answering(&id)
    })?;
    let revision = agreed.protocol_version.clone();
    let answer = ServerJsonRpcMessage::response(ServerResult::InitializeResult(agreed), id);
    let mut response = reply::ok_json(reply::json(&answer));
    if !service.mode.is_stateless() {
        let session = service.registry.open(asker, revision, client).await?;
        name_session(&mut response, &session);
        service.set_cookie(&mut response, &session);
    }
    Ok(response)
}

/// A request that expects an answer.
pub(super) struct Ask {
    pub(super) id: RequestId,
    pub(super) request: Box<ClientRequest>,
    pub(super) meta: RequestMetaObject,
}

impl Ask {
    async fn in_session(
        self,
        service: &Arc<Service>,
        session: &Arc<Session>,
    ) -> Result<Response, Refusal> {
        let changes_session = matches!(
            *self.request,
            ClientRequest::SubscribeRequest(_)
                | ClientRequest::UnsubscribeRequest(_)
                | ClientRequest::SetLevelRequest(_)
        );
        let limits = &service.server.core.limits;
        let stream = session.stream(limits);
        let work = self.work(service, session, stream.clone())?;
        let mut response = match first(work, &stream).await {
            First::Answer(answer) => answer_now(answer),
            First::Stream(work) => {
                session.keep(&stream, limits.stream_kept);
                go_on(work, &stream);
                let primed = session.version >= ProtocolVersion::V_2025_11_25;
                stream_now(service, stream, primed, ())
            }
        };
        if changes_session {
            service.registry.save(session).await?;
        }
        name_session(&mut response, session);
        Ok(response)
    }

    /// Serves it without a session. Whoever hangs up no longer wants it: nobody else could say so.
    pub(super) async fn alone(
        self,
        service: &Arc<Service>,
        principal: Principal,
        version: Option<ProtocolVersion>,
    ) -> Result<Response, Refusal> {
        let stream = ResponseStream::loose(service.server.core.limits.stream_messages);
        let version = version.unwrap_or(ProtocolVersion::V_2025_03_26);
        let as_event =
            service.mode == Mode::StatelessEvents && version < ProtocolVersion::V_2026_07_28;
        let (work, wanted) = self.loose(service, principal, &version, stream.clone());
        Ok(match first(work, &stream).await {
            First::Answer(Some(answer)) if as_event => {
                reply::event_stream(events::event(answer.json()).into())
            }
            First::Answer(answer) => answer_now(answer),
            First::Stream(work) => {
                go_on(work, &stream);
                stream_now(service, stream, false, wanted)
            }
        })
    }

    /// The call outside of any session, and what cancels it when it is dropped.
    pub(super) fn loose(
        self,
        service: &Service,
        principal: Principal,
        version: &ProtocolVersion,
        stream: Arc<ResponseStream>,
    ) -> (Work, DropGuard) {
        let origin = Origin { stream: Some(stream), ..Origin::unbound(principal) };
        let handler = service.server.handler(origin);
        let context = self.context(service, version);
        let wanted = context.ct.clone().drop_guard();
        let (id, request, version) = (self.id, self.request, version.clone());
        let work = async move {
            let answer = handler.answer(*request, context).await;
            Some(Answer::new(answer, id, &version))
        };
        (Work::new(Box::pin(work), Fate::Dropped), wanted)
    }

    /// The call itself, which goes on even if the connection does not: only the client's word cancels it.
    fn work(
        self,
        service: &Arc<Service>,
        session: &Arc<Session>,
        stream: Arc<ResponseStream>,
    ) -> Result<Work, Refusal> {
        let version = session.version.clone();
        let context = self.context(service, &version);
        let running = session.begin(&self.id, &context.ct, &service.server.core.limits)?;
        let handler = service.server.handler(Origin {
            principal: session.principal.clone(),
            key: Some(session.id.clone()),
            state: Some(session.state.clone()),
            stream: Some(stream),
            capabilities: Some(session.capabilities.clone()),
            prints: true,
        });
        let (id, request) = (self.id, self.request);
        let work = async move {
            let answer = handler.answer(*request, context).await;
            running.end().then(|| Answer::new(answer, id, &version))
        };
        Ok(Work::new(Box::pin(work), Fate::GoesOn))
    }

    fn context(
        &self,
        service: &Service,
        version: &ProtocolVersion,
    ) -> RequestContext<rmcp::RoleServer> {
        let mut context = RequestContext::new(self.id.clone(), service.peers().of(version));
        context.meta = self.meta.clone();
        context
    }
}

/// The encoded message that answers a request.
pub(super) struct Answer {
    /// Sent with it, unless a stream has begun.
    status: StatusCode,
    json: Vec<u8>,
}

impl Answer {
    fn new(
        answer: Result<ServerResult, rmcp::ErrorData>,
        id: RequestId,
        version: &ProtocolVersion,
    ) -> Self {
        match answer {
            Ok(result) => {
                let message = ServerJsonRpcMessage::response(result, id);
                Self { status: StatusCode::OK, json: reply::json(&message) }
            }
            Err(error) => {
                let modern = *version >= ProtocolVersion::V_2026_07_28;
                let status = if modern { modern::status(&error) } else { StatusCode::OK };
                let message = ServerJsonRpcMessage::error(error, Some(id));
                Self { status, json: reply::json(&message) }
            }
        }
    }

    pub(super) fn json(&self) -> &[u8] {
        &self.json
    }
}

fn answer_now(answer: Option<Answer>) -> Response {
    match answer {
        Some(answer) => {
            let mut response = reply::ok_json(answer.json);
            *response.status_mut() = answer.status;
            response
        }
        // Cancelled: an event stream that ends without an answer says just that.
        None => reply::event_stream(Body::empty()),
    }
}

/// The response as a stream. `wanted` is dropped with it, where hanging up means that the call is not wanted.
pub(super) fn stream_now(
    service: &Service,
    stream: Arc<ResponseStream>,
    primed: bool,
    wanted: impl Send + 'static,
) -> Response {
    let events = stream.read(0, primed).map(move |event| {
        let _ = &wanted;
        Ok::<_, std::convert::Infallible>(event)
    });
    let shutdown = service.shutdown.clone();
    reply::event_stream(Body::from_stream(events.take_until(shutdown.cancelled_owned())))
}

/// Lets a call run on behind its stream.
fn go_on(work: Option<Work>, stream: &Arc<ResponseStream>) {
    if let Some(work) = work {
        let stream = stream.clone();
        tokio::spawn(async move { stream.finish(work.await.as_ref().map(Answer::json)) });
    }
}

/// What a call does first.
enum First {
    /// It answers: the response is one JSON body, written at once.
    Answer(Option<Answer>),
    /// It tells or asks something: the response is a stream, and the call, unless it is over, goes on behind it.
    Stream(Option<Work>),
}

async fn first(mut work: Work, stream: &ResponseStream) -> First {
    let answer = tokio::select! {
        biased;
        answer = &mut work => Some(answer),
        () = stream.begun() => None,
    };
    match answer {
        // It told and answered in one go: what it told comes first.
        Some(answer) if stream.has_begun() => {
            stream.finish(answer.as_ref().map(Answer::json));
            First::Stream(None)
        }
        Some(answer) => First::Answer(answer),
        None => First::Stream(Some(work)),
    }
}

/// What becomes of a call whose connection goes away.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    GoesOn,
    Dropped,
}

type BoxedWork = Pin<Box<dyn Future<Output = Option<Answer>> + Send>>;

/// A call that is run by whoever waits for it, without a task of its own; if the waiter goes away first, a task
/// takes over.
pub(super) struct Work {
    call: Option<BoxedWork>,
    fate: Fate,
}

impl Work {
    fn new(call: BoxedWork, fate: Fate) -> Self {
        Self { call: Some(call), fate }
    }
}

impl Future for Work {
    type Output = Option<Answer>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(call) = &mut self.call else { return Poll::Ready(None) };
        let polled = call.as_mut().poll(cx);
        if polled.is_ready() {
            self.call = None;
        }
        polled
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if let (Some(call), Fate::GoesOn) = (self.call.take(), self.fate) {
            tokio::spawn(call);
        }
    }
}

/// Several messages in one body, which only the 2025-03-26 revision has.
async fn batch(service: &Arc<Service>, request: &Parts, body: &[u8]) -> Result<Response, Refusal> {
    let refusal = || {
        Refusal::invalid(
            "a batch is only understood in a session of revision 2025-03-26: send one message at a time",
        )
    };
    if service.mode.is_stateless() {
        return Err(refusal());
    }
    let session = service.session(request).await.map_err(|_| refusal())?;
    if session.version != ProtocolVersion::V_2025_03_26 {
        return Err(refusal());
    }
    let messages: Vec<&RawValue> = serde_json::from_slice(body).map_err(|error| {
        let why = format!("the body is not JSON: {error}");
        Refusal::new(StatusCode::BAD_REQUEST, ErrorCode::PARSE_ERROR, why)
    })?;
    if messages.is_empty() {
        return Err(Refusal::invalid("the batch is empty"));
    }
    let mut answers = Vec::new();
    for message in messages {
        let message = message.get().as_bytes();
        match Envelope::read(message)?.open(message, false)? {
            Incoming::Request { id, request, meta } => {
                let stream = session.stream(&service.server.core.limits);
                let ask = Ask { id, request, meta };
                if let Some(answer) = ask.work(service, &session, stream)?.await {
                    answers.push(answer.json);
                }
            }
            Incoming::Notification(notification) => heed(&session, &notification),
            Incoming::Answer { id, answer } => {
                session.answered(&id, answer.map(|result| *result));
            }
        }
    }
    let mut response = if answers.is_empty() {
        reply::accepted()
    } else {
        reply::ok_json([b"[".as_slice(), &answers.join(&b','), b"]"].concat())
    };
    name_session(&mut response, &session);
    Ok(response)
}

/// Whether a request belongs to the revision without sessions.
pub(super) fn is_modern(headers: &HeaderMap, envelope: &Envelope<'_>) -> bool {
    let method = envelope.method.as_deref();
    let named = headers.get(VERSION_HEADER).and_then(|value| value.to_str().ok());
    // A client that opens a session may say in the header what it would like best.
    let by_header =
        named == Some(ProtocolVersion::V_2026_07_28.as_str()) && method != Some("initialize");
    by_header || method == Some("server/discover") || envelope.names_version()
}

fn check_content_type(headers: &HeaderMap) -> Result<(), Refusal> {
    if is_json(headers) {
        return Ok(());
    }
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let why = format!(
        "`Content-Type` must be application/json, not {}",
        given.map_or("absent".into(), |given| format!("`{given}`"))
    );
    Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, ErrorCode::INVALID_REQUEST, why))
}

/// Whether the body is said to be JSON.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = given.and_then(|value| value.split(';').next()).map(str::trim);
    essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"))
}

fn check_accept(mode: Mode, headers: &HeaderMap) -> Result<(), Refusal> {
    if mode == Mode::Cookie || accepts_both(headers) {
        return Ok(());
    }
    Err(Refusal::new(
        StatusCode::NOT_ACCEPTABLE,
        ErrorCode::INVALID_REQUEST,
        "`Accept` must name both application/json and text/event-stream",
    ))
}

/// Whether the client takes a JSON body as well as a stream.
pub(super) fn accepts_both(headers: &HeaderMap) -> bool {
    // What nearly everybody sends, first.
    if headers.get(header::ACCEPT).is_some_and(|value| value == USUAL_ACCEPT) {
        return true;
    }
    let accepts = |wanted: &str| {
        headers.get_all(header::ACCEPT).iter().any(|value| {
            value.to_str().is_ok_and(|value| value.contains(wanted) || value.contains("*/*"))
        })
    };
    accepts("application/json") && accepts("text/event-stream")
}

pub(super) async fn read_body(
    headers: &HeaderMap,
    body: Body,
    most: usize,
) -> Result<Bytes, Refusal> {
    let too_large = || {
        let why = format!("the body is over {most} bytes, which is the limit");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::INVALID_REQUEST, why)
    };
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if announced.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > most)
    {
        return Err(too_large());
    }
    axum::body::to_bytes(body, most).await.map_err(|error| {
        let cause = std::error::Error::source(&error);
        if cause.is_some_and(<dyn std::error::Error>::is::<http_body_util::LengthLimitError>) {
            too_large()
        } else {
            Refusal::invalid("the body ended before it was complete")
        }
    })
}
