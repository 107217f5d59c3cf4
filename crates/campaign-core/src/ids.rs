//! Names of the things of a campaign, a type for each kind, so that the compiler catches a swap.
//!
//! Ids are opaque to clients. Whatever text a client sends is an id that may simply not exist; only [`make`] knows what
//! ours look like.

use std::{fmt, sync::Arc};

use data_encoding::BASE32_NOPAD;
use serde::{Deserialize, Serialize};

use crate::Refusal;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(Arc<str>);

        impl $name {
            /// What the ids that we make begin with.
            pub const PREFIX: &'static str = $prefix;

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", &*self.0)
            }
        }
    )*};
}

ids! {
    /// A campaign; also the name of its journal.
    CampaignId "camp";
    /// Somebody who takes part: a GM or a player, a person or an agent.
    ParticipantId "part";
    /// A character of the story.
    ActorId "actor";
    /// One sitting.
    SessionId "sess";
}

impl CampaignId {
    /// Reads what a caller gave; every request checks this first.
    pub fn required(text: &str) -> Result<Self, Refusal> {
        required(text, "campaign_id", "campaign id is required").map(Self::from)
    }
}

/// The text without the white space around it, if anything is left.
pub(crate) fn required<'a>(
    text: &'a str,
    field: &'static str,
    message: &'static str,
) -> Result<&'a str, Refusal> {
    let text = text.trim();
    if text.is_empty() { Err(Refusal::invalid(message).field(field)) } else { Ok(text) }
}

/// An id from 16 random bytes: the prefix and a UUID of version 4 in 26 characters of lower-case base32.
///
/// The alphabet is `[a-z2-7_]`, so an id needs no escaping in a URI and is never `_` or `GM`.
pub fn make(prefix: &str, mut random: [u8; 16]) -> String {
    random[6] = (random[6] & 0x0f) | 0x40;
    random[8] = (random[8] & 0x3f) | 0x80;
    format!("{prefix}_{}", BASE32_NOPAD.encode(&random).to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_uuid_of_version_4_in_26_characters() {
        let id = make(CampaignId::PREFIX, [0xff; 16]);
        let text = id.strip_prefix("camp_").unwrap();
        assert_eq!(text.len(), 26);
        assert!(text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7')), "{id}");
        let bytes = BASE32_NOPAD.decode(text.to_ascii_uppercase().as_bytes()).unwrap();
        assert_eq!((bytes[6] >> 4, bytes[8] >> 6), (4, 2));
        assert_eq!(make("sess", [0; 16]), "sess_aaaaaaaaabaabaaaaaaaaaaaaa");
    }

    #[test]
    fn an_id_of_white_space_is_missing() {
        assert_eq!(CampaignId::required(" camp_x\n").unwrap().as_str(), "camp_x");
        let refusal = CampaignId::required(" \t").unwrap_err();
        assert_eq!(refusal.to_string(), "campaign id is required");
    }
}
