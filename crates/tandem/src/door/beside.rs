//! The side of whoever comes.

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow};
use axum::{body::Body, extract::Request, response::Response};
use http::{HeaderValue, header};
use hyper_util::rt::TokioIo;
use kit_cli::{Client, Hint};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::UnixStream,
};
use tokio_util::sync::CancellationToken;

use super::{Wish, http_socket, mcp_socket};

/// Passes standard input and output to the running server until either ends.
pub(crate) async fn mcp(
    data_dir: &Path,
    wish: &Wish,
    shutdown: CancellationToken,
) -> anyhow::Result<()> {
    let mut stream = connect(&mcp_socket(data_dir)).await?;
    let mut line = serde_json::to_vec(wish).context("cannot write the wish")?;
    line.push(b'\n');
    stream.write_all(&line).await.context("the running server went away")?;
    let refusal = first_line(&mut stream).await.context("the running server went away")?;
    if !refusal.is_empty() {
        return Err(anyhow!(refusal)).hint("stop it, or use another directory with `--data-dir`");
    }
    kit_mcp::stdio::forward(stream, shutdown).await.context("the running server went away")
}

/// Byte by byte, since everything after the line belongs to the protocol.
async fn first_line(stream: &mut UnixStream) -> io::Result<String> {
    let mut line = Vec::new();
    loop {
        match stream.read_u8().await? {
            b'\n' => return Ok(String::from_utf8_lossy(&line).into_owned()),
            byte => line.push(byte),
        }
    }
}

/// Asks the running server over HTTP.
pub(crate) fn client(data_dir: &Path, app: &'static str) -> Client {
    let socket = http_socket(data_dir);
    Client::new(app, move |request| ask(socket.clone(), request))
}

async fn ask(socket: PathBuf, mut request: Request) -> anyhow::Result<Response> {
    let stream = connect(&socket).await?;
    let gone = "the running server went away";
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.context(gone)?;
    tokio::spawn(async move { drop(connection.await) });
    request.headers_mut().insert(header::HOST, HeaderValue::from_static("localhost"));
    let response = sender.send_request(request).await.context(gone)?;
    Ok(response.map(Body::new))
}

async fn connect(socket: &Path) -> anyhow::Result<UnixStream> {
    UnixStream::connect(socket)
        .await
        .with_context(|| format!("cannot reach the server that uses `{}`", socket.display()))
        .hint("it may be just starting or stopping: try again, or stop it")
}
