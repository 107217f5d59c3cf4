//! What came of a roll.

use campaign_core::{
    ActorId, Rng,
    dice::Rolled,
    duality::{Outcome, Resolved},
};
use kit_mcp::rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

use super::schema;

/// Duality dice that were rolled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DualityRolled {
    #[serde(flatten)]
    #[schemars(schema_with = "schema::resolved")]
    pub resolved: Resolved,
    /// Only if `rng` was given, or the roll stands in the journal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::rng")]
    pub rng: Option<Rng>,
    /// The number of the journal's entry, if the roll was made in a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll_seq: Option<u64>,
}

/// Dice of any kind that were rolled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DiceRolled {
    #[serde(flatten)]
    #[schemars(schema_with = "schema::rolled")]
    pub rolled: Rolled,
    /// Only if `rng` was given, or the roll stands in the journal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::rng")]
    pub rng: Option<Rng>,
    /// The number of the journal's entry, if the roll was made in a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roll_seq: Option<u64>,
}

/// An actor's roll in a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ActionRolled {
    /// The number of the journal's entry; what applying the outcome asks for.
    pub roll_seq: u64,
    pub hope_die: i64,
    pub fear_die: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advantage_die: Option<i64>,
    /// The trait and all modifiers.
    pub modifier: i64,
    pub total: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<i64>,
    /// Without a difficulty, whether it is a critical success.
    pub success: bool,
    pub flavor: Flavor,
    pub crit: bool,
    #[schemars(schema_with = "schema::outcome")]
    pub outcome: Outcome,
    #[schemars(schema_with = "schema::rng")]
    pub rng: Rng,
}

/// Which die was higher; a critical success counts as Hope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schemars(inline)]
pub enum Flavor {
    Hope,
    Fear,
}

/// What the outcome of a roll did to the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Applied {
    pub roll_seq: u64,
    pub changes: Vec<Shift>,
    /// The GM's Fear after it.
    #[schemars(schema_with = "schema::gm_fear")]
    pub gm_fear: i64,
    /// The GM has to bring a complication into the story.
    pub requires_complication: bool,
}

/// What an outcome did to one actor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Shift {
    #[schemars(with = "String")]
    pub actor_id: ActorId,
    /// By how much Hope moved; less than the rules give when the actor could hold no more.
    pub hope: i64,
    /// By how much Stress moved.
    pub stress: i64,
    pub hope_after: i64,
    pub stress_after: i64,
}
