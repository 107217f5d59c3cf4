//! Tokens of participants. The token is given once; what is kept is its hash.

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use sha2::{Digest as _, Sha256};

/// A token from 32 random bytes.
pub fn make(random: [u8; 32]) -> String {
    format!("seat_{}", BASE64URL_NOPAD.encode(&random))
}

/// What the journal keeps of a token. Tokens are random enough that a plain hash cannot be guessed back.
pub fn hash(token: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(token.trim().as_bytes()))
}

/// Whether `kept` is the hash of a token. What is compared are hashes, so the time it takes tells nothing of the token.
pub(crate) fn matches(kept: &str, token: &str) -> bool {
    !kept.is_empty() && kept == hash(token)
}
