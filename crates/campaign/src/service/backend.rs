//! What can be asked, each a command or a look at a table.

use std::sync::Arc;

use async_trait::async_trait;
use campaign_core::{
    self as core, ActorId, CampaignId, Command, ControllerInput, ParticipantId, SessionId, Table,
    token,
};
use kit_store::Version;

use super::{Changed, Service, failed, journal::event, list, no_campaign, no_event};
use crate::{
    Backend, Caller, Error,
    backend::{ChangeStream, EventQuery, EventStream, Page, PageRequest, Place, Wanted},
    wire::{self, input},
};

#[async_trait]
impl Backend for Service {
    async fn create_campaign(
        &self,
        caller: &Caller,
        new: input::NewCampaign,
    ) -> Result<wire::Campaign, Error> {
        let id = CampaignId::from(self.random.id(CampaignId::PREFIX));
        let input::NewCampaign { name, gm_mode, theme_prompt } = new;
        let command = Command::CreateCampaign { name, gm_mode, theme_prompt };
        let judge = |table: &Table, who: &core::Caller| self.decide(table, &command, who);
        let changed = self.change(caller, &id, judge).await.map_err(failed)?;
        tracing::info!(campaign = %id, "created");
        changed.table.campaign().map(Into::into).ok_or_else(no_campaign)
    }

    async fn list_campaigns(
        &self,
        _: &Caller,
        page: PageRequest,
    ) -> Result<Page<wire::Campaign>, Error> {
        self.campaigns(&page).await
    }

    async fn get_campaign(&self, _: &Caller, campaign_id: &str) -> Result<wire::Campaign, Error> {
        let (_, live) = self.load(campaign_id).await?;
        live.0.campaign().map(Into::into).ok_or_else(no_campaign)
    }

    async fn create_participant(
        &self,
        caller: &Caller,
        campaign_id: &str,
        new: input::NewParticipant,
    ) -> Result<wire::Participant, Error> {
        let input::NewParticipant { display_name, role, controller } = new;
        let command = Command::CreateParticipant { display_name, role, controller };
        let changed = self.command(caller, campaign_id, command).await?;
        participant(&changed.campaign, &changed.table, changed.about().unwrap_or_default())
    }

    async fn list_participants(
        &self,
        _: &Caller,
        campaign_id: &str,
        page: PageRequest,
    ) -> Result<Page<wire::Participant>, Error> {
        let (id, live) = self.load(campaign_id).await?;
        list::participants(&id, &live.0, &page)
    }

    async fn get_participant(
        &self,
        _: &Caller,
        campaign_id: &str,
        participant_id: &str,
    ) -> Result<wire::Participant, Error> {
        CampaignId::required(campaign_id)?;
        let named = required(participant_id, "participant_id", "participant id is required")?;
        let (id, live) = self.load(campaign_id).await?;
        participant(&id, &live.0, named)
    }

    async fn issue_token(
        &self,
        caller: &Caller,
        campaign_id: &str,
        participant_id: &str,
    ) -> Result<wire::Token, Error> {
        let token = self.random.token();
        let command = Command::IssueToken {
            participant_id: participant_id.to_owned(),
            token_hash: token::hash(&token),
        };
        let changed = self.command(caller, campaign_id, command).await?;
        let participant_id = changed.about().unwrap_or(participant_id).to_owned();
        Ok(wire::Token { participant_id, token })
    }

    async fn create_actor(
        &self,
        caller: &Caller,
        campaign_id: &str,
        new: input::NewActor,
    ) -> Result<wire::Actor, Error> {
        let input::NewActor { name, kind, notes } = new;
        let command = Command::CreateActor { name, kind, notes };
        self.actor_after(caller, campaign_id, "", command).await
    }

    async fn list_actors(
        &self,
        _: &Caller,
        campaign_id: &str,
        page: PageRequest,
    ) -> Result<Page<wire::Actor>, Error> {
        let (id, live) = self.load(campaign_id).await?;
        list::actors(&id, &live.0, &page)
    }

