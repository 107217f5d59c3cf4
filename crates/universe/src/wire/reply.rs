//! Replies: universes, what came of commands, histories.

use serde::Serialize;
use serde_json::{Value, json, value::RawValue};
use universe_core::{Change, Clock, Event, json::encode};

use super::{Detail, timestamp};
use crate::{
    notice::Notice,
    service::{Line, Made, Outcome, Page, Record, Step, Summary},
};

/// From this many bodies on, printing takes long enough to be noticed by others on the same thread.
const LARGE: usize = 1_000;

/// A longer command is shown in histories by its name alone: a page of snapshots would be a hundred megabytes.
const LONG_COMMAND: usize = 4_096;

/// The shared clock: simulation time was `time` at wall time `at`.
#[derive(Debug, Serialize)]
pub(super) struct ClockBody {
    playing: bool,
    rate: f64,
    time: f64,
    at: String,
}

impl ClockBody {
    /// A paused clock shows the time of the last change, so that nothing differs until something does.
    pub(super) fn shown(clock: &Clock, time: f64, now: i64, updated_at: i64) -> Self {
        Self::new(clock, time, if clock.playing { now } else { updated_at })
    }

    pub(super) fn new(clock: &Clock, time: f64, at: i64) -> Self {
        Self { playing: clock.playing, rate: clock.rate, time, at: timestamp(at) }
    }
}

/// A universe in a list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SummaryBody<'a> {
    id: &'a str,
    name: &'a str,
    created_at: String,
    updated_at: String,
    revision: u64,
    clock: ClockBody,
}

impl<'a> SummaryBody<'a> {
    pub(super) fn new(summary: &'a Summary) -> Self {
        Self {
            id: summary.id.as_str(),
            name: &summary.name,
            created_at: timestamp(summary.created_at),
            updated_at: timestamp(summary.updated_at),
            revision: summary.revision,
            clock: ClockBody::shown(&summary.clock, summary.time, summary.now, summary.updated_at),
        }
    }
}

/// An event as a reply tells of it.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Told<'a> {
    Event(Notice<'a>),
    /// A change was undone or redone.
    Revised {
        #[serde(rename = "type")]
        kind: &'static str,
        revision: u64,
    },
}

impl<'a> Told<'a> {
    pub(super) fn of(change: &'a Change) -> Vec<Self> {
        match change {
            Change::Undone { of, .. } => Self::by_kind("undone", Some(*of), &[]),
            Change::Redone { of, .. } => Self::by_kind("redone", Some(*of), &[]),
            change => Self::by_kind(change.kind(), None, change.events()),
        }
    }

    /// What a line of the log tells: of an undo only that it was one, of anything else its events.
    pub(super) fn by_kind(kind: &str, of: Option<u64>, events: &'a [Event]) -> Vec<Self> {
        match (kind, of) {
            ("undone", Some(revision)) => vec![Self::Revised { kind: "undone", revision }],
            ("redone", Some(revision)) => vec![Self::Revised { kind: "redone", revision }],
            _ => events.iter().filter_map(Notice::of).map(Self::Event).collect(),
        }
    }
}

/// What came of one command.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OutcomeBody<'a> {
    events: Vec<Told<'a>>,
    applied: bool,
    /// The revision of `nextState`; of the command itself where there is no state.
    revision: u64,
    /// The change that was undone or redone.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

/// What came of several commands at once.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BatchBody<'a> {
    applied: bool,
    revision: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Vec<StepBody<'a>>>,
    /// Which command was refused, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<Vec<Told<'a>>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

#[derive(Serialize)]
struct StepBody<'a> {
    events: Vec<Told<'a>>,
    revision: u64,
}

/// A line of a history.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LineBody<'a> {
    revision: u64,
    at: String,
    by: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    via: Option<&'a str>,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    events: Vec<Told<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u64>,
}

impl<'a> LineBody<'a> {
    fn new(line: &'a Line) -> Self {
        let said = &line.told.change;
        Self {
            revision: line.revision,
            at: timestamp(line.at),
            by: &line.by,
            via: line.told.via.as_deref(),
            kind: &line.kind,
            name: said.name.as_deref(),
            command: said.command.as_deref().map(shown_raw),
            events: Told::by_kind(&line.kind, said.of, &said.events),
            of: said.of,
        }
    }
}

/// A command as it was received, or its name and size.
fn shown_raw(command: &RawValue) -> Value {
    let text = command.get();
    let read: Value = serde_json::from_str(text).unwrap_or_default();
    if text.len() <= LONG_COMMAND { read } else { named(&read, text.len()) }
}

/// The same of one that was read already.
pub(super) fn shown_command(command: &Value) -> Value {
    match encode(command).len() {
        ..=LONG_COMMAND => command.clone(),
        bytes => named(command, bytes),
    }
}

fn named(command: &Value, bytes: usize) -> Value {
    json!({"type": command["type"], "omittedBytes": bytes})
}

/// Prints a universe.
pub async fn record(record: Record, detail: Detail) -> String {
    beside(weight(&record, detail), move || record_text(&record, detail)).await
}

/// Prints a universe that was generated, with what it was made of.
pub async fn made(made: Made, detail: Detail) -> String {
    let generated = encode(&json!({"seed": made.seed, "totals": made.totals}));
    let mut text = record(made.record, detail).await;
    text.pop();
    text.push_str(",\"generated\":");
    text.push_str(&generated);
    text.push('}');
    text
}

