//! MCP over HTTP: one endpoint, five protocol revisions, four ways to keep sessions or none.
//!
//! A request of an earlier revision than 2026-07-28 is served here: the session is a row, and the request is handed
//! to rmcp's dispatcher directly, without a task or channel per session, which is what makes sessions small and calls
//! cheap (docs/decisions/sessions.md). Plain tool calls of 2026-07-28 go the same way, without a session; what else
//! that revision has goes to rmcp's own service ([`modern`]). Start at [`routes`].

mod events;
mod get;
pub(crate) mod message;
mod modern;
mod post;
mod registry;
pub(crate) mod reply;
mod session;
pub(crate) mod stream;

use std::sync::{Arc, OnceLock};

use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::any,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use kit_core::Principal;
use kit_store::{Sessions, Signals};
use rmcp::{
    RoleServer,
    model::{
        ClientCapabilities, ErrorCode, Implementation, InitializeRequestParams, ProtocolVersion,
    },
    service::Peer,
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use self::{modern::Modern, registry::Registry, reply::Refusal, session::Session};
use crate::{Mode, Server};

pub(crate) const SESSION_HEADER: HeaderName = HeaderName::from_static("mcp-session-id");
pub(crate) const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");
const COOKIE: &str = "mcp_session";

/// Where and how a server is reached over HTTP.
pub struct Endpoint {
    /// Tells the endpoints of a process apart: a session of one is unknown to the others.
    pub name: String,
    pub mode: Mode,
    pub sessions: Arc<dyn Sessions>,
    pub signals: Arc<dyn Signals>,
    /// Cancelled when the process stops: streams end, so that connections can.
    pub shutdown: CancellationToken,
}

/// `/mcp`. Takes who asks from the `Principal` in the request's extensions. Must be called
/// inside a tokio runtime: sessions are looked after in the background.
pub fn routes(server: Server, endpoint: Endpoint) -> Router {
    let core = &server.core;
    let registry = Registry::new(
        endpoint.name,
        endpoint.sessions,
        endpoint.signals,
        core.limits.clone(),
        core.metrics.clone(),
    );
    if !endpoint.mode.is_stateless() {
        tokio::spawn(registry.clone().keep_house(endpoint.shutdown.clone()));
    }
    let service = Arc::new(Service {
        modern: Modern::new(&server, &endpoint.shutdown),
        mode: endpoint.mode,
        registry,
        shutdown: endpoint.shutdown,
        peers: OnceLock::new(),
        server,
    });
    Router::new().route("/mcp", any(serve)).with_state(service)
}

/// One endpoint at work.
pub(crate) struct Service {
    server: Server,
    mode: Mode,
    registry: Arc<Registry>,
    modern: Modern,
    shutdown: CancellationToken,
    peers: OnceLock<Peers>,
}

/// What is rare is boxed, here and in [`post`]: this future is made for each request and moved more than once,
/// and it is as large as the largest thing it can wait for. In the cache, that costs more than the work itself.
async fn serve(State(service): State<Arc<Service>>, request: Request) -> Response {
    let (request, body) = request.into_parts();
    if service.mode == Mode::StatelessEvents {
        return Box::pin(events::serve(&service, request, body)).await;
    }
    let served = match request.method {
        Method::POST => post::post(&service, request, body).await,
        Method::GET => Box::pin(get::get(&service, &request)).await,
        Method::DELETE => Box::pin(delete(&service, &request)).await,
        _ => Err(Refusal::new(
            StatusCode::METHOD_NOT_ALLOWED,
            ErrorCode::INVALID_REQUEST,
            "this endpoint takes `POST`, and with sessions `GET` and `DELETE`",
        )),
    };
    served.unwrap_or_else(|refusal| {
        service.server.core.metrics.rejected.inc();
        refusal.into_response()
    })
}

async fn delete(service: &Service, request: &Parts) -> Result<Response, Refusal> {
    service.needs_sessions(&request.headers)?;
    let session = service.session(request).await?;
    service.registry.end(&session).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if service.mode == Mode::Cookie {
        let gone =
            HeaderValue::from_static("mcp_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
        response.headers_mut().insert(header::SET_COOKIE, gone);
    }
    Ok(response)
}

impl Service {
    /// Refuses `GET` and `DELETE` where there are no sessions: by mode, or by a revision that has none.
    fn needs_sessions(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let version = headers.get(VERSION_HEADER).and_then(|value| value.to_str().ok());
        let modern =
            version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28.as_str());
        if self.mode.is_stateless() || modern {
            return Err(Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                ErrorCode::INVALID_REQUEST,
                "there are no sessions here: send each request by `POST`",
            ));
        }
        Ok(())
    }

    /// The session that a request is part of. Where cookies carry them, a request that names none, or whose cookie is of
    /// one that is gone, begins one: nobody there has to know that sessions exist.
    async fn enter(&self, request: &Parts) -> Result<Entered, Refusal> {
        let named = request.headers.contains_key(SESSION_HEADER);
        if self.mode == Mode::Cookie && !named {
            let found = match cookie(&request.headers) {
                Some(id) => self.registry.find(id, &principal(request)).await,
                None => Err(Refusal::invalid("there is no cookie")),
            };
            return match found {
                Ok(session) => Ok(Entered { session, is_new: false }),
                Err(refusal) if refusal.is_overload() => Err(refusal),
                Err(_) => self.begin(request).await,
            };
        }
        Ok(Entered { session: self.session(request).await?, is_new: false })
    }

    /// A session for somebody who has not introduced himself.
    async fn begin(&self, request: &Parts) -> Result<Entered, Refusal> {
        let version = header_version(&request.headers)?;
        let version = version.unwrap_or(ProtocolVersion::V_2025_03_26);
        let session = self.registry.open_guest(principal(request), version).await?;
        Ok(Entered { session, is_new: true })
    }

    /// The session that a request names, which must be there and belong to who asks.
    async fn session(&self, request: &Parts) -> Result<Arc<Session>, Refusal> {
        let id = self.session_id(&request.headers).ok_or_else(|| {
            Refusal::invalid(
                "`Mcp-Session-Id` is missing: `initialize` gives one, every later request names it",
            )
        })?;
        self.registry.find(id, &principal(request)).await
    }

    fn session_id<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let named = headers.get(SESSION_HEADER).and_then(|value| value.to_str().ok());
        named.or_else(|| cookie(headers).filter(|_| self.mode == Mode::Cookie))
    }

    /// Gives the session's name to clients that keep cookies, where that is the way.
    fn set_cookie(&self, response: &mut Response, session: &Session) {
        if self.mode != Mode::Cookie {
            return;
        }
        let cookie = format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", session.id);
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
    }

    fn peers(&self) -> &Peers {
        self.peers.get_or_init(|| Peers::new(&self.server))
    }
}

