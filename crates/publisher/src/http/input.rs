//! What comes in.

use axum::{
    body::Body,
    extract::{FromRequest, FromRequestParts, Request},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::request::Parts;
use kit_core::Principal;
use malloy_model::Givens;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{ENVIRONMENTS, answer::segment, failure::Failure};
use crate::{At, By, Error, Surface, What};

/// Members of the path, decoded.
pub(super) struct Path<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let kit_http::Path(value) = kit_http::Path::from_request_parts(parts, state).await?;
        Ok(Self(value))
    }
}

/// The query string.
pub(super) struct Search<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Search<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let kit_http::Query(value) = kit_http::Query::from_request_parts(parts, state).await?;
        Ok(Self(value))
    }
}

/// A JSON body.
pub(super) struct Sent<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Sent<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let kit_http::Json(value) = kit_http::Json::from_request(request, state).await?;
        Ok(Self(value))
    }
}

/// Who asks, and by which way.
pub(super) struct Caller {
    pub(super) principal: Principal,
    surface: Surface,
}

impl Caller {
    pub(super) fn by(&self, fresh: bool) -> By {
        By { fresh, ..By::new(&self.principal, self.surface) }
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let principal = parts.extensions.get::<Principal>().cloned();
        let via = parts.headers.get("x-via").and_then(|via| via.to_str().ok());
        let surface = match via {
            Some("page") => Surface::Page,
            Some("cli") => Surface::Cli,
            _ => Surface::Rest,
        };
        Ok(Self { principal: principal.unwrap_or_else(Principal::local), surface })
    }
}

/// The path as it was asked for: what projects were called, and the whole.
pub(super) struct Asked(String);

impl<S: Sync> FromRequestParts<S> for Asked {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        Ok(Self(parts.uri.path().to_owned()))
    }
}

impl Asked {
    pub(super) fn path(&self) -> &str {
        &self.0
    }

    /// The address of a project, in the word that was asked with.
    pub(super) fn project(&self, project: &str) -> String {
        let word = if self.0.starts_with(ENVIRONMENTS) { "environments" } else { "projects" };
        format!("/api/v0/{word}/{}", segment(project))
    }

    /// The address of a package.
    pub(super) fn package(&self, project: &str, package: &str) -> String {
        format!("{}/packages/{}", self.project(project), segment(package))
    }
}

#[derive(Deserialize)]
pub(super) struct InPackage {
    pub(super) project: String,
    pub(super) package: String,
}

#[derive(Deserialize)]
pub(super) struct InFile {
    project: String,
    package: String,
    path: String,
}

impl InFile {
    pub(super) fn at(self) -> At {
        At { project: self.project, package: self.package, path: self.path }
    }
}

/// Values for givens, sent as JSON text in a query string.
pub(super) fn givens(text: Option<&str>) -> Result<Givens, Failure> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(Givens::new()) };
    serde_json::from_str(text)
        .map_err(|why| Failure::bad(format!("`givens` is not a JSON object: {why}")))
}

/// Whether a flag of a query string is set: only a true value does.
pub(super) fn is_set(flag: Option<&str>) -> bool {
    matches!(flag.map(str::to_ascii_lowercase).as_deref(), Some("true" | "1" | "yes" | "on"))
}

/// Refuses whoever asks for a version, since there are none; before anything is looked up.
pub(super) async fn refuse_versions(request: Request<Body>, next: Next) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let asks = query.split('&').any(|pair| {
        pair.split_once('=').is_some_and(|(name, value)| name == "versionId" && !value.is_empty())
    });
    if asks && request.uri().path().starts_with("/api/") {
        return Failure::from(no_versions()).into_response();
    }
    next.run(request).await
}

/// The same for a body.
pub(super) fn refuse_version(version: Option<&Value>) -> Result<(), Failure> {
    match version {
        None | Some(Value::Null) => Ok(()),
        Some(Value::String(text)) if text.is_empty() => Ok(()),
        Some(_) => Err(no_versions().into()),
    }
}

fn no_versions() -> Error {
    Error::new(What::NotImplemented, "Version IDs not implemented.")
        .hint("leave `versionId` out: packages are served as they are now")
}
