//! The chain of hashes that makes a journal evident to tamper with.
//!
//! Each entry is hashed with everything in it, the name of its campaign and the hash of the entry before. Whoever changes,
//! removes, adds or moves an entry changes every hash after it, up to the one that a [`Table`](crate::Table) remembers.

use std::sync::Arc;

use data_encoding::HEXLOWER;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::{CampaignId, Entry};

/// Says what is hashed, so that a hash of ours is never one of something else.
const DOMAIN: &[u8] = b"tandem campaign entry 1";

/// A journal that holds together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verified {
    pub events: u64,
    /// Of the last entry; empty when there is none.
    pub head_hash: Arc<str>,
}

/// The first place where a journal does not hold together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("event {seq} of the journal is broken: {why}")]
pub struct Broken {
    pub seq: u64,
    pub why: String,
}

/// Walks a journal from its beginning, an entry at a time.
#[derive(Debug, Clone)]
pub struct Walker {
    campaign: CampaignId,
    seq: u64,
    hash: Arc<str>,
}

impl Walker {
    pub fn new(campaign: CampaignId) -> Self {
        Self { campaign, seq: 0, hash: "".into() }
    }

    /// The next entry, as the text that is stored. The way to go for a journal that may not even be readable.
    pub fn read(&mut self, text: &str) -> Result<Entry, Broken> {
        let entry = serde_json::from_str(text)
            .map_err(|error| self.broken(format!("it cannot be read: {error}")))?;
        self.step(&entry)?;
        Ok(entry)
    }

    /// The next entry.
    pub fn step(&mut self, entry: &Entry) -> Result<(), Broken> {
        if entry.seq != self.seq + 1 {
            return Err(self.broken(format!("its seq is {}", entry.seq)));
        }
        if entry.prev_hash != self.hash {
            return Err(self.broken("its prev_hash is not the hash of the event before".into()));
        }
        if *entry.hash != hash(&self.campaign, entry) {
            return Err(self.broken("its hash is not that of its content".into()));
        }
        self.seq = entry.seq;
        self.hash = entry.hash.clone();
        Ok(())
    }

    /// What was walked so far.
    pub fn finish(self) -> Verified {
        Verified { events: self.seq, head_hash: self.hash }
    }

    fn broken(&self, why: String) -> Broken {
        Broken { seq: self.seq + 1, why }
    }
}

/// Walks a whole journal.
pub fn verify<'a>(
    campaign: &CampaignId,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Result<Verified, Broken> {
    let mut walker = Walker::new(campaign.clone());
    for entry in entries {
        walker.step(entry)?;
    }
    Ok(walker.finish())
}

/// SHA-256 over every field with its length before it, so that no two entries have the same bytes.
pub(crate) fn hash(campaign: &CampaignId, entry: &Entry) -> String {
    let mut hasher = Fields(Sha256::new());
    hasher.add(DOMAIN);
    hasher.add(campaign.as_str().as_bytes());
    hasher.add(&entry.seq.to_be_bytes());
    hasher.add(entry.kind().as_bytes());
    hasher.add(&entry.at.0.to_be_bytes());
    hasher.add(entry.request_id.as_bytes());
    hasher.add(entry.invocation_id.as_bytes());
    hasher.add(entry.by.kind.name().as_bytes());
    hasher.add(entry.by.id.as_bytes());
    // None is not the same as empty.
    hasher.add(&[u8::from(entry.session_id.is_some())]);
    hasher.add(entry.session_id.as_ref().map_or("", |id| id.as_str()).as_bytes());
    hasher.add(entry.entity.kind.name().as_bytes());
    hasher.add(entry.entity.id.as_bytes());
    hasher.add(entry.payload().get().as_bytes());
    hasher.add(entry.prev_hash.as_bytes());
    HEXLOWER.encode(&hasher.0.finalize())
}

struct Fields(Sha256);

impl Fields {
    fn add(&mut self, field: &[u8]) {
        self.0.update((field.len() as u64).to_be_bytes());
        self.0.update(field);
    }
}
