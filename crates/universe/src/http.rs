//! `/universes/…`: universes and commands in, live events out.
//!
//! Errors are `{"error": "…"}` with further members where they help, as existing clients expect, instead of the
//! problem documents of the other applications.

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::{FromRequest, FromRequestParts, Request, State},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use http::{HeaderMap, HeaderValue, StatusCode, Version, header, request::Parts};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use kit_app::{Clock, Deps};
use kit_core::{Fault, Kind, Principal};
use kit_http::{Path, Problem, Query};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;
use universe_core::{UniverseId, json::encode};

use crate::{
    Config, Error, NewUniverse, Record, Replacement, Service,
    feed::Feeds,
    wire::{self, Detail},
};

/// The whole HTTP surface but `/mcp`.
pub(crate) fn routes(config: &Config, service: Service, deps: &Deps) -> Router {
    let api = Api {
        feeds: Feeds::new(config, service.clone(), deps.shutdown.clone()),
        body_bytes: config.body_bytes,
        started: deps.clock.now_ms(),
        clock: deps.clock.clone(),
        shutdown: deps.shutdown.clone(),
        service,
    };
    Router::new()
        .route("/health", get(health))
        .route("/universes", get(list).post(create))
        .route("/universes/{id}", get(read).put(replace).delete(delete))
        .route("/universes/{id}/commands", post(command))
        .route("/universes/{id}/events", get(events))
        .with_state(api)
}

/// What the handlers work with.
#[derive(Clone)]
struct Api {
    service: Service,
    feeds: Feeds,
    body_bytes: usize,
    started: i64,
    clock: Arc<dyn Clock>,
    shutdown: CancellationToken,
}

async fn health(State(api): State<Api>) -> Response {
    let uptime = (api.clock.now_ms() - api.started) / 1000;
    json(StatusCode::OK, encode(&json!({"ok": true, "uptime": uptime})))
}

async fn list(State(api): State<Api>, Wanted(detail): Wanted) -> Result<Response, Failure> {
    let records = api.service.list().await?;
    Ok(json(StatusCode::OK, wire::records(records, detail).await))
}

async fn create(
    State(api): State<Api>,
    Who(who): Who,
    Wanted(detail): Wanted,
    Input(mut body): Input,
) -> Result<Response, Failure> {
    let new = NewUniverse { name: take(&mut body, "name"), state: take(&mut body, "state") };
    let record = api.service.create(&who, new).await?;
    Ok(show(StatusCode::CREATED, record, detail).await)
}

async fn read(
    State(api): State<Api>,
    Path(id): Path<String>,
    Wanted(detail): Wanted,
) -> Result<Response, Failure> {
    let record = api.service.get(&UniverseId::from(&*id)).await?;
    Ok(show(StatusCode::OK, record, detail).await)
}

async fn replace(
    State(api): State<Api>,
    Who(who): Who,
    Path(id): Path<String>,
    Wanted(detail): Wanted,
    headers: HeaderMap,
    Input(mut body): Input,
) -> Result<Response, Failure> {
    let mut given = |key| body.as_object_mut().and_then(|body| body.shift_remove(key));
    let (name, state) = (given("name"), given("state"));
    let new = Replacement { name, state, expected: if_match(&headers)? };
    let record = api.service.replace(&who, &UniverseId::from(&*id), new).await?;
    Ok(show(StatusCode::OK, record, detail).await)
}

