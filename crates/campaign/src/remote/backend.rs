//! Every question, put to the other side.

use async_trait::async_trait;
use campaign_core::{
    ActorKind, CampaignId, Code, Controller, ControllerInput, DiceSpec, GmMode, Role, RollMode,
    Trait, dice,
    duality::{self, Advantage},
};
use campaign_proto::{campaign::v1 as pb, duality::v1 as rolls, session::v1 as sessions};

use super::{
    Remote,
    list::Gathering,
    read::{all, needed},
    watch,
    words::Words,
};
use crate::{
    Backend, Caller, ChangeStream, Error, EventQuery, EventStream, Page, PageRequest, Place,
    wire::{
        ActionRolled, Actor, Applied, Campaign, DiceRolled, DualityRolled, Event, Events,
        Participant, Session, Table, Token, Undone, Verdict,
        input::{
            ActionRoll, DiceRoll, DualityRoll, NewActor, NewCampaign, NewNote, NewParticipant, Rng,
            SheetPatch, StatePatch,
        },
    },
};

#[async_trait]
impl Backend for Remote {
    async fn create_campaign(&self, caller: &Caller, new: NewCampaign) -> Result<Campaign, Error> {
        let mut words = Words::default();
        let message = pb::CreateCampaignRequest {
            gm_mode: words.number::<GmMode>(&new.gm_mode, "gm_mode"),
            name: new.name,
            theme_prompt: new.theme_prompt,
        };
        let ask = async |request| self.campaigns().create_campaign(request).await;
        let answer = self.call(caller, message, ask).await;
        let answer = answer.map_err(|error| words.restored(error))?;
        needed(answer.campaign, "campaign")?.try_into()
    }

    async fn list_campaigns(
        &self,
        caller: &Caller,
        page: PageRequest,
    ) -> Result<Page<Campaign>, Error> {
        let mut list = Gathering::new(page);
        while let Some((page_size, page_token)) = list.wanted() {
            let message = pb::ListCampaignsRequest { page_size, page_token };
            let ask = async |request| self.campaigns().list_campaigns(request).await;
            let answer = self.call(caller, message, ask).await?;
            list.add(all(answer.campaigns)?, answer.next_page_token);
        }
        Ok(list.finish())
    }

    async fn get_campaign(&self, caller: &Caller, campaign_id: &str) -> Result<Campaign, Error> {
        let message = pb::GetCampaignRequest { campaign_id: campaign_id.to_owned() };
        let ask = async |request| self.campaigns().get_campaign(request).await;
        let answer = self.call(caller, message, ask).await?;
        needed(answer.campaign, "campaign")?.try_into()
    }

    async fn create_participant(
        &self,
        caller: &Caller,
        campaign_id: &str,
        new: NewParticipant,
    ) -> Result<Participant, Error> {
        let mut words = Words::default();
        let message = pb::CreateParticipantRequest {
            campaign_id: campaign_id.to_owned(),
            display_name: new.display_name,
            role: words.number::<Role>(&new.role, "role"),
            controller: words.number::<Controller>(&new.controller, "controller"),
        };
        let ask = async |request| self.campaigns().create_participant(request).await;
        let answer = self.call(caller, message, ask).await;
        let answer = answer.map_err(|error| words.restored(error))?;
        needed(answer.participant, "participant")?.try_into()
    }

    async fn list_participants(
        &self,
        caller: &Caller,
        campaign_id: &str,
        page: PageRequest,
    ) -> Result<Page<Participant>, Error> {
        let mut list = Gathering::new(page);
        while let Some((page_size, page_token)) = list.wanted() {
            let campaign_id = campaign_id.to_owned();
            let message = pb::ListParticipantsRequest { campaign_id, page_size, page_token };
            let ask = async |request| self.campaigns().list_participants(request).await;
            let answer = self.call(caller, message, ask).await?;
            list.add(all(answer.participants)?, answer.next_page_token);
        }
        Ok(list.finish())
    }

