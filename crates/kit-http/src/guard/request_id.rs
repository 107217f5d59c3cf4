//! A name for each request, so that a line in the log and an answer can be matched.

use std::{
    hash::{BuildHasher, RandomState},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use http::{HeaderMap, HeaderName, HeaderValue};

pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The id of the request, in its extensions and in `x-request-id` of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(pub(crate) HeaderValue);

impl RequestId {
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

/// Gives ids: a random start for the process, then counting, so that two processes do not meet.
#[derive(Debug)]
pub(crate) struct Ids {
    prefix: String,
    next: AtomicU64,
}

impl Ids {
    pub(crate) fn new() -> Self {
        let process = RandomState::new().hash_one(()) & 0xffff_ffff;
        Self { prefix: format!("{process:08x}-"), next: AtomicU64::new(1) }
    }

    /// The client's own id if it is a sane one, else a new one.
    pub(crate) fn id(&self, headers: &HeaderMap) -> RequestId {
        if let Some(given) = headers.get(HEADER)
            && is_sane(given.as_bytes())
        {
            return RequestId(given.clone());
        }
        let number = self.next.fetch_add(1, Relaxed);
        let mut text = Vec::with_capacity(self.prefix.len() + 16);
        text.extend_from_slice(self.prefix.as_bytes());
        write_hex(number, &mut text);
        RequestId(HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("?")))
    }
}

/// The digits of `number`, without the formatting machinery: every request pays for it.
fn write_hex(number: u64, text: &mut Vec<u8>) {
    let digits = (number.max(1).ilog2() / 4) + 1;
    for place in (0..digits).rev() {
        let digit = (number >> (place * 4)) & 0xf;
        text.push(b"0123456789abcdef"[digit as usize]);
    }
}

fn is_sane(id: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte);
    !id.is_empty() && id.len() <= 128 && id.iter().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(id: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(HEADER, HeaderValue::from_static(id))])
    }

    #[test]
    fn a_sane_id_is_kept_and_another_replaced() {
        let ids = Ids::new();
        assert_eq!(ids.id(&given("abc-1")).as_str(), "abc-1");
        assert_ne!(ids.id(&given("a b\"")).as_str(), "a b\"");
    }

    #[test]
    fn the_number_is_written_as_a_formatter_would() {
        for number in [0, 1, 15, 16, 255, 256, 0xdead_beef, u64::MAX] {
            let mut text = Vec::new();
            write_hex(number, &mut text);
            assert_eq!(String::from_utf8(text).unwrap(), format!("{number:x}"));
        }
    }

    #[test]
    fn new_ids_differ() {
        let ids = Ids::new();
        assert_ne!(ids.id(&HeaderMap::new()), ids.id(&HeaderMap::new()));
    }
}
