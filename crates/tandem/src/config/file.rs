//! `tandem.toml`, with the place of each value in it.

use std::path::Path;

use anyhow::{Context, anyhow};
use serde_json::Value;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
#[derive(Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Reads all values of a file. `is_section` tells which tables are parts with keys of their own; any other table
/// is one value.
pub(super) fn read(
    path: &Path,
    text: &str,
    is_section: &dyn Fn(&str) -> bool,
) -> anyhow::Result<Vec<Placed>> {
    let wrong = |error: &toml::de::Error| {
        let (line, column) = place(text, error.span().map_or(0, |span| span.start));
        anyhow!("{}:{line}:{column}: {}", path.display(), error.message())
    };
    let tree = DeTable::parse(text).map_err(|error| wrong(&error))?;
    let values: Value = toml::from_str(text).map_err(|error| wrong(&error))?;
    let mut found = Vec::new();
    collect(text, "", tree.get_ref(), &values, is_section, &mut found)
        .with_context(|| format!("cannot read `{}`", path.display()))?;
    // The table is sorted by name; mistakes are reported from the top of the file.
    found.sort_by_key(|placed| (placed.line, placed.column));
    Ok(found)
}

fn collect(
    text: &str,
    prefix: &str,
    table: &DeTable<'_>,
    values: &Value,
    is_section: &dyn Fn(&str) -> bool,
    found: &mut Vec<Placed>,
) -> anyhow::Result<()> {
    for (name, value) in table {
        let key = format!("{prefix}{}", name.get_ref());
        let plain = values.get(&**name.get_ref()).context("the two readings differ")?;
        match value.get_ref() {
            DeValue::Table(inner) if is_section(&key) => {
                collect(text, &format!("{key}."), inner, plain, is_section, found)?;
            }
            _ => {
                let (line, column) = place(text, name.span().start);
                found.push(Placed { key, value: plain.clone(), line, column });
            }
        }
    }
    Ok(())
}

/// Line and column of a byte, both from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<(String, usize, usize)> {
        let found = read(Path::new("tandem.toml"), text, &|key| key == "limits").unwrap();
        found.into_iter().map(|placed| (placed.key, placed.line, placed.column)).collect()
    }

    #[test]
    fn each_value_knows_its_place() {
        let text = "listen = \"127.0.0.1:1\"\n\n[limits]\n  burst = 1\n";
        assert_eq!(keys(text), [("listen".into(), 1, 1), ("limits.burst".into(), 4, 3)]);
    }

    #[test]
    fn broken_toml_names_the_place() {
        let error = read(Path::new("tandem.toml"), "a = 1\nb = = 2", &|_| false).unwrap_err();
        assert!(error.to_string().starts_with("tandem.toml:2:5: "), "{error}");
    }
}
