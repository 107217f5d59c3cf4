//! What the analyser is told about the world, and what it asks for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ir::{Column, SqlText, SqlTextPart};

/// What the caller has fetched so far. Grows from round to round.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Texts of files by their URL, or why there is none.
    pub texts: BTreeMap<String, Result<Arc<str>, String>>,
    /// Columns of tables by connection and path, or why there are none.
    pub tables: BTreeMap<(String, String), Result<Vec<Column>, String>>,
    /// Columns of SQL selects by connection and [`select_key`], or why there are none.
    pub selects: BTreeMap<(String, String), Result<Vec<Column>, String>>,
}

impl Known {
    /// With what somebody else has fetched, where this has nothing.
    #[must_use]
    pub fn and(mut self, other: Known) -> Known {
        other.texts.into_iter().for_each(|(key, value)| {
            self.texts.entry(key).or_insert(value);
        });
        other.tables.into_iter().for_each(|(key, value)| {
            self.tables.entry(key).or_insert(value);
        });
        other.selects.into_iter().for_each(|(key, value)| {
            self.selects.entry(key).or_insert(value);
        });
        self
    }
}

/// What a compile could not do without. Fetch it, put it into [`Known`], compile again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Needs {
    /// URLs of texts.
    pub texts: BTreeSet<String>,
    /// Connection and path of tables.
    pub tables: BTreeSet<(String, String)>,
    /// Connection and text of selects whose columns are wanted, by [`select_key`].
    pub selects: BTreeMap<(String, String), SqlText>,
}

impl Needs {
    /// Whether nothing is missing.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.tables.is_empty() && self.selects.is_empty()
    }
}

/// A text that tells selects apart: as written where it has no queries in it, else with the compiled queries as JSON.
pub fn select_key(text: &SqlText) -> String {
    let mut key = String::new();
    for part in &text.parts {
        match part {
            SqlTextPart::Text(text) => key.push_str(text),
            SqlTextPart::Query(query) => {
                key.push_str("%{");
                key.push_str(&serde_json::to_string(query).unwrap_or_default());
                key.push('}');
            }
        }
    }
    key
}

/// Where `path` leads from the file at `base`: URLs and absolute paths as they are, others beside the file. `.` and `..`
/// are resolved.
pub fn join_url(base: &str, path: &str) -> String {
    if has_scheme(path) || path.starts_with('/') {
        return path.to_owned();
    }
    let root_end = base
        .find("://")
        .map_or(0, |at| base[at + 3..].find('/').map_or(base.len(), |slash| at + 3 + slash + 1));
    let (root, folder) = base.split_at(root_end);
    let mut parts: Vec<&str> = folder.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." if parts.last().is_some_and(|last| !last.is_empty() && *last != "..") => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    format!("{root}{}", parts.join("/"))
}

fn has_scheme(path: &str) -> bool {
    path.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_beside_the_file_that_imports_it() {
        assert_eq!(join_url("models/a.malloy", "b.malloy"), "models/b.malloy");
        assert_eq!(join_url("models/a.malloy", "../x/b.malloy"), "x/b.malloy");
        assert_eq!(join_url("", "models/b.malloy"), "models/b.malloy");
        assert_eq!(join_url("file:///p/q/a.malloy", "./b.malloy"), "file:///p/q/b.malloy");
        assert_eq!(join_url("file:///p/a.malloy", "../b.malloy"), "file:///b.malloy");
        assert_eq!(join_url("a.malloy", "https://h/b.malloy"), "https://h/b.malloy");
        assert_eq!(join_url("../a.malloy", "../b.malloy"), "../../b.malloy");
    }
}
