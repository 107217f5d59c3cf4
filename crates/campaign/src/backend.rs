//! Everything that can be asked of campaigns, whoever answers.
//!
//! Every surface asks a [`Backend`]: [`crate::Service`], which has the journal, or a client of a server elsewhere. Inputs
//! are as the caller gave them; they are judged where the answer is made, so that the same request has the same answer
//! and the same error whichever way it took.
//!
//! What is a function of its input alone (`campaign_core::duality`: outcome, explanation, odds, rules) is not asked of a
//! backend.

use std::sync::Arc;

use async_trait::async_trait;
use campaign_core::{CampaignId, ControllerInput};
use futures::stream::BoxStream;
use kit_core::Principal;
use uuid::{Uuid, fmt::Hyphenated};

use crate::{
    Error,
    wire::{
        ActionRolled, Actor, Applied, Campaign, DiceRolled, DualityRolled, Event, Events,
        Participant, Session, Table, Token, Undone, Verdict,
        input::{
            ActionRoll, DiceRoll, DualityRoll, NewActor, NewCampaign, NewNote, NewParticipant,
            SheetPatch, StatePatch,
        },
    },
};

/// Who asks, and how.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Whom the host knows.
    pub principal: Principal,
    /// The surface: `rest`, `grpc`, `mcp`, …
    pub via: Arc<str>,
    /// The participant that the caller speaks as; nobody means the table itself.
    pub participant_id: Option<String>,
    /// Proves it.
    pub participant_token: Option<String>,
    /// Stands in the journal with what follows from the request.
    pub request_id: String,
    /// The same for a whole run of an agent, if it says so.
    pub invocation_id: String,
}

impl Caller {
    /// Nobody in particular, with a fresh request id.
    pub fn new(principal: Principal, via: &str) -> Self {
        Self {
            principal,
            via: via.into(),
            participant_id: None,
            participant_token: None,
            request_id: fresh_id(),
            invocation_id: String::new(),
        }
    }

    #[must_use]
    pub fn speaking_as(mut self, participant: Option<String>, token: Option<String>) -> Self {
        (self.participant_id, self.participant_token) = (participant, token);
        self
    }
}

/// A UUID as text, without the machinery of `fmt`.
fn fresh_id() -> String {
    let mut text = [0; Hyphenated::LENGTH];
    Uuid::new_v4().hyphenated().encode_lower(&mut text).to_owned()
}

/// Which part of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageRequest {
    /// All that follows if nothing is said.
    pub limit: Option<usize>,
    /// The `next` of the part before.
    pub cursor: Option<String>,
}

/// Part of a list, in the order of creation, equal times by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Where the list goes on. Opaque, and good for this list alone.
    pub next: Option<String>,
}

/// Which part of a journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// Only what belongs to this session.
    pub session_id: Option<String>,
    /// Only entries before this one.
    pub before: Option<u64>,
    /// Only entries after this one.
    pub after: Option<u64>,
    /// 50 if nothing is said, 1000 at most.
    pub limit: Option<usize>,
}

/// Where a roll is to be written down.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    pub campaign_id: String,
    /// Any that is active, if nothing is said.
    pub session_id: Option<String>,
}

/// Something happened in some campaign.
#[derive(Debug, Clone)]
pub enum Change {
    /// What was written, without the name of who wrote it.
    Entry(Box<Event>),
    /// More than can be told one by one: read the campaign again.
    Missed { campaign_id: CampaignId },
}

/// Entries of one campaign as they are written. Ends after an error; begin again after the last seen.
pub type EventStream = BoxStream<'static, Result<Event, Error>>;
/// Changes of all campaigns as they happen.
pub type ChangeStream = BoxStream<'static, Result<Change, Error>>;

/// Whether changes are of use to anybody at the moment.
pub type Wanted = Arc<dyn Fn() -> bool + Send + Sync>;

