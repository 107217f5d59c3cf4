//! Where the seed of a roll comes from, so that a roll can be repeated and nobody can choose a live one.

use serde::{Deserialize, Serialize};

use crate::{Refusal, dice, words::words};

/// Seeds have 63 bits: PostgreSQL, protobuf and JSON readers have no unsigned 64.
pub const SEED_MAX: u64 = i64::MAX as u64;

words! {
    /// As the dice fall, or as they fell for a seed that is given.
    RollMode {
        Live = "LIVE",
        Replay = "REPLAY",
    }
}

words! {
    /// Who chose the seed.
    SeedSource {
        Client = "CLIENT",
        Server = "SERVER",
    }
}

/// What a caller asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RngInput {
    pub seed: Option<u64>,
    /// LIVE unless it says otherwise.
    pub roll_mode: Option<String>,
}

/// What a roll was made with; enough to make it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rng {
    pub seed_used: u64,
    pub rng_algo: String,
    pub seed_source: SeedSource,
    pub roll_mode: RollMode,
}

impl Rng {
    /// A live roll with a seed that nobody chose; `fresh` is 64 random bits.
    pub fn live(fresh: u64) -> Self {
        Self::with(fresh & SEED_MAX, SeedSource::Server, RollMode::Live)
    }

    /// Settles the seed. A caller's own counts in a replay, or when a GM gives it; a live roll leaves it aside.
    pub fn resolve(input: &RngInput, by_gm: bool, fresh: u64) -> Result<Self, Refusal> {
        let roll_mode = match &input.roll_mode {
            Some(text) => RollMode::read(text, "roll_mode")?,
            None => RollMode::Live,
        };
        if input.seed.is_some_and(|seed| seed > SEED_MAX) {
            let message = format!("`seed` must be at most {SEED_MAX}");
            return Err(Refusal::invalid(message).field("seed"));
        }
        match input.seed {
            Some(seed) if by_gm || roll_mode == RollMode::Replay => {
                Ok(Self::with(seed, SeedSource::Client, roll_mode))
            }
            None if roll_mode == RollMode::Replay => {
                Err(Refusal::invalid("`seed` is required when `roll_mode` is REPLAY")
                    .field("seed")
                    .hint("give the `seed_used` of the roll to repeat"))
            }
            _ => Ok(Self::with(fresh & SEED_MAX, SeedSource::Server, roll_mode)),
        }
    }

    fn with(seed_used: u64, seed_source: SeedSource, roll_mode: RollMode) -> Self {
        Self { seed_used, rng_algo: dice::ALGORITHM.to_owned(), seed_source, roll_mode }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(seed: Option<u64>, mode: Option<&str>, by_gm: bool) -> (u64, SeedSource) {
        let input = RngInput { seed, roll_mode: mode.map(str::to_owned) };
        let rng = Rng::resolve(&input, by_gm, u64::MAX).unwrap();
        (rng.seed_used, rng.seed_source)
    }

    #[test]
    fn a_seed_of_a_client_counts_in_a_replay_or_from_a_gm() {
        assert_eq!(resolved(Some(7), Some("replay"), false), (7, SeedSource::Client));
        assert_eq!(resolved(Some(7), Some("LIVE"), true), (7, SeedSource::Client));
        assert_eq!(resolved(Some(7), None, false), (SEED_MAX, SeedSource::Server));
        assert_eq!(resolved(None, None, true), (SEED_MAX, SeedSource::Server));
    }

    #[test]
    fn a_replay_of_nothing_and_a_seed_of_64_bits_are_refused() {
        let refused = |seed, mode: &str| {
            let input = RngInput { seed, roll_mode: Some(mode.into()) };
            Rng::resolve(&input, false, 0).unwrap_err().to_string()
        };
        assert_eq!(refused(None, "REPLAY"), "`seed` is required when `roll_mode` is REPLAY");
        assert!(refused(Some(1 << 63), "LIVE").starts_with("`seed` must be at most"));
        assert!(refused(None, "again").starts_with("`roll_mode` must be one of LIVE, REPLAY"));
    }
}
