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
    process: u64,
    next: AtomicU64,
}

impl Ids {
    pub(crate) fn new() -> Self {
        Self { process: RandomState::new().hash_one(()) & 0xffff_ffff, next: AtomicU64::new(1) }
    }

    /// The client's own id if it is a sane one, else a new one.
    pub(crate) fn id(&self, headers: &HeaderMap) -> RequestId {
        if let Some(given) = headers.get(HEADER)
            && is_sane(given.as_bytes())
        {
            return RequestId(given.clone());
        }
        let number = self.next.fetch_add(1, Relaxed);
        let text = format!("{:08x}-{number:x}", self.process);
        RequestId(HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("?")))
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
    fn new_ids_differ() {
        let ids = Ids::new();
        assert_ne!(ids.id(&HeaderMap::new()), ids.id(&HeaderMap::new()));
    }
}
