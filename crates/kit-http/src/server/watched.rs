//! A socket that remembers what it has been waiting for.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed},
    },
    task::{Context, Poll},
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

use crate::metrics::Counted;

/// What is known of a connection from outside: plain numbers, written on the way and read now and then.
#[derive(Debug)]
pub(super) struct Watch {
    start: Instant,
    /// Requests whose answer is not sent to the end.
    busy: AtomicU32,
    /// When the last of them ended, in milliseconds since `start`.
    quiet_since: AtomicU64,
    /// When the client stopped taking what is written, plus one; 0 while it takes.
    stalled_since: AtomicU64,
    served: AtomicBool,
}

impl Watch {
    pub(super) fn new() -> Self {
        Self {
            start: Instant::now(),
            busy: AtomicU32::new(0),
            quiet_since: AtomicU64::new(0),
            stalled_since: AtomicU64::new(0),
            served: AtomicBool::new(false),
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// How long no request has been in work.
    pub(super) fn quiet_for(&self) -> Duration {
        if self.busy.load(Relaxed) > 0 {
            return Duration::ZERO;
        }
        Duration::from_millis(self.now().saturating_sub(self.quiet_since.load(Relaxed)))
    }

    /// How long the client has taken nothing of what it is sent.
    pub(super) fn write_stalled_for(&self) -> Duration {
        match self.stalled_since.load(Relaxed) {
            0 => Duration::ZERO,
            since => Duration::from_millis(self.now().saturating_sub(since - 1)),
        }
    }

    /// Whether a request has arrived yet.
    pub(super) fn has_served(&self) -> bool {
        self.served.load(Relaxed)
    }
}

/// A request in work, until it is dropped.
#[derive(Debug)]
pub(super) struct Busy(Arc<Watch>);

impl Busy {
    pub(super) fn new(watch: Arc<Watch>) -> Self {
        watch.busy.fetch_add(1, Relaxed);
        watch.served.store(true, Relaxed);
        Self(watch)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.quiet_since.store(self.0.now(), Relaxed);
        self.0.busy.fetch_sub(1, Relaxed);
    }
}

/// The socket. It holds the connection's place in the count, also after an upgrade took it away.
pub(super) struct Watched {
    stream: TcpStream,
    watch: Arc<Watch>,
    _counted: Counted,
}

impl Watched {
    pub(super) fn new(stream: TcpStream, watch: Arc<Watch>, counted: Counted) -> Self {
        Self { stream, watch, _counted: counted }
    }

    fn note<T>(&self, result: Poll<T>) -> Poll<T> {
        let stalled = self.watch.stalled_since.load(Relaxed);
        if result.is_pending() && stalled == 0 {
            self.watch.stalled_since.store(self.watch.now() + 1, Relaxed);
        } else if result.is_ready() && stalled != 0 {
            self.watch.stalled_since.store(0, Relaxed);
        }
        result
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.note(result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.note(result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
