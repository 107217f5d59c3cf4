//! What goes beyond the first methods: the table, its journal, who may do what.

use campaign::{Backend as _, Remote};
use campaign_proto::{
    campaign::v1::{self as pb, ParticipantRole},
    session::v1::{StartSessionRequest, Trait},
};
use futures::StreamExt as _;
use tonic::Request;

use super::world::{Server, World, caller, said};

async fn note(server: &Server, campaign_id: &str, text: &str) -> pb::Event {
    let (campaign_id, text) = (campaign_id.to_owned(), text.to_owned());
    let request = pb::AddNoteRequest { campaign_id, text, session_id: None };
    server.campaigns().add_note(request).await.unwrap().into_inner().event.unwrap()
}

async fn table(server: &Server, campaign_id: &str, seq: Option<u64>) -> pb::Table {
    let request = pb::GetTableRequest { campaign_id: campaign_id.to_owned(), seq };
    server.campaigns().get_table(request).await.unwrap().into_inner().table.unwrap()
}

#[tokio::test]
async fn an_actors_sheet_and_state_are_set_within_their_bounds() {
    let server = World::new().serve().await;
    let campaign_id = server.campaign().await;
    let actor_id = server.actor(&campaign_id).await;
    let sheet = async |sheet| {
        let (campaign_id, actor_id) = (campaign_id.clone(), actor_id.clone());
        let request = pb::SetActorSheetRequest { campaign_id, actor_id, sheet: Some(sheet) };
        server.campaigns().set_actor_sheet(request).await.map(tonic::Response::into_inner)
    };
    let agile = |value| vec![pb::TraitValue { r#trait: Trait::Agility.into(), value }];
    let change = pb::SheetChange { traits: agile(3), hp_max: Some(8), ..Default::default() };
    let set = sheet(change).await.unwrap().actor.unwrap().sheet.unwrap();
    assert_eq!((set.agility, set.strength, set.hp_max, set.stress_max), (3, 0, 8, 6));
    let wild = pb::SheetChange { traits: agile(5), ..Default::default() };
    let refused = said(&sheet(wild).await.unwrap_err());
    assert_eq!(refused, "InvalidArgument: `traits` must be between -2 and 4, not 5 [traits]");
    let state = async |hope, hp| {
        let (campaign_id, actor_id) = (campaign_id.clone(), actor_id.clone());
        let request = pb::SetActorStateRequest { campaign_id, actor_id, hope, stress: None, hp };
        server.campaigns().set_actor_state(request).await.map(tonic::Response::into_inner)
    };
    let set = state(Some(6), Some(7)).await.unwrap().actor.unwrap().state.unwrap();
    assert_eq!((set.hope, set.stress, set.hp), (6, 0, 7));
    let refused = said(&state(Some(7), None).await.unwrap_err());
    let wanted = "InvalidArgument: `hope` must be between 0 and 6, not 7 [hope]";
    assert_eq!(refused, wanted);
    let fear = pb::SetGmFearRequest { campaign_id: campaign_id.clone(), fear: 4 };
    let fear = server.campaigns().set_gm_fear(fear).await.unwrap().into_inner();
    assert_eq!(fear.gm_fear, 4);
    let now = table(&server, &campaign_id, None).await;
    assert_eq!((now.gm_fear, now.actors.len(), now.guarded), (4, 1, false));
    let then = table(&server, &campaign_id, Some(1)).await;
    assert_eq!((then.gm_fear, then.actors.len(), then.seq), (0, 0, 1));
}

#[tokio::test]
async fn a_table_of_many_megabytes_arrives_whole() {
    let server = World::new().serve().await;
    let campaign_id = server.campaign().await;
    for number in 0..80 {
        let new = pb::CreateActorRequest {
            campaign_id: campaign_id.clone(),
            name: format!("actor {number}"),
            kind: pb::ActorKind::Npc.into(),
            notes: "x".repeat(64 * 1024),
        };
        server.campaigns().create_actor(new).await.unwrap();
    }
    let request = pb::GetTableRequest { campaign_id: campaign_id.clone(), seq: None };
    let refused = server.campaigns().get_table(request.clone()).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::OutOfRange, "more than a client takes by itself");
    let mut patient = server.campaigns().max_decoding_message_size(16 << 20);
    let table = patient.get_table(request).await.unwrap().into_inner().table.unwrap();
    assert_eq!(table.actors.len(), 80);
    let remote = Remote::new(&server.address.to_string(), None).unwrap();
    assert_eq!(remote.table(&caller(), &campaign_id, None).await.unwrap().actors.len(), 80);
}

#[tokio::test]
async fn events_are_listed_from_the_newest_and_verified_to_the_first() {
    let server = World::new().serve().await;
    let campaign_id = server.campaign().await;
    let mut request = Request::new(pb::AddNoteRequest {
        campaign_id: campaign_id.clone(),
        text: "the bridge is out".into(),
        session_id: None,
    });
    request.metadata_mut().insert("x-duality-request-id", "req-9".parse().unwrap());
    request.metadata_mut().insert("x-duality-invocation-id", "inv-9".parse().unwrap());
    server.campaigns().add_note(request).await.unwrap();
    note(&server, &campaign_id, "the river rises").await;
    let list = async |before| {
        let request = pb::ListEventsRequest {
            campaign_id: campaign_id.clone(),
            before,
            limit: Some(2),
            ..pb::ListEventsRequest::default()
        };
        server.campaigns().list_events(request).await.unwrap().into_inner()
    };
    let newest = list(None).await;
    let seqs: Vec<_> = newest.events.iter().map(|event| event.seq).collect();
    assert_eq!((seqs, newest.next), (vec![3, 2], Some(2)));
    let event = &newest.events[1];
    assert_eq!(
        (&*event.r#type, &*event.payload_json),
        ("note.added", r#"{"text":"the bridge is out"}"#)
    );
    assert_eq!((&*event.request_id, &*event.invocation_id), ("req-9", "inv-9"));
    let rest = list(newest.next).await;
    assert_eq!((rest.events.len(), rest.next), (1, None));
    assert_eq!((&*rest.events[0].prev_hash, &rest.events[0].event_hash), ("", &event.prev_hash));
    let verdict = server.campaigns().verify(pb::VerifyRequest { campaign_id }).await.unwrap();
    let verdict = verdict.into_inner();
    assert_eq!((verdict.valid, verdict.events), (true, Some(3)));
    assert_eq!(verdict.head_hash.as_ref(), Some(&newest.events[0].event_hash));
}

#[tokio::test]
async fn what_was_done_is_undone_and_forked() {
    let server = World::new().serve().await;
    let campaign_id = server.campaign().await;
    let actor_id = server.actor(&campaign_id).await;
    let owner = pb::FindOwnerRequest { id: actor_id };
    let owner = server.campaigns().find_owner(owner).await.unwrap().into_inner();
    assert_eq!(owner.campaign_id, campaign_id);
    let fork = pb::ForkRequest { campaign_id: campaign_id.clone(), seq: Some(2), name: None };
    let forked = server.campaigns().fork(fork).await.unwrap().into_inner().campaign.unwrap();
    let undo = pb::UndoRequest { campaign_id: campaign_id.clone(), seq: None };
    let undone = server.campaigns().undo(undo).await.unwrap().into_inner();
    assert_eq!(undone.undone.unwrap().r#type, "actor.created");
    assert_eq!(undone.entry.unwrap().r#type, "event.undone");
    assert_eq!(table(&server, &campaign_id, None).await.actors.len(), 0);
    assert_eq!(table(&server, &forked.id, None).await.actors.len(), 1, "the fork stays");
    let nobody = pb::FindOwnerRequest { id: "actor_x".into() };
    let refused = server.campaigns().find_owner(nobody).await.unwrap_err();
    assert_eq!(said(&refused), "NotFound: no participant, actor or session has this id [id]");
}

#[tokio::test]
async fn a_token_proves_who_speaks() {
    let server = World::new().serve().await;
    let campaign_id = server.campaign().await;
    let participant_id = server.participant(&campaign_id, ParticipantRole::Gm).await;
    let issue = pb::IssueParticipantTokenRequest {
        campaign_id: campaign_id.clone(),
        participant_id: participant_id.clone(),
    };
    let issued = server.campaigns().issue_participant_token(issue).await.unwrap().into_inner();
    assert!(issued.token.starts_with("seat_"), "{}", issued.token);
    let set = async |token: Option<&str>| {
        let campaign_id = campaign_id.clone();
        let mut request = Request::new(pb::SetGmFearRequest { campaign_id, fear: 3 });
        if let Some(token) = token {
            let metadata = request.metadata_mut();
            metadata.insert("x-duality-participant-id", participant_id.parse().unwrap());
            metadata.insert("x-duality-participant-token", token.parse().unwrap());
        }
        server.campaigns().set_gm_fear(request).await
    };
    for token in [None, Some("seat_wrong")] {
        let refused = set(token).await.unwrap_err();
        assert_eq!(refused.code(), tonic::Code::PermissionDenied, "{}", said(&refused));
    }
    assert_eq!(set(Some(&issued.token)).await.unwrap().into_inner().gm_fear, 3);
}

#[tokio::test]
async fn a_watcher_gets_what_it_missed_and_then_what_happens() {
    let server = World::new().serve().await;
    let campaign_id = server.campaign().await;
    note(&server, &campaign_id, "before").await;
    let watch = pb::WatchEventsRequest { campaign_id: campaign_id.clone(), after: 1 };
    let events = server.campaigns().watch_events(watch).await.unwrap().into_inner();
    let all = server.campaigns().watch_campaigns(pb::WatchCampaignsRequest {}).await.unwrap();
    let mut all = all.into_inner();
    let start = StartSessionRequest { campaign_id: campaign_id.clone(), name: String::new() };
    server.sessions().start_session(start).await.unwrap();
    let change = all.next().await.unwrap().unwrap();
    assert_eq!(change.campaign_id, campaign_id);
    assert_eq!(change.event.unwrap().r#type, "session.started");
    let mut events = events.map(|sent| sent.unwrap().event.unwrap());
    let seen = [events.next().await.unwrap(), events.next().await.unwrap()];
    let seen = seen.map(|event| (event.seq, event.r#type));
    assert_eq!(seen, [(2, "note.added".into()), (3, "session.started".into())]);
    // Streams end with the server, and do not hold it up.
    server.shut_down().await;
    assert!(events.next().await.is_none());
    assert!(all.next().await.is_none_or(|last| last.is_err()));
}

#[tokio::test]
async fn a_watcher_of_nothing_is_refused_before_the_stream_begins() {
    let server = World::new().serve().await;
    let watch = pb::WatchEventsRequest { campaign_id: "camp_x".into(), after: 0 };
    let refused = server.campaigns().watch_events(watch).await.unwrap_err();
    assert_eq!(said(&refused), "NotFound: campaign not found [campaign_id]");
}
