//! A backend that is elsewhere answers as one that is here.

use std::{fmt::Debug, time::Duration};

use campaign::{
    Backend, Caller, Change, Error, EventQuery, PageRequest, Place, Remote,
    wire::input::{
        ActionRoll, Dice, DiceRoll, DualityRoll, Modifier, NewActor, NewCampaign, NewNote,
        NewParticipant, Rng, SheetPatch, StatePatch,
    },
};
use campaign_core::{Code, ControllerInput};
use futures::StreamExt as _;
use kit_http::{Rules, Token};

use super::world::{World, caller, unhurried};

/// What was asked, and everything that was answered.
type Log = Vec<(String, String)>;

fn note<T: Debug>(log: &mut Log, question: &str, answer: Result<T, Error>) -> Option<T> {
    let said = match &answer {
        Ok(answer) => format!("{answer:?}"),
        Err(Error { code, message, field, hint, .. }) => {
            format!("{code}: {message} {field:?} {hint:?}")
        }
    };
    log.push((question.to_owned(), said));
    answer.ok()
}

/// Asks, and writes the question down with its answer.
macro_rules! ask {
    ($log:ident, $backend:ident.$method:ident($($argument:expr),*)) => {
        note(
            &mut $log,
            stringify!($method($($argument),*)),
            $backend.$method($($argument),*).await,
        )
    };
}

fn campaign(name: &str, gm_mode: &str) -> NewCampaign {
    NewCampaign { name: name.into(), gm_mode: gm_mode.into(), theme_prompt: " dark ".into() }
}

fn participant(name: &str, role: &str, controller: &str) -> NewParticipant {
    NewParticipant { display_name: name.into(), role: role.into(), controller: controller.into() }
}

fn actor(name: &str, kind: &str) -> NewActor {
    NewActor { name: name.into(), kind: kind.into(), notes: "quiet".into() }
}

fn page(limit: Option<usize>, cursor: &str) -> PageRequest {
    PageRequest { limit, cursor: (!cursor.is_empty()).then(|| cursor.to_owned()) }
}

fn rng(seed: Option<u64>, mode: &str) -> Rng {
    Rng { seed, roll_mode: Some(mode.to_owned()) }
}

fn roll(modifier: i64, difficulty: Option<i64>) -> DualityRoll {
    let mut roll = DualityRoll::default();
    (roll.modifier, roll.difficulty) = (modifier, difficulty);
    roll
}

fn helped(advantage: &str) -> DualityRoll {
    let mut roll = roll(1, None);
    roll.advantage = Some(advantage.to_owned());
    roll
}

fn seeded(rng: Rng) -> DualityRoll {
    let mut roll = roll(1, None);
    roll.rng = Some(rng);
    roll
}

fn dice(dice: &[(i64, i64)]) -> DiceRoll {
    let mut roll = DiceRoll::default();
    roll.dice.extend(dice.iter().map(|&(sides, count)| Dice { sides, count }));
    roll
}

fn action(actor: &str, trait_name: &str, difficulty: Option<i64>) -> ActionRoll {
    let mut roll = ActionRoll::default();
    (roll.actor_id, roll.trait_name) = (actor.to_owned(), trait_name.to_owned());
    roll.difficulty = difficulty;
    roll.modifiers = vec![Modifier { source: "rope".into(), value: 2 }];
    roll
}

fn place(campaign_id: &str, session_id: Option<&str>) -> Place {
    let session_id = session_id.map(str::to_owned);
    Place { campaign_id: campaign_id.to_owned(), session_id }
}

fn text(text: &str) -> ControllerInput {
    ControllerInput::Text(text.to_owned())
}

