//! A server to talk to, in which nothing is left to chance.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use campaign::{Caller, Random, Service};
use campaign_proto::{
    campaign::v1::{self as pb, campaign_service_client::CampaignServiceClient},
    duality::v1::duality_service_client::DualityServiceClient,
    session::v1::session_service_client::SessionServiceClient,
};
use kit_app::{Clock, Deps};
use kit_core::Principal;
use kit_http::{Guard, Limits, Metrics, Rules};
use kit_mcp::Hub;
use kit_store::Store;
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;
use tonic::{
    Code, Status,
    transport::{Channel, Endpoint},
};

/// A minute passes between any two looks at it.
#[derive(Debug, Default)]
struct SlowClock(AtomicI64);

impl Clock for SlowClock {
    fn now_ms(&self) -> i64 {
        1_736_937_000_123 + 60_000 * self.0.fetch_add(1, Relaxed)
    }
}

/// Numbers that differ and are the same in every run.
#[derive(Debug, Default)]
struct Counted(AtomicU64);

impl Random for Counted {
    fn bytes(&self) -> [u8; 32] {
        let number = (self.0.fetch_add(1, Relaxed) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bytes = number.to_le_bytes();
        std::array::from_fn(|at| bytes[at % 8] ^ bytes[at / 8])
    }
}

/// The application over an empty store.
pub(super) struct World {
    deps: Deps,
    random: Arc<Counted>,
}

impl World {
    pub(super) fn new() -> Self {
        let deps = Deps {
            store: Store::memory(),
            clock: Arc::new(SlowClock::default()),
            hub: Hub::default(),
            data_dir: std::env::temp_dir(),
            shutdown: CancellationToken::new(),
        };
        Self { deps, random: Arc::default() }
    }

    /// The backend itself.
    pub(super) fn service(&self) -> Service {
        Service::new(&self.deps.store, self.deps.clock.clone(), self.random.clone())
    }

    pub(super) async fn serve(&self) -> Server {
        self.serve_at("127.0.0.1:0", Rules::default()).await
    }

    /// Serves as the host does: one port for everything, behind the guard.
    pub(super) async fn serve_at(&self, address: &str, rules: Rules) -> Server {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let deps = Deps { shutdown: stop.clone(), ..self.deps.clone() };
        let mount = campaign::mount_with(&campaign::Config::default(), &deps, self.random.clone());
        let routes = axum::Router::new().nest("/campaign", mount.routes).merge(mount.root);
        let guard = Guard::new(Rules { bound: Some(address), ..rules }, Metrics::default());
        let served = kit_http::Server::new(routes, guard);
        let task = tokio::spawn(served.serve(listener, stop.clone(), Duration::from_secs(5)));
        Server { address, stop, task }
    }
}

pub(super) struct Server {
    pub(super) address: SocketAddr,
    pub(super) stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Server {
    pub(super) fn channel(&self) -> Channel {
        endpoint(self.address).connect_lazy()
    }

    pub(super) fn campaigns(&self) -> CampaignServiceClient<Channel> {
        CampaignServiceClient::new(self.channel())
    }

    pub(super) fn sessions(&self) -> SessionServiceClient<Channel> {
        SessionServiceClient::new(self.channel())
    }

    pub(super) fn duality(&self) -> DualityServiceClient<Channel> {
        DualityServiceClient::new(self.channel())
    }

    /// Stops as the host does, and waits until everything has ended.
    pub(super) async fn shut_down(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }

    /// A campaign to do something with.
    pub(super) async fn campaign(&self) -> String {
        let new = pb::CreateCampaignRequest {
            name: "The Lost Expedition".into(),
            gm_mode: pb::GmMode::Human.into(),
            theme_prompt: String::new(),
        };
        let made = self.campaigns().create_campaign(new).await.unwrap().into_inner();
        made.campaign.unwrap().id
    }

    /// An actor of it.
    pub(super) async fn actor(&self, campaign_id: &str) -> String {
        let new = pb::CreateActorRequest {
            campaign_id: campaign_id.to_owned(),
            name: "Thorin".into(),
            kind: pb::ActorKind::Pc.into(),
            notes: String::new(),
        };
        let made = self.campaigns().create_actor(new).await.unwrap().into_inner();
        made.actor.unwrap().id
    }

    /// Somebody who plays in it.
    pub(super) async fn participant(&self, campaign_id: &str, role: pb::ParticipantRole) -> String {
        let new = pb::CreateParticipantRequest {
            campaign_id: campaign_id.to_owned(),
            display_name: "Alice".into(),
            role: role.into(),
            controller: 0,
        };
        let made = self.campaigns().create_participant(new).await.unwrap().into_inner();
        made.participant.unwrap().id
    }
}

pub(super) fn endpoint(address: SocketAddr) -> Endpoint {
    Endpoint::from_shared(format!("http://{address}")).unwrap()
}

/// Somebody who asks in the same words every time.
pub(super) fn caller() -> Caller {
    let mut caller = Caller::new(Principal::local(), "test");
    caller.request_id = "req-1".into();
    caller.invocation_id = "inv-1".into();
    caller
}

/// No limit on how often, for tests that ask a lot.
pub(super) fn unhurried() -> Rules {
    let limits = Limits { requests_per_second: 0, ..Limits::default() };
    Rules { limits, ..Rules::default() }
}

/// A refusal in one line: code, message, and the field it is about.
pub(super) fn said(status: &Status) -> String {
    let field = status.metadata().get("x-duality-error-field");
    let field = field.map(|field| format!(" [{}]", field.to_str().unwrap()));
    let code = status.code();
    assert_ne!(code, Code::Ok);
    format!("{code:?}: {}{}", status.message(), field.unwrap_or_default())
}
