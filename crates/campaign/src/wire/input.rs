//! What may be asked, as REST bodies bring it and [`crate::Backend`] takes it.
//!
//! Texts and numbers are as the caller gave them: what is missing is empty, and the core says what is wrong with it, in
//! the same words on every surface. A number may be written `2.0`; `2.5` is refused.

use std::collections::BTreeMap;

use campaign_core::{DiceSpec, RngInput, SheetInput, VitalsInput};
use kit_mcp::rmcp::schemars::{self, JsonSchema};
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, IgnoredAny},
};
use serde_json::Number;

use super::schema;

/// A campaign to create.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["name", "gm_mode"]))]
pub struct NewCampaign {
    #[serde(default, deserialize_with = "text")]
    pub name: String,
    /// `HUMAN`, `AI` or `HYBRID`.
    #[serde(default, deserialize_with = "text")]
    #[schemars(schema_with = "schema::gm_mode")]
    pub gm_mode: String,
    /// Kept as it is, byte for byte.
    #[serde(default, deserialize_with = "text")]
    pub theme_prompt: String,
}

/// Somebody who joins a campaign.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["display_name", "role"]))]
pub struct NewParticipant {
    #[serde(default, deserialize_with = "text")]
    pub display_name: String,
    /// `GM` or `PLAYER`.
    #[serde(default, deserialize_with = "text")]
    #[schemars(schema_with = "schema::role")]
    pub role: String,
    /// `HUMAN`, which is taken when nothing is said, or `AI`.
    #[serde(default, deserialize_with = "text")]
    #[schemars(schema_with = "schema::controller")]
    pub controller: String,
}

/// A character to create.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["name", "kind"]))]
pub struct NewActor {
    #[serde(default, deserialize_with = "text")]
    pub name: String,
    /// `PC` or `NPC`.
    #[serde(default, deserialize_with = "text")]
    #[schemars(schema_with = "schema::actor_kind")]
    pub kind: String,
    #[serde(default, deserialize_with = "text")]
    pub notes: String,
}

/// Who is to control an actor.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["controller"]))]
pub struct Control {
    /// `GM`, or the id of a participant.
    #[serde(default, deserialize_with = "text")]
    pub controller: String,
}

/// What to change of a sheet; what is absent stays.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SheetPatch {
    /// By name; −2 to 4.
    #[serde(default, deserialize_with = "wholes_by_name")]
    #[schemars(schema_with = "schema::traits")]
    pub traits: Vec<(String, i64)>,
    #[serde(default, deserialize_with = "whole_if_any")]
    pub hp_max: Option<i64>,
    #[serde(default, deserialize_with = "whole_if_any")]
    pub stress_max: Option<i64>,
    #[serde(default, deserialize_with = "whole_if_any")]
    pub evasion: Option<i64>,
    #[serde(default, deserialize_with = "whole_if_any")]
    pub major_threshold: Option<i64>,
    #[serde(default, deserialize_with = "whole_if_any")]
    pub severe_threshold: Option<i64>,
}

impl From<SheetPatch> for SheetInput {
    fn from(patch: SheetPatch) -> Self {
        let SheetPatch { traits, hp_max, stress_max, evasion, major_threshold, severe_threshold } =
            patch;
        Self { traits, hp_max, stress_max, evasion, major_threshold, severe_threshold }
    }
}

/// What to change of how an actor is doing; what is absent stays.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatePatch {
    /// 0 to 6.
    #[serde(default, deserialize_with = "whole_if_any")]
    pub hope: Option<i64>,
    /// At most the sheet's `stress_max`.
    #[serde(default, deserialize_with = "whole_if_any")]
    pub stress: Option<i64>,
    /// At most the sheet's `hp_max`.
    #[serde(default, deserialize_with = "whole_if_any")]
    pub hp: Option<i64>,
}

impl From<StatePatch> for VitalsInput {
    fn from(patch: StatePatch) -> Self {
        let StatePatch { hope, stress, hp } = patch;
        Self { hope, stress, hp }
    }
}

/// The GM's Fear.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fear {
    /// 0 to 12.
    #[serde(deserialize_with = "whole")]
    #[schemars(schema_with = "schema::gm_fear")]
    pub fear: i64,
}

/// A session to start.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSession {
    #[serde(default, deserialize_with = "text")]
    pub name: String,
}

