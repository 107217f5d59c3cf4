//! What is read from a request. Whatever is wrong with it is a problem with a code of ours.

use axum::{
    body::{Body as AxumBody, Bytes},
    extract::{FromRequest, FromRequestParts, Request},
};
use campaign_core::Code;
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use kit_core::{Fault as _, Principal};
use kit_http::{Problem, RequestId};
use serde::de::DeserializeOwned;

use super::Api;
use crate::{Caller, Error};

/// The longest name of a surface, of a request and of an invocation.
const LONGEST_NAME: usize = 128;

/// Who asks: what the guard in front found out, and whom the caller says to speak as.
pub(super) struct From(pub(super) Caller);

impl<S: Sync> FromRequestParts<S> for From {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let principal = parts.extensions.get::<Principal>().cloned();
        let via = name(&parts.headers, "x-via")?.unwrap_or_else(|| "rest".to_owned());
        let mut caller = Caller::new(principal.unwrap_or_else(Principal::local), &via);
        caller.participant_id = text(&parts.headers, "x-participant-id")?;
        caller.participant_token = text(&parts.headers, "x-participant-token")?;
        // The guard has judged it already, or made one.
        match parts.extensions.get::<RequestId>() {
            Some(id) => id.as_str().clone_into(&mut caller.request_id),
            None => {
                if let Some(id) = name(&parts.headers, "x-request-id")? {
                    caller.request_id = id;
                }
            }
        }
        caller.invocation_id = name(&parts.headers, "x-invocation-id")?.unwrap_or_default();
        Ok(Self(caller))
    }
}

/// A header's text; empty is none.
fn text(headers: &HeaderMap, name: &str) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get(name) else { return Ok(None) };
    match std::str::from_utf8(value.as_bytes()) {
        Ok(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Err(_) => Err(Error::invalid(format!("`{name}` is not text")).into()),
    }
}

/// A header that names something for the log.
fn name(headers: &HeaderMap, name: &str) -> Result<Option<String>, Problem> {
    let text = text(headers, name)?;
    let fits = |text: &String| {
        text.len() <= LONGEST_NAME && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    if text.as_ref().is_none_or(fits) {
        return Ok(text);
    }
    let message = format!("`{name}` must be 1 to {LONGEST_NAME} visible ASCII characters");
    Err(Error::invalid(message).into())
}

/// The variables of the route.
pub(super) struct Path<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = kit_http::Path::from_request_parts(parts, state).await;
        path.map(|kit_http::Path(value)| Self(value)).map_err(coded)
    }
}

/// The query string.
pub(super) struct Query<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = kit_http::Query::from_request_parts(parts, state).await;
        query.map(|kit_http::Query(value)| Self(value)).map_err(coded)
    }
}

/// A JSON body; none at all is an empty object, and the core says what it misses.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Api> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Problem> {
        Raw::from_request(request, api).await?.read().await.map(Self)
    }
}

/// A body that is read as more than one thing.
pub(super) struct Raw {
    kind: Option<HeaderValue>,
    bytes: Bytes,
}

impl FromRequest<Api> for Raw {
    type Rejection = Problem;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).cloned();
        match Limited::new(request.into_body(), api.body_bytes).collect().await {
            Ok(body) => Ok(Self { kind, bytes: body.to_bytes() }),
            Err(error) if error.is::<LengthLimitError>() => {
                let message = format!("the body is larger than {} bytes", api.body_bytes);
                let report = Error::new(Code::ResourceExhausted, message).report();
                Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, report))
            }
            Err(_) => Err(Error::invalid("the body ended before it was complete").into()),
        }
    }
}

impl Raw {
    pub(super) async fn read<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let mut request = Request::new(AxumBody::from(self.bytes.clone()));
        let mut kind = self.kind.clone();
        if self.bytes.is_empty() {
            *request.body_mut() = AxumBody::from("{}");
            kind = Some(HeaderValue::from_static("application/json"));
        }
        request.headers_mut().extend(kind.map(|kind| (header::CONTENT_TYPE, kind)));
        let json = kit_http::Json::from_request(request, &()).await;
        json.map(|kit_http::Json(value)| value).map_err(coded)
    }
}

/// The same problem with the code that all surfaces have for it.
#[expect(clippy::needless_pass_by_value, reason = "so that `map_err` can take it")]
fn coded(problem: Problem) -> Problem {
    let mut report = problem.report().clone();
    Code::InvalidArgument.name().clone_into(&mut report.code);
    Problem::new(problem.status(), report)
}
