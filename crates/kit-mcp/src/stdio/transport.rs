//! Lines in, lines out.

use std::{borrow::Cow, collections::HashSet, io, sync::Arc};

use parking_lot::Mutex;
use rmcp::{
    RoleServer,
    model::{
        ClientJsonRpcMessage, ClientNotification, GetMeta, JsonRpcMessage, RequestId,
        ServerJsonRpcMessage,
    },
    transport::Transport,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader},
    sync::{Mutex as AsyncMutex, Notify},
};

use crate::http::{
    message::{Envelope, Incoming},
    reply::{self, Refusal},
};

/// A transport of rmcp's over two byte streams.
pub(super) struct Lines<R, W> {
    input: BufReader<R>,
    output: Arc<AsyncMutex<W>>,
    calls: Arc<Calls>,
    most: usize,
    /// Whether a request has come: rmcp takes a notification before the first one for a broken client.
    greeted: bool,
    line: Vec<u8>,
}

/// The requests that wait for their answer.
#[derive(Default)]
struct Calls {
    running: Mutex<HashSet<RequestId>>,
    ended: Notify,
}

impl Calls {
    fn end(&self, id: &RequestId) {
        self.running.lock().remove(id);
        self.ended.notify_waiters();
    }

    async fn all_ended(&self) {
        loop {
            let mut ended = std::pin::pin!(self.ended.notified());
            ended.as_mut().enable();
            if self.running.lock().is_empty() {
                return;
            }
            ended.await;
        }
    }
}

/// What a line was.
#[expect(clippy::large_enum_variant, reason = "one at a time, on its way to rmcp's loop")]
enum Line {
    Message(ClientJsonRpcMessage),
    Refused(Refusal),
    Blank,
    End,
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(super) fn new(input: R, output: W, most: usize) -> Self {
        Self {
            input: BufReader::with_capacity(64 * 1024, input),
            output: Arc::new(AsyncMutex::new(output)),
            calls: Arc::default(),
            most,
            greeted: false,
            line: Vec::new(),
        }
    }

    async fn next_line(&mut self) -> io::Result<Line> {
        // The line is kept across polls: rmcp drops this future whenever something else happens first.
        let room = (self.most + 1).saturating_sub(self.line.len()) as u64;
        let read = (&mut self.input).take(room).read_until(b'\n', &mut self.line).await?;
        if self.line.len() > self.most && self.line.last() != Some(&b'\n') {
            return self.skip_line().await;
        }
        if read == 0 && self.line.is_empty() {
            return Ok(Line::End);
        }
        let line = std::mem::take(&mut self.line);
        Ok(self.judge(line.trim_ascii()))
    }

    /// Passes over the rest of a line that is too long to be kept.
    async fn skip_line(&mut self) -> io::Result<Line> {
        loop {
            let found = {
                let rest = self.input.fill_buf().await?;
                let end = rest.iter().position(|byte| *byte == b'\n');
                let over = rest.is_empty() || end.is_some();
                let used = end.map_or(rest.len(), |at| at + 1);
                self.input.consume(used);
                over
            };
            if found {
                break;
            }
        }
        self.line.clear();
        let why = format!("the line is over {} bytes, which is the limit", self.most);
        Ok(Line::Refused(Refusal::invalid(why)))
    }

    fn judge(&mut self, line: &[u8]) -> Line {
        if line.is_empty() {
            return Line::Blank;
        }
        let incoming = Envelope::read(line).and_then(|envelope| envelope.open(line, false));
        match incoming {
            Err(refusal) => Line::Refused(refusal),
            Ok(Incoming::Request { id, mut request, meta }) => {
                if !self.calls.running.lock().insert(id.clone()) {
                    let why = format!("request id `{id}` is in use by a request that still runs");
                    return Line::Refused(Refusal::invalid(why).answering(&id));
                }
                self.greeted = true;
                *request.get_meta_mut() = meta;
                Line::Message(JsonRpcMessage::request(*request, id))
            }
            Ok(Incoming::Notification(notification)) => {
                if let ClientNotification::CancelledNotification(cancelled) = &*notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.calls.end(id);
                }
                if self.greeted {
                    Line::Message(JsonRpcMessage::notification(*notification))
                } else {
                    Line::Blank
                }
            }
            Ok(Incoming::Answer { id, answer: Ok(result) }) => {
                Line::Message(JsonRpcMessage::response(*result, id))
            }
            Ok(Incoming::Answer { id, answer: Err(error) }) => {
                Line::Message(JsonRpcMessage::error(error, Some(id)))
            }
        }
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn name() -> Cow<'static, str> {
        "stdio".into()
    }

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let output = self.output.clone();
        let calls = self.calls.clone();
        async move {
            let written = write_line(&output, reply::json(&message)).await;
            match &message {
                JsonRpcMessage::Response(answer) => calls.end(&answer.id),
                JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| calls.end(id)),
                _ => {}
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            match self.next_line().await {
                Ok(Line::Message(message)) => return Some(message),
                Ok(Line::Blank) => {}
                Ok(Line::Refused(refusal)) => {
                    let line = refusal.body().into_bytes();
                    if write_line(&self.output, line).await.is_err() {
                        return None;
                    }
                }
                Ok(Line::End) => {
                    self.calls.all_ended().await;
                    return None;
                }
                Err(error) => {
                    tracing::warn!(%error, "standard input failed");
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.output.lock().await.flush().await
    }
}

async fn write_line<W: AsyncWrite + Unpin>(
    output: &AsyncMutex<W>,
    mut line: Vec<u8>,
) -> io::Result<()> {
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}
