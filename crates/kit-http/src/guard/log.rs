//! One line for each request.

use std::time::{Duration, Instant};

use axum::response::Response;
use http::{Method, Request, Uri};
use http_body::Body;
use kit_core::Principal;

use super::{Reason, RequestId};
use crate::problem::Causes;

/// What the log will say of a request.
pub(crate) struct Line {
    pub(crate) start: Instant,
    pub(crate) id: RequestId,
    pub(crate) principal: Option<Principal>,
    method: Method,
    uri: Uri,
}

impl Line {
    pub(crate) fn new<B>(request: &Request<B>, id: RequestId) -> Self {
        Self {
            start: Instant::now(),
            id,
            principal: None,
            method: request.method().clone(),
            uri: request.uri().clone(),
        }
    }

    /// The path without the query, which may hold a secret.
    pub(crate) fn path(&self) -> &str {
        self.uri.path()
    }

    pub(crate) fn write(&self, response: &Response, took: Duration) {
        let status = response.status();
        let (method, path, request) = (self.method.as_str(), self.path(), self.id.as_str());
        if let Some(Causes(causes)) = response.extensions().get() {
            tracing::error!(request, causes, "internal fault");
        }
        // Absent for a stream, whose length nobody knows when it begins.
        let bytes = response.body().size_hint().exact();
        let principal = self.principal.as_ref().map(Principal::as_str);
        let refused = response.extensions().get().map(|reason: &Reason| reason.name());
        let status = status.as_u16();
        let ms = round_ms(took);
        if status >= 500 {
            tracing::warn!(target: "http", method, path, status, ms, bytes, request, principal, refused, "failed");
        } else {
            tracing::info!(target: "http", method, path, status, ms, bytes, request, principal, refused, "served");
        }
    }
}

/// Milliseconds to a hundredth: what a reader compares.
fn round_ms(took: Duration) -> f64 {
    let hundredths = u32::try_from(took.as_micros() / 10).unwrap_or(u32::MAX);
    f64::from(hundredths) / 100.0
}