/// The campaigns and who is in them, asked rightly and wrongly.
async fn people(backend: &dyn Backend, who: &Caller) -> Log {
    let mut log = Log::new();
    let made = ask!(log, backend.create_campaign(who, campaign(" The Lost Expedition ", "hybrid")));
    let camp = made.unwrap().id.to_string();
    ask!(log, backend.create_campaign(who, campaign(" ", "robot")));
    ask!(log, backend.create_campaign(who, campaign("x", "robot…")));
    ask!(log, backend.create_campaign(who, campaign("x", "-1")));
    ask!(log, backend.create_campaign(who, campaign("x", " ")));
    ask!(log, backend.create_campaign(who, campaign("nul \0", "HUMAN")));
    for number in 0..24 {
        ask!(log, backend.create_campaign(who, campaign(&format!("camp {number}"), "AI")));
    }
    let part = ask!(log, backend.list_campaigns(who, page(Some(12), ""))).unwrap();
    let next = part.next.unwrap();
    ask!(log, backend.list_campaigns(who, page(None, &next)));
    ask!(log, backend.list_campaigns(who, page(Some(0), "")));
    ask!(log, backend.list_campaigns(who, page(Some(25), "")));
    ask!(log, backend.list_campaigns(who, page(Some(5), "bogus")));
    ask!(log, backend.list_actors(who, &camp, page(None, &next)));
    ask!(log, backend.get_campaign(who, &format!(" {camp} ")));
    ask!(log, backend.get_campaign(who, ""));
    ask!(log, backend.get_campaign(who, "camp_x"));
    let gm = ask!(log, backend.create_participant(who, &camp, participant("Ann", "gm", "")));
    let gm = gm.unwrap().id.to_string();
    let bob = ask!(log, backend.create_participant(who, &camp, participant("Bob", "PLAYER", "ai")));
    let bob = bob.unwrap().id.to_string();
    ask!(log, backend.create_participant(who, &camp, participant("Cid", "wizard", "toaster")));
    ask!(log, backend.create_participant(who, &camp, participant("Cid", "GM", "toaster")));
    ask!(log, backend.create_participant(who, &camp, participant("", "wizard", "")));
    ask!(log, backend.create_participant(who, "camp_x", participant("Cid", "GM", "AI")));
    ask!(log, backend.list_participants(who, &camp, page(None, "")));
    ask!(log, backend.list_participants(who, "camp_x", page(Some(0), "")));
    ask!(log, backend.get_participant(who, &camp, &bob));
    ask!(log, backend.get_participant(who, &camp, " "));
    ask!(log, backend.get_participant(who, &camp, "part_x"));
    let thorin = ask!(log, backend.create_actor(who, &camp, actor("Thorin", "pc"))).unwrap();
    let thorin = thorin.id.to_string();
    ask!(log, backend.create_actor(who, &camp, actor("Thorin", "dwarf")));
    ask!(log, backend.create_actor(who, &camp, actor(&"x".repeat(1025), "PC")));
    ask!(log, backend.list_actors(who, &camp, page(Some(3), "")));
    for controller in [
        text(" gm "),
        text(&bob),
        text("part_x"),
        text(" "),
        ControllerInput::Gm,
        ControllerInput::Participant("GM".into()),
        ControllerInput::Participant(" ".into()),
        ControllerInput::Neither,
        ControllerInput::Missing,
    ] {
        ask!(log, backend.set_control(who, &camp, &thorin, controller.clone()));
        ask!(log, backend.set_control(who, &camp, "actor_x", controller));
    }
    ask!(log, backend.get_actor(who, &camp, &thorin));
    ask!(log, backend.owner_of(who, &thorin));
    ask!(log, backend.owner_of(who, "actor_x"));
    ask!(log, backend.issue_token(who, &camp, "part_x"));
    let token = ask!(log, backend.issue_token(who, &camp, &gm)).unwrap().token;
    ask!(log, backend.set_fear(who, &camp, 5));
    let proven = who.clone().speaking_as(Some(gm), Some(token));
    let nobody = who.clone().speaking_as(Some("no…body".into()), Some("é".into()));
    ask!(log, backend.set_fear(&proven, &camp, 5));
    ask!(log, backend.set_fear(&proven, &camp, 1 << 40));
    ask!(log, backend.set_fear(&nobody, &camp, 4));
    ask!(log, backend.table(who, &camp, None));
    log
}

