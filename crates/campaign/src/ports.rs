//! What this application needs of the world besides a store and a clock.

use campaign_core::{ids, token};

/// Where ids, seeds and tokens come from. A test brings a source that it knows.
pub trait Random: Send + Sync + 'static {
    /// Bytes that nobody can foresee.
    fn bytes(&self) -> [u8; 32];

    /// A name that nothing has had, beginning with `prefix`.
    fn id(&self, prefix: &str) -> String {
        let bytes = self.bytes();
        ids::make(prefix, std::array::from_fn(|place| bytes[place]))
    }

    /// A seed for dice, of 63 bits so that every client can hold it. Drawn anew for each roll.
    fn seed(&self) -> u64 {
        let bytes = self.bytes();
        u64::from_le_bytes(std::array::from_fn(|place| bytes[place])) >> 1
    }

    /// A secret for a participant.
    fn token(&self) -> String {
        token::make(self.bytes())
    }
}

/// A generator on each thread, seeded by the operating system and again after every 64 KB: its bytes are as hard to foresee,
/// and three of them for each roll are three system calls less.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsRandom;

impl Random for OsRandom {
    fn bytes(&self) -> [u8; 32] {
        rand::random()
    }
}
