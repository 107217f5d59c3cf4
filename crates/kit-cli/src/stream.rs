//! Server-sent events, as a command reads them.

use std::{
    collections::VecDeque,
    pin::Pin,
    task::{Context, Poll},
};

use anyhow::anyhow;
use axum::body::{Body, BodyDataStream};
use futures::{Stream, StreamExt};

/// One event of a feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    pub id: Option<String>,
    /// `message` if the feed does not say.
    pub name: String,
    pub data: String,
}

/// The events in a body.
pub(crate) struct Events {
    body: BodyDataStream,
    reader: Reader,
}

impl Events {
    pub(crate) fn new(body: Body) -> Self {
        Self { body: body.into_data_stream(), reader: Reader::default() }
    }
}

impl Stream for Events {
    type Item = anyhow::Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(event) = self.reader.ready.pop_front() {
                return Poll::Ready(Some(Ok(event)));
            }
            match std::task::ready!(self.body.poll_next_unpin(cx)) {
                Some(Ok(bytes)) => self.reader.read(&bytes),
                Some(Err(error)) => {
                    return Poll::Ready(Some(Err(anyhow!(error).context("the feed broke off"))));
                }
                None => return Poll::Ready(None),
            }
        }
    }
}

/// Puts events together from pieces of any size.
#[derive(Default)]
struct Reader {
    line: Vec<u8>,
    event: Event,
    has_data: bool,
    ready: VecDeque<Event>,
}

impl Reader {
    fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                b'\n' => self.end_line(),
                byte => self.line.push(*byte),
            }
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = line.strip_suffix('\r').unwrap_or(&line);
        if line.is_empty() {
            return self.end_event();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => self.event.id = Some(value.to_owned()),
            "event" => value.clone_into(&mut self.event.name),
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
                self.has_data = true;
            }
            // Comments keep the connection alive.
            _ => {}
        }
    }

    fn end_event(&mut self) {
        let mut event = std::mem::take(&mut self.event);
        if std::mem::take(&mut self.has_data) {
            if event.name.is_empty() {
                "message".clone_into(&mut event.name);
            }
            self.ready.push_back(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&str]) -> Vec<Event> {
        let mut reader = Reader::default();
        for piece in pieces {
            reader.read(piece.as_bytes());
        }
        reader.ready.into()
    }

    #[test]
    fn pieces_of_any_size_make_the_same_events() {
        let feed =
            ":connected\n\nid: 7\nevent: command\ndata: {\"a\":1}\n\ndata: x\r\ndata: y\r\n\r\n";
        let whole = read(&[feed]);
        let bytes: Vec<_> = feed.split("").collect();
        assert_eq!(whole, read(&bytes));
        let first =
            Event { id: Some("7".into()), name: "command".into(), data: "{\"a\":1}".into() };
        let second = Event { id: None, name: "message".into(), data: "x\ny".into() };
        assert_eq!(whole, [first, second]);
    }

    #[test]
    fn an_event_that_was_cut_off_is_none() {
        assert_eq!(read(&["event: command\ndata: {"]), []);
    }
}
