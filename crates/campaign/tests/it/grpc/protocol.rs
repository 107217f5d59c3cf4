//! What every service of gRPC is expected to have.

use campaign_proto::campaign::v1::{self as pb, campaign_service_client::CampaignServiceClient};
use futures::StreamExt as _;
use prost::Message as _;
use prost_types::FileDescriptorProto;
use tonic::{Code, Request};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

use super::world::World;

const SERVICES: [&str; 3] =
    ["campaign.v1.CampaignService", "duality.v1.DualityService", "session.v1.SessionService"];

fn about(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.into() }
}

#[tokio::test]
async fn health_knows_its_services_and_no_others() {
    let server = World::new().serve().await;
    let mut health = HealthClient::new(server.channel());
    for service in SERVICES.iter().chain(&[""]) {
        let answer = health.check(about(service)).await.unwrap().into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving, "{service}");
    }
    for service in ["campaign.v1", "grpc.health.v1.Health"] {
        let refused = health.check(about(service)).await.unwrap_err();
        assert_eq!(refused.code(), Code::NotFound, "{service}");
    }
}

#[tokio::test]
async fn whoever_watches_the_health_hears_that_the_server_stops() {
    let server = World::new().serve().await;
    let mut health = HealthClient::new(server.channel());
    let mut known = health.watch(about(SERVICES[0])).await.unwrap().into_inner();
    let mut unknown = health.watch(about("x")).await.unwrap().into_inner();
    let first = known.next().await.unwrap().unwrap();
    assert_eq!(first.status(), ServingStatus::Serving);
    let first = unknown.next().await.unwrap().unwrap();
    assert_eq!(first.status(), ServingStatus::ServiceUnknown);
    server.stop.cancel();
    let last = known.next().await.unwrap().unwrap();
    assert_eq!(last.status(), ServingStatus::NotServing);
    assert!(known.next().await.is_none());
    server.shut_down().await;
}

/// Asks one of the two generations of reflection for its list, and for the file of a symbol.
macro_rules! reflected {
    ($version:ident, $channel:expr) => {{
        use tonic_reflection::pb::$version::{
            ServerReflectionRequest, server_reflection_client::ServerReflectionClient,
            server_reflection_request::MessageRequest, server_reflection_response::MessageResponse,
        };

        let ask = |question| ServerReflectionRequest {
            host: String::new(),
            message_request: Some(question),
        };
        let questions = [
            ask(MessageRequest::ListServices(String::new())),
            ask(MessageRequest::FileContainingSymbol("session.v1.Session".into())),
        ];
        let mut client = ServerReflectionClient::new($channel);
        let answers = client.server_reflection_info(futures::stream::iter(questions)).await;
        let mut answers = answers.unwrap().into_inner();
        let mut next = async || answers.next().await.unwrap().unwrap().message_response.unwrap();
        let MessageResponse::ListServicesResponse(list) = next().await else { panic!("no list") };
        let MessageResponse::FileDescriptorResponse(file) = next().await else { panic!("no file") };
        let names: Vec<_> = list.service.into_iter().map(|service| service.name).collect();
        let file = FileDescriptorProto::decode(&*file.file_descriptor_proto[0]).unwrap();
        (names, file)
    }};
}

#[tokio::test]
async fn reflection_of_both_generations_shows_the_services_and_their_files() {
    let server = World::new().serve().await;
    for (names, file) in [reflected!(v1, server.channel()), reflected!(v1alpha, server.channel())] {
        for service in SERVICES.iter().chain(&["grpc.health.v1.Health"]) {
            assert!(names.iter().any(|name| name == service), "{service} in {names:?}");
        }
        assert_eq!(file.package(), "session.v1");
    }
}

#[tokio::test]
async fn every_answer_has_the_names_of_its_call() {
    let server = World::new().serve().await;
    let mut campaigns = server.campaigns();
    let named = |names: &[(&'static str, &'static str)], campaign_id: &str| {
        let campaign_id = campaign_id.to_owned();
        let mut request = Request::new(pb::GetCampaignRequest { campaign_id });
        for (name, value) in names {
            request.metadata_mut().insert(*name, value.parse().unwrap());
        }
        request
    };
    let (request_id, invocation_id) = ("x-duality-request-id", "x-duality-invocation-id");
    let campaign_id = server.campaign().await;
    let both = [(request_id, "req 7!"), (invocation_id, "inv-7")];
    let answer = campaigns.get_campaign(named(&both, &campaign_id)).await.unwrap();
    assert_eq!(answer.metadata().get(request_id).unwrap(), "req 7!");
    assert_eq!(answer.metadata().get(invocation_id).unwrap(), "inv-7");
    let refused = campaigns.get_campaign(named(&both, "camp_x")).await.unwrap_err();
    assert_eq!(refused.metadata().get(request_id).unwrap(), "req 7!");
    assert_eq!(refused.metadata().get(invocation_id).unwrap(), "inv-7");
    let plain = campaigns.get_campaign(named(&[("x-request-id", "plain")], &campaign_id)).await;
    assert_eq!(plain.unwrap().metadata().get(request_id).unwrap(), "plain");
    let fresh = campaigns.get_campaign(named(&[], "camp_x")).await.unwrap_err();
    let fresh = fresh.metadata().get(request_id).unwrap().to_str().unwrap().to_owned();
    assert!(fresh.len() > 8, "{fresh}");
    assert_ne!(fresh, "req 7!");
}

#[tokio::test]
async fn a_message_of_more_than_four_mebibytes_is_refused() {
    let server = World::new().serve().await;
    let send = async |bytes: usize| {
        let request = pb::CreateCampaignRequest {
            name: "x".into(),
            gm_mode: 1,
            theme_prompt: "x".repeat(bytes),
        };
        let mut client = CampaignServiceClient::new(server.channel());
        client.create_campaign(request).await.unwrap_err()
    };
    let too_long = send((4 << 20) - 100).await;
    assert_eq!(too_long.code(), Code::ResourceExhausted);
    let wanted = "`theme_prompt` must be at most 65536 bytes, not 4194204";
    assert_eq!(too_long.message(), wanted, "the message itself arrived");
    let too_large = send(5 << 20).await;
    assert_eq!(too_large.code(), Code::ResourceExhausted, "{too_large}");
}

#[tokio::test]
async fn a_method_that_is_not_there_is_unimplemented() {
    type Codec = tonic_prost::ProstCodec<pb::GetCampaignRequest, pb::GetCampaignResponse>;

    let server = World::new().serve().await;
    let mut client = tonic::client::Grpc::new(server.channel());
    for path in ["/campaign.v1.CampaignService/Explode", "/other.v1.Service/Explode"] {
        client.ready().await.unwrap();
        let request = Request::new(pb::GetCampaignRequest::default());
        let answer = client.unary(request, path.parse().unwrap(), Codec::default()).await;
        assert_eq!(answer.unwrap_err().code(), Code::Unimplemented, "{path}");
    }
}
