//! A WebSocket from one thread, without anything between a frame and the caller.

use std::net::{SocketAddr, TcpStream};

use anyhow::{Context as _, bail};
use tungstenite::{Message, WebSocket, client::IntoClientRequest as _, http::HeaderValue};

pub(crate) struct Socket(WebSocket<TcpStream>);

impl Socket {
    pub(crate) fn open(address: SocketAddr, path: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let mut request = format!("ws://{address}{path}").into_client_request()?;
        // What a page of that server would say.
        let origin = HeaderValue::from_str(&format!("http://{address}"))?;
        request.headers_mut().insert("origin", origin);
        let (socket, _) = tungstenite::client(request, stream)
            .map_err(|error| anyhow::anyhow!("{error}"))
            .with_context(|| format!("no socket at `{path}`"))?;
        Ok(Self(socket))
    }

    pub(crate) fn say(&mut self, text: impl Into<String>) -> anyhow::Result<()> {
        Ok(self.0.send(Message::text(text.into()))?)
    }

    /// The next text frame.
    pub(crate) fn hear(&mut self) -> anyhow::Result<String> {
        loop {
            match self.0.read()? {
                Message::Text(text) => return Ok(text.to_string()),
                Message::Close(reason) => bail!("the server closed the socket: {reason:?}"),
                _ => {}
            }
        }
    }
}
