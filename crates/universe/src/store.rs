//! How universes are kept: as a stream each, one line of the log per revision.

use kit_store::{Aggregate, Repository};
use serde::{Deserialize, Serialize};
use universe_core::{Entry, Universe};

/// The live universes over the journal.
pub(crate) type Universes = Repository<Kept>;

/// A universe in the store.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Kept(pub(crate) Universe);

impl Aggregate for Kept {
    type Event = Entry;

    const CATEGORY: &'static str = crate::NAME;

    // 2: the clock, the history and the keys came in.
    const SNAPSHOT_FORMAT: u32 = 2;

    fn kind(entry: &Entry) -> &str {
        entry.change.kind()
    }

    fn apply(&mut self, entry: &Entry) {
        self.0.apply(entry);
    }
}