    async fn get_participant(
        &self,
        caller: &Caller,
        campaign_id: &str,
        participant_id: &str,
    ) -> Result<Participant, Error> {
        let (campaign_id, participant_id) = (campaign_id.to_owned(), participant_id.to_owned());
        let message = pb::GetParticipantRequest { campaign_id, participant_id };
        let ask = async |request| self.campaigns().get_participant(request).await;
        let answer = self.call(caller, message, ask).await?;
        needed(answer.participant, "participant")?.try_into()
    }

    async fn issue_token(
        &self,
        caller: &Caller,
        campaign_id: &str,
        participant_id: &str,
    ) -> Result<Token, Error> {
        let (campaign_id, participant_id) = (campaign_id.to_owned(), participant_id.to_owned());
        let message = pb::IssueParticipantTokenRequest { campaign_id, participant_id };
        let ask = async |request| self.campaigns().issue_participant_token(request).await;
        let answer = self.call(caller, message, ask).await?;
        Ok(Token { participant_id: answer.participant_id, token: answer.token })
    }

    async fn create_actor(
        &self,
        caller: &Caller,
        campaign_id: &str,
        new: NewActor,
    ) -> Result<Actor, Error> {
        let mut words = Words::default();
        let message = pb::CreateActorRequest {
            campaign_id: campaign_id.to_owned(),
            kind: words.number::<ActorKind>(&new.kind, "kind"),
            name: new.name,
            notes: new.notes,
        };
        let ask = async |request| self.campaigns().create_actor(request).await;
        let answer = self.call(caller, message, ask).await;
        actor(answer.map_err(|error| words.restored(error))?.actor)
    }

    async fn list_actors(
        &self,
        caller: &Caller,
        campaign_id: &str,
        page: PageRequest,
    ) -> Result<Page<Actor>, Error> {
        let mut list = Gathering::new(page);
        while let Some((page_size, page_token)) = list.wanted() {
            let campaign_id = campaign_id.to_owned();
            let message = pb::ListActorsRequest { campaign_id, page_size, page_token };
            let ask = async |request| self.campaigns().list_actors(request).await;
            let answer = self.call(caller, message, ask).await?;
            list.add(all(answer.actors)?, answer.next_page_token);
        }
        Ok(list.finish())
    }

    async fn get_actor(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
    ) -> Result<Actor, Error> {
        let (campaign_id, actor_id) = (campaign_id.to_owned(), actor_id.to_owned());
        let message = pb::GetActorRequest { campaign_id, actor_id };
        let ask = async |request| self.campaigns().get_actor(request).await;
        actor(self.call(caller, message, ask).await?.actor)
    }

    async fn set_control(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
        who: ControllerInput,
    ) -> Result<Actor, Error> {
        let message = pb::SetDefaultControlRequest {
            campaign_id: campaign_id.to_owned(),
            actor_id: actor_id.to_owned(),
            controller: controller(who),
        };
        let ask = async |request| self.campaigns().set_default_control(request).await;
        actor(self.call(caller, message, ask).await?.actor)
    }

    async fn set_sheet(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
        patch: SheetPatch,
    ) -> Result<Actor, Error> {
        let mut words = Words::default();
        let traits = patch.traits.iter().map(|(name, value)| pb::TraitValue {
            r#trait: words.number::<Trait>(name, "traits"),
            value: *value,
        });
        let sheet = pb::SheetChange {
            traits: traits.collect(),
            hp_max: patch.hp_max,
            stress_max: patch.stress_max,
            evasion: patch.evasion,
            major_threshold: patch.major_threshold,
            severe_threshold: patch.severe_threshold,
        };
        let (campaign_id, actor_id) = (campaign_id.to_owned(), actor_id.to_owned());
        let message = pb::SetActorSheetRequest { campaign_id, actor_id, sheet: Some(sheet) };
        let ask = async |request| self.campaigns().set_actor_sheet(request).await;
        let answer = self.call(caller, message, ask).await;
        actor(answer.map_err(|error| words.restored(error))?.actor)
    }