/// A note for the journal.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["text"]))]
pub struct NewNote {
    #[serde(default, deserialize_with = "text")]
    pub text: String,
    /// The session that it belongs to; the active one if nothing is said.
    #[serde(default)]
    pub session_id: Option<String>,
}

/// Where the dice of a roll are to come from.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rng {
    /// Of 63 bits. Counts in a replay, or from a GM.
    #[serde(default, deserialize_with = "seed")]
    pub seed: Option<u64>,
    /// `LIVE`, which is taken when nothing is said, or `REPLAY`.
    #[serde(default)]
    #[schemars(schema_with = "schema::roll_mode")]
    pub roll_mode: Option<String>,
}

impl From<Rng> for RngInput {
    fn from(rng: Rng) -> Self {
        let Rng { seed, roll_mode } = rng;
        Self { seed, roll_mode }
    }
}

/// Duality dice to roll.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DualityRoll {
    #[serde(default, deserialize_with = "whole_or_zero")]
    pub modifier: i64,
    #[serde(default, deserialize_with = "whole_if_any")]
    pub difficulty: Option<i64>,
    /// `NONE`, `ADVANTAGE` or `DISADVANTAGE`: a further die of six, added or taken away.
    #[serde(default)]
    #[schemars(schema_with = "schema::advantage")]
    pub advantage: Option<String>,
    #[serde(default)]
    pub rng: Option<Rng>,
    /// In REST it says which of the three kinds of rolls this is, and was read before the rest.
    #[serde(default)]
    #[schemars(skip)]
    pub kind: Told,
}

/// Dice of any kind to roll.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["dice"]))]
pub struct DiceRoll {
    #[serde(default, deserialize_with = "list")]
    pub dice: Vec<Dice>,
    #[serde(default)]
    pub rng: Option<Rng>,
    /// In REST it says which of the three kinds of rolls this is, and was read before the rest.
    #[serde(default)]
    #[schemars(skip)]
    pub kind: Told,
}

/// Dice of one kind.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dice {
    #[serde(deserialize_with = "whole")]
    pub sides: i64,
    #[serde(deserialize_with = "whole")]
    pub count: i64,
}

impl From<Dice> for DiceSpec {
    fn from(dice: Dice) -> Self {
        let Dice { sides, count } = dice;
        Self { sides, count }
    }
}

/// An actor's roll in a session.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("required" = ["actor_id", "trait"]))]
pub struct ActionRoll {
    /// The session to roll in; the active one if nothing is said.
    #[serde(default)]
    pub session_id: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub actor_id: String,
    /// `AGILITY`, `STRENGTH`, `FINESSE`, `INSTINCT`, `PRESENCE` or `KNOWLEDGE`.
    #[serde(default, rename = "trait", deserialize_with = "text")]
    #[schemars(schema_with = "schema::trait_name")]
    pub trait_name: String,
    #[serde(default, deserialize_with = "whole_if_any")]
    pub difficulty: Option<i64>,
    #[serde(default, deserialize_with = "list")]
    pub modifiers: Vec<Modifier>,
    /// `NONE`, `ADVANTAGE` or `DISADVANTAGE`: a further die of six, added or taken away.
    #[serde(default)]
    #[schemars(schema_with = "schema::advantage")]
    pub advantage: Option<String>,
    #[serde(default)]
    pub rng: Option<Rng>,
    /// In REST it says which of the three kinds of rolls this is, and was read before the rest.
    #[serde(default)]
    #[schemars(skip)]
    pub kind: Told,
}

/// What is added to a roll, and why.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Modifier {
    #[serde(default, deserialize_with = "text")]
    pub source: String,
    #[serde(deserialize_with = "whole")]
    pub value: i64,
}

/// Whom the outcome of a roll is applied to.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Apply {
    /// Ids of actors; the one that rolled if nothing is said.
    #[serde(default, deserialize_with = "list")]
    pub targets: Vec<String>,
}

/// What to undo.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    /// The number of the entry; the latest that can be undone if nothing is said.
    #[serde(default)]
    pub seq: Option<u64>,
}

/// A campaign to make of another one's history.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fork {
    /// The last entry that is taken over; all if nothing is said.
    #[serde(default)]
    pub seq: Option<u64>,
    /// The name of the new one.
    #[serde(default)]
    pub name: Option<String>,
}

