//! What stands in front of every route: who may ask, from where, how often and how much.
//!
//! One function and no stack of boxed layers, because every call pays for it; the parts are one file each.
//! The order matters: what is cheap to check and does not depend on who asks comes first, a preflight is
//! answered before authentication (a browser sends no token with it), and a body is looked at last.

mod access;
mod body;
mod cors;
mod grpc;
mod limits;
mod log;
mod rate;
mod refusal;
mod request_id;
mod source;
mod token;

#[cfg(test)]
mod tests;

use std::{
    convert::Infallible, error::Error, net::SocketAddr, panic::AssertUnwindSafe, sync::Arc,
    time::Duration,
};

use access::{Access, Verdict};
use axum::{body::Body, response::Response};
use bytes::Bytes;
use futures::FutureExt;
use http::{HeaderValue, Request, StatusCode, header, request::Parts};
use kit_core::{Kind, Principal, Report};
use log::Line;
use rate::Bucket;
use refusal::{Refusal, Surface, report};
use request_id::Ids;
use source::Sources;
use tower::{Service, ServiceExt};

pub(crate) use self::{body::UploadTimedOut, refusal::Reason};
pub use self::{
    limits::Limits,
    request_id::RequestId,
    source::own_pages_only,
    token::{BadToken, Token},
};
use crate::Metrics;

/// What the guard goes by.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// The address that the server listens on; its name is ours.
    pub bound: Option<SocketAddr>,
    /// Further names of this server, without port; `*` is any.
    pub hosts: Vec<String>,
    /// Further pages that may ask, as `https://app.example`, `http://app.example:*` or `*`.
    pub origins: Vec<String>,
    /// Where the world finds this server, if a proxy stands in front.
    pub public_url: Option<String>,
    /// Which pages may ask beside those in `origins`.
    pub pages: Pages,
    /// With one, every request must carry it.
    pub token: Option<Token>,
    /// Further ones by the names of their holders, whom applications may treat differently.
    pub tokens: Vec<(Token, Principal)>,
    pub limits: Limits,
}

/// Which pages may ask a server without being named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pages {
    /// Its own and those of other servers on this machine, which are a developer's.
    #[default]
    OnThisMachine,
    /// Its own alone, at its own port: for a server whose pages may run programs of the person's.
    OwnOnly,
    /// Any, of any site: for a server whose answers are meant for everybody who reaches it. Cookies are for its own pages here,
    /// too; routes that are not for everybody stand behind [`own_pages_only`].
    Any,
}

/// Answers requests: refuses, or passes them on to the routes. Cloning is cheap.
#[derive(Debug, Clone)]
pub struct Guard(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    sources: Sources,
    access: Access,
    pages: Pages,
    limits: Limits,
    metrics: Metrics,
    ids: Ids,
}

/// What was decided about a request.
enum Admission {
    Pass(Request<Body>),
    Answer(Response),
    Login(Request<Body>),
}

impl Guard {
    pub fn new(rules: Rules, metrics: Metrics) -> Self {
        let Rules { bound, hosts, origins, public_url, pages, token, mut tokens, limits } = rules;
        tokens.extend(token.map(|token| (token, Principal::new("token"))));
        let sources = Sources::new(bound, hosts, origins, public_url.as_deref()).only(pages);
        let bucket = || Bucket::new(limits.requests_per_second, limits.burst);
        let access = Access::new(tokens, public_url, bucket(), bucket()).for_pages(pages);
        Self(Arc::new(Inner { sources, access, pages, limits, metrics, ids: Ids::new() }))
    }

    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// One request from its head to the head of its answer.
    pub async fn answer<S, B>(&self, routes: S, request: Request<B>) -> Response
    where
        S: Service<Request<Body>, Response = Response, Error = Infallible>,
        B: http_body::Body<Data = Bytes> + Send + Unpin + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let inner = &*self.0;
        let (_counted, in_flight) = inner.metrics.enter();
        let mut line = Line::new(&request, inner.ids.id(request.headers()));
        let surface = Surface::of(&request);
        let origin = request.headers().get(header::ORIGIN).cloned();
        let answer = match inner.admit(request, in_flight, &mut line) {
            Ok(Admission::Pass(request)) => run(routes, request).await,
            Ok(Admission::Login(request)) => Ok(inner.access.login(request).await),
            Ok(Admission::Answer(response)) => Ok(response),
            Err(refusal) => Err(refusal),
        };
        match answer {
            Ok(response) => inner.finish(line, origin, response),
            Err(refusal) => {
                inner.metrics.refused(refusal.reason);
                // A page that may not ask is not helped to read why.
                let foreign = matches!(refusal.reason, Reason::Host | Reason::Origin);
                let response = refusal.into_response(surface);
                inner.finish(line, origin.filter(|_| !foreign), response)
            }
        }
    }
}

