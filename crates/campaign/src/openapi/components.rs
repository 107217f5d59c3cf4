//! What goes in and comes out, from the types that the handlers read and write.

use kit_mcp::rmcp::schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use super::reference;
use crate::wire::{self, input, schema};

pub(super) fn all() -> Value {
    json!({"schemas": schemas(), "parameters": parameters()})
}

fn schemas() -> Map<String, Value> {
    let mut all = inputs();
    let rolls = [("DUALITY", "DualityRoll"), ("DICE", "DiceRoll"), ("ACTION", "ActionRoll")];
    let rolls = rolls.map(|(kind, name)| tagged(kind, &all[name]));
    all.insert("AnyRoll".into(), json!({"anyOf": rolls}));
    // Asked for in no other way.
    all.shift_remove("ActionRoll");
    all.extend(outputs());
    if let Value::Object(further) = further() {
        all.extend(further);
    }
    all
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    })
}

macro_rules! definitions {
    ($generator:expr, $($type:ty),+ $(,)?) => {{
        let mut generator: SchemaGenerator = $generator;
        $(drop(generator.subschema_for::<$type>());)+
        generator.take_definitions(true)
    }};
}

fn inputs() -> Map<String, Value> {
    definitions!(
        settings().for_deserialize().into_generator(),
        input::NewCampaign,
        input::NewParticipant,
        input::NewActor,
        input::Control,
        input::SheetPatch,
        input::StatePatch,
        input::Fear,
        input::NewSession,
        input::NewNote,
        input::DualityRoll,
        input::DiceRoll,
        input::ActionRoll,
        input::Apply,
        input::Undo,
        input::Fork,
        input::KnownDice,
        input::Explain,
        input::Considered,
    )
}

fn outputs() -> Map<String, Value> {
    definitions!(
        settings().for_serialize().into_generator(),
        wire::Campaign,
        wire::Participant,
        wire::Actor,
        wire::Session,
        wire::Table,
        wire::Events,
        wire::Undone,
        wire::Verdict,
        wire::Token,
        wire::DualityRolled,
        wire::DiceRolled,
        wire::ActionRolled,
        wire::Applied,
    )
}

/// What has no type of its own here: the core's answers, and bodies that are one of several.
fn further() -> Value {
    let mut generator = settings().into_generator();
    let (number, words) = (json!({"type": "integer"}), json!({"type": "string"}));
    let flag = json!({"type": "boolean"});
    json!({
        "Problem": {
            "type": "object",
            "required": ["title", "status", "detail", "error", "code"],
            "properties": {
                "title": words, "status": number, "detail": words, "error": words,
                "code": {"enum": [
                    "InvalidArgument", "NotFound", "FailedPrecondition", "ResourceExhausted",
                    "PermissionDenied", "Internal", "Unavailable",
                ]},
                "field": {"type": "string", "description": "The input that it is about."},
                "hint": {"type": "string", "description": "The next step that gets past this."},
            },
        },
        "Document": {"type": "object", "required": ["openapi", "paths"]},
        "Campaigns": {
            "type": "object",
            "required": ["campaigns"],
            "properties": {
                "campaigns": {"type": "array", "items": reference("Campaign")},
                "next": {"type": "string", "description": "The `cursor` of the following page."},
            },
        },
        "Controlled": {
            "type": "object",
            "required": ["campaign_id", "actor_id", "controller"],
            "properties": {"campaign_id": words, "actor_id": words, "controller": words},
        },
        "GmFear": {
            "type": "object",
            "required": ["gm_fear"],
            "properties": {"gm_fear": schema::gm_fear(&mut generator)},
        },
        "AnyRolled": {
            "anyOf": [reference("DualityRolled"), reference("DiceRolled"), reference("ActionRolled")],
        },
        "Resolved": schema::resolved(&mut generator),
        "Rules": {
            "type": "object",
            "required": ["system", "module", "rules_version", "dice_model", "total_formula", "crit_rule",
                "difficulty_rule", "outcomes"],
            "properties": {"outcomes": {"type": "array", "items": schema::outcome(&mut generator)}},
            "additionalProperties": words,
        },
        "Explanation": {
            "allOf": [reference("Resolved"), {
                "type": "object",
                "required": ["rules_version", "intermediates", "steps"],
                "properties": {
                    "rules_version": words,
                    "intermediates": {
                        "type": "object",
                        "required": ["base_total", "total", "is_crit", "meets_difficulty", "hope_gt_fear",
                            "fear_gt_hope"],
                        "properties": {
                            "base_total": number, "total": number, "is_crit": flag,
                            "meets_difficulty": flag, "hope_gt_fear": flag, "fear_gt_hope": flag,
                        },
                    },
                    "steps": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["code", "message", "data"],
                            "properties": {"code": words, "message": words, "data": {"type": "object"}},
                        },
                    },
                },
            }],
        },
        "Odds": {
            "type": "object",
            "description": "Critical successes, successes and failures are three parts without overlap, which add up to \
                `total_outcomes`.",
            "required": ["total_outcomes", "crit_count", "success_count", "failure_count", "outcome_counts"],
            "properties": {
                "total_outcomes": number, "crit_count": number, "success_count": number,
                "failure_count": number,
                "outcome_counts": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["outcome", "count"],
                        "properties": {"outcome": schema::outcome(&mut generator), "count": number},
                    },
                },
            },
        },
    })
}

/// The same body with the word that tells it from the others, which may be written in any case.
fn tagged(kind: &str, body: &Value) -> Value {
    let mut body = body.clone();
    body["properties"]["kind"] = json!({"const": kind});
    let required = body["required"].as_array().cloned().unwrap_or_default();
    body["required"] = required.into_iter().chain(["kind".into()]).collect();
    body
}

fn parameters() -> Value {
    let path = |name: &str, about: &str| json!({"name": name, "in": "path", "required": true, "description": about, "schema": {"type": "string"}});
    let number = json!({"type": "integer", "minimum": 0});
    let text = json!({"type": "string"});
    let query = |name: &str, schema: &Value, about: &str| json!({"name": name, "in": "query", "description": about, "schema": schema});
    let header = |name: &str, about: &str| json!({"name": name, "in": "header", "description": about, "schema": {"type": "string"}});
    json!({
        "id": path("id", "Of a campaign, or of a session where that is exported."),
        "participant": path("participant", "Id of a participant."),
        "actor": path("actor", "Id of an actor."),
        "session_in_path": path("session", "Id of a session."),
        "seq_in_path": path("seq", "The number of a roll's entry."),
        "seq": query("seq", &number, "The table as it was right after this entry."),
        "limit": query("limit", &json!({"type": "integer", "minimum": 1, "maximum": 1000}), "How many at most."),
        "cursor": query("cursor", &text, "The `next` of the page before."),
        "session": query("session", &text, "Only what belongs to this session."),
        "before": query("before", &number, "Only entries before this one."),
        "after": query("after", &number, "Only entries after this one."),
        "Last-Event-ID": header("Last-Event-ID", "The last entry seen; sent by browsers that reconnect."),
        "X-Participant-Id": header("X-Participant-Id", "The participant that the caller speaks as."),
        "X-Participant-Token": header("X-Participant-Token", "The token of that participant."),
    })
}
