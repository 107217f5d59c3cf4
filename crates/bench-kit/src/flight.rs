//! Calls in flight: a closed loop, each answered call making room for the next.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use memchr::memmem;

/// Ids have eight digits, so that the next one is written over the last.
pub const FIRST_ID: u32 = 10_000_000;

/// When a run ends: whichever comes first.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub time: Duration,
    pub calls: usize,
    /// Connections used, or calls written ahead on a pipe.
    pub in_flight: usize,
}

/// What a run showed.
#[derive(Debug, Default)]
pub struct Sample {
    pub elapsed: Duration,
    /// One for each call, unsorted.
    pub latencies: Vec<Duration>,
}

/// Calls in flight: when each was sent, and the next id.
pub struct Flight {
    limits: Limits,
    began: Instant,
    next_id: u32,
    latencies: Vec<Duration>,
    pub flying: usize,
}

impl Flight {
    pub fn new(limits: Limits) -> Self {
        let latencies = Vec::with_capacity(limits.calls.min(1 << 20));
        Self { limits, began: Instant::now(), next_id: FIRST_ID, latencies, flying: 0 }
    }

    /// Writes the next id over the one in `request`, if another call is due.
    pub fn take_off(&mut self, request: &mut Request) -> bool {
        let sent = (self.next_id - FIRST_ID) as usize;
        if sent == self.limits.calls || self.began.elapsed() > self.limits.time {
            return false;
        }
        request.set_id(self.next_id);
        self.next_id += 1;
        self.flying += 1;
        true
    }

    pub fn land(&mut self, sent: Instant) {
        self.latencies.push(sent.elapsed());
        self.flying -= 1;
    }

    pub fn sample(self) -> Sample {
        Sample { elapsed: self.began.elapsed(), latencies: self.latencies }
    }
}

/// A call's bytes, the id replaceable in place.
pub struct Request {
    pub bytes: Vec<u8>,
    id_at: usize,
    pub id: u32,
}

impl Request {
    pub fn new(bytes: Vec<u8>) -> anyhow::Result<Self> {
        let id_at = find_id(&bytes).context("a call without an id")?;
        Ok(Self { bytes, id_at, id: FIRST_ID })
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

/// Where the digits of the message's own id begin. What a tool answers may have an `id` too, which is a string.
fn find_id(bytes: &[u8]) -> Option<usize> {
    let mut ends = memmem::find_iter(bytes, b"\"id\":").map(|at| at + 5);
    ends.find(|end| bytes.get(*end).is_some_and(u8::is_ascii_digit))
}

/// The id of the call that `body` answers.
pub fn id_of(body: &[u8]) -> Option<u32> {
    let digits = body[find_id(body)?..].iter().take_while(|byte| byte.is_ascii_digit());
    Some(digits.fold(0, |id, digit| id * 10 + u32::from(digit - b'0')))
}

/// Fails unless `body` answers the call `id` and has `mark` in it, which only a success has.
pub fn check(body: &[u8], id: u32, mark: &[u8]) -> anyhow::Result<()> {
    if id_of(body) != Some(id) || memmem::find(body, mark).is_none() {
        bail!("not the answer to call {id}: {}", String::from_utf8_lossy(body));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_inside_the_answer_is_not_taken_for_the_id_of_the_call() {
        let body = br#"{"result":{"id":"part_1","mark":1},"jsonrpc":"2.0","id":10000007}"#;
        assert_eq!(id_of(body), Some(10_000_007));
        check(body, 10_000_007, b"mark").unwrap();
        assert!(check(body, 10_000_008, b"mark").is_err());
        assert!(check(body, 10_000_007, b"other").is_err());
    }

    #[test]
    fn the_next_id_is_written_over_the_last() {
        let mut request = Request::new(br#"{"id":10000000}"#.to_vec()).unwrap();
        request.set_id(10_000_321);
        assert_eq!(request.bytes, br#"{"id":10000321}"#);
    }
}
