//! Rows of a query as clients know them: [`raw`] as the first servers sent them, [`stable`] as later ones do.
//!
//! Both are made from [`Rows`] and are written as they are serialised, so that a large result is not held twice.

pub mod facts;
pub mod raw;
pub mod stable;

use std::sync::Arc;

use malloy_model::ir::{self, Level, Nest, OutputField, OutputKind, Query, Type};
use serde_json::Value;

/// What a query gave, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    pub query: &'a Query,
    /// Objects by column: whole numbers beyond 2^53 as texts, `"NaN"` and the infinities as texts, days as `2024-02-03`,
    /// times in UTC as `2024-02-03T04:05:06.789Z`.
    pub rows: &'a [Value],
    pub sql: &'a str,
    /// What the SQL is written in: `duckdb`.
    pub dialect: &'a str,
    /// The text that was run.
    pub malloy: &'a str,
    /// `##` annotations of the model.
    pub model_notes: &'a [Arc<str>],
    /// Annotations of the source that is asked.
    pub source_notes: &'a [Arc<str>],
    /// At most so many rows are given.
    pub row_limit: u64,
    /// Whether there are more rows than that.
    pub limit_hit: bool,
}

impl Rows<'_> {
    /// The name of the source that is asked.
    pub fn source(&self) -> &str {
        let base = self.query.pipeline.base.0 as usize;
        self.query.sources.get(base).map_or("", |source| &source.name)
    }

    /// The operation that the rows come from. None where a source's rows are given as they are.
    fn level(&self) -> Option<&Level> {
        self.query.pipeline.stages.last().map(|stage| &stage.level)
    }
}

/// The last operation of a nest, which its columns come from.
fn last_level(nest: &Nest) -> &Level {
    nest.then.last().map_or(&nest.level, |stage| &stage.level)
}

/// The nest that gives a column.
fn nest_of<'a>(level: Option<&'a Level>, field: &OutputField) -> Option<&'a Nest> {
    let output = level?.outputs.iter().find(|output| output.name == field.name)?;
    match &output.kind {
        OutputKind::Nest(nest) => Some(nest),
        _ => None,
    }
}

/// Names and directions that rows are ordered by.
fn order(level: &Level) -> impl Iterator<Item = (&str, ir::Direction)> {
    level.order.iter().filter_map(|by| {
        let output = level.outputs.get(by.output as usize)?;
        Some((output.name.as_str(), by.direction))
    })
}

/// A day or a time as ISO 8601 in UTC with milliseconds; anything else as it is.
fn instant<'v>(ty: &Type, value: &'v Value) -> std::borrow::Cow<'v, Value> {
    use std::borrow::Cow;
    match (ty, value) {
        (Type::Date(_), Value::String(day)) if !day.contains('T') => {
            Cow::Owned(Value::String(format!("{day}T00:00:00.000Z")))
        }
        _ => Cow::Borrowed(value),
    }
}
