//! What happens, as it happens.

use std::{collections::VecDeque, num::NonZeroUsize};

use campaign_core::{CampaignId, Table};
use futures::{StreamExt as _, stream};
use kit_store::{Aggregate as _, Appended, Recorded, Version, tail};
use lru::LruCache;
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::{
    Service,
    journal::{decode, event},
};
use crate::{
    Error,
    backend::{Change, ChangeStream, EventStream, Wanted},
    store::Kept,
};

/// Campaigns whose last told entry is remembered.
const REMEMBERED: NonZeroUsize = NonZeroUsize::MIN.saturating_add(4095);
/// How many entries of another replica are told one by one.
const FEW: u64 = 16;

impl Service {
    pub(super) async fn follow(&self, campaign_id: &str, after: u64) -> Result<EventStream, Error> {
        let (id, live) = self.load_since(campaign_id, after).await?;
        if after > live.version.0 {
            let message = format!("`after` must be at most {}, the last entry", live.version);
            return Err(Error::invalid(message).field("after"));
        }
        // From here on nothing is missed, also while the table is folded up.
        let lines =
            tail(self.tables.journal().clone(), self.tables.stream(id.as_str()), Version(after));
        let then = self.tables.load_at(id.as_str(), Version(after)).await?;
        let table = then.map(|live| live.0.clone()).unwrap_or_default();
        let told = lines.scan((id, table), |(id, table), line| {
            let told = line.map_err(Error::from).and_then(|line| tell(id, table, &line));
            std::future::ready(Some(told))
        });
        Ok(told.boxed())
    }

    pub(super) fn follow_all(&self, wanted: Wanted) -> ChangeStream {
        let appends = self.tables.journal().watch();
        let (told, ready) = (LruCache::new(REMEMBERED), VecDeque::new());
        let watcher = Watcher { service: self.clone(), appends, told, ready, wanted };
        stream::unfold(watcher, |mut watcher| async move {
            let change = watcher.next().await?;
            Some((change, watcher))
        })
        .boxed()
    }
}

/// One line as readers see it, when everything before it is on the table.
fn tell(id: &CampaignId, table: &mut Table, line: &Recorded) -> Result<crate::wire::Event, Error> {
    let entry = decode(line)?;
    table.apply(&entry);
    Ok(event(id, &entry, table))
}

/// Turns the wakes of the journal into changes.
struct Watcher {
    service: Service,
    appends: Receiver<Appended>,
    told: LruCache<CampaignId, Told>,
    ready: VecDeque<Change>,
    wanted: Wanted,
}

/// The entries of a campaign that were told, both included.
#[derive(Clone, Copy)]
struct Told {
    first: u64,
    last: u64,
}

impl Watcher {
    async fn next(&mut self) -> Option<Result<Change, Error>> {
        loop {
            if let Some(change) = self.ready.pop_front() {
                return Some(Ok(change));
            }
            let heard = match self.appends.recv().await {
                Err(RecvError::Closed) => return None,
                _ if !(self.wanted)() => Ok(()),
                Ok(appended) if appended.stream.category() == Kept::CATEGORY => {
                    self.hear(&appended).await
                }
                Ok(_) => Ok(()),
                Err(RecvError::Lagged(_)) => self.everything().await,
            };
            if let Err(error) = heard {
                return Some(Err(error));
            }
        }
    }

    /// What an append brings that was not told yet.
    async fn hear(&mut self, appended: &Appended) -> Result<(), Error> {
        let (campaign_id, now) = (CampaignId::from(appended.stream.id()), appended.version.0);
        let begins = appended.events.first().map(|event| event.version.0);
        // Wakes of one campaign may come merged, twice or out of order; the journal knows what they leave out.
        let first = match self.told.get(&campaign_id).copied() {
            Some(told) if now > told.last => told.last + 1,
            Some(told) if now >= told.first => return Ok(()),
            // Another replica's, from before the first that was heard of here.
            Some(told) => {
                self.told.put(campaign_id.clone(), Told { first: 1, ..told });
                self.ready.push_back(Change::Missed { campaign_id });
                return Ok(());
            }
            None => begins.unwrap_or(1),
        };
        let told = self.told.get(&campaign_id).map_or(first, |told| told.first);
        self.told.put(campaign_id.clone(), Told { first: told, last: now });
        if now - first >= FEW {
            self.ready.push_back(Change::Missed { campaign_id });
            return Ok(());
        }
        let entries = if begins == Some(first) {
            appended.events.iter().map(decode).collect::<Result<Vec<_>, _>>()?
        } else {
            self.service.read(&campaign_id, first, now).await?
        };
        // Names are not worth a look at the table for each entry of each campaign.
        let nobody = Table::default();
        let told = entries.iter().map(|entry| event(&campaign_id, entry, &nobody));
        self.ready.extend(told.map(|event| Change::Entry(Box::new(event))));
        Ok(())
    }

    /// Too much happened at once to be told one by one.
    async fn everything(&mut self) -> Result<(), Error> {
        for info in self.service.tables.list().await? {
            let campaign_id = CampaignId::from(info.stream.id());
            self.told.put(campaign_id.clone(), Told { first: 1, last: info.version.0 });
            self.ready.push_back(Change::Missed { campaign_id });
        }
        Ok(())
    }
}
