//! The JSON that goes over the wire, the same on every surface.
//!
//! Replies borrow from the state and are printed once by [`encode`]; a state is never copied into an
//! intermediate tree.

use chrono::{DateTime, SecondsFormat};
use kit_core::Fault;
use kit_mcp::rmcp::schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use universe_core::{State, catalogue, json};

use crate::{Error, Outcome, Record, notice::Notice};

/// From this many bodies on, printing takes long enough to be noticed by others on the same thread.
const LARGE: usize = 1_000;

/// How much of the state a reply carries. The variants have no documentation of their own, which keeps the
/// announced schema a plain list of names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline, crate = "kit_mcp::rmcp::schemars")]
pub enum Detail {
    #[default]
    Full,
    // Cheap however large the universe is.
    None,
}

/// A universe.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecordBody<'a> {
    id: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'a State>,
    created_at: String,
    updated_at: String,
}

impl<'a> RecordBody<'a> {
    fn new(record: &'a Record, detail: Detail) -> Self {
        let universe = record.universe();
        Self {
            id: record.id.as_str(),
            name: &universe.name,
            state: (detail == Detail::Full).then_some(&universe.state),
            created_at: timestamp(universe.created_at),
            updated_at: timestamp(universe.updated_at),
        }
    }
}

/// What came of a command.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OutcomeBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    next_state: Option<&'a State>,
    events: Vec<Notice<'a>>,
    applied: bool,
    /// The revision of `nextState`; of the command itself where there is no state.
    revision: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl<'a> OutcomeBody<'a> {
    fn new(outcome: &'a Outcome, detail: Detail) -> Self {
        let record = outcome.record();
        let full = detail == Detail::Full;
        let next_state = full.then_some(&record.universe().state);
        match outcome {
            Outcome::Applied { revision, events, .. } => Self {
                next_state,
                events: events.iter().filter_map(Notice::of).collect(),
                applied: true,
                revision: if full { record.revision() } else { *revision },
                hint: None,
            },
            Outcome::Refused { refusal, .. } => Self {
                next_state,
                events: vec![Notice::refused(refusal)],
                applied: false,
                revision: record.revision(),
                hint: Some(format!("{refusal}; {}", refusal.hint())),
            },
        }
    }
}

/// Prints a universe.
pub async fn record(record: Record, detail: Detail) -> String {
    let bodies = weight(&record, detail);
    encode(bodies, move || json::encode(&RecordBody::new(&record, detail))).await
}

/// Prints a list of universes.
pub async fn records(records: Vec<Record>, detail: Detail) -> String {
    let bodies = records.iter().map(|record| weight(record, detail)).sum();
    encode(bodies, move || {
        let list: Vec<_> = records.iter().map(|record| RecordBody::new(record, detail)).collect();
        json::encode(&list)
    })
    .await
}

/// Prints what is in a universe, without its name and times.
pub async fn state(record: Record) -> String {
    let bodies = weight(&record, Detail::Full);
    encode(bodies, move || json::encode(&record.universe().state)).await
}

/// Prints what came of a command.
pub async fn outcome(outcome: Outcome, detail: Detail) -> String {
    let bodies = weight(outcome.record(), detail);
    encode(bodies, move || json::encode(&OutcomeBody::new(&outcome, detail))).await
}

/// What every surface says about a request that was not carried out, but for failures of ours, which REST and
/// MCP word in their own ways.
pub fn failure(error: &Error) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("error".into(), error.to_string().into());
    if let Error::Invalid { source, .. } = error
        && let Some(first) = source.problems.first()
    {
        body.insert("field".into(), first.field.clone().into());
    }
    if let Some(id) = error.universe() {
        body.insert("universeId".into(), id.as_str().into());
    }
    // The contract fixes this one to the letter.
    if !matches!(error, Error::NotFound { .. })
        && let Some(hint) = error.hint()
    {
        body.insert("hint".into(), hint.into());
    }
    body
}

/// The names of all commands, in the order of the contract.
pub fn command_types() -> Vec<&'static str> {
    catalogue::commands().map(|command| command.name).collect()
}

/// ISO 8601 in UTC with milliseconds.
pub fn timestamp(milliseconds: i64) -> String {
    let time = DateTime::from_timestamp_millis(milliseconds).unwrap_or_default();
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

fn weight(record: &Record, detail: Detail) -> usize {
    if detail == Detail::Full { record.universe().state.bodies().len() } else { 0 }
}

/// Prints here and now if it is quick, and beside the runtime's threads if it is not.
async fn encode(bodies: usize, print: impl FnOnce() -> String + Send + 'static) -> String {
    if bodies < LARGE {
        return print();
    }
    match tokio::task::spawn_blocking(print).await {
        Ok(text) => text,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime stops, and with it whoever waits for this.
            Err(_) => String::new(),
        },
    }
}