impl Inner {
    fn admit<B>(
        &self,
        request: Request<B>,
        in_flight: i64,
        line: &mut Line,
    ) -> Result<Admission, Refusal>
    where
        B: http_body::Body<Data = Bytes> + Send + Unpin + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        if in_flight > i64::from(self.limits.concurrent_requests) {
            return Err(overloaded());
        }
        let (mut head, body) = request.into_parts();
        let host = self.sources.check_host(&head.uri, &head.headers)?;
        let page = self.sources.check_origin(host, &head.headers)?;
        if self.pages != Pages::OwnOnly && cors::is_preflight(&head) {
            return Ok(Admission::Answer(cors::preflight(&head)));
        }
        let caller = match self.access.check(&head, host, page)? {
            Verdict::Pass(caller) => caller,
            Verdict::Answer(response) => return Ok(Admission::Answer(response)),
            Verdict::Login => {
                let request = Request::from_parts(head, self.limited(body));
                return Ok(Admission::Login(request));
            }
        };
        line.principal = Some(caller.clone());
        self.access.bucket.take(line.start).map_err(too_many)?;
        if let Some(refusal) = self.too_large(&head) {
            body::drain(Request::from_parts(head, body));
            return Err(refusal);
        }
        head.extensions.insert(caller);
        head.extensions.insert(line.id.clone());
        Ok(Admission::Pass(Request::from_parts(head, self.limited(body))))
    }

    fn limited<B>(&self, body: B) -> Body
    where
        B: http_body::Body<Data = Bytes> + Send + Unpin + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        body::limited(body, self.limits.body_bytes, self.limits.body_pause())
    }

    /// A body that says itself that it is too large is refused before it is read.
    fn too_large(&self, head: &Parts) -> Option<Refusal> {
        let length = head.headers.get(header::CONTENT_LENGTH)?.to_str().ok()?;
        let length: u64 = length.parse().ok()?;
        let limit = self.limits.body_bytes;
        if usize::try_from(length).is_ok_and(|length| length <= limit) {
            return None;
        }
        let error = format!("the body has {length} bytes, this server takes {limit}");
        let report = report("too_large", error, "send less at once, or raise `limits.body_bytes`");
        Some(
            Refusal::new(Reason::Body, StatusCode::PAYLOAD_TOO_LARGE, report)
                .header(header::CONNECTION, HeaderValue::from_static("close")),
        )
    }

    fn finish(&self, line: Line, origin: Option<HeaderValue>, mut response: Response) -> Response {
        let took = line.start.elapsed();
        self.metrics.answered(response.status(), took);
        line.write(&response, took);
        let headers = response.headers_mut();
        match (self.pages, origin) {
            (Pages::OnThisMachine, Some(origin)) => cors::expose(headers, origin),
            (Pages::Any, _) => cors::expose_to_all(headers),
            _ => {}
        }
        let nosniff = HeaderValue::from_static("nosniff");
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
        headers.insert(request_id::HEADER, line.id.0);
        response
    }
}

/// Runs the route. A panic ends the request and nothing else.
async fn run<S>(routes: S, request: Request<Body>) -> Result<Response, Refusal>
where
    S: Service<Request<Body>, Response = Response, Error = Infallible>,
{
    match AssertUnwindSafe(routes.oneshot(request)).catch_unwind().await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(never)) => match never {},
        Err(_) => {
            let report = Report::new(Kind::Internal, "this request met a bug in the server")
                .hint("the server's log has the details under the id in `x-request-id`");
            Err(Refusal::new(Reason::Panic, StatusCode::INTERNAL_SERVER_ERROR, report))
        }
    }
}

fn overloaded() -> Refusal {
    let mut report = Report::new(Kind::Unavailable, "the server has too many requests in work");
    report.hint = Some("repeat the request in a moment".into());
    Refusal::new(Reason::Overload, StatusCode::SERVICE_UNAVAILABLE, report)
        .header(header::RETRY_AFTER, HeaderValue::from_static("1"))
}

fn too_many(wait: Duration) -> Refusal {
    // Whole seconds, rounded up: an earlier repeat would be refused again.
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let error = "too many requests for one caller";
    let hint = format!("repeat in {seconds} s, or raise `limits.requests_per_second`");
    let report = report("rate_limited", error, hint);
    Refusal::new(Reason::Rate, StatusCode::TOO_MANY_REQUESTS, report)
        .header(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)))
}
