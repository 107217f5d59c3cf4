//! Small pieces of text that several commands show.

use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// An answer of the application: shown as `text`, printed whole with `--json`.
pub(super) struct Answer {
    pub(super) json: Value,
    pub(super) text: String,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for Answer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

/// Rows with their columns aligned; the last column is not padded.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<_> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<_> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// A time as people read it: to the second, without the letters of ISO 8601.
pub(super) fn time(iso: &Value) -> String {
    let text = iso.as_str().unwrap_or_default();
    text.get(..19).unwrap_or(text).replace('T', " ")
}

/// The first letters of an id, enough to type.
pub(super) fn short(id: &Value) -> String {
    id.as_str().unwrap_or_default().chars().take(8).collect()
}

/// A number of things, named as the wire names them: `1 body`, `3 lagrange points`.
pub(super) fn count(number: u64, things: &str) -> String {
    let mut words = String::new();
    for letter in things.chars() {
        if letter.is_uppercase() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    let one = match words.as_str() {
        "bodies" => "body",
        "nebulae" => "nebula",
        others => others.strip_suffix('s').unwrap_or(others),
    };
    format!("{number} {}", if number == 1 { one } else { &words })
}

/// One command in a few words: `addStar earth`, `tick 5`.
pub(super) fn command(command: &Value) -> String {
    let keys =
        ["id", "childId", "planetId", "groupId", "dt", "revision", "parentId", "targetGroupId"];
    let word = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let told = keys.iter().filter_map(|key| command.get(key)).map(word);
    let kind = command["type"].as_str().unwrap_or("?").to_owned();
    std::iter::once(kind).chain(told).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let rows = [["a", "long name", "x"], ["bcd", "n", ""]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows), "a    long name  x\nbcd  n\n");
    }

    #[test]
    fn one_thing_is_not_several() {
        assert_eq!(count(1, "asteroidBelts"), "1 asteroid belt");
        assert_eq!(
            (count(1, "bodies"), count(0, "nebulae")),
            ("1 body".into(), "0 nebulae".into())
        );
    }

    #[test]
    fn a_command_in_a_few_words() {
        assert_eq!(command(&json!({"type": "tick", "dt": 5})), "tick 5");
        assert_eq!(
            command(&json!({"type": "attachStar", "childId": "moon", "parentId": "earth"})),
            "attachStar moon earth"
        );
    }
}
