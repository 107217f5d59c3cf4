//! What commands make of an application's answers.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// An answer of the application: shown as `text`, printed whole with `--json`.
pub struct Answer {
    pub json: Value,
    pub text: String,
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
pub fn table(rows: &[Vec<String>]) -> String {
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
pub fn time(iso: &Value) -> String {
    let text = iso.as_str().unwrap_or_default();
    text.get(..19).unwrap_or(text).replace('T', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let rows = [["a", "long name", "x"], ["bcd", "n", ""]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows), "a    long name  x\nbcd  n\n");
    }
}