/// A request's session.
struct Entered {
    session: Arc<Session>,
    /// Begun by this very request, whose answer has to give its name.
    is_new: bool,
}

impl Entered {
    /// Names the session on the answer, if the asker cannot know it yet.
    fn introduce(&self, service: &Service, response: &mut Response) {
        if self.is_new {
            name_session(response, &self.session);
            service.set_cookie(response, &self.session);
        }
    }
}

/// Repeats the name of the session on a response.
fn name_session(response: &mut Response, session: &Session) {
    response.headers_mut().insert(SESSION_HEADER, session.header.clone());
}

pub(crate) fn principal(request: &Parts) -> Principal {
    request.extensions.get::<Principal>().cloned().unwrap_or_else(Principal::local)
}

/// The revision that a request of a session-era client names in its header.
fn header_version(headers: &HeaderMap) -> Result<Option<ProtocolVersion>, Refusal> {
    let Some(value) = headers.get(VERSION_HEADER) else { return Ok(None) };
    let named = value.to_str().unwrap_or_default();
    let known = ProtocolVersion::KNOWN_VERSIONS.iter().find(|known| known.as_str() == named);
    known.cloned().map(Some).ok_or_else(|| {
        let supported: Vec<_> =
            ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str).collect();
        let why =
            format!("`MCP-Protocol-Version`: `{named}` is not a revision that this server knows");
        Refusal::new(StatusCode::BAD_REQUEST, ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, why)
            .data(json!({"supported": supported, "requested": named}))
    })
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers.get_all(header::COOKIE).iter().find_map(|line| {
        let mut pairs = line.to_str().ok()?.split(';').map(str::trim);
        pairs.find_map(|pair| pair.strip_prefix(COOKIE)?.strip_prefix('='))
    })
}

/// rmcp's dispatcher wants a peer, from which it reads the revision. These are closed: whatever a call
/// has to say goes through [`crate::Call`], and a tool that uses the peer hears at once that it leads nowhere.
struct Peers(Vec<(ProtocolVersion, Peer<RoleServer>)>);

impl Peers {
    fn new(server: &Server) -> Self {
        let versions = ProtocolVersion::KNOWN_VERSIONS.iter();
        Self(versions.map(|version| (version.clone(), closed_peer(server, version))).collect())
    }

    fn of(&self, version: &ProtocolVersion) -> Peer<RoleServer> {
        let named = self.0.iter().find(|(known, _)| known == version).or(self.0.first());
        named.map(|(_, peer)| peer.clone()).expect("there are known versions")
    }
}

fn closed_peer(server: &Server, version: &ProtocolVersion) -> Peer<RoleServer> {
    let (_, never) = tokio::io::duplex(1);
    let mut info = InitializeRequestParams::new(
        ClientCapabilities::default(),
        Implementation::new("session", "0"),
    );
    info.protocol_version = version.clone();
    let transport = (tokio::io::empty(), never);
    let running = rmcp::service::serve_directly(server.unbound_handler(), transport, Some(info));
    running.peer().clone()
}