    async fn get_actor(
        &self,
        _: &Caller,
        campaign_id: &str,
        actor_id: &str,
    ) -> Result<wire::Actor, Error> {
        CampaignId::required(campaign_id)?;
        let named = required(actor_id, "actor_id", "actor id is required")?;
        let (id, live) = self.load(campaign_id).await?;
        actor(&id, &live.0, named)
    }

    async fn set_control(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
        controller: ControllerInput,
    ) -> Result<wire::Actor, Error> {
        let command = Command::SetControl { actor_id: actor_id.to_owned(), controller };
        self.actor_after(caller, campaign_id, actor_id, command).await
    }

    async fn set_sheet(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
        patch: input::SheetPatch,
    ) -> Result<wire::Actor, Error> {
        let command = Command::SetSheet { actor_id: actor_id.to_owned(), sheet: patch.into() };
        self.actor_after(caller, campaign_id, actor_id, command).await
    }

    async fn set_state(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
        patch: input::StatePatch,
    ) -> Result<wire::Actor, Error> {
        let command = Command::SetState { actor_id: actor_id.to_owned(), vitals: patch.into() };
        self.actor_after(caller, campaign_id, actor_id, command).await
    }

    async fn set_fear(&self, caller: &Caller, campaign_id: &str, fear: i64) -> Result<i64, Error> {
        let changed = self.command(caller, campaign_id, Command::SetFear { fear }).await?;
        Ok(changed.table.gm_fear())
    }

    async fn start_session(
        &self,
        caller: &Caller,
        campaign_id: &str,
        name: &str,
    ) -> Result<wire::Session, Error> {
        let command = Command::StartSession { name: name.to_owned() };
        let changed = self.command(caller, campaign_id, command).await?;
        session(&changed.campaign, &changed.table, changed.about().unwrap_or_default())
    }

    async fn end_session(
        &self,
        caller: &Caller,
        campaign_id: &str,
        session_id: Option<String>,
    ) -> Result<wire::Session, Error> {
        let command = Command::EndSession { session_id: session_id.clone() };
        let changed = self.command(caller, campaign_id, command).await?;
        // One that had ended before has no entry.
        let id = changed.about().or(session_id.as_deref()).unwrap_or_default();
        session(&changed.campaign, &changed.table, id)
    }

    async fn list_sessions(
        &self,
        _: &Caller,
        campaign_id: &str,
        page: PageRequest,
    ) -> Result<Page<wire::Session>, Error> {
        let (id, live) = self.load(campaign_id).await?;
        list::sessions(&id, &live.0, &page)
    }

    async fn get_session(
        &self,
        _: &Caller,
        campaign_id: &str,
        session_id: &str,
    ) -> Result<wire::Session, Error> {
        CampaignId::required(campaign_id)?;
        let named = required(session_id, "session_id", "session id is required")?;
        let (id, live) = self.load(campaign_id).await?;
        session(&id, &live.0, named)
    }

    async fn add_note(
        &self,
        caller: &Caller,
        campaign_id: &str,
        note: input::NewNote,
    ) -> Result<wire::Event, Error> {
        let input::NewNote { text, session_id } = note;
        let changed =
            self.command(caller, campaign_id, Command::AddNote { text, session_id }).await?;
        let entry = changed.entries.first().ok_or_else(no_campaign)?;
        Ok(event(&changed.campaign, entry, &changed.table))
    }

    async fn roll_duality(
        &self,
        caller: &Caller,
        place: Option<Place>,
        roll: input::DualityRoll,
    ) -> Result<wire::DualityRolled, Error> {
        self.duality(caller, place, roll).await
    }

    async fn roll_dice(
        &self,
        caller: &Caller,
        place: Option<Place>,
        roll: input::DiceRoll,
    ) -> Result<wire::DiceRolled, Error> {
        self.dice(caller, place, roll).await
    }

    async fn roll_action(
        &self,
        caller: &Caller,
        campaign_id: &str,
        roll: input::ActionRoll,
    ) -> Result<wire::ActionRolled, Error> {
        self.action(caller, campaign_id, roll).await
    }

