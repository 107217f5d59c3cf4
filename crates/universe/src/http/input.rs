//! What is read from a request. Whatever is wrong with it is said in the application's own words.

use axum::{
    body::Body,
    extract::{FromRequest, FromRequestParts, Request},
};
use http::{HeaderMap, StatusCode, header, request::Parts};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use kit_core::Principal;
use kit_http::Query;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use universe_core::UniverseId;

use super::{Api, failure::Failure};
use crate::{
    service::{Caller, LONGEST_VIA},
    wire::Detail,
};

/// The universe in the path. Any text may stand there; only what names a universe finds one.
pub(super) struct Id(pub(super) UniverseId);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let kit_http::Path(id) = kit_http::Path::<String>::from_request_parts(parts, state).await?;
        Ok(Self(UniverseId::from(&*id)))
    }
}

/// Who asks: what the guard in front found out, and the surface that the caller names.
pub(super) struct From(pub(super) Caller);

impl<S: Sync> FromRequestParts<S> for From {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let known = parts.extensions.get::<Principal>().cloned();
        let via = match parts.headers.get("x-via").map(|via| via.to_str().map(str::trim)) {
            None => "rest",
            Some(Ok(via)) if (1..=LONGEST_VIA).contains(&via.len()) => via,
            Some(_) => {
                let error = format!("`X-Via` must be 1 to {LONGEST_VIA} ASCII characters");
                return Err(Failure::bad(error));
            }
        };
        Ok(Self(Caller::new(known.unwrap_or_else(Principal::local), via)))
    }
}

/// What the caller calls its order.
pub(super) struct Key(pub(super) Option<String>);

impl<S: Sync> FromRequestParts<S> for Key {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let key = parts.headers.get("idempotency-key");
        // What is no text cannot be a key, and the service says what can.
        Ok(Self(key.map(|key| key.to_str().unwrap_or_default().to_owned())))
    }
}

/// How much of the state the caller wants: `?state=none`, or `Prefer: return=minimal`.
pub(super) struct Wanted(pub(super) Detail);

#[derive(Deserialize)]
struct WantedQuery {
    state: Option<Detail>,
}

impl<S: Send + Sync> FromRequestParts<S> for Wanted {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Search(query) = Search::<WantedQuery>::from_request_parts(parts, state).await?;
        let mut preferences = parts.headers.get_all("prefer").iter();
        let minimal = preferences.any(|value| {
            let text = value.to_str().unwrap_or_default();
            text.split([',', ';']).any(|preference| preference.trim() == "return=minimal")
        });
        let preferred = if minimal { Detail::None } else { Detail::Full };
        Ok(Self(query.state.unwrap_or(preferred)))
    }
}

/// The query string.
pub(super) struct Search<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Search<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Query(query) = Query::<T>::from_request_parts(parts, state).await?;
        Ok(Self(query))
    }
}

/// The revision that the caller insists on.
pub(super) fn if_match(headers: &HeaderMap) -> Result<Option<u64>, Failure> {
    let Some(value) = headers.get(header::IF_MATCH) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    if text == "*" {
        return Ok(None);
    }
    text.trim_matches('"').parse().map(Some).map_err(|_| {
        Failure::bad(format!("`If-Match: {text}` is not a revision, as `ETag` gives it"))
    })
}

/// A JSON body; no body at all is `null`, and each handler says what it misses.
pub(super) struct Input(pub(super) Value);

impl FromRequest<Api> for Input {
    type Rejection = Failure;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Failure> {
        let (parts, body) = request.into_parts();
        let body = read_body(body, api.body_bytes).await?;
        if body.is_empty() {
            return Ok(Self(Value::Null));
        }
        check_type(&parts.headers)?;
        serde_json::from_slice(&body)
            .map(Self)
            .map_err(|error| Failure::bad(format!("the body is not JSON: {error}")))
    }
}

async fn read_body(body: Body, most: usize) -> Result<Vec<u8>, Failure> {
    match Limited::new(body, most).collect().await {
        Ok(body) => Ok(body.to_bytes().into()),
        Err(error) if error.is::<LengthLimitError>() => {
            let error = format!("the body is larger than {most} bytes");
            Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, error))
        }
        Err(_) => Err(Failure::bad("the body ended before it was complete")),
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
