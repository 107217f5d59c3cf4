//! The way from a command to the server that it asks.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use axum::{body::Body, extract::Request, response::Response};
use http::{HeaderValue, Uri, header};
use hyper_util::rt::TokioIo;
use kit_cli::{Client, Hint as _, client::Ask};
use serde_json::Value;
use tokio::net::TcpStream;

use crate::NAME;

/// A server at work.
pub(super) struct Reach(Client);

impl Reach {
    /// The server at `url`, else the one that serves `dir` or the working directory.
    pub(super) fn find(
        url: Option<&str>,
        dir: Option<&Path>,
        token: Option<&str>,
    ) -> anyhow::Result<Self> {
        let url = match url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => left_word(dir.unwrap_or(Path::new(".")))?,
        };
        let authority = url
            .strip_prefix("http://")
            .filter(|authority| !authority.is_empty() && !authority.contains('/'))
            .ok_or_else(|| anyhow!("`{url}` is not the address of a server"))
            .hint("write it as `http://127.0.0.1:39482`")?
            .to_owned();
        let bearer = token.map(|token| HeaderValue::from_str(&format!("Bearer {token}")));
        let bearer = bearer.transpose().context("the token cannot be sent")?;
        Ok(Self(Client::new(NAME, move |mut request: Request| {
            if let Some(bearer) = &bearer {
                request.headers_mut().insert(header::AUTHORIZATION, bearer.clone());
            }
            send(authority.clone(), request)
        })))
    }

    pub(super) async fn ask(&self, ask: Ask<'_>) -> anyhow::Result<Value> {
        self.0.ask(ask).await
    }

    /// The whole answer of a tool.
    pub(super) async fn answer(&self, tool: &str, given: &Value) -> anyhow::Result<Value> {
        self.ask(Ask::post(&format!("/api/{tool}"), given)).await
    }

    /// What a tool gives.
    pub(super) async fn tool(&self, tool: &str, given: &Value) -> anyhow::Result<Value> {
        Ok(self.answer(tool, given).await?["result"].take())
    }
}

/// What the server that serves a folder has left there.
fn left_word(dir: &Path) -> anyhow::Result<String> {
    let word = std::fs::read_to_string(dir.join("log/server.json")).ok();
    let word: Option<Value> = word.and_then(|word| serde_json::from_str(&word).ok());
    let url = word.and_then(|word| word["url"].as_str().map(str::to_owned));
    url.ok_or_else(|| anyhow!("no server serves `{}`", dir.display()))
        .hint("start one with `tandem ui serve DIR`, or name its address with `--url`")
}

async fn send(authority: String, mut request: Request) -> anyhow::Result<Response> {
    let gone = || format!("cannot reach the server at `http://{authority}`");
    let stream = TcpStream::connect(&authority).await.with_context(gone)?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.with_context(gone)?;
    tokio::spawn(async move { drop(connection.await) });
    // The pages stand at the root, not below a name.
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
    let path = path.strip_prefix(&format!("/{NAME}")).unwrap_or(&path).to_owned();
    *request.uri_mut() = path.parse::<Uri>().context("this cannot be asked")?;
    let host = HeaderValue::from_str(&authority).context("this cannot be asked")?;
    request.headers_mut().insert(header::HOST, host);
    let response = sender.send_request(request).await.with_context(gone)?;
    Ok(response.map(Body::new))
}
