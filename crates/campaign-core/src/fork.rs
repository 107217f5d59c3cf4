//! Fork: a new campaign whose history is a copy of another's, up to an entry.

use crate::{By, CampaignId, Entry, Moment, Refusal};

/// What the new campaign is to be.
#[derive(Debug, Clone)]
pub struct Fork {
    pub campaign: CampaignId,
    /// As the caller gave it; the old name unless one is given.
    pub name: Option<String>,
    pub at: Moment,
    pub by: By,
    pub request_id: std::sync::Arc<str>,
    pub invocation_id: std::sync::Arc<str>,
}

/// The journal of the new campaign, from `entries`, which are the other's from its first on.
pub fn fork(
    entries: &[Entry],
    fork: Fork,
    next_id: &mut dyn FnMut(&str) -> String,
) -> Result<Vec<Entry>, Refusal> {
    let _ = (entries, fork, next_id);
    todo!()
}
