//! C20: whether a main requirement is still what it was when the change was written.
//!
//! `.base.json` keeps the text of every main requirement that a change touches.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The part of `.base.json` that validation needs.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Base {
    #[serde(default)]
    capabilities: BTreeMap<String, BTreeMap<String, Fingerprint>>,
}

#[derive(Debug, Deserialize)]
struct Fingerprint {
    text: String,
}

impl Base {
    pub(super) fn read(json: &str) -> Result<Self, String> {
        let json = json.strip_prefix('\u{feff}').unwrap_or(json);
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    /// Whether `block`, which is `requirement` in the main spec now, says something else than it did.
    pub(super) fn has_drifted(&self, capability: &str, requirement: &str, block: &str) -> bool {
        self.capabilities
            .get(capability)
            .and_then(|requirements| requirements.get(requirement))
            .is_some_and(|then| !same_text(&then.text, block))
    }
}

/// Whether two blocks say the same below their headings. Line breaks and blank lines at the end do not count.
pub(super) fn same_text(one: &str, other: &str) -> bool {
    let body = |block: &str| {
        let plain = block.trim_end().replace("\r\n", "\n");
        plain.split_once('\n').map_or_else(String::new, |(_, body)| body.to_owned())
    };
    body(one) == body(other)
}