async fn delete(
    State(api): State<Api>,
    Who(who): Who,
    Path(id): Path<String>,
) -> Result<StatusCode, Failure> {
    api.service.delete(&who, &UniverseId::from(&*id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn command(
    State(api): State<Api>,
    Who(who): Who,
    Path(id): Path<String>,
    Wanted(detail): Wanted,
    Input(body): Input,
) -> Result<Response, Failure> {
    let outcome = api.service.dispatch(&who, &UniverseId::from(&*id), body).await?;
    Ok(json(StatusCode::OK, wire::outcome(outcome, detail).await))
}

#[derive(Deserialize)]
struct Start {
    /// The last revision seen, for a first connection; a browser that reconnects sends a header.
    after: Option<u64>,
}

async fn events(
    State(api): State<Api>,
    Path(id): Path<String>,
    start: Result<Query<Start>, Problem>,
    request: Parts,
) -> Result<Response, Failure> {
    let Query(start) = start?;
    // An id that is no number is none of ours: the reader has to begin anew.
    let last = request
        .headers
        .get("last-event-id")
        .map(|id| id.to_str().ok().and_then(|id| id.trim().parse().ok()).unwrap_or(u64::MAX));
    let frames = api.feeds.read(&UniverseId::from(&*id), last.or(start.after)).await?;
    let mut response = kit_http::events(frames, api.shutdown);
    if request.version < Version::HTTP_2 {
        let keep = HeaderValue::from_static("keep-alive");
        response.headers_mut().insert(header::CONNECTION, keep);
    }
    Ok(response)
}

/// A record with its revision as the entity tag.
async fn show(status: StatusCode, record: Record, detail: Detail) -> Response {
    let tag = format!("\"{}\"", record.revision());
    let mut response = json(status, wire::record(record, detail).await);
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

fn json(status: StatusCode, text: String) -> Response {
    let kind = HeaderValue::from_static("application/json; charset=utf-8");
    (status, [(header::CONTENT_TYPE, kind)], text).into_response()
}

fn take(body: &mut Value, key: &str) -> Value {
    body.get_mut(key).map(Value::take).unwrap_or_default()
}

/// The revision that the caller insists on.
fn if_match(headers: &HeaderMap) -> Result<Option<u64>, Failure> {
    let Some(value) = headers.get(header::IF_MATCH) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    if text == "*" {
        return Ok(None);
    }
    text.trim_matches('"').parse().map(Some).map_err(|_| {
        let error = format!("`If-Match: {text}` is not a revision, as `ETag` gives it");
        Failure::new(StatusCode::BAD_REQUEST, error)
    })
}

/// Who asks: what the guard in front found out.
struct Who(Principal);

impl<S: Sync> FromRequestParts<S> for Who {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let known = parts.extensions.get::<Principal>().cloned();
        Ok(Self(known.unwrap_or_else(Principal::local)))
    }
}

/// How much of the state the caller wants: `?state=none`, or `Prefer: return=minimal`.
struct Wanted(Detail);

#[derive(Deserialize)]
struct WantedQuery {
    state: Option<Detail>,
}

impl<S: Send + Sync> FromRequestParts<S> for Wanted {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Query(query) = Query::<WantedQuery>::from_request_parts(parts, state).await?;
        let mut preferences = parts.headers.get_all("prefer").iter();
        let minimal = preferences.any(|value| {
            let text = value.to_str().unwrap_or_default();
            text.split([',', ';']).any(|preference| preference.trim() == "return=minimal")
        });
        let preferred = if minimal { Detail::None } else { Detail::Full };
        Ok(Self(query.state.unwrap_or(preferred)))
    }
}

/// A JSON body; no body at all is `null`, and each handler says what it misses.
struct Input(Value);

impl FromRequest<Api> for Input {
    type Rejection = Failure;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let body = read_body(body, api.body_bytes).await?;
        if body.is_empty() {
            return Ok(Self(Value::Null));
        }
        check_type(&parts.headers)?;
        serde_json::from_slice(&body).map(Self).map_err(|error| {
            Failure::new(StatusCode::BAD_REQUEST, format!("the body is not JSON: {error}"))
        })
    }
}

async fn read_body(body: Body, most: usize) -> Result<Vec<u8>, Failure> {
    match Limited::new(body, most).collect().await {
        Ok(body) => Ok(body.to_bytes().into()),
        Err(error) if error.is::<LengthLimitError>() => {
            let error = format!("the body is larger than {most} bytes");
            Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, error))
        }
        Err(_) => {
            let error = "the body ended before it was complete";
            Err(Failure::new(StatusCode::BAD_REQUEST, error))
        }
    }
}

/// A body that calls itself something else than JSON may come from a form of another site.
fn check_type(headers: &HeaderMap) -> Result<(), Failure> {
    let Some(kind) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let kind = kind.to_str().unwrap_or_default().to_ascii_lowercase();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if essence == "application/json" || essence.ends_with("+json") {
        return Ok(());
    }
    let error = format!("content type `{essence}` is not JSON; send `application/json`");
    Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error))
}

/// A request that was not served.
struct Failure {
    status: StatusCode,
    body: Map<String, Value>,
}

impl Failure {
    fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, body: Map::from_iter([("error".to_owned(), error.into().into())]) }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match (error.kind(), &error) {
            (_, Error::Stale { .. }) => StatusCode::PRECONDITION_FAILED,
            (Kind::Invalid, _) => StatusCode::BAD_REQUEST,
            (Kind::NotFound, _) => StatusCode::NOT_FOUND,
            (Kind::Conflict, _) => StatusCode::CONFLICT,
            (Kind::Unavailable, _) => StatusCode::SERVICE_UNAVAILABLE,
            (Kind::Internal, _) => {
                tracing::error!(error = &error as &dyn std::error::Error, "a request failed");
                return Self::new(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error");
            }
        };
        Self { status, body: wire::failure(&error) }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::new(problem.status(), problem.report().error.clone())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = json(self.status, encode(&self.body));
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
