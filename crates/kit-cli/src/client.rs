//! How a command reaches an application: over its HTTP surface, wherever that is.
//!
//! A command that opened the store itself has the routes in its own process; one that found a running server asks
//! that one. The command cannot tell the difference, and neither can anybody who watches.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use axum::{Router, body::Body, extract::Request, response::Response};
use futures::{FutureExt, Stream, future::BoxFuture};
use http::{Method, StatusCode, header};
use http_body_util::{BodyExt, Collected};
use serde_json::Value;
use tower::ServiceExt;

use crate::{Hint, stream::Events};

pub use crate::stream::Event;

/// Tells applications by which surface they are asked, for their logs of who did what.
const VIA: (&str, &str) = ("x-via", "cli");

type Send =
    dyn Fn(Request) -> BoxFuture<'static, anyhow::Result<Response>> + std::marker::Send + Sync;

/// One application, to be asked.
#[derive(Clone)]
pub struct Client {
    app: &'static str,
    send: Arc<Send>,
}

/// One question.
#[derive(Debug)]
pub struct Ask<'a> {
    pub method: Method,
    /// Below the application's root, with the query.
    pub path: &'a str,
    pub headers: &'a [(&'a str, &'a str)],
    pub body: Option<&'a Value>,
}

impl<'a> Ask<'a> {
    pub fn get(path: &'a str) -> Self {
        Self { method: Method::GET, path, headers: &[], body: None }
    }

    pub fn post(path: &'a str, body: &'a Value) -> Self {
        Self { method: Method::POST, path, headers: &[], body: Some(body) }
    }
}

impl Client {
    /// Asks by `send`, which knows a server with every application below its name.
    pub fn new<F>(
        app: &'static str,
        send: impl Fn(Request) -> F + std::marker::Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = anyhow::Result<Response>> + std::marker::Send + 'static,
    {
        Self { app, send: Arc::new(move |request| send(request).boxed()) }
    }

    /// Asks the routes themselves, in this process.
    pub fn here(app: &'static str, routes: Router) -> Self {
        Self::new(app, move |request| {
            let routes = routes.clone();
            async move { Ok(routes.oneshot(request).await.unwrap_or_else(|never| match never {})) }
        })
    }

    /// Asks and gives what was answered as JSON; `null` for an empty answer.
    pub async fn ask(&self, ask: Ask<'_>) -> anyhow::Result<Value> {
        let text = self.text(ask).await?;
        if text.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_str(&text).context("the answer is not JSON")
    }

    /// Asks and gives the answer as it came.
    pub async fn text(&self, ask: Ask<'_>) -> anyhow::Result<String> {
        let body = self.send(ask).await?.into_body();
        let bytes = body.collect().await.context("the answer broke off")?.to_bytes();
        String::from_utf8(bytes.into()).context("the answer is not text")
    }

    /// Asks for server-sent events and gives them as they come.
    pub async fn events(
        &self,
        ask: Ask<'_>,
    ) -> anyhow::Result<impl Stream<Item = anyhow::Result<Event>> + Unpin + use<>> {
        Ok(Events::new(self.send(ask).await?.into_body()))
    }

    async fn send(&self, ask: Ask<'_>) -> anyhow::Result<Response> {
        let mut request =
            Request::builder().method(ask.method).uri(format!("/{}{}", self.app, ask.path));
        for (name, value) in ask.headers.iter().chain([&VIA]) {
            request = request.header(*name, *value);
        }
        let body = match ask.body {
            None => Body::empty(),
            Some(value) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(value.to_string())
            }
        };
        let request = request.body(body).context("this cannot be asked")?;
        let response = (self.send)(request).await?;
        if response.status().is_success() { Ok(response) } else { Err(refused(response).await) }
    }
}

/// What the application says about a question that it did not answer.
async fn refused(response: Response) -> anyhow::Error {
    let status = response.status();
    let body = response.into_body().collect().await.map(Collected::to_bytes).unwrap_or_default();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let text = |key: &str| body[key].as_str().map(str::to_owned);
    let said = text("error").unwrap_or_else(|| match status.canonical_reason() {
        Some(reason) => reason.to_lowercase(),
        None => status.to_string(),
    });
    let error = anyhow!(Refused { status, said });
    match text("hint") {
        Some(hint) => Err::<(), _>(error).hint(hint).err().unwrap_or_else(|| anyhow!("refused")),
        None => error,
    }
}

/// An application that said no.
#[derive(Debug, thiserror::Error)]
#[error("{said}")]
pub struct Refused {
    pub status: StatusCode,
    said: String,
}