/// A session, its rolls and its journal, asked rightly and wrongly.
async fn play(backend: &dyn Backend, who: &Caller) -> Log {
    let mut log = Log::new();
    let made = ask!(log, backend.create_campaign(who, campaign("Play", "AI")));
    let camp = made.unwrap().id.to_string();
    let thorin = ask!(log, backend.create_actor(who, &camp, actor("Thorin", "PC"))).unwrap();
    let thorin = thorin.id.to_string();
    let sheet = |traits: &[(&str, i64)], evasion| SheetPatch {
        traits: traits.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
        evasion,
        ..SheetPatch::default()
    };
    ask!(log, backend.set_sheet(who, &camp, &thorin, sheet(&[("agility", 2)], Some(12))));
    ask!(log, backend.set_sheet(who, &camp, &thorin, sheet(&[("luck", 9), ("charm", 1)], None)));
    ask!(log, backend.set_sheet(who, &camp, &thorin, sheet(&[("AGILITY", 9), ("x", 1)], None)));
    ask!(log, backend.set_sheet(who, &camp, &thorin, sheet(&[], Some(i64::MAX))));
    let state = |hope, hp| StatePatch { hope, stress: None, hp };
    ask!(log, backend.set_state(who, &camp, &thorin, state(Some(3), Some(2))));
    ask!(log, backend.set_state(who, &camp, &thorin, state(Some(i64::MIN), None)));
    ask!(log, backend.roll_duality(who, None, roll(2, Some(15))));
    ask!(log, backend.roll_duality(who, None, roll(1 << 40, None)));
    ask!(log, backend.roll_duality(who, None, roll(0, Some(1 << 40))));
    ask!(log, backend.roll_duality(who, None, roll(0, Some(-1))));
    for advantage in ["ADVANTAGE", "disadvantage", "luck", " "] {
        ask!(log, backend.roll_duality(who, None, helped(advantage)));
    }
    for (seed, mode) in [
        (None, "LIVE"),
        (Some(7), "replay"),
        (Some(7), "again"),
        (Some(7), ""),
        (None, "REPLAY"),
        (Some(u64::MAX), "LIVE"),
    ] {
        ask!(log, backend.roll_duality(who, None, seeded(rng(seed, mode))));
    }
    ask!(log, backend.roll_duality(who, Some(place(&camp, None)), roll(0, None)));
    ask!(log, backend.roll_duality(who, Some(place("", None)), roll(0, None)));
    for some in [vec![(20, 2), (6, 1)], vec![(4_294_967_302, 1)], vec![(6, 0)], vec![]] {
        ask!(log, backend.roll_dice(who, None, dice(&some)));
    }
    ask!(log, backend.roll_action(who, &camp, action(&thorin, "AGILITY", Some(10))));
    let session = ask!(log, backend.start_session(who, &camp, " One ")).unwrap().id.to_string();
    ask!(log, backend.start_session(who, &camp, "Two"));
    ask!(log, backend.start_session(who, "camp_x", "Two"));
    ask!(log, backend.roll_duality(who, Some(place(&camp, Some(&session))), roll(0, None)));
    ask!(log, backend.roll_dice(who, Some(place(&camp, Some("sess_x"))), dice(&[(6, 1)])));
    let rolled = ask!(log, backend.roll_action(who, &camp, action(&thorin, "agility", Some(10))));
    let seq = rolled.unwrap().roll_seq;
    ask!(log, backend.roll_action(who, &camp, action(&thorin, "luck", None)));
    ask!(log, backend.roll_action(who, &camp, action(&thorin, "", None)));
    ask!(log, backend.roll_action(who, &camp, action("actor_x", "AGILITY", Some(i64::MAX))));
    ask!(log, backend.apply_outcome(who, &camp, seq, vec![]));
    ask!(log, backend.apply_outcome(who, &camp, seq, vec![]));
    ask!(log, backend.apply_outcome(who, &camp, 99, vec![thorin.clone()]));
    let plain = NewNote { text: "the bridge is out".into(), session_id: None };
    ask!(log, backend.add_note(who, &camp, plain.clone()));
    ask!(log, backend.add_note(who, &camp, NewNote { session_id: Some("sess_x".into()), ..plain }));
    ask!(log, backend.get_session(who, &camp, &session));
    ask!(log, backend.end_session(who, &camp, Some("sess_x".into())));
    ask!(log, backend.end_session(who, &camp, None));
    ask!(log, backend.end_session(who, &camp, Some(session.clone())));
    ask!(log, backend.end_session(who, &camp, None));
    ask!(log, backend.list_sessions(who, &camp, page(None, "")));
    let some = EventQuery { limit: Some(3), ..EventQuery::default() };
    ask!(log, backend.events(who, &camp, some.clone()));
    ask!(log, backend.events(who, &camp, EventQuery { session_id: Some(session), ..some }));
    ask!(log, backend.events(who, &camp, EventQuery { limit: Some(0), ..EventQuery::default() }));
    ask!(log, backend.events(who, &camp, EventQuery { after: Some(2), ..EventQuery::default() }));
    ask!(log, backend.undo(who, &camp, Some(99)));
    ask!(log, backend.undo(who, &camp, None));
    ask!(log, backend.fork(who, &camp, Some(3), Some("Other".into())));
    ask!(log, backend.fork(who, &camp, Some(99), None));
    ask!(log, backend.verify(who, &camp));
    ask!(log, backend.verify(who, "camp_x"));
    ask!(log, backend.table(who, &camp, Some(4)));
    ask!(log, backend.table(who, &camp, Some(99)));
    log
}

async fn everything(backend: &dyn Backend) -> Log {
    let who = caller();
    [people(backend, &who).await, play(backend, &who).await].concat()
}

