//! What the words, times and sheets of the core look like in a schema: the core itself knows no schemas.

use campaign_core::{
    ActorKind, Controller, GmMode, Role, RollMode, SEED_MAX, Status, Trait,
    duality::{Advantage, Outcome},
    sheet::{FEAR_MAX, HOPE_MAX, TRAIT_MAX, TRAIT_MIN},
};
use kit_mcp::rmcp::schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, json};

macro_rules! words {
    ($($name:ident of $words:ty;)*) => {$(
        pub fn $name(_: &mut SchemaGenerator) -> Schema {
            let names: Vec<_> = <$words>::ALL.iter().map(|word| word.name()).collect();
            json_schema!({"type": "string", "enum": names})
        }
    )*};
}

words! {
    actor_kind of ActorKind;
    advantage of Advantage;
    controller of Controller;
    gm_mode of GmMode;
    outcome of Outcome;
    role of Role;
    roll_mode of RollMode;
    status of Status;
    trait_name of Trait;
}

/// RFC 3339 in UTC.
pub fn time(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "format": "date-time"})
}

pub fn sheet(generator: &mut SchemaGenerator) -> Schema {
    let from = |least: i64| json!({"type": "integer", "minimum": least});
    json_schema!({
        "type": "object",
        "required": ["traits", "hp_max", "stress_max", "evasion", "major_threshold", "severe_threshold"],
        "properties": {
            "traits": traits(generator),
            "hp_max": from(1),
            "stress_max": from(0),
            "evasion": from(0),
            "major_threshold": from(0),
            "severe_threshold": from(0),
        },
    })
}

pub fn traits(_: &mut SchemaGenerator) -> Schema {
    let value = json!({"type": "integer", "minimum": TRAIT_MIN, "maximum": TRAIT_MAX});
    let traits = Trait::ALL.iter().map(|name| (name.name().to_owned(), value.clone()));
    json_schema!({"type": "object", "properties": traits.collect::<Map<_, _>>()})
}

pub fn vitals(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "required": ["hope", "stress", "hp"],
        "properties": {
            "hope": {"type": "integer", "minimum": 0, "maximum": HOPE_MAX},
            "stress": {"type": "integer", "minimum": 0},
            "hp": {"type": "integer", "minimum": 0},
        },
    })
}

pub fn gm_fear(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "integer", "minimum": 0, "maximum": FEAR_MAX})
}

pub fn rng(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "description": "Where the dice came from; the same seed and algorithm give the same dice again.",
        "required": ["seed_used", "rng_algo", "seed_source", "roll_mode"],
        "properties": {
            "seed_used": {"type": "integer", "minimum": 0, "maximum": SEED_MAX},
            "rng_algo": {"type": "string"},
            "seed_source": {"enum": ["CLIENT", "SERVER"]},
            "roll_mode": {"enum": ["LIVE", "REPLAY"]},
        },
    })
}

/// Duality dice with what they came to.
pub fn resolved(generator: &mut SchemaGenerator) -> Schema {
    let (die, number) =
        (json!({"type": "integer", "minimum": 1, "maximum": 12}), json!({"type": "integer"}));
    json_schema!({
        "type": "object",
        "required": ["hope", "fear", "modifier", "total", "is_crit", "meets_difficulty", "outcome"],
        "properties": {
            "hope": die,
            "fear": die,
            "modifier": number,
            "difficulty": {"type": "integer", "minimum": 0, "description": "Only if there is one."},
            "total": number,
            "is_crit": {"type": "boolean"},
            "meets_difficulty": {
                "type": "boolean",
                "description": "False without a difficulty, also on a critical success.",
            },
            "outcome": outcome(generator),
            "advantage": advantage(generator),
            "advantage_die": {"type": "integer", "minimum": 1, "maximum": 6},
        },
    })
}

/// Dice of any kind with their sums.
pub fn rolled(_: &mut SchemaGenerator) -> Schema {
    let number = json!({"type": "integer"});
    json_schema!({
        "type": "object",
        "required": ["rolls", "total"],
        "properties": {
            "rolls": {
                "type": "array",
                "description": "One for each kind of dice that was asked for, in that order.",
                "items": {
                    "type": "object",
                    "required": ["sides", "results", "total"],
                    "properties": {
                        "sides": number,
                        "results": {"type": "array", "items": number},
                        "total": number,
                    },
                },
            },
            "total": number,
        },
    })
}
