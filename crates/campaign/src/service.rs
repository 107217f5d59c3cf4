//! The one way in: load → decide → append.

use std::sync::Arc;

use campaign_core::{Command, Rejection, decide};
use kit_app::{Clock, Deps};
use kit_core::Principal;
use kit_store::{Cause, ExecuteError, Live};

use crate::{
    Config,
    store::{Kept, Logs},
};

/// Everything that can be asked of logs. Clones share the same logs.
#[derive(Clone)]
pub struct Service {
    logs: Logs,
    clock: Arc<dyn Clock>,
    entries: usize,
}

impl Service {
    pub fn new(config: &Config, deps: &Deps) -> Self {
        let logs = Logs::new(deps.store.journal.clone());
        Self { logs, clock: deps.clock.clone(), entries: config.entries }
    }

    /// Runs one command. Every surface enters here, so every rule holds everywhere.
    #[tracing::instrument(skip_all, fields(log = %id))]
    pub async fn dispatch(
        &self,
        who: &Principal,
        id: &str,
        command: Command,
    ) -> Result<Live<Kept>, ExecuteError<Rejection>> {
        let cause = Cause::new(who.as_str(), self.clock.now_ms());
        let judge = |log: &Live<Kept>| decide(&log.0, self.entries, command.clone());
        Ok(self.logs.execute(id, cause, judge).await?.state)
    }
}
