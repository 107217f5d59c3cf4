//! The least that a large answer can cost: a copy of its bytes.

use anyhow::Context;
use axum::{Router, routing::post};
use tokio::{io::AsyncReadExt, net::TcpListener};

#[expect(clippy::print_stdout, reason = "the address is what it is asked for")]
pub(crate) async fn serve(bytes: usize) -> anyhow::Result<()> {
    let text = vec![b'x'; bytes];
    let routes = Router::new().route("/", post(move || std::future::ready(text.clone())));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{{\"listening\":\"http://{}\"}}", listener.local_addr()?);
    let ended = async {
        drop(tokio::io::stdin().read_to_end(&mut Vec::new()).await);
    };
    axum::serve(listener, routes).with_graceful_shutdown(ended).await.context("cannot serve")
}