/// Dice that are known.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownDice {
    #[serde(deserialize_with = "whole")]
    pub hope: i64,
    #[serde(deserialize_with = "whole")]
    pub fear: i64,
    #[serde(default, deserialize_with = "whole_or_zero")]
    pub modifier: i64,
    #[serde(default, deserialize_with = "whole_if_any")]
    pub difficulty: Option<i64>,
}

/// The same, to be explained.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explain {
    #[serde(deserialize_with = "whole")]
    pub hope: i64,
    #[serde(deserialize_with = "whole")]
    pub fear: i64,
    #[serde(default, deserialize_with = "whole_or_zero")]
    pub modifier: i64,
    #[serde(default, deserialize_with = "whole_if_any")]
    pub difficulty: Option<i64>,
    /// Names the request; it changes nothing.
    #[serde(default)]
    pub request_id: Option<String>,
}

/// A roll that is being considered.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Considered {
    #[serde(deserialize_with = "whole")]
    pub modifier: i64,
    #[serde(deserialize_with = "whole")]
    pub difficulty: i64,
    /// `NONE`, `ADVANTAGE` or `DISADVANTAGE`: a further die of six, added or taken away.
    #[serde(default)]
    #[schemars(schema_with = "schema::advantage")]
    pub advantage: Option<String>,
}

/// Something that was read already.
#[derive(Debug, Clone, Copy, Default)]
pub struct Told;

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

/// Null and nothing are the empty text.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Null and nothing are the empty list.
fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// A whole number, also when it is written as `2.0`.
pub fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    Whole::deserialize(deserializer).map(|Whole(number)| number)
}

/// Null and nothing are no number.
pub fn whole_if_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let number = Option::<Whole>::deserialize(deserializer)?;
    Ok(number.map(|Whole(number)| number))
}

/// Null and nothing are 0.
pub fn whole_or_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    whole_if_any(deserializer).map(Option::unwrap_or_default)
}

fn wholes_by_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, i64)>, D::Error> {
    let all = Option::<BTreeMap<String, Whole>>::deserialize(deserializer)?;
    Ok(all.into_iter().flatten().map(|(name, Whole(number))| (name, number)).collect())
}

/// Seeds are the one number that may need more than 53 bits.
fn seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let Some(number) = Option::<Number>::deserialize(deserializer)? else { return Ok(None) };
    let whole = number.as_u64().or_else(|| u64::try_from(exactly(&number)?).ok());
    whole.map(Some).ok_or_else(|| D::Error::custom(format!("`{number}` is not a seed of 63 bits")))
}

struct Whole(i64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Number::deserialize(deserializer)?;
        match exactly(&number) {
            Some(whole) => Ok(Self(whole)),
            None => Err(D::Error::custom(format!("`{number}` is not a whole number of 32 bits"))),
        }
    }
}

fn exactly(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| {
        let number = number.as_f64()?;
        // Beyond this, neighbouring integers are the same float.
        let exact = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
        exact.then_some(number as i64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modifier(text: &str) -> Result<i64, String> {
        let roll: Result<DualityRoll, _> = serde_json::from_str(text);
        roll.map(|roll| roll.modifier).map_err(|error| error.to_string())
    }

    #[test]
    fn a_number_may_be_written_with_a_point_but_must_be_whole() {
        assert_eq!(modifier(r#"{"modifier": 2}"#), Ok(2));
        assert_eq!(modifier(r#"{"modifier": 2.0}"#), Ok(2));
        assert_eq!(modifier(r#"{"modifier": -2e0}"#), Ok(-2));
        assert_eq!(modifier(r#"{"modifier": null}"#), Ok(0));
        assert_eq!(modifier("{}"), Ok(0));
        for wrong in ["2.5", "1e300", "99999999999999999999", "\"2\"", "true"] {
            modifier(&format!(r#"{{"modifier": {wrong}}}"#)).unwrap_err();
        }
    }

    #[test]
    fn a_seed_keeps_all_its_bits() {
        let rng: Rng = serde_json::from_str(r#"{"seed": 9223372036854775807}"#).unwrap();
        assert_eq!(rng.seed, Some(i64::MAX as u64));
        serde_json::from_str::<Rng>(r#"{"seed": -1}"#).unwrap_err();
        serde_json::from_str::<Rng>(r#"{"seed": 0.5}"#).unwrap_err();
    }
}
