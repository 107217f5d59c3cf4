//! The JSON that goes over the wire, the same on every surface.
//!
//! Replies borrow from the state and are printed once; a state is never copied into an intermediate tree. Here
//! are the words for events and errors, in the modules below the replies made of them.

mod change;
mod cut;
mod reply;
mod summary;

use chrono::{DateTime, SecondsFormat};
use kit_core::Fault;
use kit_mcp::rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use universe_core::catalogue;

pub use self::{
    change::change,
    cut::{Cut, Part, cut},
    reply::{batch, clock, history, listing, made, outcome, record, records, state},
    summary::summary,
};
use crate::Error;

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
    body.extend(error.context());
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
