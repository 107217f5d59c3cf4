//! How campaigns are kept: as a stream each, whose events are the entries of the campaign's journal.

use campaign_core::{Entry, Table};
use kit_store::{Aggregate, Repository};
use serde::{Deserialize, Serialize};

/// The live tables over the journal.
pub(crate) type Tables = Repository<Kept>;

/// A table in the store.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Kept(pub(crate) Table);

impl Aggregate for Kept {
    type Event = Entry;

    const CATEGORY: &'static str = crate::NAME;

    fn kind(entry: &Entry) -> &str {
        entry.kind()
    }

    fn apply(&mut self, entry: &Entry) {
        self.0.apply(entry);
    }
}