/// Everything that can be asked. Changes are durable when they are answered.
#[async_trait]
pub trait Backend: Send + Sync + 'static {
    async fn create_campaign(&self, caller: &Caller, new: NewCampaign) -> Result<Campaign, Error>;

    async fn list_campaigns(
        &self,
        caller: &Caller,
        page: PageRequest,
    ) -> Result<Page<Campaign>, Error>;

    async fn get_campaign(&self, caller: &Caller, campaign_id: &str) -> Result<Campaign, Error>;

    async fn create_participant(
        &self,
        caller: &Caller,
        campaign_id: &str,
        new: NewParticipant,
    ) -> Result<Participant, Error>;

    async fn list_participants(
        &self,
        caller: &Caller,
        campaign_id: &str,
        page: PageRequest,
    ) -> Result<Page<Participant>, Error>;

    async fn get_participant(
        &self,
        caller: &Caller,
        campaign_id: &str,
        participant_id: &str,
    ) -> Result<Participant, Error>;

    /// Gives a participant a secret, in the place of an earlier one. It is told this once.
    async fn issue_token(
        &self,
        caller: &Caller,
        campaign_id: &str,
        participant_id: &str,
    ) -> Result<Token, Error>;

    async fn create_actor(
        &self,
        caller: &Caller,
        campaign_id: &str,
        new: NewActor,
    ) -> Result<Actor, Error>;

    async fn list_actors(
        &self,
        caller: &Caller,
        campaign_id: &str,
        page: PageRequest,
    ) -> Result<Page<Actor>, Error>;

    async fn get_actor(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
    ) -> Result<Actor, Error>;

    async fn set_control(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
        controller: ControllerInput,
    ) -> Result<Actor, Error>;

    async fn set_sheet(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
        patch: SheetPatch,
    ) -> Result<Actor, Error>;

    /// Sets Hope, Stress and hit points.
    async fn set_state(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
        patch: StatePatch,
    ) -> Result<Actor, Error>;

    /// Sets the GM's Fear; gives what it is now.
    async fn set_fear(&self, caller: &Caller, campaign_id: &str, fear: i64) -> Result<i64, Error>;

    async fn start_session(
        &self,
        caller: &Caller,
        campaign_id: &str,
        name: &str,
    ) -> Result<Session, Error>;

    /// Ends the session that is being played, unless one is named. One that has ended stays as it is.
    async fn end_session(
        &self,
        caller: &Caller,
        campaign_id: &str,
        session_id: Option<String>,
    ) -> Result<Session, Error>;

    async fn list_sessions(
        &self,
        caller: &Caller,
        campaign_id: &str,
        page: PageRequest,
    ) -> Result<Page<Session>, Error>;

    async fn get_session(
        &self,
        caller: &Caller,
        campaign_id: &str,
        session_id: &str,
    ) -> Result<Session, Error>;

    /// Gives the entry that the note is.
    async fn add_note(
        &self,
        caller: &Caller,
        campaign_id: &str,
        note: NewNote,
    ) -> Result<Event, Error>;

    /// With a place whose session is active, the roll is written down and has a `roll_seq`; else it is only rolled.
    async fn roll_duality(
        &self,
        caller: &Caller,
        place: Option<Place>,
        roll: DualityRoll,
    ) -> Result<DualityRolled, Error>;

    /// With a place whose session is active, the roll is written down and has a `roll_seq`; else it is only rolled.
    async fn roll_dice(
        &self,
        caller: &Caller,
        place: Option<Place>,
        roll: DiceRoll,
    ) -> Result<DiceRolled, Error>;

    /// An actor's roll, in an active session alone.
    async fn roll_action(
        &self,
        caller: &Caller,
        campaign_id: &str,
        roll: ActionRoll,
    ) -> Result<ActionRolled, Error>;

    /// `targets`: ids of actors; none are the one that rolled.
    async fn apply_outcome(
        &self,
        caller: &Caller,
        campaign_id: &str,
        roll_seq: u64,
        targets: Vec<String>,
    ) -> Result<Applied, Error>;

    /// The whole table, as it is or as it was right after an entry.
    async fn table(
        &self,
        caller: &Caller,
        campaign_id: &str,
        seq: Option<u64>,
    ) -> Result<Table, Error>;

    /// The newest first.
    async fn events(
        &self,
        caller: &Caller,
        campaign_id: &str,
        query: EventQuery,
    ) -> Result<Events, Error>;

    /// Every entry after `after`, in order, each once: those that are there, then those that come.
    async fn watch(
        &self,
        caller: &Caller,
        campaign_id: &str,
        after: u64,
    ) -> Result<EventStream, Error>;

    /// What happens in all campaigns from now on.
    async fn watch_all(&self, caller: &Caller) -> Result<ChangeStream, Error>;

    /// The same for somebody who does not always care: what happens while `wanted` says no may be left out.
    async fn watch_while(&self, caller: &Caller, wanted: Wanted) -> Result<ChangeStream, Error> {
        drop(wanted);
        self.watch_all(caller).await
    }

    /// Undoes an entry, or the latest that can be undone.
    async fn undo(
        &self,
        caller: &Caller,
        campaign_id: &str,
        seq: Option<u64>,
    ) -> Result<Undone, Error>;

    /// Makes a campaign with the same history, up to an entry.
    async fn fork(
        &self,
        caller: &Caller,
        campaign_id: &str,
        seq: Option<u64>,
        name: Option<String>,
    ) -> Result<Campaign, Error>;

    /// Walks the journal and says whether it is as it was written.
    async fn verify(&self, caller: &Caller, campaign_id: &str) -> Result<Verdict, Error>;

    /// The campaign that a participant, an actor or a session belongs to.
    async fn owner_of(&self, caller: &Caller, id: &str) -> Result<Option<CampaignId>, Error>;
}