    async fn apply_outcome(
        &self,
        caller: &Caller,
        campaign_id: &str,
        roll_seq: u64,
        targets: Vec<String>,
    ) -> Result<wire::Applied, Error> {
        self.outcome(caller, campaign_id, roll_seq, targets).await
    }

    async fn table(
        &self,
        _: &Caller,
        campaign_id: &str,
        seq: Option<u64>,
    ) -> Result<wire::Table, Error> {
        let (id, live) = self.load(campaign_id).await?;
        let Some(seq) = seq else { return list::table(&id, &live.0) };
        let then = self.tables.load_at(id.as_str(), Version(seq)).await?;
        list::table(&id, &then.ok_or_else(|| no_event(seq, live.version))?.0)
    }

    async fn events(
        &self,
        _: &Caller,
        campaign_id: &str,
        query: EventQuery,
    ) -> Result<wire::Events, Error> {
        self.page_of_events(campaign_id, query).await
    }

    async fn watch(&self, _: &Caller, campaign_id: &str, after: u64) -> Result<EventStream, Error> {
        self.follow(campaign_id, after).await
    }

    async fn watch_all(&self, _: &Caller) -> Result<ChangeStream, Error> {
        Ok(self.follow_all(Arc::new(|| true)))
    }

    async fn watch_while(&self, _: &Caller, wanted: Wanted) -> Result<ChangeStream, Error> {
        Ok(self.follow_all(wanted))
    }

    async fn undo(
        &self,
        caller: &Caller,
        campaign_id: &str,
        seq: Option<u64>,
    ) -> Result<wire::Undone, Error> {
        self.take_back(caller, campaign_id, seq).await
    }

    async fn fork(
        &self,
        caller: &Caller,
        campaign_id: &str,
        seq: Option<u64>,
        name: Option<String>,
    ) -> Result<wire::Campaign, Error> {
        self.branch(caller, campaign_id, seq, name).await
    }

    async fn verify(&self, _: &Caller, campaign_id: &str) -> Result<wire::Verdict, Error> {
        self.check(&CampaignId::required(campaign_id)?).await
    }

    async fn owner_of(&self, _: &Caller, id: &str) -> Result<Option<CampaignId>, Error> {
        let stream = self.tables.find(id.trim()).await?;
        Ok(stream.map(|stream| stream.id().into()))
    }
}

impl Changed {
    /// The id of what the first entry is about.
    fn about(&self) -> Option<&str> {
        self.entries.first().map(|entry| &*entry.entity.id)
    }
}

impl Service {
    /// Runs a command and shows the actor that it is about: the one that was named, or the new one.
    async fn actor_after(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
        command: Command,
    ) -> Result<wire::Actor, Error> {
        let changed = self.command(caller, campaign_id, command).await?;
        let id = changed.about().unwrap_or(actor_id);
        actor(&changed.campaign, &changed.table, id)
    }
}

fn participant(campaign: &CampaignId, table: &Table, id: &str) -> Result<wire::Participant, Error> {
    table
        .participant(&ParticipantId::from(id.trim()))
        .map(|found| wire::Participant::of(campaign, found))
        .ok_or_else(|| Error::not_found("participant not found").field("participant_id"))
}

fn actor(campaign: &CampaignId, table: &Table, id: &str) -> Result<wire::Actor, Error> {
    table
        .actor(&ActorId::from(id.trim()))
        .map(|found| wire::Actor::of(campaign, found))
        .ok_or_else(|| Error::not_found("actor not found").field("actor_id"))
}

fn session(campaign: &CampaignId, table: &Table, id: &str) -> Result<wire::Session, Error> {
    table
        .session(&SessionId::from(id.trim()))
        .map(|found| wire::Session::of(campaign, found))
        .ok_or_else(|| Error::not_found("session not found").field("session_id"))
}

fn required<'a>(
    text: &'a str,
    field: &'static str,
    message: &'static str,
) -> Result<&'a str, Error> {
    let text = text.trim();
    if text.is_empty() { Err(Error::invalid(message).field(field)) } else { Ok(text) }
}
