//! Dice and what came of them, as protobuf.

use campaign_core::{
    Rng, RollMode,
    duality::{Advantage, Explanation, Intermediates, Odds, Resolved, Rules, Step},
};
use campaign_proto::{duality::v1 as duality, session::v1 as session};
use prost_types::{Struct, Value, value::Kind};

use super::{
    answer::int,
    word::{number, text},
};
use crate::wire::{ActionRolled, Applied, DiceRolled, DualityRolled, Flavor, Shift, input};

/// What a client says about the seed.
pub(super) fn rng_input(rng: duality::Rng) -> input::Rng {
    let roll_mode = (rng.roll_mode != 0).then(|| text::<RollMode>(rng.roll_mode));
    input::Rng { seed: rng.seed, roll_mode }
}

/// What a client says about a third die.
pub(super) fn advantage_input(advantage: i32) -> Option<String> {
    (advantage != 0).then(|| text::<Advantage>(advantage))
}

fn rng_used(rng: Rng) -> duality::RngUsed {
    duality::RngUsed {
        seed_used: rng.seed_used,
        rng_algo: rng.rng_algo,
        seed_source: number(rng.seed_source),
        roll_mode: number(rng.roll_mode),
    }
}

impl From<DualityRolled> for duality::ActionRollResponse {
    fn from(it: DualityRolled) -> Self {
        let Resolved { advantage, advantage_die, .. } = it.resolved;
        let duality::DualityOutcomeResponse {
            hope,
            fear,
            modifier,
            difficulty,
            total,
            is_crit,
            meets_difficulty,
            outcome,
        } = outcome(&it.resolved);
        Self {
            hope,
            fear,
            modifier,
            difficulty,
            total,
            is_crit,
            meets_difficulty,
            outcome,
            rng: it.rng.map(rng_used),
            advantage_die: advantage_die.map(int),
            roll_seq: it.roll_seq,
            advantage: advantage.map_or(0, number),
        }
    }
}

pub(super) fn outcome(it: &Resolved) -> duality::DualityOutcomeResponse {
    duality::DualityOutcomeResponse {
        hope: int(it.hope),
        fear: int(it.fear),
        modifier: int(it.modifier),
        difficulty: it.difficulty.map(int),
        total: int(it.total),
        is_crit: it.is_crit,
        meets_difficulty: it.meets_difficulty,
        outcome: number(it.outcome),
    }
}

pub(super) fn explanation(it: Explanation) -> duality::DualityExplainResponse {
    let duality::DualityOutcomeResponse {
        hope,
        fear,
        modifier,
        difficulty,
        total,
        is_crit,
        meets_difficulty,
        outcome,
    } = outcome(&it.resolved);
    duality::DualityExplainResponse {
        hope,
        fear,
        modifier,
        difficulty,
        total,
        is_crit,
        meets_difficulty,
        outcome,
        rules_version: it.rules_version.to_owned(),
        intermediates: Some(intermediates(it.intermediates)),
        steps: it.steps.into_iter().map(step).collect(),
    }
}

fn intermediates(it: Intermediates) -> duality::Intermediates {
    duality::Intermediates {
        base_total: int(it.base_total),
        total: int(it.total),
        is_crit: it.is_crit,
        meets_difficulty: it.meets_difficulty,
        hope_gt_fear: it.hope_gt_fear,
        fear_gt_hope: it.fear_gt_hope,
    }
}

fn step(it: Step) -> duality::ExplainStep {
    let fields = it.data.into_iter().map(|(name, value)| (name, plain(&value))).collect();
    duality::ExplainStep {
        code: it.code.to_owned(),
        message: it.message.to_owned(),
        data: Some(Struct { fields }),
    }
}

/// Steps hold numbers, truths and words, nothing deeper. A number of 32 bits is exact in a double.
fn plain(value: &serde_json::Value) -> Value {
    let kind = match value {
        serde_json::Value::Bool(truth) => Kind::BoolValue(*truth),
        serde_json::Value::Number(number) => Kind::NumberValue(number.as_f64().unwrap_or_default()),
        serde_json::Value::String(text) => Kind::StringValue(text.clone()),
        _ => Kind::NullValue(0),
    };
    Value { kind: Some(kind) }
}

pub(super) fn odds(it: &Odds) -> duality::DualityProbabilityResponse {
    let counts = it.outcome_counts.iter();
    duality::DualityProbabilityResponse {
        total_outcomes: int(it.total_outcomes),
        crit_count: int(it.crit_count),
        success_count: int(it.success_count),
        failure_count: int(it.failure_count),
        outcome_counts: counts
            .map(|entry| duality::OutcomeCount {
                outcome: number(entry.outcome),
                count: int(entry.count),
            })
            .collect(),
    }
}

pub(super) fn rules(it: Rules) -> duality::RulesVersionResponse {
    duality::RulesVersionResponse {
        system: it.system.to_owned(),
        module: it.module.to_owned(),
        rules_version: it.rules_version.to_owned(),
        dice_model: it.dice_model.to_owned(),
        total_formula: it.total_formula.to_owned(),
        crit_rule: it.crit_rule.to_owned(),
        difficulty_rule: it.difficulty_rule.to_owned(),
        outcomes: it.outcomes.iter().copied().map(number).collect(),
    }
}

impl From<DiceRolled> for duality::RollDiceResponse {
    fn from(it: DiceRolled) -> Self {
        let rolls = it.rolled.rolls.into_iter().map(|roll| duality::DiceRoll {
            sides: int(roll.sides),
            results: roll.results.into_iter().map(int).collect(),
            total: int(roll.total),
        });
        Self {
            rolls: rolls.collect(),
            total: int(it.rolled.total),
            rng: it.rng.map(rng_used),
            roll_seq: it.roll_seq,
        }
    }
}

impl From<ActionRolled> for session::ActionRollResponse {
    fn from(it: ActionRolled) -> Self {
        let flavor = match it.flavor {
            Flavor::Hope => session::Flavor::Hope,
            Flavor::Fear => session::Flavor::Fear,
        };
        Self {
            roll_seq: it.roll_seq,
            hope_die: int(it.hope_die),
            fear_die: int(it.fear_die),
            advantage_die: it.advantage_die.map(int),
            modifier: int(it.modifier),
            total: int(it.total),
            difficulty: it.difficulty.map(int),
            success: it.success,
            flavor: flavor.into(),
            crit: it.crit,
            outcome: number(it.outcome),
            rng: Some(rng_used(it.rng)),
        }
    }
}

impl From<Applied> for session::ApplyRollOutcomeResponse {
    fn from(it: Applied) -> Self {
        let changes = it.changes.into_iter().map(|shift| {
            let Shift { actor_id, hope, stress, hope_after, stress_after } = shift;
            session::OutcomeChange {
                actor_id: actor_id.to_string(),
                hope: int(hope),
                stress: int(stress),
                hope_after: int(hope_after),
                stress_after: int(stress_after),
            }
        });
        Self {
            roll_seq: it.roll_seq,
            changes: changes.collect(),
            gm_fear: int(it.gm_fear),
            requires_complication: it.requires_complication,
        }
    }
}
