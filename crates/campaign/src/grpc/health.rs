//! `grpc.health.v1.Health`: whether the services take calls. They do until the server is told to stop.

use campaign_proto::{
    campaign::v1::campaign_service_server, duality::v1::duality_service_server,
    session::v1::session_service_server,
};
use futures::{StreamExt as _, stream};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, codegen::BoxStream};
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus, health_server,
};

/// The empty name is the server as a whole.
const NAMES: [&str; 4] = [
    "",
    campaign_service_server::SERVICE_NAME,
    session_service_server::SERVICE_NAME,
    duality_service_server::SERVICE_NAME,
];

pub(super) struct Health {
    pub(super) stop: CancellationToken,
}

#[tonic::async_trait]
impl health_server::Health for Health {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        let name = request.into_inner().service;
        if !NAMES.contains(&&*name) {
            return Err(Status::not_found(format!("no service `{name}`")));
        }
        let stopping = self.stop.is_cancelled();
        let now = if stopping { ServingStatus::NotServing } else { ServingStatus::Serving };
        Ok(Response::new(said(now)))
    }

    type WatchStream = BoxStream<HealthCheckResponse>;

    /// The protocol wants an unknown name to be watched too, since it may become known.
    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let known = NAMES.contains(&&*request.into_inner().service);
        let now = if known { ServingStatus::Serving } else { ServingStatus::ServiceUnknown };
        let stop = self.stop.clone();
        let end = stream::once(async move {
            stop.cancelled_owned().await;
            Ok(said(if known { ServingStatus::NotServing } else { ServingStatus::ServiceUnknown }))
        });
        let begin = stream::iter((!self.stop.is_cancelled()).then(|| Ok(said(now))));
        Ok(Response::new(Box::pin(begin.chain(end))))
    }
}

fn said(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse { status: status.into() }
}
