//! The load: a closed loop with a fixed number of calls in flight, from one thread.
//!
//! Written on sockets and pipes directly, because a comfortable client costs more than the servers
//! measured here and would be what is measured.

mod answer;
mod http;
mod stdio;

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use memchr::memmem;

pub(crate) use answer::Answer;
pub(crate) use http::{Connection, HttpLoad};
pub(crate) use stdio::StdioLoad;

use crate::echo;

/// When a run ends: whichever comes first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) time: Duration,
    pub(crate) calls: usize,
    /// Connections used, or calls written ahead on a pipe.
    pub(crate) in_flight: usize,
}

/// What a run showed.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    pub(crate) elapsed: Duration,
    /// One for each call, unsorted.
    pub(crate) latencies: Vec<Duration>,
}

/// Calls in flight: when each was sent, and the next id.
struct Flight {
    limits: Limits,
    began: Instant,
    next_id: u32,
    latencies: Vec<Duration>,
    flying: usize,
}

impl Flight {
    fn new(limits: Limits) -> Self {
        let latencies = Vec::with_capacity(limits.calls.min(1 << 20));
        Self { limits, began: Instant::now(), next_id: echo::FIRST_ID, latencies, flying: 0 }
    }

    /// Writes the next id over the one in `request`, if another call is due.
    fn take_off(&mut self, request: &mut Request) -> bool {
        let sent = (self.next_id - echo::FIRST_ID) as usize;
        if sent == self.limits.calls || self.began.elapsed() > self.limits.time {
            return false;
        }
        request.set_id(self.next_id);
        self.next_id += 1;
        self.flying += 1;
        true
    }

    fn land(&mut self, sent: Instant) {
        self.latencies.push(sent.elapsed());
        self.flying -= 1;
    }

    fn sample(self) -> Sample {
        Sample { elapsed: self.began.elapsed(), latencies: self.latencies }
    }
}

/// A call's bytes, the id replaceable in place.
struct Request {
    bytes: Vec<u8>,
    id_at: usize,
    id: u32,
}

impl Request {
    fn new(bytes: Vec<u8>) -> anyhow::Result<Self> {
        let id_at = find_id(&bytes).context("a call without an id")?;
        Ok(Self { bytes, id_at, id: echo::FIRST_ID })
    }

    fn set_id(&mut self, id: u32) {
        self.id = id;
        let mut rest = id;
        for digit in self.bytes[self.id_at..].iter_mut().take(8).rev() {
            *digit = b'0' + u8::try_from(rest % 10).unwrap_or_default();
            rest /= 10;
        }
    }
}

/// Where the digits of the message's own id begin.
fn find_id(bytes: &[u8]) -> Option<usize> {
    memmem::find(bytes, b"\"id\":").map(|at| at + 5)
}

/// The id of the call that `body` answers.
fn id_of(body: &[u8]) -> Option<u32> {
    let digits = body[find_id(body)?..].iter().take_while(|byte| byte.is_ascii_digit());
    Some(digits.fold(0, |id, digit| id * 10 + u32::from(digit - b'0')))
}

/// Fails unless `body` answers the call `id` with the message that was sent.
fn check(body: &[u8], id: u32) -> anyhow::Result<()> {
    if id_of(body) != Some(id) || memmem::find(body, echo::MESSAGE.as_bytes()).is_none() {
        bail!("not the answer to call {id}: {}", String::from_utf8_lossy(body));
    }
    Ok(())
}
