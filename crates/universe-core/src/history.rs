//! What a universe remembers of its own log: which changes can be undone and redone, and which keys were used.
//!
//! Both are bounded, and both are persistent collections: the universe they belong to is cloned for every command.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Ordered, OrderedSet, Refusal, Way, json::encode};

/// How many changes can be undone, and how many redone.
const CHANGES: usize = 4_096;

/// How many keys are remembered.
const KEYS: usize = 1_000;

/// The changes that can be undone and redone, by their revisions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stacks", into = "Stacks")]
pub struct History {
    /// In the order in which they took effect, a redone one last.
    done: OrderedSet<u64>,
    /// In the order in which they were undone.
    undone: OrderedSet<u64>,
}

impl History {
    /// The change that an undo (or a redo) is about: the one asked for, or the latest there is.
    pub fn find(&self, way: Way, asked: Option<u64>) -> Result<u64, Refusal> {
        let stack = self.stack(way);
        match asked {
            Some(revision) if stack.contains(&revision) => Ok(revision),
            Some(revision) => Err(Refusal::NotRevisable { way, revision }),
            None => stack.last().copied().ok_or(Refusal::NothingToRevise { way }),
        }
    }

    /// The changes that can be undone (or redone), the next one last.
    pub fn revisions(&self, way: Way) -> impl Iterator<Item = u64> {
        self.stack(way).keys().copied()
    }

    pub(crate) fn did(&mut self, revision: u64) {
        push(&mut self.done, revision);
    }

    pub(crate) fn undid(&mut self, revision: u64) {
        self.done.remove(&revision);
        push(&mut self.undone, revision);
    }

    pub(crate) fn redid(&mut self, revision: u64) {
        self.undone.remove(&revision);
        push(&mut self.done, revision);
    }

    fn stack(&self, way: Way) -> &OrderedSet<u64> {
        match way {
            Way::Undo => &self.done,
            Way::Redo => &self.undone,
        }
    }
}

fn push(stack: &mut OrderedSet<u64>, revision: u64) {
    stack.add(revision);
    if stack.len() > CHANGES {
        stack.remove_first();
    }
}

/// How a [`History`] is written down.
#[derive(Serialize, Deserialize)]
struct Stacks {
    done: Vec<u64>,
    undone: Vec<u64>,
}

impl From<History> for Stacks {
    fn from(history: History) -> Self {
        let list = |way| history.revisions(way).collect();
        Self { done: list(Way::Undo), undone: list(Way::Redo) }
    }
}

impl From<Stacks> for History {
    fn from(stacks: Stacks) -> Self {
        Self {
            done: stacks.done.into_iter().collect(),
            undone: stacks.undone.into_iter().collect(),
        }
    }
}

/// What a caller calls a change, so that sending it again does not make it happen again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    pub key: Arc<str>,
    /// Of the command, to notice a key that is used for another one.
    pub digest: Arc<str>,
}

impl Key {
    /// The key of a command (or of whatever was asked for under it) as it was received.
    pub fn new(key: &str, command: &Value) -> Self {
        Self { key: key.into(), digest: digest(&encode(command)).into() }
    }
}

/// FNV-1a with 128 bits. Whoever would make two commands of one digest could fool only himself.
fn digest(text: &str) -> String {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mix = |hash: u128, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME);
    format!("{:032x}", text.bytes().fold(BASIS, mix))
}

/// The keys of the last keyed changes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<(Key, u64)>", into = "Vec<(Key, u64)>")]
pub struct Keys(Ordered<Arc<str>, (Arc<str>, u64)>);

/// What is known of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// The same was asked for before, and happened at this revision.
    Same(u64),
    /// Something else was asked for under this key, and happened at this revision.
    Other(u64),
}

impl Keys {
    /// Whether this key was used before, and for what; nothing for a new one.
    pub fn seen(&self, key: &Key) -> Option<Seen> {
        let (digest, revision) = self.0.get(&key.key)?;
        Some(if *digest == key.digest { Seen::Same(*revision) } else { Seen::Other(*revision) })
    }

    pub(crate) fn remember(&mut self, key: &Key, revision: u64) {
        self.0.insert(key.key.clone(), (key.digest.clone(), revision));
        if self.0.len() > KEYS {
            self.0.remove_first();
        }
    }
}

impl From<Keys> for Vec<(Key, u64)> {
    fn from(keys: Keys) -> Self {
        let entry = |(key, (digest, revision)): (&Arc<str>, &(Arc<str>, u64))| {
            (Key { key: key.clone(), digest: digest.clone() }, *revision)
        };
        keys.0.iter().map(entry).collect()
    }
}

impl From<Vec<(Key, u64)>> for Keys {
    fn from(entries: Vec<(Key, u64)>) -> Self {
        let entry = |(key, revision): (Key, u64)| (key.key, (key.digest, revision));
        Self(entries.into_iter().map(entry).collect())
    }
}
