//! The rules by their name and version.

use serde::Serialize;

use super::Outcome;

/// Moves when the same dice come to something else.
pub const RULES_VERSION: &str = "1.0.0";

/// What a client needs to know which rules it talks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rules {
    pub system: &'static str,
    pub module: &'static str,
    pub rules_version: &'static str,
    pub dice_model: &'static str,
    pub total_formula: &'static str,
    pub crit_rule: &'static str,
    pub difficulty_rule: &'static str,
    pub outcomes: &'static [Outcome],
}

pub fn rules() -> Rules {
    Rules {
        system: "Daggerheart",
        module: "Duality",
        rules_version: RULES_VERSION,
        dice_model: "DUALITY_D12_V1",
        total_formula: "hope + fear + modifier",
        crit_rule: "HOPE_EQUALS_FEAR_IS_CRITICAL",
        difficulty_rule: "TOTAL_MEETS_OR_EXCEEDS_DIFFICULTY",
        outcomes: Outcome::ALL,
    }
}