    async fn set_state(
        &self,
        caller: &Caller,
        campaign_id: &str,
        actor_id: &str,
        patch: StatePatch,
    ) -> Result<Actor, Error> {
        let StatePatch { hope, stress, hp } = patch;
        let (campaign_id, actor_id) = (campaign_id.to_owned(), actor_id.to_owned());
        let message = pb::SetActorStateRequest { campaign_id, actor_id, hope, stress, hp };
        let ask = async |request| self.campaigns().set_actor_state(request).await;
        actor(self.call(caller, message, ask).await?.actor)
    }

    async fn set_fear(&self, caller: &Caller, campaign_id: &str, fear: i64) -> Result<i64, Error> {
        let message = pb::SetGmFearRequest { campaign_id: campaign_id.to_owned(), fear };
        let ask = async |request| self.campaigns().set_gm_fear(request).await;
        Ok(self.call(caller, message, ask).await?.gm_fear.into())
    }

    async fn start_session(
        &self,
        caller: &Caller,
        campaign_id: &str,
        name: &str,
    ) -> Result<Session, Error> {
        let (campaign_id, name) = (campaign_id.to_owned(), name.to_owned());
        let message = sessions::StartSessionRequest { campaign_id, name };
        let ask = async |request| self.sessions().start_session(request).await;
        session(self.call(caller, message, ask).await?.session)
    }

    async fn end_session(
        &self,
        caller: &Caller,
        campaign_id: &str,
        session_id: Option<String>,
    ) -> Result<Session, Error> {
        let campaign_id = campaign_id.to_owned();
        let message = sessions::EndSessionRequest { campaign_id, session_id };
        let ask = async |request| self.sessions().end_session(request).await;
        session(self.call(caller, message, ask).await?.session)
    }

    async fn list_sessions(
        &self,
        caller: &Caller,
        campaign_id: &str,
        page: PageRequest,
    ) -> Result<Page<Session>, Error> {
        let mut list = Gathering::new(page);
        while let Some((page_size, page_token)) = list.wanted() {
            let campaign_id = campaign_id.to_owned();
            let message = sessions::ListSessionsRequest { campaign_id, page_size, page_token };
            let ask = async |request| self.sessions().list_sessions(request).await;
            let answer = self.call(caller, message, ask).await?;
            list.add(all(answer.sessions)?, answer.next_page_token);
        }
        Ok(list.finish())
    }

    async fn get_session(
        &self,
        caller: &Caller,
        campaign_id: &str,
        session_id: &str,
    ) -> Result<Session, Error> {
        let (campaign_id, session_id) = (campaign_id.to_owned(), session_id.to_owned());
        let message = sessions::GetSessionRequest { campaign_id, session_id };
        let ask = async |request| self.sessions().get_session(request).await;
        session(self.call(caller, message, ask).await?.session)
    }

    async fn add_note(
        &self,
        caller: &Caller,
        campaign_id: &str,
        note: NewNote,
    ) -> Result<Event, Error> {
        let NewNote { text, session_id } = note;
        let message = pb::AddNoteRequest { campaign_id: campaign_id.to_owned(), text, session_id };
        let ask = async |request| self.campaigns().add_note(request).await;
        needed(self.call(caller, message, ask).await?.event, "event")?.try_into()
    }

