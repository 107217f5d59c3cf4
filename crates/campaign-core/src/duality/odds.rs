//! How likely each outcome is, by counting every roll that there is.

use serde::Serialize;

use super::{ADVANTAGE_SIDES, Advantage, Dice, Drawn, Outcome, SIDES, check, judge};
use crate::Refusal;

/// How many rolls come to what. Critical successes, successes and failures are three parts without overlap, which add
/// up to `total_outcomes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Odds {
    /// 144, or 864 with a further die of six.
    pub total_outcomes: i64,
    pub crit_count: i64,
    /// With hope and with fear; critical successes are not among them.
    pub success_count: i64,
    pub failure_count: i64,
    /// Always these five, in this order.
    pub outcome_counts: [OutcomeCount; 5],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct OutcomeCount {
    pub outcome: Outcome,
    pub count: i64,
}

impl Odds {
    pub fn count(&self, of: Outcome) -> i64 {
        self.outcome_counts.iter().find(|entry| entry.outcome == of).map_or(0, |entry| entry.count)
    }
}

const LISTED: [Outcome; 5] = [
    Outcome::CriticalSuccess,
    Outcome::SuccessWithHope,
    Outcome::SuccessWithFear,
    Outcome::FailureWithHope,
    Outcome::FailureWithFear,
];

/// The exact odds of a roll that is being considered.
pub fn probability(modifier: i64, difficulty: i64, advantage: Advantage) -> Result<Odds, Refusal> {
    check(modifier, Some(difficulty))?;
    let mut outcome_counts = LISTED.map(|outcome| OutcomeCount { outcome, count: 0 });
    let mut total_outcomes = 0;
    for drawn in every_roll(advantage) {
        let outcome = judge(drawn, modifier, Some(difficulty)).outcome;
        total_outcomes += 1;
        for entry in outcome_counts.iter_mut().filter(|entry| entry.outcome == outcome) {
            entry.count += 1;
        }
    }
    let [crit, hope, fear, failed_hope, failed_fear] = outcome_counts.map(|entry| entry.count);
    Ok(Odds {
        total_outcomes,
        crit_count: crit,
        success_count: hope + fear,
        failure_count: failed_hope + failed_fear,
        outcome_counts,
    })
}

fn every_roll(advantage: Advantage) -> impl Iterator<Item = Drawn> {
    let further = if advantage == Advantage::None { 1 } else { ADVANTAGE_SIDES };
    (1..=SIDES).flat_map(move |hope| {
        (1..=SIDES).flat_map(move |fear| {
            (1..=further).map(move |die| Drawn {
                dice: Dice { hope, fear },
                advantage,
                advantage_die: (advantage != Advantage::None).then_some(die),
            })
        })
    })
}
