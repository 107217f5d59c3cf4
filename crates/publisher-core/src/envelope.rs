//! Rows first: the envelope for agents.
//!
//! An agent pays for every character, and what does not fit is lost without a word unless somebody says so. So the rows
//! come first and plain, and the whole is cut to [`MOST_CHARACTERS`], with the cut stated.

use serde_json::{Map, Value, json};

use crate::result::{Rows, facts, stable};

/// So long may an envelope be, in characters of its JSON.
pub const MOST_CHARACTERS: usize = 90_000;

/// Who said how many rows there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitSource {
    /// The query, or the request beside it.
    Query,
    ServerDefault,
}

impl LimitSource {
    /// `query` or `server_default`.
    pub fn name(self) -> &'static str {
        match self {
            LimitSource::Query => "query",
            LimitSource::ServerDefault => "server_default",
        }
    }
}

/// Rows, what they are, and what was left out.
pub fn envelope(rows: &Rows<'_>, source: LimitSource, most: usize) -> Map<String, Value> {
    let limit_hit = rows.limit_hit && source == LimitSource::ServerDefault;
    let mut made = Map::new();
    // The place comes first; the rows are put there when it is known how many fit.
    made.insert("rows".to_owned(), json!([]));
    made.insert(
        "_meta".to_owned(),
        json!({
            "schema": stable::schema(rows),
            "annotations": facts::of_rows(rows),
            "connection_name": rows.query.connection,
        }),
    );
    made.insert("_query_row_limit".to_owned(), json!(rows.row_limit));
    made.insert("_limit_source".to_owned(), json!(source.name()));
    made.insert("_limit_hit".to_owned(), json!(limit_hit));
    let mut warnings = Vec::new();
    if limit_hit {
        warnings.push(format!(
            "there are more rows than the server's default of {}; add `limit:` to the query, or aggregate further",
            rows.row_limit
        ));
    }
    let kept = fitting(rows.rows, most.saturating_sub(length(&made) + ROOM));
    if kept < rows.rows.len() {
        made.insert("_rows_truncated".to_owned(), json!(true));
        made.insert("_total_rows".to_owned(), json!(rows.rows.len()));
        made.insert("_returned_rows".to_owned(), json!(kept));
        warnings.push(format!(
            "only the first {kept} of {} rows are here, since all would be longer than {most} characters; select fewer \
             columns, aggregate further, or add `limit:`",
            rows.rows.len()
        ));
    }
    if !warnings.is_empty() {
        made.insert("warning".to_owned(), json!(warnings.join("; ")));
    }
    made.insert("rows".to_owned(), rows.rows[..kept].to_vec().into());
    made
}

/// What the words about a cut may take.
const ROOM: usize = 640;

/// How many rows fit into so many characters.
fn fitting(rows: &[Value], room: usize) -> usize {
    let mut used = 0_usize;
    rows.iter()
        .take_while(|row| {
            used = used.saturating_add(row.to_string().chars().count() + 1);
            used <= room
        })
        .count()
}

fn length(made: &Map<String, Value>) -> usize {
    serde_json::to_string(made).map_or(0, |text| text.chars().count())
}
