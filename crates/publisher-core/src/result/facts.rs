//! What the compiler knows of a result, as annotations that renderers read: lines that begin with `#(malloy)`.

use std::fmt::Write as _;
use std::sync::Arc;

use malloy_model::ir::{Direction, Level, OutputField, OutputRole};
use serde::Serialize;

use super::{Rows, last_level, nest_of, order};

/// An annotation on the wire: `{"value": "# bar_chart\n"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Annotation {
    pub value: String,
}

impl Annotation {
    /// Notes as written, each with its line break.
    pub fn of(notes: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<Self> {
        notes.into_iter().map(|note| Self { value: line(note.as_ref()) }).collect()
    }
}

/// A note as written, with the line break at its end.
pub fn line(note: &str) -> String {
    let mut text = note.to_owned();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The annotations of the rows: those of the query, order and limit, what is asked, and its name.
pub fn of_rows(rows: &Rows<'_>) -> Vec<Annotation> {
    let mut all = Annotation::of(&rows.query.annotations);
    if let Some(level) = rows.level() {
        let drillable = rows.query.pipeline.stages.len() == 1 && level.filters.is_empty();
        all.extend(fact(&about_level(level, drillable)));
    }
    if let Some(zone) = &rows.query.zone {
        all.extend(fact(&format!("query_timezone = {}", text(zone))));
    }
    all.extend(fact(&format!("source.name = {}", text(rows.source()))));
    if let Some(name) = &rows.query.name {
        all.extend(fact(&format!("query_name = {}", text(name))));
    }
    all
}

/// The annotations of a column: its own, and how it came about. `level` is the operation that it comes from.
pub fn of_column(source: &str, level: Option<&Level>, field: &OutputField) -> Vec<Annotation> {
    let mut all = Annotation::of(&field.annotations);
    let about = match nest_of(level, field) {
        Some(nest) => about_level(last_level(nest), nest.then.is_empty()),
        None => about_column(source, field),
    };
    all.extend(fact(&about));
    all
}

/// The annotations of a view or a named query: its own, order and limit.
pub fn of_output(
    notes: &[Arc<str>],
    order: &[(String, Direction)],
    limit: Option<u64>,
    drillable: bool,
) -> Vec<Annotation> {
    let order = order.iter().map(|(name, direction)| (name.as_str(), *direction));
    let mut all = Annotation::of(notes);
    all.extend(fact(&about(limit, drillable, order)));
    all
}

fn fact(about: &str) -> Option<Annotation> {
    (!about.is_empty()).then(|| Annotation { value: format!("#(malloy) {about}\n") })
}

fn about_level(level: &Level, drillable: bool) -> String {
    about(level.limit, drillable, order(level))
}

fn about<'a>(
    limit: Option<u64>,
    drillable: bool,
    order: impl Iterator<Item = (&'a str, Direction)>,
) -> String {
    let mut parts = Vec::new();
    if let Some(limit) = limit {
        parts.push(format!("limit = {limit}"));
    }
    if drillable {
        parts.push("drillable".to_owned());
    }
    let keys: Vec<String> = order
        .map(|(name, direction)| match direction {
            Direction::Asc => format!("{{ {} }}", word(name)),
            Direction::Desc => format!("{{ {} = desc }}", word(name)),
        })
        .collect();
    if !keys.is_empty() {
        parts.push(format!("ordered_by = [{}]", keys.join(", ")));
    }
    parts.join(" ")
}

fn about_column(source: &str, field: &OutputField) -> String {
    let mut about = String::new();
    if let Some(origin) = &field.origin {
        // Writing to a string cannot fail.
        let _ = write!(about, "reference_id = \"{}\"", reference(source, origin));
    }
    let space = if about.is_empty() { "" } else { " " };
    match (field.role, &field.origin) {
        (OutputRole::Aggregate | OutputRole::Calculation, _) => {
            let _ = write!(about, "{space}calculation");
        }
        (OutputRole::Dimension, Some(origin)) => {
            let _ = write!(about, "{space}drill_expression.code = {}", text(origin));
        }
        _ => {}
    }
    about
}

/// The same for the same field of the same source, wherever it comes out, so that charts can share colours and
/// highlights. In the form of a UUID, as clients expect one.
fn reference(source: &str, origin: &str) -> String {
    let (high, low) = (fnv(b"high", source, origin), fnv(b"low", source, origin));
    format!(
        "{:08x}-{:04x}-8{:03x}-8{:03x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        (low >> 48) & 0xfff,
        low & 0xffff_ffff_ffff
    )
}

/// The hash of Fowler, Noll and Vo: short, and the same everywhere and always.
fn fnv(seed: &[u8], source: &str, origin: &str) -> u64 {
    let bytes = seed.iter().chain(source.as_bytes()).chain(&[0]).chain(origin.as_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A name in the language of tags.
fn word(name: &str) -> String {
    if is_bare(name) { name.to_owned() } else { format!("`{}`", escaped(name, '`')) }
}

/// A value in the language of tags.
fn text(value: &str) -> String {
    if is_bare(value) { value.to_owned() } else { format!("\"{}\"", escaped(value, '"')) }
}

fn is_bare(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn escaped(text: &str, quote: char) -> String {
    let mut made = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\n' => made.push_str("\\n"),
            '\r' => made.push_str("\\r"),
            '\t' => made.push_str("\\t"),
            _ => {
                if character == quote || character == '\\' {
                    made.push('\\');
                }
                made.push(character);
            }
        }
    }
    made
}
