//! `campaign.v1.CampaignService`.

use std::sync::Arc;

use campaign_core::{ActorKind, Controller, ControllerInput, GmMode, Role, Trait};
use campaign_proto::campaign::v1::{self as pb, campaign_service_server::CampaignService};
use futures::StreamExt as _;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, codegen::BoxStream};

use super::{answer, asked, page, until, word::text};
use crate::{
    Backend, Change, Error, EventQuery,
    wire::input::{NewActor, NewCampaign, NewNote, NewParticipant, SheetPatch, StatePatch},
};

pub(super) struct Campaigns {
    pub(super) backend: Arc<dyn Backend>,
    pub(super) stop: CancellationToken,
}

#[tonic::async_trait]
impl CampaignService for Campaigns {
    async fn create_campaign(
        &self,
        request: Request<pb::CreateCampaignRequest>,
    ) -> Result<Response<pb::CreateCampaignResponse>, Status> {
        let (caller, pb::CreateCampaignRequest { name, gm_mode, theme_prompt }) = asked(request);
        let new = NewCampaign { name, gm_mode: text::<GmMode>(gm_mode), theme_prompt };
        let campaign = self.backend.create_campaign(&caller, new).await?;
        answer(pb::CreateCampaignResponse { campaign: Some(campaign.into()), warnings: Vec::new() })
    }

    async fn list_campaigns(
        &self,
        request: Request<pb::ListCampaignsRequest>,
    ) -> Result<Response<pb::ListCampaignsResponse>, Status> {
        let (caller, asked) = asked(request);
        let wanted = page::request(asked.page_size, asked.page_token);
        let part = self.backend.list_campaigns(&caller, wanted).await?;
        let (campaigns, next_page_token) = page::split(part);
        answer(pb::ListCampaignsResponse { campaigns, next_page_token })
    }

    async fn get_campaign(
        &self,
        request: Request<pb::GetCampaignRequest>,
    ) -> Result<Response<pb::GetCampaignResponse>, Status> {
        let (caller, asked) = asked(request);
        let campaign = self.backend.get_campaign(&caller, &asked.campaign_id).await?;
        answer(pb::GetCampaignResponse { campaign: Some(campaign.into()) })
    }

    async fn create_participant(
        &self,
        request: Request<pb::CreateParticipantRequest>,
    ) -> Result<Response<pb::CreateParticipantResponse>, Status> {
        let (caller, asked) = asked(request);
        let new = NewParticipant {
            display_name: asked.display_name,
            role: text::<Role>(asked.role),
            controller: text::<Controller>(asked.controller),
        };
        let participant = self.backend.create_participant(&caller, &asked.campaign_id, new).await?;
        answer(pb::CreateParticipantResponse { participant: Some(participant.into()) })
    }

    async fn list_participants(
        &self,
        request: Request<pb::ListParticipantsRequest>,
    ) -> Result<Response<pb::ListParticipantsResponse>, Status> {
        let (caller, asked) = asked(request);
        let wanted = page::request(asked.page_size, asked.page_token);
        let part = self.backend.list_participants(&caller, &asked.campaign_id, wanted).await;
        let (participants, next_page_token) = page::split(part?);
        answer(pb::ListParticipantsResponse { participants, next_page_token })
    }

    async fn get_participant(
        &self,
        request: Request<pb::GetParticipantRequest>,
    ) -> Result<Response<pb::GetParticipantResponse>, Status> {
        let (caller, pb::GetParticipantRequest { campaign_id, participant_id }) = asked(request);
        let participant =
            self.backend.get_participant(&caller, &campaign_id, &participant_id).await?;
        answer(pb::GetParticipantResponse { participant: Some(participant.into()) })
    }

    async fn create_actor(
        &self,
        request: Request<pb::CreateActorRequest>,
    ) -> Result<Response<pb::CreateActorResponse>, Status> {
        let (caller, asked) = asked(request);
        let pb::CreateActorRequest { campaign_id, name, kind, notes } = asked;
        let new = NewActor { name, kind: text::<ActorKind>(kind), notes };
        let actor = self.backend.create_actor(&caller, &campaign_id, new).await?;
        answer(pb::CreateActorResponse { actor: Some(actor.into()) })
    }