    async fn roll_duality(
        &self,
        caller: &Caller,
        place: Option<Place>,
        roll: DualityRoll,
    ) -> Result<DualityRolled, Error> {
        let modifier = i32::try_from(roll.modifier);
        let difficulty = roll.difficulty.map(i32::try_from).transpose();
        let (Ok(modifier), Ok(difficulty)) = (modifier, difficulty) else {
            return Err(too_large(duality::check(roll.modifier, roll.difficulty)));
        };
        let mut words = Words::default();
        let (campaign_id, session_id) = placed(place);
        let message = rolls::ActionRollRequest {
            modifier,
            difficulty,
            rng: roll.rng.as_ref().map(|rng| rng_input(rng, &mut words)),
            advantage: words
                .number::<Advantage>(roll.advantage.as_deref().unwrap_or_default(), "advantage"),
            campaign_id,
            session_id,
        };
        let ask = async |request| self.duality().action_roll(request).await;
        let answer = self.call(caller, message, ask).await;
        answer.map_err(|error| words.restored(error))?.try_into()
    }

    async fn roll_dice(
        &self,
        caller: &Caller,
        place: Option<Place>,
        roll: DiceRoll,
    ) -> Result<DiceRolled, Error> {
        let spec = |dice: &crate::wire::input::Dice| {
            let (sides, count) = (dice.sides.try_into().ok()?, dice.count.try_into().ok()?);
            Some(rolls::DiceSpec { sides, count })
        };
        let Some(dice) = roll.dice.iter().map(spec).collect() else {
            let specs: Vec<_> = roll.dice.into_iter().map(DiceSpec::from).collect();
            return Err(too_large(dice::check(&specs)));
        };
        let mut words = Words::default();
        let (campaign_id, session_id) = placed(place);
        let rng = roll.rng.as_ref().map(|rng| rng_input(rng, &mut words));
        let message = rolls::RollDiceRequest { dice, rng, campaign_id, session_id };
        let ask = async |request| self.duality().roll_dice(request).await;
        let answer = self.call(caller, message, ask).await;
        answer.map_err(|error| words.restored(error))?.try_into()
    }

    async fn roll_action(
        &self,
        caller: &Caller,
        campaign_id: &str,
        roll: ActionRoll,
    ) -> Result<ActionRolled, Error> {
        let mut words = Words::default();
        let modifiers = roll
            .modifiers
            .into_iter()
            .map(|one| sessions::Modifier { source: one.source, value: one.value });
        let message = sessions::ActionRollRequest {
            campaign_id: campaign_id.to_owned(),
            session_id: roll.session_id,
            actor_id: roll.actor_id,
            r#trait: words.number::<Trait>(&roll.trait_name, "trait"),
            difficulty: roll.difficulty,
            modifiers: modifiers.collect(),
            advantage: words
                .number::<Advantage>(roll.advantage.as_deref().unwrap_or_default(), "advantage"),
            rng: roll.rng.as_ref().map(|rng| rng_input(rng, &mut words)),
        };
        let ask = async |request| self.sessions().action_roll(request).await;
        let answer = self.call(caller, message, ask).await;
        answer.map_err(|error| words.restored(error))?.try_into()
    }

    async fn apply_outcome(
        &self,
        caller: &Caller,
        campaign_id: &str,
        roll_seq: u64,
        targets: Vec<String>,
    ) -> Result<Applied, Error> {
        let campaign_id = campaign_id.to_owned();
        let message = sessions::ApplyRollOutcomeRequest { campaign_id, roll_seq, targets };
        let ask = async |request| self.sessions().apply_roll_outcome(request).await;
        Ok(self.call(caller, message, ask).await?.into())
    }

    async fn table(
        &self,
        caller: &Caller,
        campaign_id: &str,
        seq: Option<u64>,
    ) -> Result<Table, Error> {
        let message = pb::GetTableRequest { campaign_id: campaign_id.to_owned(), seq };
        let ask = async |request| self.campaigns().get_table(request).await;
        needed(self.call(caller, message, ask).await?.table, "table")?.try_into()
    }

