//! This process's standard streams, taken for the protocol alone.

use std::{
    fs::{File, OpenOptions},
    io,
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::fs::{FileTypeExt, OpenOptionsExt},
    },
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::unix::pipe,
};

/// Takes both streams. Standard output is moved to a descriptor that nobody else knows, and standard error put in its
/// place, so that a stray print of any library cannot break a message in two.
pub(super) fn take() -> io::Result<(Input, Output)> {
    let output = rustix::io::dup(rustix::stdio::stdout())?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    let input = reopen(&rustix::io::dup(rustix::stdio::stdin())?, true)
        .and_then(|fd| pipe::Receiver::from_owned_fd(fd).ok())
        .map_or_else(|| Input::Blocking(tokio::io::stdin()), Input::Pipe);
    let output = match reopen(&output, false).and_then(|fd| pipe::Sender::from_owned_fd(fd).ok()) {
        Some(pipe) => Output::Pipe(pipe),
        None => Output::Blocking(tokio::fs::File::from_std(File::from(output))),
    };
    Ok((input, output))
}

/// A pipe, opened again for non-blocking use: the flag belongs to the opening, which we otherwise share with
/// whoever started us. `None` for anything but a pipe.
fn reopen(fd: &OwnedFd, read: bool) -> Option<OwnedFd> {
    let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).ok()?;
    let file =
        OpenOptions::new().read(read).write(!read).custom_flags(nonblocking).open(path).ok()?;
    file.metadata().ok()?.file_type().is_fifo().then(|| file.into())
}

/// Standard input. A pipe is polled like a socket; anything else is read on a thread, which costs a hop a message.
pub(super) enum Input {
    Pipe(pipe::Receiver),
    Blocking(tokio::io::Stdin),
}

/// Standard output, likewise.
pub(super) enum Output {
    Pipe(pipe::Sender),
    Blocking(tokio::fs::File),
}

impl AsyncRead for Input {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Pipe(pipe) => Pin::new(pipe).poll_read(cx, buf),
            Self::Blocking(stdin) => Pin::new(stdin).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Output {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Pipe(pipe) => Pin::new(pipe).poll_write(cx, bytes),
            Self::Blocking(file) => Pin::new(file).poll_write(cx, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Pipe(pipe) => Pin::new(pipe).poll_flush(cx),
            Self::Blocking(file) => Pin::new(file).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Pipe(pipe) => Pin::new(pipe).poll_shutdown(cx),
            Self::Blocking(file) => Pin::new(file).poll_shutdown(cx),
        }
    }
}
