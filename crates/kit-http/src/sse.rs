//! Server-sent events: live streams to browsers and programs.
//!
//! An event is encoded once ([`Frame`]) and shared by all its readers ([`Fan`]). Nobody waits for a slow
//! reader: what it has not taken when the fan's room runs out ends its stream, and it resumes by
//! `Last-Event-ID`.

use std::{
    convert::Infallible,
    fmt::{Display, Write},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures::{FutureExt, Stream, StreamExt, future::BoxFuture, stream};
use http::{HeaderValue, header};
use tokio::{
    sync::broadcast,
    time::{Instant, Sleep},
};
use tokio_stream::wrappers::BroadcastStream;
use tokio_util::sync::CancellationToken;

/// Comments are sent when nothing else was for this long, so that proxies keep the connection and a dead
/// reader is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// One event as it goes over the wire. Cloning shares the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame(Bytes);

impl Frame {
    /// An event with its place in the stream, from which a reader resumes.
    pub fn new(id: impl Display, name: Option<&str>, data: &str) -> Self {
        let mut text = String::with_capacity(data.len() + 48);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "id: {id}");
        push_event(&mut text, name, data);
        Self(text.into())
    }

    /// An event that cannot be resumed from.
    pub fn without_id(name: Option<&str>, data: &str) -> Self {
        let mut text = String::with_capacity(data.len() + 32);
        push_event(&mut text, name, data);
        Self(text.into())
    }

    /// A line that readers ignore.
    pub fn comment(text: &str) -> Self {
        Self(format!(": {}\n\n", text.replace(['\r', '\n'], " ")).into())
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

fn push_event(text: &mut String, name: Option<&str>, data: &str) {
    if let Some(name) = name {
        text.push_str("event: ");
        text.push_str(name);
        text.push('\n');
    }
    for line in data.split('\n') {
        text.push_str("data: ");
        text.push_str(line.strip_suffix('\r').unwrap_or(line));
        text.push('\n');
    }
    text.push('\n');
}

/// One source, any number of readers, a bound on how far one may be behind.
#[derive(Debug, Clone)]
pub struct Fan(broadcast::Sender<Frame>);

impl Fan {
    /// `room` is how many frames a reader may be behind before its stream ends.
    pub fn new(room: usize) -> Self {
        Self(broadcast::channel(room).0)
    }

    /// Sends to whoever reads now; nobody reading is fine.
    pub fn send(&self, frame: Frame) {
        drop(self.0.send(frame));
    }

    pub fn readers(&self) -> usize {
        self.0.receiver_count()
    }

    /// Everything sent from now on; ends for a reader that falls too far behind.
    pub fn subscribe(&self) -> impl Stream<Item = Frame> + Send + use<> {
        BroadcastStream::new(self.0.subscribe())
            .take_while(|frame| std::future::ready(frame.is_ok()))
            .filter_map(|frame| std::future::ready(frame.ok()))
    }
}

/// Streams `frames` until they end or `ends` is cancelled.
pub fn events(
    frames: impl Stream<Item = Frame> + Send + 'static,
    ends: CancellationToken,
) -> Response {
    // Something at once, so that the reader sees the stream open before the first event.
    let frames = stream::iter([Frame(Bytes::from_static(b":connected\n\n"))]).chain(frames).boxed();
    let body = EventBody {
        frames,
        quiet: Box::pin(tokio::time::sleep(KEEP_ALIVE)),
        ends: ends.cancelled_owned().boxed(),
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        // Proxies such as nginx collect a response before passing it on unless told not to.
        (header::HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    (headers, Body::new(body)).into_response()
}

struct EventBody {
    frames: Pin<Box<dyn Stream<Item = Frame> + Send>>,
    quiet: Pin<Box<Sleep>>,
    ends: BoxFuture<'static, ()>,
}

impl http_body::Body for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, Infallible>>> {
        if self.ends.poll_unpin(cx).is_ready() {
            return Poll::Ready(None);
        }
        let next = match self.frames.poll_next_unpin(cx) {
            Poll::Ready(Some(Frame(bytes))) => bytes,
            Poll::Ready(None) => return Poll::Ready(None),
            Poll::Pending if self.quiet.poll_unpin(cx).is_ready() => Bytes::from_static(b":\n\n"),
            Poll::Pending => return Poll::Pending,
        };
        self.quiet.as_mut().reset(Instant::now() + KEEP_ALIVE);
        Poll::Ready(Some(Ok(http_body::Frame::data(next))))
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    async fn next(response: &mut Response) -> Option<String> {
        let frame = response.body_mut().frame().await?.unwrap();
        Some(String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap())
    }

    #[test]
    fn data_of_several_lines_stays_one_event() {
        let frame = Frame::new(7, Some("moved"), "a\nb");
        assert_eq!(frame.as_bytes(), b"id: 7\nevent: moved\ndata: a\ndata: b\n\n");
    }

    #[tokio::test(start_paused = true)]
    async fn a_quiet_stream_sends_comments() {
        let fan = Fan::new(4);
        let mut response = events(fan.subscribe(), CancellationToken::new());
        assert_eq!(next(&mut response).await.unwrap(), ":connected\n\n");
        let before = Instant::now();
        assert_eq!(next(&mut response).await.unwrap(), ":\n\n");
        assert_eq!(before.elapsed().as_secs(), 15);
    }

    #[tokio::test]
    async fn a_reader_that_falls_behind_loses_its_stream() {
        let fan = Fan::new(2);
        let mut response = events(fan.subscribe(), CancellationToken::new());
        assert!(next(&mut response).await.is_some());
        for number in 0..5 {
            fan.send(Frame::new(number, None, "x"));
        }
        assert_eq!(next(&mut response).await, None);
    }

    #[tokio::test]
    async fn a_stream_ends_when_the_host_stops() {
        let (fan, stop) = (Fan::new(2), CancellationToken::new());
        let mut response = events(fan.subscribe(), stop.clone());
        assert!(next(&mut response).await.is_some());
        stop.cancel();
        assert_eq!(next(&mut response).await, None);
    }
}
