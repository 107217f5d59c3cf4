//! gRPC: the same questions and answers as everywhere, as protobuf.
//!
//! Each service is a file: a method reads its message, asks the backend and converts what it says ([`answer`],
//! [`roll`], [`word`]). All calls pass [`call::frame`], which names them and gives them their time. Start at [`routes`];
//! what clients see is in the `.proto` files of `campaign-proto`.

mod answer;
mod call;
mod campaigns;
mod deadline;
mod duality;
mod health;
mod page;
mod roll;
mod sessions;
pub(crate) mod status;
pub(crate) mod word;

use std::{convert::Infallible, sync::Arc};

use axum::{Router, body::Body, extract::Request, response::IntoResponse};
use campaign_proto::{
    campaign::v1::campaign_service_server::CampaignServiceServer,
    duality::v1::duality_service_server::DualityServiceServer,
    session::v1::session_service_server::SessionServiceServer,
};
use futures::{Stream, StreamExt as _};
use tokio_util::sync::CancellationToken;
use tonic::{Response, Status, codegen::BoxStream, server::NamedService};
use tonic_health::pb::health_server::HealthServer;
use tower::{Service, ServiceExt as _};

pub(crate) use self::call::{INVOCATION_ID, PARTICIPANT_ID, PARTICIPANT_TOKEN, REQUEST_ID};
pub(crate) use self::page::MOST;
use self::{campaigns::Campaigns, duality::Duality, health::Health, sessions::Sessions};
use crate::{Backend, Caller};

/// The largest message that a client may send.
const MESSAGE_BYTES: usize = 4 << 20;

/// All services, to stand at the root of a server: gRPC knows no prefixes. Streams end when `stop` is cancelled.
pub(crate) fn routes(backend: Arc<dyn Backend>, stop: CancellationToken) -> Router {
    let campaigns = Campaigns { backend: backend.clone(), stop: stop.clone() };
    let campaigns = CampaignServiceServer::new(campaigns).max_decoding_message_size(MESSAGE_BYTES);
    let sessions = Sessions { backend: backend.clone() };
    let sessions = SessionServiceServer::new(sessions).max_decoding_message_size(MESSAGE_BYTES);
    let duality = DualityServiceServer::new(Duality { backend });
    let duality = duality.max_decoding_message_size(MESSAGE_BYTES);
    let health = HealthServer::new(Health { stop });
    let routes = [service(campaigns), service(sessions), service(duality), service(health)];
    let all = routes.into_iter().fold(reflection(), Router::merge);
    all.layer(axum::middleware::from_fn(call::frame))
}

/// Lets clients ask for the `.proto` files, in both versions that they speak.
fn reflection() -> Router {
    let builder = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(campaign_proto::DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    // Only descriptors that do not fit each other are refused, and a test asks for all of them.
    let v1 = builder().build_v1().map_or_else(|_| Router::new(), service);
    v1.merge(builder().build_v1alpha().map_or_else(|_| Router::new(), service))
}

fn service<S>(service: S) -> Router
where
    S: Service<http::Request<tonic::body::Body>, Error = Infallible>,
    S: NamedService + Clone + Send + Sync + 'static,
    S::Response: IntoResponse,
    S::Future: Send + 'static,
{
    let path = format!("/{}/{{*method}}", S::NAME);
    let service = service.map_request(|request: Request<Body>| request.map(tonic::body::Body::new));
    Router::new().route_service(&path, service)
}

/// Who asks, and what.
fn asked<T>(request: tonic::Request<T>) -> (Caller, T) {
    (call::caller(&request), request.into_inner())
}

/// A stream that ends with the server.
fn until<T>(
    stop: &CancellationToken,
    stream: impl Stream<Item = Result<T, Status>> + Send + 'static,
) -> BoxStream<T> {
    Box::pin(stream.take_until(stop.clone().cancelled_owned()))
}

/// What a method ends with, whatever the answer is made of.
#[expect(clippy::unnecessary_wraps, reason = "spares every method the wrapping")]
fn answer<T>(answer: impl Into<T>) -> Result<Response<T>, Status> {
    Ok(Response::new(answer.into()))
}
