//! Campaigns, participants and actors.

use std::collections::BTreeSet;

use campaign_proto::campaign::v1::{
    self as pb, ActorController, GmController, ParticipantController, actor_controller,
};
use prost_types::Timestamp;

use super::world::{Server, World, said, unhurried};

fn new_campaign(name: &str, gm_mode: i32) -> pb::CreateCampaignRequest {
    pb::CreateCampaignRequest { name: name.into(), gm_mode, theme_prompt: " dark\n".into() }
}

async fn create(server: &Server, name: &str) -> pb::Campaign {
    let made = server.campaigns().create_campaign(new_campaign(name, 2)).await.unwrap();
    made.into_inner().campaign.unwrap()
}

/// The names on one page, and the token of the next.
async fn page(server: &Server, size: i32, token: &str) -> (Vec<String>, String) {
    let request = pb::ListCampaignsRequest { page_size: size, page_token: token.into() };
    let page = server.campaigns().list_campaigns(request).await.unwrap().into_inner();
    (page.campaigns.into_iter().map(|campaign| campaign.name).collect(), page.next_page_token)
}

#[tokio::test]
async fn a_campaign_is_made_and_read_back_with_all_its_precision() {
    let server = World::new().serve().await;
    let made = create(&server, "  The Lost Expedition ").await;
    assert!(made.id.starts_with("camp_"), "{}", made.id);
    assert_eq!((made.name.as_str(), made.gm_mode()), ("The Lost Expedition", pb::GmMode::Ai));
    assert_eq!(made.theme_prompt, " dark\n");
    assert_eq!((made.participant_count, made.actor_count), (0, 0));
    let Some(Timestamp { nanos, .. }) = made.created_at else { panic!("no time") };
    assert_eq!(nanos, 123_000_000, "milliseconds travel");
    assert_eq!(made.created_at, made.updated_at);
    let request = pb::GetCampaignRequest { campaign_id: made.id.clone() };
    let read = server.campaigns().get_campaign(request).await.unwrap().into_inner();
    assert_eq!(read.campaign, Some(made));
}

#[tokio::test]
async fn what_is_wrong_with_a_campaign_is_said_in_the_words_of_every_surface() {
    let server = World::new().serve().await;
    let refused = async |name: &str, gm_mode| {
        let asked = server.campaigns().create_campaign(new_campaign(name, gm_mode)).await;
        said(&asked.unwrap_err())
    };
    assert_eq!(refused(" ", 9).await, "InvalidArgument: campaign name is required [name]");
    assert_eq!(refused("x", 0).await, "InvalidArgument: gm mode is required [gm_mode]");
    for number in [4, -1, i32::MAX] {
        let wanted = format!(
            "InvalidArgument: `gm_mode` must be one of HUMAN, AI, HYBRID, not `{number}` [gm_mode]"
        );
        assert_eq!(refused("x", number).await, wanted);
    }
    let long = refused(&"x".repeat(1025), 1).await;
    assert_eq!(long, "ResourceExhausted: `name` must be at most 1024 characters [name]");
    let unknown = pb::GetCampaignRequest { campaign_id: "camp_abc123".into() };
    let unknown = server.campaigns().get_campaign(unknown).await.unwrap_err();
    assert_eq!(said(&unknown), "NotFound: campaign not found [campaign_id]");
}

#[tokio::test]
async fn twenty_five_campaigns_come_in_pages_of_ten_ten_and_five() {
    let server = World::new().serve().await;
    let names: Vec<_> = (0..25).map(|number| format!("campaign {number}")).collect();
    for name in &names {
        create(&server, name).await;
    }
    let (first, token) = page(&server, 0, "").await;
    let (second, token) = page(&server, -3, &token).await;
    let (third, token) = page(&server, 1000, &token).await;
    assert_eq!((first.len(), second.len(), third.len()), (10, 10, 5));
    assert_eq!([first, second, third].concat(), names, "in the order of creation");
    assert_eq!(token, "", "the last page says so");
    let (few, token) = page(&server, 3, "").await;
    assert_eq!(few, names[..3]);
    assert_eq!(page(&server, 1, &token).await.0, names[3..4]);
}

#[tokio::test]
async fn walking_the_pages_shows_each_record_once_while_others_are_added() {
    let server = World::new().serve().await;
    for number in 0..12 {
        create(&server, &format!("early {number}")).await;
    }
    let (mut seen, mut token) = page(&server, 5, "").await;
    let mut late = 0;
    while !token.is_empty() {
        create(&server, &format!("late {late}")).await;
        late += 1;
        let (more, next) = page(&server, 5, &token).await;
        seen.extend(more);
        token = next;
    }
    let once: BTreeSet<_> = seen.iter().collect();
    assert_eq!(once.len(), seen.len(), "{seen:?}");
    assert_eq!(seen.iter().filter(|name| name.starts_with("early")).count(), 12);
}

#[tokio::test]
async fn a_page_token_of_another_list_or_of_nobody_is_refused() {
    let server = World::new().serve().await;
    for number in 0..11 {
        create(&server, &format!("campaign {number}")).await;
    }
    let campaign_id = server.campaign().await;
    let (_, token) = page(&server, 10, "").await;
    let wanted = "InvalidArgument: page token is not one of this list [page_token]";
    let mut altered = token.clone();
    altered.replace_range(0..1, if token.starts_with('A') { "B" } else { "A" });
    for page_token in [altered, "10".into(), "!".into(), format!("{token}A")] {
        let request = pb::ListCampaignsRequest { page_size: 0, page_token };
        let refused = server.campaigns().list_campaigns(request).await.unwrap_err();
        assert_eq!(said(&refused), wanted);
    }
    let request = pb::ListActorsRequest { campaign_id, page_size: 0, page_token: token };
    assert_eq!(said(&server.campaigns().list_actors(request).await.unwrap_err()), wanted);
}

