//! What the host's guard says to a client of gRPC.

use campaign_proto::campaign::v1::{
    ListCampaignsRequest, campaign_service_client::CampaignServiceClient,
};
use kit_http::{Limits, Rules, Token};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tonic::{Code, Request, Status};

use super::world::{Server, World, endpoint};

async fn list(server: &Server, token: Option<&str>) -> Result<(), Status> {
    let mut request = Request::new(ListCampaignsRequest::default());
    if let Some(token) = token {
        let token = format!("Bearer {token}").parse().unwrap();
        request.metadata_mut().insert("authorization", token);
    }
    server.campaigns().list_campaigns(request).await.map(drop)
}

#[tokio::test]
async fn a_server_with_a_token_wants_it_of_every_call() {
    let rules = Rules { token: Token::new("s3cret").ok(), ..Rules::default() };
    let server = World::new().serve_at("127.0.0.1:0", rules).await;
    for token in [None, Some("guessed")] {
        let refused = list(&server, token).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unauthenticated);
        assert!(refused.message().contains("`Authorization: Bearer …`"), "{refused}");
    }
    list(&server, Some("s3cret")).await.unwrap();
}

#[tokio::test]
async fn a_call_to_another_name_is_refused() {
    let server = World::new().serve().await;
    let elsewhere = endpoint(server.address).origin("http://evil.example".parse().unwrap());
    let mut client = CampaignServiceClient::new(elsewhere.connect_lazy());
    let refused = client.list_campaigns(ListCampaignsRequest::default()).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
    assert!(refused.message().starts_with("host `evil.example` is not"), "{refused}");
}

#[tokio::test]
async fn too_many_calls_are_told_when_to_come_back() {
    let limits = Limits { requests_per_second: 1, burst: 1, ..Limits::default() };
    let server = World::new().serve_at("127.0.0.1:0", Rules { limits, ..Rules::default() }).await;
    list(&server, None).await.unwrap();
    let refused = list(&server, None).await.unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert!(refused.message().contains("repeat in 1 s"), "{refused}");
}

#[tokio::test]
async fn a_browser_that_opens_a_method_is_told_what_it_is() {
    let server = World::new().serve().await;
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let path = "/campaign.v1.CampaignService/ListCampaigns";
    let ask = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(ask.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 415"), "{answer}");
    assert!(answer.contains(&format!("`{path}` is a method of gRPC")), "{answer}");
}
