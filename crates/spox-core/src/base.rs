//! Fingerprints: what the main specs said when a change was written.
//!
//! `.base.json` lies in the folder of a change and holds every main requirement that the change touches, word for word.
//! With it anybody can tell later whether somebody else changed one of them in the meantime (C20), and
//! [`rebase`](crate::rebase()) has the middle of a three-way merge. Start at [`fingerprints`].

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    ChangeFiles, Delta, Operation, Refusal, Source,
    draft::Draft,
    parse_delta,
    renames::Renames,
    text::{body, plain},
};

/// The version of the format that this code writes and reads.
const VERSION: u32 = 1;

/// The requirements that a change was written against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    version: u32,
    /// By capability, then by the requirement's name in the main spec.
    pub capabilities: BTreeMap<String, BTreeMap<String, Fingerprint>>,
}

/// One main requirement as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// `sha256:` and the sum of `text` in hexadecimal.
    pub hash: String,
    /// The whole block from its heading on, lines ended by `\n`, without blank lines at the end.
    pub text: String,
}

impl Default for Base {
    fn default() -> Self {
        Self { version: VERSION, capabilities: BTreeMap::new() }
    }
}

impl Fingerprint {
    /// Of a block as it stands in a file.
    pub fn of(block: &str) -> Self {
        let text = plain(block);
        Self { hash: hash(&text), text }
    }

    /// Whether `block` still says the same below its heading. Line breaks and blank lines at its end do not count.
    pub fn matches(&self, block: &str) -> bool {
        body(&self.text) == body(&plain(block))
    }
}

impl Base {
    /// Reads `.base.json`. The error says in one line what is wrong with it.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let base: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if base.version != VERSION {
            return Err(format!("version {} instead of {VERSION}", base.version));
        }
        for (capability, requirements) in &base.capabilities {
            for (requirement, print) in requirements {
                if print.hash != hash(&print.text) {
                    return Err(format!(
                        "the text of `{requirement}` of `{capability}` was changed by hand"
                    ));
                }
            }
        }
        Ok(base)
    }

    /// The text of `.base.json`: sorted and one entry per line, so that version control merges it well.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// What `requirement` of the main spec said, if the change was seen touching it.
    pub fn get(&self, capability: &str, requirement: &str) -> Option<&Fingerprint> {
        self.capabilities.get(capability)?.get(requirement)
    }

    /// The fingerprints that lie with a change; none if it has none.
    pub fn of_change(change: &ChangeFiles) -> Result<Option<Self>, Refusal> {
        let damaged = |detail| Refusal::BadBase { change: change.id.clone(), detail };
        match &change.base {
            None => Ok(None),
            Some(Source::Unreadable(reason)) => Err(damaged(reason.clone())),
            Some(Source::Text(text)) => Self::from_json(text).map(Some).map_err(damaged),
        }
    }
}

/// The fingerprints to store with `change`.
///
/// What is in `known` stays as it is, as long as the change still touches it: this is what the author saw. Requirements
/// that the change touches only now are taken from `main`, and what it no longer touches is dropped. So this can be called
/// with each validation, and gives `known` back when nothing is new.
pub fn fingerprints(
    change: &ChangeFiles,
    main: &BTreeMap<String, Arc<str>>,
    known: Option<&Base>,
) -> Base {
    let mut base = Base::default();
    for (capability, source) in &change.deltas {
        let Source::Text(text) = source else { continue };
        let delta = parse_delta(capability, text);
        let known = known.and_then(|known| known.capabilities.get(capability));
        let draft = main.get(capability).map(|text| Draft::cut(text));
        let mut prints = BTreeMap::new();
        for name in touched(&delta) {
            let print = known.and_then(|known| known.get(name)).cloned().or_else(|| {
                draft.as_ref()?.only(name).map(|block| Fingerprint::of(block.original))
            });
            if let Some(print) = print {
                prints.insert(name.to_owned(), print);
            }
        }
        if !prints.is_empty() {
            base.capabilities.insert(capability.clone(), prints);
        }
    }
    base
}

/// The names in the main spec that a delta changes, takes away or renames.
pub(crate) fn touched(delta: &Delta) -> impl Iterator<Item = &str> {
    let renames = Renames::of(delta);
    delta.items.iter().filter_map(move |item| match item.operation {
        Operation::Added => None,
        Operation::Modified => Some(renames.origin(&item.name)),
        Operation::Removed => Some(&*item.name),
        Operation::Renamed => item.from.as_deref(),
    })
}

fn hash(text: &str) -> String {
    format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes())))
}