/// Prints a list of universes with what is in them.
pub async fn records(records: Vec<Record>) -> String {
    let bodies = records.iter().map(|record| weight(record, Detail::Full)).sum();
    let print = move || {
        let list: Vec<_> = records.iter().map(|one| record_text(one, Detail::Full)).collect();
        format!("[{}]", list.join(","))
    };
    beside(bodies, print).await
}

/// Prints a list of universes without.
pub fn listing(summaries: &[Summary]) -> String {
    let list: Vec<_> = summaries.iter().map(SummaryBody::new).collect();
    encode(&list)
}

/// Prints what is in a universe, without its name and times.
pub async fn state(record: Record) -> String {
    let bodies = weight(&record, Detail::Full);
    let print = move || around_state("", &record, "");
    beside(bodies, print).await
}

/// Prints what came of one command.
pub async fn outcome(outcome: Outcome, detail: Detail) -> String {
    let weight = weight(outcome.record(), detail);
    let print = move || {
        let record = outcome.record();
        let shown = (detail == Detail::Full).then_some(record);
        let body = match &outcome {
            Outcome::Applied { steps, repeated, .. } => {
                let step = steps.first();
                let own = step.map_or(record.revision(), |step| step.revision);
                OutcomeBody {
                    events: step.map(|step| Told::of(&step.change)).unwrap_or_default(),
                    applied: true,
                    revision: if shown.is_some() && !repeated { record.revision() } else { own },
                    of: step.and_then(|step| revised(&step.change)),
                    repeated: *repeated,
                    hint: None,
                }
            }
            Outcome::Refused { refusal, .. } => OutcomeBody {
                events: vec![Told::Event(Notice::refused(refusal))],
                applied: false,
                revision: record.revision(),
                of: None,
                repeated: false,
                hint: Some(format!("{refusal}; {}", refusal.hint())),
            },
        };
        with_state("nextState", shown, &encode(&body))
    };
    beside(weight, print).await
}

/// Prints what came of several commands at once.
pub async fn batch(outcome: Outcome, detail: Detail) -> String {
    let weight = weight(outcome.record(), detail);
    let print = move || {
        let record = outcome.record();
        let shown = (detail == Detail::Full).then_some(record);
        let body = match &outcome {
            Outcome::Applied { steps, repeated, .. } => BatchBody {
                applied: true,
                revision: steps.last().map_or(record.revision(), |step| step.revision),
                results: Some(steps.iter().map(step_body).collect()),
                failed: None,
                events: None,
                repeated: *repeated,
                hint: None,
            },
            Outcome::Refused { index, refusal, .. } => BatchBody {
                applied: false,
                revision: record.revision(),
                results: None,
                failed: Some(*index),
                events: Some(vec![Told::Event(Notice::refused(refusal))]),
                repeated: false,
                hint: Some(format!("{refusal}; {}", refusal.hint())),
            },
        };
        with_state("nextState", shown, &encode(&body))
    };
    beside(weight, print).await
}

fn step_body(step: &Step) -> StepBody<'_> {
    StepBody { events: Told::of(&step.change), revision: step.revision }
}

/// The change that this one undid or redid.
pub(super) fn revised(change: &Change) -> Option<u64> {
    match change {
        Change::Undone { of, .. } | Change::Redone { of, .. } => Some(*of),
        _ => None,
    }
}

/// Prints part of a history.
pub fn history(page: &Page) -> String {
    let entries: Vec<_> = page.lines.iter().map(LineBody::new).collect();
    let mut body = json!({"entries": entries});
    if let Some(next) = page.next {
        body["next"] = next.into();
    }
    encode(&body)
}

/// Prints the shared clock.
pub fn clock(record: &Record) -> String {
    encode(&clock_of(record))
}

pub(super) fn clock_of(record: &Record) -> ClockBody {
    let universe = record.universe();
    ClockBody::shown(&universe.clock, record.time(), record.now, universe.updated_at)
}

fn record_text(record: &Record, detail: Detail) -> String {
    let summary = Summary::of(record);
    let body = encode(&SummaryBody::new(&summary));
    // Id and name stand before the state, the rest after it, as existing clients print it.
    match body.rfind(",\"createdAt\":") {
        Some(at) if detail == Detail::Full => {
            let (begin, end) = body.split_at(at);
            around_state(&format!("{begin},\"state\":"), record, end)
        }
        _ => body,
    }
}

/// An object with the state as its first key.
fn with_state(key: &str, record: Option<&Record>, object: &str) -> String {
    match (record, object.strip_prefix('{')) {
        (Some(record), Some(rest)) => {
            around_state(&format!("{{\"{key}\":"), record, &format!(",{rest}"))
        }
        _ => object.to_owned(),
    }
}

/// The state between two texts, mostly a copy of what was printed before.
fn around_state(begin: &str, record: &Record, end: &str) -> String {
    let mut text = begin.as_bytes().to_vec();
    record.universe().state.write_json(&mut text, record.time());
    text.extend_from_slice(end.as_bytes());
    String::from_utf8(text).expect("a state prints as UTF-8")
}

fn weight(record: &Record, detail: Detail) -> usize {
    if detail == Detail::Full { record.universe().state.bodies().len() } else { 0 }
}

/// Prints here and now if it is quick, and beside the runtime's threads if it is not.
pub(super) async fn beside(
    bodies: usize,
    print: impl FnOnce() -> String + Send + 'static,
) -> String {
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