    async fn list_actors(
        &self,
        request: Request<pb::ListActorsRequest>,
    ) -> Result<Response<pb::ListActorsResponse>, Status> {
        let (caller, asked) = asked(request);
        let wanted = page::request(asked.page_size, asked.page_token);
        let part = self.backend.list_actors(&caller, &asked.campaign_id, wanted).await;
        let (actors, next_page_token) = page::split(part?);
        answer(pb::ListActorsResponse { actors, next_page_token })
    }

    async fn get_actor(
        &self,
        request: Request<pb::GetActorRequest>,
    ) -> Result<Response<pb::GetActorResponse>, Status> {
        let (caller, pb::GetActorRequest { campaign_id, actor_id }) = asked(request);
        let actor = self.backend.get_actor(&caller, &campaign_id, &actor_id).await?;
        answer(pb::GetActorResponse { actor: Some(actor.into()) })
    }

    async fn set_default_control(
        &self,
        request: Request<pb::SetDefaultControlRequest>,
    ) -> Result<Response<pb::SetDefaultControlResponse>, Status> {
        let (caller, asked) = asked(request);
        let who = controller(asked.controller);
        let (campaign_id, actor_id) = (asked.campaign_id, asked.actor_id);
        let actor = self.backend.set_control(&caller, &campaign_id, &actor_id, who).await?;
        let actor = pb::Actor::from(actor);
        answer(pb::SetDefaultControlResponse {
            campaign_id: actor.campaign_id.clone(),
            actor_id: actor.id.clone(),
            controller: actor.controller.clone(),
            actor: Some(actor),
        })
    }

    async fn set_actor_sheet(
        &self,
        request: Request<pb::SetActorSheetRequest>,
    ) -> Result<Response<pb::SetActorSheetResponse>, Status> {
        let (caller, pb::SetActorSheetRequest { campaign_id, actor_id, sheet }) = asked(request);
        let patch = sheet_patch(sheet.unwrap_or_default());
        let actor = self.backend.set_sheet(&caller, &campaign_id, &actor_id, patch).await?;
        answer(pb::SetActorSheetResponse { actor: Some(actor.into()) })
    }

    async fn set_actor_state(
        &self,
        request: Request<pb::SetActorStateRequest>,
    ) -> Result<Response<pb::SetActorStateResponse>, Status> {
        let (caller, asked) = asked(request);
        let pb::SetActorStateRequest { campaign_id, actor_id, hope, stress, hp } = asked;
        let patch = StatePatch { hope, stress, hp };
        let actor = self.backend.set_state(&caller, &campaign_id, &actor_id, patch).await?;
        answer(pb::SetActorStateResponse { actor: Some(actor.into()) })
    }

    async fn set_gm_fear(
        &self,
        request: Request<pb::SetGmFearRequest>,
    ) -> Result<Response<pb::SetGmFearResponse>, Status> {
        let (caller, pb::SetGmFearRequest { campaign_id, fear }) = asked(request);
        let fear = self.backend.set_fear(&caller, &campaign_id, fear).await?;
        answer(pb::SetGmFearResponse { gm_fear: super::answer::int(fear) })
    }

    async fn add_note(
        &self,
        request: Request<pb::AddNoteRequest>,
    ) -> Result<Response<pb::AddNoteResponse>, Status> {
        let (caller, pb::AddNoteRequest { campaign_id, text, session_id }) = asked(request);
        let note = NewNote { text, session_id };
        let event = self.backend.add_note(&caller, &campaign_id, note).await?;
        answer(pb::AddNoteResponse { event: Some(event.into()) })
    }

    async fn issue_participant_token(
        &self,
        request: Request<pb::IssueParticipantTokenRequest>,
    ) -> Result<Response<pb::IssueParticipantTokenResponse>, Status> {
        let (caller, asked) = asked(request);
        let pb::IssueParticipantTokenRequest { campaign_id, participant_id } = asked;
        let issued = self.backend.issue_token(&caller, &campaign_id, &participant_id).await?;
        let (participant_id, token) = (issued.participant_id, issued.token);
        answer(pb::IssueParticipantTokenResponse { participant_id, token })
    }

    async fn get_table(
        &self,
        request: Request<pb::GetTableRequest>,
    ) -> Result<Response<pb::GetTableResponse>, Status> {
        let (caller, pb::GetTableRequest { campaign_id, seq }) = asked(request);
        let table = self.backend.table(&caller, &campaign_id, seq).await?;
        answer(pb::GetTableResponse { table: Some(table.into()) })
    }

