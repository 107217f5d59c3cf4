//! gRPC, one call after the other, with the client that people use: questions before and after.

use std::net::SocketAddr;

use anyhow::Context;
use campaign_proto::{
    campaign::v1::{
        CreateCampaignRequest, CreateParticipantRequest, GetCampaignRequest, GmMode,
        ParticipantRole, campaign_service_client::CampaignServiceClient,
    },
    duality::v1::{ActionRollRequest, duality_service_client::DualityServiceClient},
};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tonic::transport::{Channel, Endpoint};

use crate::{
    client::Client,
    task::{DIFFICULTY, MODIFIER, PLAYER, Task},
};

/// A connection, and the thread's own runtime that it lives in.
pub(crate) struct GrpcClient {
    address: SocketAddr,
    runtime: Runtime,
    caller: Caller,
}

/// Cheap to clone: all clones share the connection.
#[derive(Clone)]
struct Caller {
    campaigns: CampaignServiceClient<Channel>,
    dice: DualityServiceClient<Channel>,
}

impl GrpcClient {
    pub(crate) fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let caller = runtime.block_on(Caller::connect(address))?;
        Ok(Self { address, runtime, caller })
    }

    /// Connects again. While the others are measured nobody here answers the server's pings, and it hangs up.
    fn reconnect(&mut self) -> anyhow::Result<()> {
        self.caller = self.runtime.block_on(Caller::connect(self.address))?;
        Ok(())
    }
}

impl Caller {
    async fn connect(address: SocketAddr) -> anyhow::Result<Self> {
        let channel = Endpoint::from_shared(format!("http://{address}"))?.connect().await?;
        let campaigns = CampaignServiceClient::new(channel.clone());
        Ok(Self { campaigns, dice: DualityServiceClient::new(channel) })
    }

    async fn roll(&mut self) -> anyhow::Result<campaign_proto::duality::v1::ActionRollResponse> {
        let request = ActionRollRequest {
            modifier: MODIFIER,
            difficulty: Some(DIFFICULTY),
            ..ActionRollRequest::default()
        };
        let rolled = self.dice.action_roll(request).await?.into_inner();
        anyhow::ensure!(rolled.hope > 0, "an answer without dice");
        Ok(rolled)
    }

    async fn join(
        &mut self,
        campaign: &str,
    ) -> anyhow::Result<campaign_proto::campaign::v1::Participant> {
        let request = CreateParticipantRequest {
            campaign_id: campaign.to_owned(),
            display_name: PLAYER.to_owned(),
            role: ParticipantRole::Player.into(),
            ..CreateParticipantRequest::default()
        };
        let made = self.campaigns.create_participant(request).await?.into_inner();
        made.participant.context("an answer without a participant")
    }
}

impl Client for GrpcClient {
    fn create_campaign(&mut self) -> anyhow::Result<String> {
        let request = CreateCampaignRequest {
            name: "Bench".to_owned(),
            gm_mode: GmMode::Human.into(),
            ..CreateCampaignRequest::default()
        };
        let made = self.runtime.block_on(self.caller.campaigns.create_campaign(request))?;
        Ok(made.into_inner().campaign.context("an answer without a campaign")?.id)
    }

    /// The answer as the tool would put it.
    fn call(&mut self, task: Task, campaign: &str) -> anyhow::Result<Value> {
        match task {
            Task::Roll => {
                let rolled = self.runtime.block_on(self.caller.roll())?;
                Ok(json!({
                    "hope": rolled.hope, "fear": rolled.fear, "modifier": rolled.modifier,
                    "difficulty": rolled.difficulty, "total": rolled.total, "is_crit": rolled.is_crit,
                    "meets_difficulty": rolled.meets_difficulty, "outcome": rolled.outcome().as_str_name(),
                }))
            }
            Task::Join => {
                let made = self.runtime.block_on(self.caller.join(campaign))?;
                let controller = made.controller().as_str_name().trim_start_matches("CONTROLLER_");
                Ok(json!({
                    "id": made.id, "campaign_id": made.campaign_id, "display_name": made.display_name,
                    "role": made.role().as_str_name(), "controller": controller,
                }))
            }
        }
    }

    fn participants(&mut self, campaign: &str) -> anyhow::Result<u64> {
        self.reconnect()?;
        let request = GetCampaignRequest { campaign_id: campaign.to_owned() };
        let found = self.runtime.block_on(self.caller.campaigns.get_campaign(request))?;
        let found = found.into_inner().campaign.context("an answer without a campaign")?;
        Ok(u64::try_from(found.participant_count)?)
    }
}
