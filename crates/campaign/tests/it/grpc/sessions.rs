//! Sessions: one at a time.

use campaign_proto::{
    campaign::v1 as campaigns,
    session::v1::{self as pb, SessionStatus},
};
use futures::future::join_all;
use tonic::Response;

use super::world::{Server, World, said};

async fn start(server: &Server, campaign_id: &str) -> Result<pb::Session, tonic::Status> {
    let campaign_id = campaign_id.to_owned();
    let request = pb::StartSessionRequest { campaign_id, name: " Session 1 ".into() };
    let started = server.sessions().start_session(request).await?;
    Ok(started.into_inner().session.unwrap())
}

async fn end(server: &Server, campaign_id: &str, session_id: Option<String>) -> pb::Session {
    let request = pb::EndSessionRequest { campaign_id: campaign_id.to_owned(), session_id };
    server.sessions().end_session(request).await.unwrap().into_inner().session.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_twenty_sessions_that_start_at_once_exactly_one_does() {
    let server = World::new().serve().await;
    let campaign_id = server.campaign().await;
    let started = join_all((0..20).map(|_| start(&server, &campaign_id))).await;
    let (won, lost): (Vec<_>, Vec<_>) = started.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 19));
    for refused in lost {
        let said = said(&refused.unwrap_err());
        assert!(said.starts_with("FailedPrecondition: active session exists"), "{said}");
    }
    // Another campaign is not disturbed.
    let other = server.campaign().await;
    start(&server, &other).await.unwrap();
}

#[tokio::test]
async fn a_session_ends_once_and_makes_room_for_the_next() {
    let server = World::new().serve().await;
    let campaign_id = server.campaign().await;
    let first = start(&server, &campaign_id).await.unwrap();
    assert_eq!((first.name.as_str(), first.status()), ("Session 1", SessionStatus::Active));
    assert_eq!((first.version, first.ended_at), (1, None));
    assert_eq!(first.started_at, first.updated_at);
    let ended = end(&server, &campaign_id, None).await;
    assert_eq!((ended.status(), ended.version), (SessionStatus::Ended, 2));
    assert!(ended.ended_at.is_some());
    let again = end(&server, &campaign_id, Some(first.id.clone())).await;
    assert_eq!(again, ended, "the first end stays");
    let second = start(&server, &campaign_id).await.unwrap();
    let request =
        pb::GetSessionRequest { campaign_id: campaign_id.clone(), session_id: second.id.clone() };
    let read = server.sessions().get_session(request).await.unwrap().into_inner().session;
    assert_eq!(read, Some(second.clone()));
    let (page_size, page_token) = (0, String::new());
    let request = pb::ListSessionsRequest { campaign_id, page_size, page_token };
    let listed = server.sessions().list_sessions(request).await.unwrap().into_inner();
    assert_eq!(listed.sessions, [ended, second]);
}

#[tokio::test]
async fn sessions_of_nothing_are_not_found() {
    let server = World::new().serve().await;
    let campaign_id = String::from("camp_x");
    let (page_size, page_token) = (0, String::new());
    let request =
        pb::ListSessionsRequest { campaign_id: campaign_id.clone(), page_size, page_token };
    let refused = server.sessions().list_sessions(request).await.unwrap_err();
    assert_eq!(said(&refused), "NotFound: campaign not found [campaign_id]");
    assert_eq!(
        said(&start(&server, &campaign_id).await.unwrap_err()),
        "NotFound: campaign not found [campaign_id]"
    );
    let campaign_id = server.campaign().await;
    let request = pb::GetSessionRequest { campaign_id, session_id: "sess_x".into() };
    let refused = server.sessions().get_session(request).await.unwrap_err();
    assert_eq!(said(&refused), "NotFound: session not found [session_id]");
}

#[tokio::test]
async fn an_action_roll_is_journaled_and_applied_once() {
    let server = World::new().serve().await;
    let campaign_id = server.campaign().await;
    let actor_id = server.actor(&campaign_id).await;
    start(&server, &campaign_id).await.unwrap();
    let modifier = |source: &str, value| pb::Modifier { source: source.into(), value };
    let request = pb::ActionRollRequest {
        campaign_id: campaign_id.clone(),
        actor_id: actor_id.clone(),
        r#trait: pb::Trait::Agility.into(),
        difficulty: Some(10),
        modifiers: vec![modifier("rope", 2), modifier("rain", -1)],
        ..pb::ActionRollRequest::default()
    };
    let rolled = server.sessions().action_roll(request.clone()).await.unwrap().into_inner();
    assert_eq!(rolled.modifier, 1);
    assert_eq!(rolled.total, rolled.hope_die + rolled.fear_die + 1);
    assert!(rolled.rng.is_some(), "what is journaled can be rolled again");
    let apply = pb::ApplyRollOutcomeRequest {
        campaign_id: campaign_id.clone(),
        roll_seq: rolled.roll_seq,
        targets: Vec::new(),
    };
    let applied = server.sessions().apply_roll_outcome(apply.clone()).await;
    let applied = applied.map(Response::into_inner).unwrap();
    let feared = rolled.flavor() == pb::Flavor::Fear;
    assert_eq!((applied.requires_complication, applied.gm_fear), (feared, i32::from(feared)));
    let twice = server.sessions().apply_roll_outcome(apply).await.unwrap_err();
    let seq = rolled.roll_seq;
    let wanted = format!("FailedPrecondition: outcome of roll {seq} is already applied");
    assert!(said(&twice).starts_with(&wanted), "{}", said(&twice));
    let unknown = pb::ActionRollRequest { r#trait: 9, ..request };
    let unknown = server.sessions().action_roll(unknown).await.unwrap_err();
    assert_eq!(unknown.code(), tonic::Code::InvalidArgument, "{}", said(&unknown));
    let request = campaigns::GetActorRequest { campaign_id, actor_id };
    let actor = server.campaigns().get_actor(request).await.unwrap().into_inner().actor.unwrap();
    assert_eq!(actor.state.unwrap().hope, i32::from(!feared));
}