    async fn list_events(
        &self,
        request: Request<pb::ListEventsRequest>,
    ) -> Result<Response<pb::ListEventsResponse>, Status> {
        let (caller, asked) = asked(request);
        let pb::ListEventsRequest { campaign_id, session_id, before, after, limit } = asked;
        let limit = limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let query = EventQuery { session_id, before, after, limit };
        let part = self.backend.events(&caller, &campaign_id, query).await?;
        let events = part.events.into_iter().map(Into::into).collect();
        answer(pb::ListEventsResponse { events, next: part.next })
    }

    type WatchEventsStream = BoxStream<pb::WatchEventsResponse>;

    async fn watch_events(
        &self,
        request: Request<pb::WatchEventsRequest>,
    ) -> Result<Response<Self::WatchEventsStream>, Status> {
        let (caller, pb::WatchEventsRequest { campaign_id, after }) = asked(request);
        let events = self.backend.watch(&caller, &campaign_id, after).await?;
        let events = events.map(|event| Ok(pb::WatchEventsResponse { event: Some(event?.into()) }));
        Ok(Response::new(until(&self.stop, events)))
    }

    type WatchCampaignsStream = BoxStream<pb::WatchCampaignsResponse>;

    async fn watch_campaigns(
        &self,
        request: Request<pb::WatchCampaignsRequest>,
    ) -> Result<Response<Self::WatchCampaignsStream>, Status> {
        let (caller, _) = asked(request);
        let changes = self.backend.watch_all(&caller).await?;
        let changes = changes.map(|change| Ok(changed(change?)));
        Ok(Response::new(until(&self.stop, changes)))
    }

    async fn undo(
        &self,
        request: Request<pb::UndoRequest>,
    ) -> Result<Response<pb::UndoResponse>, Status> {
        let (caller, pb::UndoRequest { campaign_id, seq }) = asked(request);
        let undone = self.backend.undo(&caller, &campaign_id, seq).await?;
        answer(pb::UndoResponse {
            undone: Some(undone.undone.into()),
            entry: Some(undone.entry.into()),
        })
    }

    async fn fork(
        &self,
        request: Request<pb::ForkRequest>,
    ) -> Result<Response<pb::ForkResponse>, Status> {
        let (caller, pb::ForkRequest { campaign_id, seq, name }) = asked(request);
        let campaign = self.backend.fork(&caller, &campaign_id, seq, name).await?;
        answer(pb::ForkResponse { campaign: Some(campaign.into()) })
    }

    async fn verify(
        &self,
        request: Request<pb::VerifyRequest>,
    ) -> Result<Response<pb::VerifyResponse>, Status> {
        let (caller, pb::VerifyRequest { campaign_id }) = asked(request);
        answer(self.backend.verify(&caller, &campaign_id).await?)
    }

    async fn find_owner(
        &self,
        request: Request<pb::FindOwnerRequest>,
    ) -> Result<Response<pb::FindOwnerResponse>, Status> {
        let (caller, pb::FindOwnerRequest { id }) = asked(request);
        match self.backend.owner_of(&caller, &id).await? {
            Some(campaign) => answer(pb::FindOwnerResponse { campaign_id: campaign.to_string() }),
            None => Err(Error::not_found("no participant, actor or session has this id")
                .field("id")
                .into()),
        }
    }
}

fn controller(given: Option<pb::ActorController>) -> ControllerInput {
    use pb::actor_controller::Controller;

    let Some(given) = given else { return ControllerInput::Missing };
    match given.controller {
        Some(Controller::Gm(_)) => ControllerInput::Gm,
        Some(Controller::Participant(who)) => ControllerInput::Participant(who.participant_id),
        None => ControllerInput::Neither,
    }
}

fn sheet_patch(change: pb::SheetChange) -> SheetPatch {
    let traits = change.traits.into_iter().map(|one| (text::<Trait>(one.r#trait), one.value));
    SheetPatch {
        traits: traits.collect(),
        hp_max: change.hp_max,
        stress_max: change.stress_max,
        evasion: change.evasion,
        major_threshold: change.major_threshold,
        severe_threshold: change.severe_threshold,
    }
}

fn changed(change: Change) -> pb::WatchCampaignsResponse {
    match change {
        Change::Entry(event) => pb::WatchCampaignsResponse {
            campaign_id: event.campaign_id.to_string(),
            event: Some((*event).into()),
        },
        Change::Missed { campaign_id } => {
            pb::WatchCampaignsResponse { campaign_id: campaign_id.to_string(), event: None }
        }
    }
}
