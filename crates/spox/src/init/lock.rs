//! `.spox/version.lock`: which versions of the tool touched a project.

use std::cmp::Ordering;

use semver::Version;
use serde::Serialize;
use toml_edit::{Array, DocumentMut, Item, value};

pub(super) const PATH: &str = ".spox/version.lock";

/// What a lock file records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VersionLock {
    pub initialized_version: String,
    pub updated_versions: Vec<String>,
}

impl VersionLock {
    /// Reads a lock file; `None` when it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let document: DocumentMut = text.parse().ok()?;
        let updated = document.get("updated_versions").and_then(Item::as_array);
        let updated = updated.into_iter().flatten().filter_map(|item| item.as_str());
        Some(Self {
            initialized_version: document.get("initialized_version")?.as_str()?.to_owned(),
            updated_versions: updated.map(str::to_owned).collect(),
        })
    }

    /// The version that touched the project last.
    pub fn last(&self) -> &str {
        self.updated_versions.last().unwrap_or(&self.initialized_version)
    }
}

/// How a binary stands to the version that touched a project last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Equal, newer, or not comparable.
    Fine,
    /// The project was touched by a newer one; worth a warning, never a refusal.
    Older,
}

/// Compares `binary` with the version that touched a project last.
pub fn standing(binary: &str, project: &str) -> Standing {
    let parse = |text: &str| Version::parse(text.trim().trim_start_matches('v')).ok();
    match (parse(binary), parse(project)) {
        (Some(binary), Some(project)) if binary.cmp_precedence(&project) == Ordering::Less => {
            Standing::Older
        }
        _ => Standing::Fine,
    }
}

/// `existing` with the running version on record; other lines stay. `None` when `existing` is not a lock file.
pub(super) fn touch(existing: Option<&str>, version: &str) -> Option<String> {
    let Some(existing) = existing else {
        return Some(format!("initialized_version = \"{version}\"\nupdated_versions = []\n"));
    };
    if VersionLock::parse(existing)?.last() == version {
        return Some(existing.to_owned());
    }
    let mut document: DocumentMut = existing.parse().ok()?;
    let updated = document.entry("updated_versions").or_insert(value(Array::new()));
    updated.as_array_mut()?.push(version);
    Some(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_run_is_the_initial_version() {
        let text = touch(None, "0.5.0").unwrap();
        assert_eq!(text, "initialized_version = \"0.5.0\"\nupdated_versions = []\n");
        assert_eq!(touch(Some(&text), "0.5.0").unwrap(), text);
    }

    #[test]
    fn a_version_is_appended_when_it_differs_from_the_last() {
        let text = "# ours\ninitialized_version = \"0.3.0\"\nupdated_versions = [\"0.4.0\"]\n";
        let next = touch(Some(text), "0.5.0").unwrap();
        assert_eq!(
            next,
            "# ours\ninitialized_version = \"0.3.0\"\nupdated_versions = [\"0.4.0\", \"0.5.0\"]\n"
        );
        assert_eq!(touch(Some(&next), "0.5.0").unwrap(), next);
        assert!(touch(Some(&next), "0.4.0").unwrap().ends_with(", \"0.4.0\"]\n"));
    }

    #[test]
    fn a_lock_without_updates_gets_the_key() {
        let next = touch(Some("initialized_version = \"0.3.0\"\n"), "0.4.0").unwrap();
        assert_eq!(VersionLock::parse(&next).unwrap().last(), "0.4.0");
    }

    #[test]
    fn what_is_not_a_lock_is_left_alone() {
        for text in ["<<<<<<< HEAD\n", "x = 1\n", "initialized_version = 5\n"] {
            assert_eq!(touch(Some(text), "0.5.0"), None, "{text}");
        }
    }

    #[test]
    fn only_an_older_binary_is_worth_a_warning() {
        assert_eq!(standing("0.5.0", "0.5.0"), Standing::Fine);
        assert_eq!(standing("0.10.0", "0.9.0"), Standing::Fine);
        assert_eq!(standing("0.4.9", "0.5.0"), Standing::Older);
        assert_eq!(standing("0.5.0-rc.1", "0.5.0"), Standing::Older);
        assert_eq!(standing("0.5.0+build", "0.5.0"), Standing::Fine);
        assert_eq!(standing("0.4.0", "whatever"), Standing::Fine);
    }
}
