//! The dice engine: a pure function of algorithm, seed and dice.
//!
//! `CHACHA20_V1`: the key of `ChaCha20` is the seed as 8 little-endian bytes followed by 24 zero bytes; nonce and counter
//! begin at zero. The key stream is read as little-endian words of 32 bits, at least one for each die, in order. A word of
//! the last, incomplete run of `sides` numbers is thrown away, so that every side is equally likely; from any other, the
//! die shows the remainder plus one. What was rolled once must be rolled for ever: a better idea is a `CHACHA20_V2`.

use chacha20::{
    ChaCha20Rng,
    rand_core::{Rng as _, SeedableRng as _},
};
use serde::{Deserialize, Serialize};

use crate::{
    Refusal,
    duality::{self, ADVANTAGE_SIDES, Advantage, Dice, Drawn},
    limits::{self, fits},
    words,
};

/// The algorithm that live rolls are made with.
pub const ALGORITHM: &str = "CHACHA20_V1";

/// Some dice of one kind, as a caller asks for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiceSpec {
    pub sides: i64,
    pub count: i64,
}

/// What was rolled; prints as the tool answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rolled {
    /// One for each spec, in order.
    pub rolls: Vec<DiceRoll>,
    pub total: i64,
}

/// What the dice of one spec show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiceRoll {
    pub sides: i64,
    pub results: Vec<i64>,
    pub total: i64,
}

/// Whether these dice can be rolled: all of them, or none is.
pub fn check(specs: &[DiceSpec]) -> Result<(), Refusal> {
    let refused = |message: String| Err(Refusal::exhausted(message).field("dice"));
    if specs.is_empty() {
        return Err(Refusal::invalid("at least one die must be provided").field("dice"));
    }
    for spec in specs {
        fits(spec.sides, "sides")?;
        fits(spec.count, "count")?;
        if spec.sides <= 0 || spec.count <= 0 {
            let message = "dice must have positive sides and count";
            return Err(Refusal::invalid(message).field("dice"));
        }
    }
    if specs.len() > limits::DICE_SPECS {
        return refused(format!(
            "`dice` must have at most {} entries, not {}",
            limits::DICE_SPECS,
            specs.len()
        ));
    }
    if let Some(spec) = specs.iter().find(|spec| spec.sides > limits::SIDES) {
        return refused(format!(
            "a die must have at most {} sides, not {}",
            limits::SIDES,
            spec.sides
        ));
    }
    let dice: i64 = specs.iter().map(|spec| spec.count).sum();
    if dice > limits::DICE {
        return refused(format!("at most {} dice can be rolled at once, not {dice}", limits::DICE));
    }
    let most: i64 = specs.iter().map(|spec| spec.sides * spec.count).sum();
    if most > i32::MAX.into() {
        return refused(format!("the total of these dice could be {most}, more than {}", i32::MAX));
    }
    Ok(())
}

/// Rolls dice: the same algorithm, seed and dice give the same results, on every machine.
pub fn roll(algorithm: &str, seed: u64, specs: &[DiceSpec]) -> Result<Rolled, Refusal> {
    Roller::new(algorithm, seed)?.roll(specs)
}

/// The dice of a Duality roll: hope, fear, then the die of six if something calls for it.
pub fn duality(seed: u64, advantage: Advantage) -> Drawn {
    Roller::from_seed(seed).duality(advantage)
}

/// An endless row of dice.
#[derive(Debug)]
pub struct Roller(ChaCha20Rng);

impl Roller {
    /// A row of dice that was rolled before, or might have been.
    pub fn new(algorithm: &str, seed: u64) -> Result<Self, Refusal> {
        if algorithm == ALGORITHM {
            return Ok(Self::from_seed(seed));
        }
        let message = format!("`rng_algo` must be {ALGORITHM}, not `{}`", words::shown(algorithm));
        Err(Refusal::invalid(message).field("rng_algo"))
    }

    /// A row of dice by [`ALGORITHM`].
    pub fn from_seed(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha20Rng::from_seed(key))
    }

    pub fn roll(&mut self, specs: &[DiceSpec]) -> Result<Rolled, Refusal> {
        check(specs)?;
        let rolls: Vec<_> = specs.iter().map(|spec| self.roll_spec(*spec)).collect();
        let total = rolls.iter().map(|roll| roll.total).sum();
        Ok(Rolled { rolls, total })
    }

    pub fn duality(&mut self, advantage: Advantage) -> Drawn {
        let dice = Dice { hope: self.die(duality::SIDES), fear: self.die(duality::SIDES) };
        let further = advantage != Advantage::None;
        let advantage_die = further.then(|| self.die(ADVANTAGE_SIDES));
        Drawn { dice, advantage, advantage_die }
    }

    fn roll_spec(&mut self, spec: DiceSpec) -> DiceRoll {
        let results: Vec<_> = (0..spec.count).map(|_| self.die(spec.sides)).collect();
        let total = results.iter().sum();
        DiceRoll { sides: spec.sides, results, total }
    }

    /// One die of `sides`, which are at least one and at most 2^32.
    fn die(&mut self, sides: i64) -> i64 {
        const WORDS: i64 = 1 << 32;
        let fair = WORDS - WORDS % sides;
        loop {
            let word = i64::from(self.0.next_u32());
            if word < fair {
                return word % sides + 1;
            }
        }
    }
}
