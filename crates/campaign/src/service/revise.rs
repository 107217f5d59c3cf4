//! Looking back: undo, and another campaign with the same history.

use std::sync::Arc;

use campaign_core::{
    self as core, CampaignId, Command, Entry, Fork, Moment, Table, can_undo, fork,
};
use kit_store::{ExecuteError, StoreError};

use super::{Made, Service, Stop, failed, journal::event, no_event, speaker};
use crate::{Caller, Error, wire};

/// How often an undo is begun again because something else happened meanwhile.
const TRIES: usize = 64;
/// Entries looked at at once.
const STRIDE: u64 = 128;

impl Service {
    /// Takes back what one entry did. Without a number it is the latest that can be taken back; finding it takes a moment
    /// in which something else may happen, and then it is looked for again.
    pub(super) async fn take_back(
        &self,
        caller: &Caller,
        campaign_id: &str,
        seq: Option<u64>,
    ) -> Result<wire::Undone, Error> {
        for _ in 0..TRIES {
            let (id, live) = self.load(campaign_id).await?;
            let entry = match seq {
                Some(seq) => self.entry(&id, &live.0, seq).await?,
                None => self.latest(&id, &live.0).await?,
            };
            let entry = entry.map(Arc::new);
            let undo = Command::Undo { seq, entry: entry.clone() };
            let judge = |table: &Table, who: &core::Caller| {
                // An entry never changes, but which one is the latest does.
                if seq.is_none() && table.seq() != live.version.0 {
                    return Err(Stop::Moved);
                }
                self.decide(table, &undo, who)
            };
            let changed = match self.change(caller, &id, judge).await {
                Err(ExecuteError::Rejected(Stop::Moved)) => continue,
                changed => changed.map_err(failed)?,
            };
            if let (Some(undone), Some(last)) = (entry, changed.entries.last()) {
                let told = |entry| event(&id, entry, &changed.table);
                return Ok(wire::Undone { undone: told(&undone), entry: told(last) });
            }
        }
        Err(StoreError::Busy.into())
    }

    async fn entry(
        &self,
        id: &CampaignId,
        table: &Table,
        seq: u64,
    ) -> Result<Option<Entry>, Error> {
        if !(1..=table.seq()).contains(&seq) {
            return Ok(None);
        }
        Ok(self.read(id, seq, seq).await?.pop())
    }

    /// The last entry that can be taken back.
    async fn latest(&self, id: &CampaignId, table: &Table) -> Result<Option<Entry>, Error> {
        let mut last = table.seq();
        while last > 0 {
            let first = last.saturating_sub(STRIDE - 1).max(1);
            let entries = self.read(id, first, last).await?;
            let found = entries.into_iter().rev().find(|entry| can_undo(table, entry).is_ok());
            if found.is_some() {
                return Ok(found);
            }
            last = first - 1;
        }
        Ok(None)
    }

    /// Makes a campaign of another one's history up to `seq`.
    pub(super) async fn branch(
        &self,
        caller: &Caller,
        campaign_id: &str,
        seq: Option<u64>,
        name: Option<String>,
    ) -> Result<wire::Campaign, Error> {
        let (origin, live) = self.load(campaign_id).await?;
        let seq = seq.unwrap_or(live.version.0);
        if !(1..=live.version.0).contains(&seq) {
            return Err(no_event(seq, live.version));
        }
        let history = self.read(&origin, 1, seq).await?;
        let id = CampaignId::from(self.random.id(CampaignId::PREFIX));
        let at = Moment(self.clock.now_ms());
        let ask = Fork {
            campaign: id.clone(),
            name,
            at,
            by: speaker(caller, &live.0).by(&live.0),
            request_id: caller.request_id.as_str().into(),
            invocation_id: caller.invocation_id.as_str().into(),
        };
        let entries = fork(&history, ask, &mut |prefix| self.random.id(prefix))?;
        let new = |table: &Table| match table.seq() {
            0 => Ok(Made::of(entries.clone(), table)),
            // Another campaign of this name is a fault of the generator, and is not written into.
            _ => Err(Stop::Moved),
        };
        let changed = self.append(caller, &id, at, new).await.map_err(failed)?;
        tracing::info!(campaign = %id, %origin, seq, "forked");
        changed.table.campaign().map(Into::into).ok_or_else(super::no_campaign)
    }
}
