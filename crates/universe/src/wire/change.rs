//! One change as viewers are told of it: what happened, and every entity that is another one now.

use kit_store::Recorded;
use serde::Serialize;
use serde_json::Value;
use universe_core::{Change, Delta, Entry, Touched, Universe, json::encode, touched_by};

use super::{
    reply::{ClockBody, Told, revised, shown_command},
    timestamp,
};

#[derive(Serialize)]
struct ChangeBody<'a> {
    revision: u64,
    at: String,
    by: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<&'a str>,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<Told<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockBody>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<Delta<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reset: bool,
}

/// Prints a line of the log; `after` is the universe with it folded in.
pub fn change(line: &Recorded, entry: &Entry, after: &Universe) -> String {
    let change = &entry.change;
    let touched = touched_by(change);
    let delta = Delta { state: &after.state, touched: &touched };
    let body = ChangeBody {
        revision: line.version.0,
        at: timestamp(entry.at),
        by: &line.actor,
        via: entry.via.as_deref(),
        kind: change.kind(),
        command: change.command().map(shown_command),
        events: Told::of(change),
        of: revised(change),
        clock: touched
            .time
            .then(|| ClockBody::new(&after.clock, after.time_at(entry.at), entry.at)),
        name: match change {
            Change::Created { name, .. } => Some(name),
            Change::Replaced { name, .. } => name.as_deref(),
            _ => None,
        },
        delta: (!touched.everything && names_something(&touched)).then_some(delta),
        reset: touched.everything,
    };
    encode(&body)
}

fn names_something(touched: &Touched) -> bool {
    let Touched { bodies, groups, belts, small_body_fields, disks, nebulae, .. } = touched;
    !(bodies.is_empty()
        && groups.is_empty()
        && belts.is_empty()
        && small_body_fields.is_empty()
        && disks.is_empty()
        && nebulae.is_empty())
}
