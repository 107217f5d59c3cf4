//! How logs are kept: as a stream each.

use campaign_core::{Event, Log};
use kit_store::{Aggregate, Repository};
use serde::{Deserialize, Serialize};

/// The live logs over the journal.
pub(crate) type Logs = Repository<Kept>;

/// A log in the store; the domain does not know that it is kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kept(pub Log);

impl Aggregate for Kept {
    type Event = Event;

    const CATEGORY: &'static str = crate::NAME;

    fn kind(event: &Event) -> &str {
        event.kind()
    }

    fn apply(&mut self, event: &Event) {
        self.0.apply(event);
    }
}
