//! The envelope for agents.

use publisher_core::envelope::{LimitSource, MOST_CHARACTERS, envelope};
use serde_json::{Value, json};

use crate::fair::Fair;

// spec: publisher 6.4, the agent envelope.
#[test]
fn rows_come_first_and_a_small_result_is_whole() {
    let fair = Fair::new();
    let asked = fair.asked(&fair.recorded["cases"][0]);
    let made = envelope(&asked.rows(), LimitSource::ServerDefault, MOST_CHARACTERS);
    let text = serde_json::to_string(&made).unwrap();
    assert!(text.starts_with(r#"{"rows":[{"in_month":"2024-02-01T00:00:00.000Z""#), "{text}");
    assert_eq!(made["_limit_hit"], false);
    assert!(!made.contains_key("_rows_truncated") && !made.contains_key("warning"));
    assert_eq!(made["_meta"]["schema"]["fields"][0]["name"], "in_month");
}

#[test]
fn rows_are_dropped_from_the_end_until_it_fits_and_the_drop_is_stated() {
    let fair = Fair::new();
    let mut asked = fair.asked(&fair.recorded["cases"][0]);
    let row = json!({"in_month": "2024-02-01T00:00:00.000Z", "sale_count": 2, "total": 1.5, "é": "ü".repeat(900)});
    asked.rows = vec![row; 200];
    let made = envelope(&asked.rows(), LimitSource::Query, MOST_CHARACTERS);
    let text = serde_json::to_string(&made).unwrap();
    let length = text.chars().count();
    assert!(length <= MOST_CHARACTERS && length > MOST_CHARACTERS - 3_000, "{length}");
    assert_eq!(made["_rows_truncated"], true);
    assert_eq!(made["_total_rows"], 200);
    assert_eq!(made["_returned_rows"], made["rows"].as_array().unwrap().len());
    assert!(made["warning"].as_str().unwrap().contains("of 200 rows"));
}

#[test]
fn a_row_that_does_not_fit_alone_leaves_none() {
    let fair = Fair::new();
    let mut asked = fair.asked(&fair.recorded["cases"][0]);
    asked.rows = vec![json!({"total": "x".repeat(100_000)})];
    let made = envelope(&asked.rows(), LimitSource::Query, MOST_CHARACTERS);
    assert_eq!(made["rows"], json!([]));
    assert_eq!(made["_returned_rows"], 0);
}

#[test]
fn only_the_servers_own_limit_counts_as_hit() {
    let fair = Fair::new();
    let asked = fair.asked(&fair.recorded["cases"][0]);
    let mut rows = asked.rows();
    rows.limit_hit = true;
    let hit = |source| envelope(&rows, source, MOST_CHARACTERS)["_limit_hit"].clone();
    assert_eq!(hit(LimitSource::ServerDefault), true);
    assert_eq!(hit(LimitSource::Query), Value::Bool(false));
}
