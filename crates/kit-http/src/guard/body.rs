//! Bodies on their way in: not too large, not too slow.

use std::{
    error::Error,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::body::Body;
use bytes::Bytes;
use futures::FutureExt;
use http::{Request, Version, header};
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt, Limited};
use tokio::time::{Instant, Sleep};

type BoxError = Box<dyn Error + Send + Sync>;

/// The body paused for too long.
#[derive(Debug, thiserror::Error)]
#[error("the body paused for more than {} s while it arrived", .0.as_secs())]
pub(crate) struct UploadTimedOut(Duration);

/// A body under the limits. The timer is made only when the client makes us wait, which a small request
/// never does: its body arrives with its head.
struct Upload<B> {
    inner: Limited<B>,
    pause: Duration,
    timer: Option<Pin<Box<Sleep>>>,
}

/// Puts the body under its limits.
pub(crate) fn limited<B>(body: B, limit: usize, pause: Duration) -> Body
where
    B: http_body::Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<BoxError>,
{
    if body.is_end_stream() {
        return Body::empty();
    }
    Body::new(Upload { inner: Limited::new(body, limit), pause, timer: None })
}

impl<B> http_body::Body for Upload<B>
where
    B: http_body::Body<Data = Bytes> + Unpin,
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = &mut *self;
        if let Poll::Ready(frame) = Pin::new(&mut this.inner).poll_frame(cx) {
            if let Some(timer) = &mut this.timer {
                timer.as_mut().reset(Instant::now() + this.pause);
            }
            return Poll::Ready(frame);
        }
        let pause = this.pause;
        let timer = this.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep(pause)));
        match timer.poll_unpin(cx) {
            Poll::Ready(()) => Poll::Ready(Some(Err(UploadTimedOut(pause).into()))),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// How long and how much of a refused body is read and thrown away. A client that writes before it reads
/// would otherwise see a reset connection and never the reason.
const DRAIN_TIME: Duration = Duration::from_secs(2);
const DRAIN_BYTES: usize = 256 << 20;

/// Reads the rest of a refused body in the background, within bounds.
pub(crate) fn drain<B>(request: Request<B>)
where
    B: http_body::Body<Data = Bytes> + Send + Unpin + 'static,
{
    // A client that asked first (`Expect: 100-continue`) sends nothing, and HTTP/2 can stop one stream.
    let waits = request.headers().contains_key(header::EXPECT);
    if waits || request.version() == Version::HTTP_2 {
        return;
    }
    let mut body = request.into_body();
    tokio::spawn(tokio::time::timeout(DRAIN_TIME, async move {
        let mut read = 0;
        while let Some(Ok(frame)) = body.frame().await {
            read += frame.data_ref().map_or(0, Bytes::len);
            if read > DRAIN_BYTES {
                break;
            }
        }
    }));
}
