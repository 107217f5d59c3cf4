//! The Duality rules: what two dice of twelve mean.
//!
//! Functions of numbers that are known; [`crate::dice`] rolls. Start at [`outcome`]. Numbers are `i64` inside, so that no
//! sum overflows; what comes in and what goes out fits the 32 bits of the wire.

mod explain;
mod odds;
mod rules;

use serde::{Deserialize, Serialize};

pub use explain::{Explanation, Intermediates, Step, explain};
pub use odds::{Odds, OutcomeCount, probability};
pub use rules::{RULES_VERSION, Rules, rules};

use crate::{
    Refusal,
    limits::{fits, within},
    words::words,
};

/// Sides of the two dice.
pub const SIDES: i64 = 12;
/// Sides of the die that advantage adds and disadvantage takes away.
pub const ADVANTAGE_SIDES: i64 = 6;

words! {
    /// What a roll came to. In this order, which is that of the numbers on the wire.
    Outcome {
        RollWithHope = "ROLL_WITH_HOPE",
        RollWithFear = "ROLL_WITH_FEAR",
        SuccessWithHope = "SUCCESS_WITH_HOPE",
        SuccessWithFear = "SUCCESS_WITH_FEAR",
        FailureWithHope = "FAILURE_WITH_HOPE",
        FailureWithFear = "FAILURE_WITH_FEAR",
        CriticalSuccess = "CRITICAL_SUCCESS",
    }
}

impl Outcome {
    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::RollWithHope => "Roll with hope",
            Self::RollWithFear => "Roll with fear",
            Self::SuccessWithHope => "Success with hope",
            Self::SuccessWithFear => "Success with fear",
            Self::FailureWithHope => "Failure with hope",
            Self::FailureWithFear => "Failure with fear",
            Self::CriticalSuccess => "Critical success",
        }
    }

    /// In the protobuf enum, where 0 is unspecified.
    pub fn number(self) -> i32 {
        self as i32 + 1
    }

    /// The class that an explanation ends with.
    pub fn coarse(self) -> &'static str {
        match self {
            Self::RollWithHope | Self::RollWithFear => "ROLL",
            Self::SuccessWithHope | Self::SuccessWithFear => "SUCCESS",
            Self::FailureWithHope | Self::FailureWithFear => "FAILURE",
            Self::CriticalSuccess => "CRITICAL_SUCCESS",
        }
    }

    /// Whether Hope comes of it; a critical success brings Hope too.
    pub fn with_hope(self) -> bool {
        !self.with_fear()
    }

    pub fn with_fear(self) -> bool {
        matches!(self, Self::RollWithFear | Self::SuccessWithFear | Self::FailureWithFear)
    }
}

words! {
    /// Whether a further die of six helps or hinders.
    Advantage {
        None = "NONE",
        Advantage = "ADVANTAGE",
        Disadvantage = "DISADVANTAGE",
    }
}

impl Advantage {
    /// What the further die counts for.
    pub fn sign(self) -> i64 {
        match self {
            Self::None => 0,
            Self::Advantage => 1,
            Self::Disadvantage => -1,
        }
    }
}

/// The two dice, as they lie on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dice {
    pub hope: i64,
    pub fear: i64,
}

/// The dice of one roll: two of twelve and, with advantage or disadvantage, one of six.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn {
    pub dice: Dice,
    pub advantage: Advantage,
    /// Nothing without advantage or disadvantage.
    pub advantage_die: Option<i64>,
}

impl From<Dice> for Drawn {
    fn from(dice: Dice) -> Self {
        Self { dice, advantage: Advantage::None, advantage_die: None }
    }
}

impl Drawn {
    /// What the further die adds or takes away.
    pub fn bonus(&self) -> i64 {
        self.advantage.sign() * self.advantage_die.unwrap_or_default()
    }
}

/// A roll and what it came to; prints as the tools answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Resolved {
    pub hope: i64,
    pub fear: i64,
    pub modifier: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<i64>,
    pub total: i64,
    pub is_crit: bool,
    /// False without a difficulty, also on a critical success.
    pub meets_difficulty: bool,
    pub outcome: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advantage: Option<Advantage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advantage_die: Option<i64>,
}

/// What dice that are known come to.
pub fn outcome(
    hope: i64,
    fear: i64,
    modifier: i64,
    difficulty: Option<i64>,
) -> Result<Resolved, Refusal> {
    resolve(Dice { hope, fear }.into(), modifier, difficulty)
}

/// What drawn dice come to.
pub fn resolve(drawn: Drawn, modifier: i64, difficulty: Option<i64>) -> Result<Resolved, Refusal> {
    let Dice { hope, fear } = drawn.dice;
    if [hope, fear].iter().any(|die| !(1..=SIDES).contains(die)) {
        let field = if (1..=SIDES).contains(&hope) { "fear" } else { "hope" };
        return Err(Refusal::invalid("duality dice must be between 1 and 12").field(field));
    }
    check_advantage(drawn)?;
    check(modifier, difficulty)?;
    Ok(judge(drawn, modifier, difficulty))
}

/// What must hold before dice are rolled: every total that they can come to fits the wire.
pub fn check(modifier: i64, difficulty: Option<i64>) -> Result<(), Refusal> {
    fits(modifier, "modifier")?;
    if difficulty.is_some_and(|difficulty| difficulty < 0) {
        return Err(Refusal::invalid("difficulty must be non-negative").field("difficulty"));
    }
    difficulty.map_or(Ok(0), |difficulty| fits(difficulty, "difficulty"))?;
    let (least, most) = (2 - ADVANTAGE_SIDES, 2 * SIDES + ADVANTAGE_SIDES);
    within(modifier, i64::from(i32::MIN) - least, i64::from(i32::MAX) - most, "modifier")?;
    Ok(())
}

/// A further die is there when something calls for it, and is one of six.
fn check_advantage(drawn: Drawn) -> Result<(), Refusal> {
    match (drawn.advantage, drawn.advantage_die) {
        (Advantage::None, None) => Ok(()),
        (Advantage::None, Some(_)) => {
            Err(Refusal::invalid("`advantage_die` needs `advantage`").field("advantage_die"))
        }
        (_, None) => {
            Err(Refusal::invalid("`advantage` needs `advantage_die`").field("advantage_die"))
        }
        (_, Some(die)) => within(die, 1, ADVANTAGE_SIDES, "advantage_die").map(drop),
    }
}

/// The rules themselves. A pair of equal dice beats any difficulty; otherwise the higher die says hope or fear.
fn judge(drawn: Drawn, modifier: i64, difficulty: Option<i64>) -> Resolved {
    let Dice { hope, fear } = drawn.dice;
    let total = hope + fear + modifier + drawn.bonus();
    let is_crit = hope == fear;
    let meets = difficulty.map(|difficulty| is_crit || total >= difficulty);
    let outcome = match (meets, hope > fear) {
        _ if is_crit => Outcome::CriticalSuccess,
        (None, true) => Outcome::RollWithHope,
        (None, false) => Outcome::RollWithFear,
        (Some(true), true) => Outcome::SuccessWithHope,
        (Some(true), false) => Outcome::SuccessWithFear,
        (Some(false), true) => Outcome::FailureWithHope,
        (Some(false), false) => Outcome::FailureWithFear,
    };
    Resolved {
        hope,
        fear,
        modifier,
        difficulty,
        total,
        is_crit,
        meets_difficulty: meets.unwrap_or(false),
        outcome,
        advantage: drawn.advantage_die.map(|_| drawn.advantage),
        advantage_die: drawn.advantage_die,
    }
}
