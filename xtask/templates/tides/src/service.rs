//! Load, decide, append: what every surface calls.

use std::sync::Arc;

use kit_app::{Clock, Deps};
use kit_core::Principal;
use kit_store::{Aggregate, Cause, ExecuteError, Live, Repository};
use serde::{Deserialize, Serialize};
use tides_core::{Command, Event, Log, Rejection, decide};

/// A log as the store keeps it; the domain does not know that it is kept.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kept(pub Log);

impl Aggregate for Kept {
    type Event = Event;
    const CATEGORY: &'static str = "tides";

    fn kind(event: &Event) -> &str {
        event.kind()
    }

    fn apply(&mut self, event: &Event) {
        self.0.apply(event);
    }
}

/// All logs. Clones share them.
#[derive(Clone)]
pub struct Service {
    logs: Repository<Kept>,
    clock: Arc<dyn Clock>,
}

impl Service {
    pub fn new(deps: &Deps) -> Self {
        Self { logs: Repository::new(deps.store.journal.clone()), clock: deps.clock.clone() }
    }

    /// Runs one command. Every surface enters here, so every rule holds everywhere.
    #[tracing::instrument(skip_all, fields(%id))]
    pub async fn dispatch(
        &self,
        id: &str,
        who: &Principal,
        command: Command,
    ) -> Result<Live<Kept>, ExecuteError<Rejection>> {
        let cause = Cause::new(who.as_str(), self.clock.now_ms());
        let done = self.logs.execute(id, cause, |log| decide(&log.0, command.clone())).await?;
        Ok(done.state)
    }
}
