//! The one way in: load → decide → seal → append. The feeds hear of it from the journal.
//!
//! Start at [`Service::change`], where every change goes through; [`backend`] has what can be asked, [`roll`] the dice,
//! [`journal`] and [`watch`] what happened.

mod backend;
mod journal;
mod list;
mod page;
mod revise;
mod roll;
mod watch;

use std::sync::Arc;

use campaign_core::{
    self as core, CampaignId, Command, Entry, Envelope, Fact, Moment, ParticipantId, Refusal,
    Table, decide, seal_onto,
};
use kit_app::Clock;
use kit_store::{Cause, Decided, Decision, ExecuteError, Live, Store, StoreError, Version};

use crate::{
    Caller, Error, Random,
    store::{Kept, Tables},
};

/// Everything that can be asked of campaigns. Clones share the same tables.
#[derive(Clone)]
pub struct Service {
    tables: Tables,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

/// A change that is durable.
struct Changed {
    campaign: CampaignId,
    /// None if nothing had to change.
    entries: Vec<Entry>,
    /// The table right after them.
    table: Table,
}

/// Entries that were made for a table, and the table with them.
struct Made {
    entries: Vec<Entry>,
    table: Table,
}

/// Why nothing was appended.
enum Stop {
    Refused(Refusal),
    /// What was prepared no longer fits what is there.
    Moved,
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl Service {
    pub fn new(store: &Store, clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Self { tables: Tables::new(store.journal.clone()), clock, random }
    }

    /// Runs one command on a campaign.
    async fn command(
        &self,
        caller: &Caller,
        campaign_id: &str,
        command: Command,
    ) -> Result<Changed, Error> {
        let id = CampaignId::required(campaign_id)?;
        let judge = |table: &Table, who: &core::Caller| self.decide(table, &command, who);
        self.change(caller, &id, judge).await.map_err(failed)
    }

    fn decide(
        &self,
        table: &Table,
        command: &Command,
        who: &core::Caller,
    ) -> Result<Vec<Fact>, Stop> {
        Ok(decide(table, command, who, &mut |prefix| self.random.id(prefix))?)
    }

    /// Decides on what is there and appends what follows. Every change of every surface comes through here, so every rule
    /// holds everywhere. `judge` is called again when somebody else was first.
    #[tracing::instrument(skip_all, fields(campaign = %id, via = %caller.via, request = %caller.request_id))]
    async fn change(
        &self,
        caller: &Caller,
        id: &CampaignId,
        mut judge: impl FnMut(&Table, &core::Caller) -> Result<Vec<Fact>, Stop>,
    ) -> Result<Changed, ExecuteError<Stop>> {
        let at = Moment(self.clock.now_ms());
        let seal = |table: &Table| {
            let who = speaker(caller, table);
            let facts = judge(table, &who)?;
            let envelope = Envelope {
                campaign: id.clone(),
                at,
                request_id: caller.request_id.as_str().into(),
                invocation_id: caller.invocation_id.as_str().into(),
                by: who.by(table),
            };
            let mut table = table.clone();
            Ok(Made { entries: seal_onto(&mut table, &envelope, facts), table })
        };
        self.append(caller, id, at, seal).await
    }

    /// Appends the entries that `make` makes for the table as it is.
    async fn append(
        &self,
        caller: &Caller,
        id: &CampaignId,
        at: Moment,
        mut make: impl FnMut(&Table) -> Result<Made, Stop>,
    ) -> Result<Changed, ExecuteError<Stop>> {
        let mut after = None;
        let decide = |live: &Live<Kept>| {
            let new = make(&live.0)?;
            after = Some(new.table.clone());
            Ok(new.after(&live.0))
        };
        let cause = Cause::new(caller.principal.as_str(), at.0);
        let done = self.tables.execute(id.as_str(), cause, decide).await?;
        let table = after.unwrap_or_default();
        Ok(Changed { campaign: id.clone(), entries: done.events, table })
    }

    /// A campaign that is there, as late as any change answered before.
    async fn load(&self, campaign_id: &str) -> Result<(CampaignId, Live<Kept>), Error> {
        self.load_since(campaign_id, 0).await
    }

    async fn load_since(
        &self,
        campaign_id: &str,
        heard: u64,
    ) -> Result<(CampaignId, Live<Kept>), Error> {
        let id = CampaignId::required(campaign_id)?;
        match self.tables.load_since(id.as_str(), Version(heard)).await? {
            Some(live) if live.0.exists() => Ok((id, live)),
            _ => Err(no_campaign()),
        }
    }

    /// The number of the last entry of a campaign, `heard` or a later one if there is such an entry: readers of a feed may
    /// know of it a moment before.
    pub(crate) async fn seq(&self, campaign_id: &str, heard: u64) -> Result<u64, Error> {
        self.load_since(campaign_id, heard).await.map(|(_, live)| live.version.0)
    }
}

/// Whom the caller speaks as at this table, and whether that is proven.
fn speaker(caller: &Caller, table: &Table) -> core::Caller {
    let named = caller.participant_id.as_deref().map(str::trim).filter(|id| !id.is_empty());
    let Some(id) = named.map(ParticipantId::from) else { return core::Caller::nobody() };
    let token = caller.participant_token.as_deref();
    let proven = token.is_some_and(|token| table.is_token_of(&id, token));
    core::Caller::participant(id, proven)
}

impl Made {
    /// Entries for a table that has none of them yet.
    fn of(entries: Vec<Entry>, table: &Table) -> Self {
        let mut table = table.clone();
        for entry in &entries {
            table.apply(entry);
        }
        Self { entries, table }
    }

    /// What is to be written after `table`.
    fn after(self, table: &Table) -> Decided<Kept> {
        let Self { entries, table: next } = self;
        let aliases = entries.iter().filter_map(alias).map(Arc::from).collect();
        let mut decision = Decision { aliases, ..Decision::new(entries) };
        // The head is the campaign's record: a list of campaigns reads no journal.
        if next.campaign() != table.campaign() {
            decision.head = serde_json::to_value(next.campaign()).ok();
        }
        Decided { decision, next: Some(Arc::new(Kept(next))) }
    }
}

/// The name of what an entry brings, which leads to its campaign from then on.
fn alias(entry: &Entry) -> Option<&str> {
    let new = matches!(
        entry.fact(),
        Fact::ParticipantJoined(_) | Fact::ActorCreated(_) | Fact::SessionStarted(_)
    );
    new.then_some(&*entry.entity.id)
}

/// What `seq` names is not there; `last` is the last that is.
fn no_event(seq: u64, last: Version) -> Error {
    let error = Error::not_found(format!("event {seq} not found")).field("seq");
    error.hint(format!("there are 1 to {last}"))
}

fn no_campaign() -> Error {
    Error::not_found("campaign not found").field("campaign_id")
}

fn failed(error: ExecuteError<Stop>) -> Error {
    match error {
        ExecuteError::Rejected(Stop::Refused(refusal)) => refusal.into(),
        // Taken out by whoever prepares something; left over, it is a fault of ours.
        ExecuteError::Rejected(Stop::Moved) => StoreError::Busy.into(),
        ExecuteError::Store(error) => error.into(),
    }
}
