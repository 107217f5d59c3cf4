//! `session.v1.SessionService`.

use std::sync::Arc;

use campaign_core::Trait;
use campaign_proto::session::v1::{self as pb, session_service_server::SessionService};
use tonic::{Request, Response, Status};

use super::{
    answer, asked, page,
    roll::{advantage_input, rng_input},
    word::text,
};
use crate::{
    Backend,
    wire::input::{ActionRoll, Modifier},
};

pub(super) struct Sessions {
    pub(super) backend: Arc<dyn Backend>,
}

#[tonic::async_trait]
impl SessionService for Sessions {
    async fn start_session(
        &self,
        request: Request<pb::StartSessionRequest>,
    ) -> Result<Response<pb::StartSessionResponse>, Status> {
        let (caller, pb::StartSessionRequest { campaign_id, name }) = asked(request);
        let session = self.backend.start_session(&caller, &campaign_id, &name).await?;
        answer(pb::StartSessionResponse { session: Some(session.into()) })
    }

    async fn list_sessions(
        &self,
        request: Request<pb::ListSessionsRequest>,
    ) -> Result<Response<pb::ListSessionsResponse>, Status> {
        let (caller, asked) = asked(request);
        let wanted = page::request(asked.page_size, asked.page_token);
        let part = self.backend.list_sessions(&caller, &asked.campaign_id, wanted).await;
        let (sessions, next_page_token) = page::split(part?);
        answer(pb::ListSessionsResponse { sessions, next_page_token })
    }

    async fn get_session(
        &self,
        request: Request<pb::GetSessionRequest>,
    ) -> Result<Response<pb::GetSessionResponse>, Status> {
        let (caller, pb::GetSessionRequest { campaign_id, session_id }) = asked(request);
        let session = self.backend.get_session(&caller, &campaign_id, &session_id).await?;
        answer(pb::GetSessionResponse { session: Some(session.into()) })
    }

    async fn end_session(
        &self,
        request: Request<pb::EndSessionRequest>,
    ) -> Result<Response<pb::EndSessionResponse>, Status> {
        let (caller, pb::EndSessionRequest { campaign_id, session_id }) = asked(request);
        let session = self.backend.end_session(&caller, &campaign_id, session_id).await?;
        answer(pb::EndSessionResponse { session: Some(session.into()) })
    }

    async fn action_roll(
        &self,
        request: Request<pb::ActionRollRequest>,
    ) -> Result<Response<pb::ActionRollResponse>, Status> {
        let (caller, asked) = asked(request);
        let modifiers = asked
            .modifiers
            .into_iter()
            .map(|one| Modifier { source: one.source, value: one.value });
        let roll = ActionRoll {
            session_id: asked.session_id,
            actor_id: asked.actor_id,
            trait_name: text::<Trait>(asked.r#trait),
            difficulty: asked.difficulty,
            modifiers: modifiers.collect(),
            advantage: advantage_input(asked.advantage),
            rng: asked.rng.map(rng_input),
            ..ActionRoll::default()
        };
        answer(self.backend.roll_action(&caller, &asked.campaign_id, roll).await?)
    }

    async fn apply_roll_outcome(
        &self,
        request: Request<pb::ApplyRollOutcomeRequest>,
    ) -> Result<Response<pb::ApplyRollOutcomeResponse>, Status> {
        let (caller, asked) = asked(request);
        let pb::ApplyRollOutcomeRequest { campaign_id, roll_seq, targets } = asked;
        answer(self.backend.apply_outcome(&caller, &campaign_id, roll_seq, targets).await?)
    }
}
