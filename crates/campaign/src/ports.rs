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

/// The operating system's generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsRandom;

impl Random for OsRandom {
    fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        // Without it nothing here could be trusted, and no system that we run on is without it.
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        bytes
    }
}