#[tokio::test]
async fn the_lists_of_a_campaign_that_is_not_there_are_not_empty_but_missing() {
    let server = World::new().serve().await;
    let wanted = "NotFound: campaign not found [campaign_id]";
    let (campaign_id, page_size, page_token) = (String::from("camp_x"), 0, String::new());
    let request = pb::ListParticipantsRequest {
        campaign_id: campaign_id.clone(),
        page_size,
        page_token: page_token.clone(),
    };
    let refused = server.campaigns().list_participants(request).await.unwrap_err();
    assert_eq!(said(&refused), wanted);
    let request = pb::ListActorsRequest { campaign_id, page_size, page_token };
    assert_eq!(said(&server.campaigns().list_actors(request).await.unwrap_err()), wanted);
}

#[tokio::test]
async fn participants_join_and_are_counted() {
    let server = World::new().serve_at("127.0.0.1:0", unhurried()).await;
    let campaign_id = server.campaign().await;
    let new = |role, controller| pb::CreateParticipantRequest {
        campaign_id: campaign_id.clone(),
        display_name: " Alice ".into(),
        role,
        controller,
    };
    let join = async |role, controller| {
        let made = server.campaigns().create_participant(new(role, controller)).await;
        made.map(|made| made.into_inner().participant.unwrap())
    };
    let alice = join(pb::ParticipantRole::Player.into(), 0).await.unwrap();
    assert_eq!((&*alice.display_name, alice.campaign_id.as_str()), ("Alice", &*campaign_id));
    assert_eq!(alice.controller(), pb::Controller::Human, "0 is a human");
    let agent = join(1, 2).await.unwrap();
    assert_eq!((agent.role(), agent.controller()), (pb::ParticipantRole::Gm, pb::Controller::Ai));
    let refused = async |role, controller| said(&join(role, controller).await.unwrap_err());
    let required = "InvalidArgument: participant role is required [role]";
    assert_eq!(refused(0, 7).await, required);
    let role = "InvalidArgument: `role` must be one of GM, PLAYER, not `3` [role]";
    assert_eq!(refused(3, 7).await, role);
    let controller = "InvalidArgument: `controller` must be one of HUMAN, AI, not `7` [controller]";
    assert_eq!(refused(1, 7).await, controller);
    for _ in 0..9 {
        join(2, 1).await.unwrap();
    }
    let list = async |page_token: String| {
        let campaign_id = campaign_id.clone();
        let request = pb::ListParticipantsRequest { campaign_id, page_size: 0, page_token };
        server.campaigns().list_participants(request).await.unwrap().into_inner()
    };
    let first = list(String::new()).await;
    let second = list(first.next_page_token).await;
    assert_eq!((first.participants.len(), second.participants.len()), (10, 1));
    assert_eq!(first.participants[0], alice);
    let request = pb::GetParticipantRequest {
        campaign_id: campaign_id.clone(),
        participant_id: alice.id.clone(),
    };
    let read = server.campaigns().get_participant(request).await.unwrap().into_inner();
    assert_eq!(read.participant, Some(alice));
    let request = pb::GetCampaignRequest { campaign_id };
    let campaign = server.campaigns().get_campaign(request).await.unwrap().into_inner();
    assert_eq!(campaign.campaign.unwrap().participant_count, 11);
}

#[tokio::test]
async fn an_actor_is_made_and_given_to_somebody() {
    let server = World::new().serve().await;
    let campaign_id = server.campaign().await;
    let actor_id = server.actor(&campaign_id).await;
    let player = server.participant(&campaign_id, pb::ParticipantRole::Player).await;
    let control = async |controller| {
        let (campaign_id, actor_id) = (campaign_id.clone(), actor_id.clone());
        let request = pb::SetDefaultControlRequest { campaign_id, actor_id, controller };
        server.campaigns().set_default_control(request).await.map(tonic::Response::into_inner)
    };
    let who = |controller| Some(ActorController { controller: Some(controller) });
    let participant = |id: &str| {
        who(actor_controller::Controller::Participant(ParticipantController {
            participant_id: id.into(),
        }))
    };
    let gm = who(actor_controller::Controller::Gm(GmController {}));
    let set = control(gm.clone()).await.unwrap();
    assert_eq!((&set.campaign_id, &set.actor_id, set.controller), (&campaign_id, &actor_id, gm));
    let set = control(participant(&format!(" {player} "))).await.unwrap();
    assert_eq!(set.controller, participant(&player), "trimmed, and echoed");
    let refused = async |controller| said(&control(controller).await.unwrap_err());
    let invalid = |message| format!("InvalidArgument: {message} [controller]");
    assert_eq!(refused(None).await, invalid("controller is required"));
    assert_eq!(
        refused(Some(ActorController { controller: None })).await,
        invalid("actor controller must be exactly one of: gm or participant")
    );
    assert_eq!(
        refused(participant(" ")).await,
        invalid("participant id is required when participant controller is specified")
    );
    for nobody in ["part_nobody", "GM"] {
        let said = refused(participant(nobody)).await;
        assert!(said.starts_with("NotFound: participant not found"), "{said}");
    }
    let request = pb::ListActorsRequest { campaign_id, page_size: 0, page_token: String::new() };
    let listed = server.campaigns().list_actors(request).await.unwrap().into_inner().actors;
    assert_eq!((listed.len(), &listed[0].id), (1, &actor_id));
    assert_eq!(listed[0].controller, participant(&player));
}