    async fn events(
        &self,
        caller: &Caller,
        campaign_id: &str,
        query: EventQuery,
    ) -> Result<Events, Error> {
        let EventQuery { session_id, before, after, limit } = query;
        let limit = limit.map(|limit| u32::try_from(limit).unwrap_or(u32::MAX));
        let campaign_id = campaign_id.to_owned();
        let message = pb::ListEventsRequest { campaign_id, session_id, before, after, limit };
        let ask = async |request| self.campaigns().list_events(request).await;
        self.call(caller, message, ask).await?.try_into()
    }

    async fn watch(
        &self,
        caller: &Caller,
        campaign_id: &str,
        after: u64,
    ) -> Result<EventStream, Error> {
        watch::events(self, caller, campaign_id, after).await
    }

    async fn watch_all(&self, caller: &Caller) -> Result<ChangeStream, Error> {
        watch::changes(self, caller).await
    }

    async fn undo(
        &self,
        caller: &Caller,
        campaign_id: &str,
        seq: Option<u64>,
    ) -> Result<Undone, Error> {
        let message = pb::UndoRequest { campaign_id: campaign_id.to_owned(), seq };
        let ask = async |request| self.campaigns().undo(request).await;
        self.call(caller, message, ask).await?.try_into()
    }

    async fn fork(
        &self,
        caller: &Caller,
        campaign_id: &str,
        seq: Option<u64>,
        name: Option<String>,
    ) -> Result<Campaign, Error> {
        let message = pb::ForkRequest { campaign_id: campaign_id.to_owned(), seq, name };
        let ask = async |request| self.campaigns().fork(request).await;
        needed(self.call(caller, message, ask).await?.campaign, "campaign")?.try_into()
    }

    async fn verify(&self, caller: &Caller, campaign_id: &str) -> Result<Verdict, Error> {
        let message = pb::VerifyRequest { campaign_id: campaign_id.to_owned() };
        let ask = async |request| self.campaigns().verify(request).await;
        Ok(self.call(caller, message, ask).await?.into())
    }

    async fn owner_of(&self, caller: &Caller, id: &str) -> Result<Option<CampaignId>, Error> {
        let message = pb::FindOwnerRequest { id: id.to_owned() };
        let ask = async |request| self.campaigns().find_owner(request).await;
        match self.call(caller, message, ask).await {
            Ok(answer) => Ok(Some(answer.campaign_id.into())),
            Err(error) if error.code == Code::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn actor(answer: Option<pb::Actor>) -> Result<Actor, Error> {
    needed(answer, "actor")?.try_into()
}

fn session(answer: Option<sessions::Session>) -> Result<Session, Error> {
    needed(answer, "session")?.try_into()
}

fn controller(who: ControllerInput) -> Option<pb::ActorController> {
    use pb::actor_controller::Controller;

    let gm = || Controller::Gm(pb::GmController {});
    let participant =
        |participant_id| Controller::Participant(pb::ParticipantController { participant_id });
    let controller = match who {
        ControllerInput::Missing => return None,
        ControllerInput::Neither => None,
        ControllerInput::Gm => Some(gm()),
        ControllerInput::Participant(id) => Some(participant(id)),
        ControllerInput::Text(text) => match text.trim() {
            "" => return None,
            word if word.eq_ignore_ascii_case("GM") => Some(gm()),
            _ => Some(participant(text)),
        },
    };
    Some(pb::ActorController { controller })
}

fn placed(place: Option<Place>) -> (Option<String>, Option<String>) {
    match place {
        Some(place) => (Some(place.campaign_id), place.session_id),
        None => (None, None),
    }
}

fn rng_input(rng: &Rng, words: &mut Words) -> rolls::Rng {
    let roll_mode = words.if_any::<RollMode>(rng.roll_mode.as_deref(), "roll_mode");
    rolls::Rng { seed: rng.seed, roll_mode }
}

/// What the core says of numbers that protobuf has no room for.
fn too_large(checked: Result<(), campaign_core::Refusal>) -> Error {
    let unsaid = || Error::invalid("a number does not fit 32 bits");
    checked.err().map_or_else(unsaid, Into::into)
}