#[tokio::test]
async fn the_same_questions_have_the_same_answers_here_and_there() {
    let here = everything(&World::new().service()).await;
    let server = World::new().serve_at("127.0.0.1:0", unhurried()).await;
    let remote = Remote::new(&server.address.to_string(), None).unwrap();
    let there = everything(&remote).await;
    assert_eq!(here.len(), there.len());
    for ((question, here), (_, there)) in here.iter().zip(&there) {
        assert_eq!(here, there, "{question}");
    }
    let refused = here.iter().filter(|(_, answer)| answer.starts_with("InvalidArgument")).count();
    assert!(refused > 25, "only {refused} of {} were refused", here.len());
}

#[tokio::test]
async fn a_client_waits_for_a_server_that_is_not_there_yet() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let remote = Remote::new(&address, None).unwrap();
    let missing = remote.get_campaign(&caller(), "camp_x").await.unwrap_err();
    assert_eq!(missing.code, Code::Unavailable);
    let wanted = format!("the campaign server at `{address}` cannot be reached");
    assert_eq!(missing.message, wanted);
    let waiting = tokio::spawn({
        let remote = remote.clone();
        async move { remote.ready().await }
    });
    let server = World::new().serve_at(&address, Rules::default()).await;
    tokio::time::timeout(Duration::from_secs(10), waiting).await.unwrap().unwrap();
    remote.check().await.unwrap();
    server.shut_down().await;
}

#[tokio::test]
async fn a_watcher_goes_on_after_the_last_entry_when_the_server_comes_back() {
    let world = World::new();
    let server = world.serve().await;
    let (address, who) = (server.address.to_string(), caller());
    let remote = Remote::new(&address, None).unwrap();
    let camp = remote.create_campaign(&who, campaign("Play", "AI")).await.unwrap().id;
    let add = async |backend: &dyn Backend, text: &str| {
        let note = NewNote { text: text.into(), session_id: None };
        backend.add_note(&who, camp.as_str(), note).await.unwrap();
    };
    let entries = remote.watch(&who, camp.as_str(), 0).await.unwrap();
    let mut seqs = entries.map(|entry| entry.unwrap().seq);
    let mut all = remote.watch_all(&who).await.unwrap();
    add(&remote, "one").await;
    assert_eq!([seqs.next().await, seqs.next().await], [Some(1), Some(2)]);
    assert!(matches!(all.next().await, Some(Ok(Change::Entry(entry))) if entry.seq == 2));
    server.shut_down().await;
    add(&world.service(), "while nobody served").await;
    let server = world.serve_at(&address, Rules::default()).await;
    assert_eq!(seqs.next().await, Some(3), "nothing is lost");
    let missed = all.next().await;
    assert!(matches!(&missed, Some(Ok(Change::Missed { campaign_id })) if *campaign_id == camp));
    add(&remote, "again").await;
    assert_eq!(seqs.next().await, Some(4), "nothing comes twice");
    assert!(matches!(all.next().await, Some(Ok(Change::Entry(entry))) if entry.seq == 4));
    drop((seqs, all));
    server.shut_down().await;
}

#[tokio::test]
async fn watching_nothing_is_refused_as_it_is_here() {
    let world = World::new();
    let server = world.serve().await;
    let remote = Remote::new(&server.address.to_string(), None).unwrap();
    let who = caller();
    let refused = |backend: &'static str, answer: Result<campaign::EventStream, Error>| {
        let error = answer.err().unwrap_or_else(|| panic!("{backend} watches nothing"));
        (error.code, error.message, error.field)
    };
    let service = world.service();
    for (campaign_id, after) in [("camp_x", 0), ("", 0)] {
        let here = refused("the service", service.watch(&who, campaign_id, after).await);
        let there = refused("the client", remote.watch(&who, campaign_id, after).await);
        assert_eq!(here, there);
    }
}

#[tokio::test]
async fn a_server_that_wants_a_token_gets_it() {
    let rules = Rules { token: Token::new("s3cret").ok(), ..Rules::default() };
    let server = World::new().serve_at("127.0.0.1:0", rules).await;
    let address = server.address.to_string();
    let stranger = Remote::new(&address, None).unwrap();
    let refused = stranger.list_campaigns(&caller(), PageRequest::default()).await.unwrap_err();
    assert_eq!(refused.code, Code::PermissionDenied);
    let wanted = format!("the campaign server at `{address}` refuses: this server wants a token");
    assert!(refused.message.starts_with(&wanted), "{refused}");
    let friend = Remote::new(&address, Some("s3cret")).unwrap();
    friend.ready().await;
    assert!(
        friend.list_campaigns(&caller(), PageRequest::default()).await.unwrap().items.is_empty()
    );
}

#[tokio::test]
async fn what_is_no_address_is_told_so() {
    let error = Remote::new("local host:8080", None).unwrap_err().to_string();
    let wanted = "`local host:8080` is not the address of a server, such as `localhost:8080`";
    assert_eq!(error, wanted);
}
