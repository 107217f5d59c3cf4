//! What always holds, whatever is asked, on every store.

use campaign::{Backend as _, Error, EventQuery, PageRequest, Service, wire};
use campaign_core::{Code, ControllerInput, Status};
use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};

use crate::bed::{Bed, actor, campaign, nobody, note, on_every_back_end, participant};

on_every_back_end!(counts_sessions_and_replays_hold_whatever_happens);

/// Something that may be asked; indices are taken modulo what is there.
#[derive(Debug, Clone)]
enum Step {
    Join(bool),
    Actor(bool),
    Control(usize, Option<usize>),
    Sheet(usize, i64),
    State(usize, i64),
    Fear(i64),
    Start,
    End,
    Note,
    Roll,
    Action(usize),
    Apply(u64),
    Undo(Option<u64>),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        any::<bool>().prop_map(Step::Join),
        any::<bool>().prop_map(Step::Actor),
        (any::<usize>(), prop::option::of(any::<usize>())).prop_map(|(a, p)| Step::Control(a, p)),
        (any::<usize>(), 0..9_i64).prop_map(|(actor, hp)| Step::Sheet(actor, hp)),
        (any::<usize>(), -1..8_i64).prop_map(|(actor, hope)| Step::State(actor, hope)),
        (-1..14_i64).prop_map(Step::Fear),
        Just(Step::Start),
        Just(Step::End),
        Just(Step::Note),
        Just(Step::Roll),
        any::<usize>().prop_map(Step::Action),
        (1..60_u64).prop_map(Step::Apply),
        prop::option::of(1..60_u64).prop_map(Step::Undo),
    ]
}

/// Takes a step; whether it changed anything does not matter here, only that it is answered.
async fn take(service: &Service, id: &str, now: &wire::Table, step: &Step) -> Result<(), Error> {
    let who = &nobody();
    let nth = |index: usize| match now.actors.len() {
        0 => "nobody".to_owned(),
        count => now.actors[index % count].id.to_string(),
    };
    match step {
        Step::Join(gm) => {
            let new = participant("Ann", if *gm { "GM" } else { "PLAYER" });
            service.create_participant(who, id, new).await.map(drop)
        }
        Step::Actor(pc) => {
            let new = actor("Thorin", if *pc { "PC" } else { "NPC" });
            service.create_actor(who, id, new).await.map(drop)
        }
        Step::Control(index, whom) => {
            let controller = match whom.filter(|_| !now.participants.is_empty()) {
                Some(whom) => now.participants[whom % now.participants.len()].id.to_string(),
                None => "GM".into(),
            };
            let controller = ControllerInput::Text(controller);
            service.set_control(who, id, &nth(*index), controller).await.map(drop)
        }
        Step::Sheet(index, hp) => {
            let patch = wire::input::SheetPatch { hp_max: Some(*hp), ..Default::default() };
            service.set_sheet(who, id, &nth(*index), patch).await.map(drop)
        }
        Step::State(index, hope) => {
            let patch = wire::input::StatePatch { hope: Some(*hope), ..Default::default() };
            service.set_state(who, id, &nth(*index), patch).await.map(drop)
        }
        Step::Fear(fear) => service.set_fear(who, id, *fear).await.map(drop),
        Step::Start => service.start_session(who, id, "").await.map(drop),
        Step::End => service.end_session(who, id, None).await.map(drop),
        Step::Note => service.add_note(who, id, note("so")).await.map(drop),
        Step::Roll => {
            let place = campaign::Place { campaign_id: id.into(), session_id: None };
            service
                .roll_duality(who, Some(place), wire::input::DualityRoll::default())
                .await
                .map(drop)
        }
        Step::Action(index) => {
            let roll = wire::input::ActionRoll {
                actor_id: nth(*index),
                trait_name: "AGILITY".into(),
                difficulty: Some(12),
                ..Default::default()
            };
            service.roll_action(who, id, roll).await.map(drop)
        }
        Step::Apply(seq) => service.apply_outcome(who, id, *seq, Vec::new()).await.map(drop),
        Step::Undo(seq) => service.undo(who, id, *seq).await.map(drop),
    }
}

/// Plays the steps and gives the table after each entry.
async fn play(service: &Service, id: &str, steps: &[Step]) -> Vec<wire::Table> {
    let who = &nobody();
    let mut tables = vec![service.table(who, id, None).await.unwrap()];
    for step in steps {
        let before = tables.last().unwrap();
        let taken = take(service, id, before, step).await;
        let now = service.table(who, id, None).await.unwrap();
        match taken {
            Ok(()) => assert!(now.seq <= before.seq + 1, "{step:?}"),
            Err(error) => {
                assert_ne!(error.code, Code::Internal, "{step:?}: {error}");
                assert_eq!(&now, before, "a refusal of {step:?} changes nothing");
            }
        }
        holds(service, id, &now).await;
        if now.seq > before.seq {
            tables.push(now);
        }
    }
    tables
}

/// What must hold at any moment.
async fn holds(service: &Service, id: &str, table: &wire::Table) {
    let (who, all) = (&nobody(), PageRequest::default);
    let participants = service.list_participants(who, id, all()).await.unwrap().items;
    let actors = service.list_actors(who, id, all()).await.unwrap().items;
    let campaign = service.get_campaign(who, id).await.unwrap();
    assert_eq!(campaign.participant_count, participants.len());
    assert_eq!(campaign.actor_count, actors.len());
    assert_eq!((&table.participants, &table.actors), (&participants, &actors));
    let active = table.sessions.iter().filter(|session| session.status == Status::Active);
    let active: Vec<_> = active.map(|session| session.id.clone()).collect();
    assert!(active.len() <= 1);
    assert_eq!(table.active_session.as_ref(), active.first());
}

async fn counts_sessions_and_replays_hold_whatever_happens(bed: Bed) {
    let mut runner = TestRunner::deterministic();
    let steps = prop::collection::vec(any_step(), 0..60);
    let service = bed.service();
    let mut played = Vec::new();
    for _ in 0..12 {
        let steps = steps.new_tree(&mut runner).unwrap().current();
        let id = campaign(&service).await;
        let tables = play(&service, &id, &steps).await;
        played.push((id, tables));
    }
    // A process that knows nothing but the journal comes to the same, now and at every entry.
    let bed = bed.reopened().await;
    let fresh = bed.service();
    for (id, tables) in &played {
        let who = &nobody();
        let last = tables.last().unwrap();
        assert_eq!(&fresh.table(who, id, None).await.unwrap(), last);
        for table in tables {
            assert_eq!(&fresh.table(who, id, Some(table.seq)).await.unwrap(), table);
        }
        assert_eq!(tables.len() as u64, last.seq, "one table for each entry");
        let verdict = fresh.verify(who, id).await.unwrap();
        assert_eq!((verdict.valid, verdict.events), (true, Some(last.seq)));
        assert_eq!(verdict.head_hash.as_ref(), Some(&last.head_hash));
        let query = EventQuery { limit: Some(1000), ..EventQuery::default() };
        let journal = fresh.events(who, id, query).await.unwrap();
        let seqs: Vec<_> = journal.events.iter().rev().map(|event| event.seq).collect();
        assert_eq!(seqs, (1..=last.seq).collect::<Vec<_>>());
    }
    let listed = fresh.list_campaigns(&nobody(), PageRequest::default()).await.unwrap();
    for (id, tables) in &played {
        let campaign = listed.items.iter().find(|campaign| campaign.id.as_str() == id).unwrap();
        assert_eq!(campaign, &tables.last().unwrap().campaign);
    }
}
