//! Sheets, rolls for actors, and what comes of them.

use campaign_core::{
    Command, DiceSpec, Modifier, Rng, RollInput, Roller, SheetInput, Trait, VitalsInput,
    duality::{Dice, Drawn, Outcome},
    fact::{Fact, OutcomeApplied, RollResolved},
    limits,
};

use crate::world::{World, action, apply, dice_roll, duality_roll, replay};

fn rolled(fact: Fact) -> RollResolved {
    match fact {
        Fact::RollResolved(roll) => roll,
        other => panic!("{other:?}"),
    }
}

fn applied(fact: Fact) -> OutcomeApplied {
    match fact {
        Fact::OutcomeApplied(applied) => applied,
        other => panic!("{other:?}"),
    }
}

fn vitals(world: &World, id: &campaign_core::ActorId) -> (i64, i64, i64) {
    let vitals = world.table.actor(id).unwrap().vitals;
    (vitals.hope, vitals.stress, vitals.hp)
}

fn set_state(id: &str, hope: Option<i64>, stress: Option<i64>, hp: Option<i64>) -> Command {
    Command::SetState { actor_id: id.into(), vitals: VitalsInput { hope, stress, hp } }
}

fn set_sheet(id: &str, sheet: SheetInput) -> Command {
    Command::SetSheet { actor_id: id.into(), sheet }
}

#[test]
fn actors_begin_with_the_values_of_their_kind() {
    let (world, cast) = World::playing();
    let sheet = |id| world.table.actor(id).unwrap().sheet.clone();
    let numbers = |id| {
        let sheet = sheet(id);
        let thresholds = (sheet.major_threshold, sheet.severe_threshold);
        (sheet.hp_max, sheet.stress_max, sheet.evasion, thresholds)
    };
    assert_eq!(numbers(&cast.thorin), (6, 6, 10, (8, 12)));
    assert_eq!(numbers(&cast.wolf), (3, 3, 8, (6, 10)));
    assert_eq!(vitals(&world, &cast.thorin), (0, 0, 6));
    assert_eq!(vitals(&world, &cast.wolf), (0, 0, 3));
    assert!(Trait::ALL.iter().all(|name| sheet(&cast.wolf).value(*name) == 0));
}

#[test]
fn a_sheet_changes_where_it_is_named_and_keeps_the_actor_within_it() {
    let (mut world, cast) = World::playing();
    let id = cast.thorin.as_str();
    let traits = vec![(" Agility".into(), 2), ("KNOWLEDGE".into(), -2)];
    world.run(set_sheet(id, SheetInput { traits, ..SheetInput::default() }));
    world.run(set_sheet(id, SheetInput { hp_max: Some(4), ..SheetInput::default() }));
    let actor = world.table.actor(&cast.thorin).unwrap();
    assert_eq!((actor.sheet.value(Trait::Agility), actor.sheet.value(Trait::Knowledge)), (2, -2));
    assert_eq!((actor.sheet.hp_max, actor.sheet.stress_max), (4, 6));
    assert_eq!(actor.vitals.hp, 4);
    assert!(world.send(set_sheet(id, SheetInput::default())).unwrap().is_empty());
}

#[test]
fn a_sheet_that_cannot_be_is_refused() {
    let (mut world, cast) = World::playing();
    let id = cast.thorin.as_str();
    let mut refused = |sheet| world.refused(set_sheet(id, sheet));
    let traits = |name: &str, value| SheetInput {
        traits: vec![(name.into(), value)],
        ..SheetInput::default()
    };
    assert_eq!(
        refused(traits("AGILITY", 5)),
        "InvalidArgument: `traits` must be between -2 and 4, not 5"
    );
    assert!(refused(traits("LUCK", 0)).starts_with(
        "InvalidArgument: `traits` must be one of AGILITY, STRENGTH, FINESSE, INSTINCT, PRESENCE, KNOWLEDGE"
    ));
    let input = SheetInput { hp_max: Some(0), ..SheetInput::default() };
    assert!(refused(input).starts_with("InvalidArgument: `hp_max` must be between 1 and"));
    let input = SheetInput { evasion: Some(1 << 31), ..SheetInput::default() };
    assert!(refused(input).starts_with("InvalidArgument: `evasion` must be between 0 and"));
    let input = SheetInput { major_threshold: Some(13), ..SheetInput::default() };
    assert_eq!(
        refused(input),
        "InvalidArgument: `severe_threshold` must be at least `major_threshold`, 12 is less than 13"
    );
}

#[test]
fn how_an_actor_is_doing_stays_within_its_sheet() {
    let (mut world, cast) = World::playing();
    let id = cast.thorin.as_str();
    world.run(set_state(id, Some(6), Some(2), None));
    assert_eq!(vitals(&world, &cast.thorin), (6, 2, 6));
    assert!(world.send(set_state(id, Some(6), None, None)).unwrap().is_empty());
    let mut refused = |hope, stress, hp| world.refused(set_state(id, hope, stress, hp));
    assert_eq!(
        refused(Some(7), None, None),
        "InvalidArgument: `hope` must be between 0 and 6, not 7"
    );
    assert_eq!(
        refused(None, Some(-1), Some(9)),
        "InvalidArgument: `stress` must be between 0 and 6, not -1"
    );
    assert_eq!(
        refused(None, None, Some(7)),
        "InvalidArgument: `hp` must be between 0 and 6, not 7"
    );
    assert_eq!(
        world.refused(Command::SetFear { fear: 13 }),
        "InvalidArgument: `fear` must be between 0 and 12, not 13"
    );
    world.run(Command::SetFear { fear: 12 });
    assert!(world.send(Command::SetFear { fear: 12 }).unwrap().is_empty());
    assert_eq!(world.table.gm_fear(), 12);
}

#[test]
fn a_roll_for_an_actor_adds_its_trait_and_the_modifiers() {
    let (mut world, cast) = World::playing();
    let traits = vec![("AGILITY".into(), 2)];
    world.run(set_sheet(cast.thorin.as_str(), SheetInput { traits, ..SheetInput::default() }));
    let roll = rolled(world.run(action(cast.thorin.as_str(), 8, 5, Some(16))));
    assert_eq!((roll.modifier, roll.total), (3, 16));
    assert_eq!((roll.with, roll.outcome), (Some(Trait::Agility), Some(Outcome::SuccessWithHope)));
    let entry = world.entries().pop().unwrap();
    assert_eq!(&*entry.entity.id, entry.seq.to_string(), "a roll is named by its entry");
    assert_eq!(entry.session_id, world.table.active_session().map(|session| session.id.clone()));
    insta::assert_snapshot!(entry.payload().get());
    world.run(dice_roll(5));
    insta::assert_snapshot!(world.entries().pop().unwrap().payload().get());
}

#[test]
fn a_roll_for_an_actor_is_checked_in_the_order_of_its_fields() {
    let mut world = World::empty();
    let roll = |session: Option<&str>, actor: &str, with: &str, difficulty, modifiers| {
        let roll = RollInput::Action {
            actor_id: actor.into(),
            trait_name: with.into(),
            difficulty,
            modifiers,
            drawn: Drawn::from(Dice { hope: 1, fear: 2 }),
            rng: Rng::live(1),
        };
        Command::Roll { session_id: session.map(str::to_owned), roll }
    };
    let mut refused = |command| world.refused(command);
    assert_eq!(
        refused(roll(Some(" "), "", "", None, vec![])),
        "InvalidArgument: session id is required"
    );
    assert_eq!(refused(roll(None, "", "", None, vec![])), "InvalidArgument: actor id is required");
    assert_eq!(refused(roll(None, "a", "", None, vec![])), "InvalidArgument: trait is required");
    assert!(
        refused(roll(None, "a", "luck", None, vec![]))
            .starts_with("InvalidArgument: `trait` must be one of AGILITY,")
    );
    assert_eq!(
        refused(roll(None, "a", "agility", Some(-1), vec![])),
        "InvalidArgument: difficulty must be non-negative"
    );
    let heavy = Modifier { source: "giant".into(), value: i64::MAX };
    assert!(
        refused(roll(None, "a", "agility", None, vec![heavy]))
            .starts_with("InvalidArgument: `modifiers` must be between")
    );
    let light = Modifier { source: "feather".into(), value: 0 };
    assert_eq!(
        refused(roll(None, "a", "agility", None, vec![light; 101])),
        "ResourceExhausted: `modifiers` must have at most 100 entries, not 101"
    );
    assert_eq!(refused(roll(None, "a", "agility", None, vec![])), "NotFound: campaign not found");
    let mut world = World::begun();
    let mut refused = |command| world.refused(command);
    assert_eq!(
        refused(roll(None, "a", "agility", None, vec![])),
        "FailedPrecondition: no active session"
    );
    assert_eq!(
        refused(roll(Some("sess_x"), "a", "agility", None, vec![])),
        "NotFound: session not found"
    );
    let (mut world, cast) = World::playing();
    let id = world.table.active_session().unwrap().id.to_string();
    assert_eq!(
        world.refused(roll(Some(&id), "a", "agility", None, vec![])),
        "NotFound: actor not found"
    );
    world.run(Command::EndSession { session_id: None });
    assert_eq!(
        world.refused(roll(Some(&id), cast.thorin.as_str(), "agility", None, vec![])),
        format!("FailedPrecondition: session `{id}` is not active")
    );
}

#[test]
fn modifiers_that_add_up_to_more_than_fits_are_refused() {
    let (mut world, cast) = World::playing();
    let most = Modifier { source: "giant".into(), value: i32::MAX.into() };
    let roll = RollInput::Action {
        actor_id: cast.thorin.as_str().into(),
        trait_name: "AGILITY".into(),
        difficulty: None,
        modifiers: vec![most; 100],
        drawn: Drawn::from(Dice { hope: 1, fear: 2 }),
        rng: Rng::live(1),
    };
    let refused = world.refused(Command::Roll { session_id: None, roll });
    assert!(refused.starts_with("InvalidArgument: `modifier` must be between"), "{refused}");
    let rolled = Roller::from_seed(1).roll(&[DiceSpec { sides: 6, count: 1 }]).unwrap();
    let roll = RollInput::Dice { rolled, modifier: i32::MAX.into(), rng: Rng::live(1) };
    let refused = world.refused(Command::Roll { session_id: None, roll });
    assert!(refused.starts_with("InvalidArgument: `total` must be between"), "{refused}");
}

#[test]
fn hope_goes_to_the_actor_fear_to_the_gm_and_a_critical_success_relieves() {
    let (mut world, cast) = World::playing();
    let thorin = cast.thorin.as_str();
    world.run(set_state(thorin, Some(0), Some(3), None));

    world.run(action(thorin, 8, 5, Some(10)));
    let hope = applied(world.run(apply(world.table.seq(), &[])));
    assert_eq!((hope.gm_fear, hope.requires_complication), (0, false));
    assert_eq!(vitals(&world, &cast.thorin), (1, 3, 6));

    world.run(action(thorin, 5, 8, Some(30)));
    let fear = applied(world.run(apply(world.table.seq(), &[])));
    assert_eq!((fear.gm_fear, fear.requires_complication, fear.changes.len()), (1, true, 0));
    assert_eq!((world.table.gm_fear(), vitals(&world, &cast.thorin)), (1, (1, 3, 6)));

    world.run(action(thorin, 5, 5, None));
    let crit = applied(world.run(apply(world.table.seq(), &[])));
    let [change] = &crit.changes[..] else { panic!("{crit:?}") };
    assert_eq!((change.hope, change.stress, crit.requires_complication), (1, -1, false));
    assert_eq!(vitals(&world, &cast.thorin), (2, 2, 6));
}

#[test]
fn what_is_full_stays_full_and_is_no_reason_to_refuse() {
    let (mut world, cast) = World::playing();
    let thorin = cast.thorin.as_str();
    world.run(set_state(thorin, Some(6), None, None));
    world.run(Command::SetFear { fear: 12 });
    world.run(action(thorin, 5, 5, None));
    let crit = applied(world.run(apply(world.table.seq(), &[])));
    assert_eq!((crit.changes[0].hope, crit.changes[0].stress), (0, 0));
    world.run(action(thorin, 5, 8, None));
    let fear = applied(world.run(apply(world.table.seq(), &[])));
    assert_eq!((fear.gm_fear, fear.requires_complication), (0, true));
    assert_eq!((world.table.gm_fear(), vitals(&world, &cast.thorin)), (12, (6, 0, 6)));
}

#[test]
fn an_outcome_is_applied_once() {
    let (mut world, cast) = World::playing();
    world.run(action(cast.thorin.as_str(), 8, 5, Some(10)));
    let seq = world.table.seq();
    world.run(apply(seq, &[&cast.thorin, &cast.wolf, &cast.thorin]));
    assert_eq!(vitals(&world, &cast.thorin).0, 1, "each target once");
    assert_eq!(vitals(&world, &cast.wolf).0, 1);
    assert_eq!(
        world.refused(apply(seq, &[])),
        format!("FailedPrecondition: outcome of roll {seq} is already applied")
    );
}

#[test]
fn what_is_no_roll_of_two_dice_has_no_outcome_to_apply() {
    let (mut world, cast) = World::playing();
    assert_eq!(world.refused(apply(1, &[])), "NotFound: roll 1 not found");
    assert_eq!(
        world.refused(apply(u64::MAX, &[])),
        format!("NotFound: roll {} not found", u64::MAX)
    );
    world.run(dice_roll(1));
    let seq = world.table.seq();
    assert_eq!(world.refused(apply(seq, &[])), format!("NotFound: roll {seq} not found"));
    world.run(duality_roll(8, 5));
    let seq = world.table.seq();
    assert_eq!(
        world.refused(apply(seq, &[])),
        format!("InvalidArgument: `targets` is required: nobody in particular made roll {seq}")
    );
    assert_eq!(world.refused(apply(seq, &[&"x".into()])), "NotFound: actor not found");
    let blank = Command::ApplyOutcome { roll_seq: seq, targets: vec![" ".into()] };
    assert_eq!(world.refused(blank), "InvalidArgument: actor id is required");
    let many = Command::ApplyOutcome { roll_seq: seq, targets: vec!["x".into(); 101] };
    assert!(world.refused(many).starts_with("ResourceExhausted: `targets`"));
    world.run(apply(seq, &[&cast.wolf]));
    world.run(duality_roll(5, 8));
    world.run(apply(world.table.seq(), &[]));
    assert_eq!(world.table.gm_fear(), 1, "Fear needs no target");
}

#[test]
fn an_outcome_belongs_to_the_session_of_its_roll_also_when_that_has_ended() {
    let (mut world, cast) = World::playing();
    world.run(action(cast.thorin.as_str(), 8, 5, Some(10)));
    let (roll, session) = (world.table.seq(), world.table.active_session().unwrap().id.clone());
    world.run(Command::EndSession { session_id: None });
    world.run(Command::StartSession { name: String::new() });
    world.run(apply(roll, &[]));
    assert_eq!(world.entries().pop().unwrap().session_id, Some(session));
}

#[test]
fn only_the_latest_rolls_are_remembered() {
    let (mut world, _) = World::playing();
    let first = world.table.seq() + 1;
    for _ in 0..=limits::ROLLS {
        world.run(duality_roll(5, 8));
    }
    assert_eq!(
        world.refused(apply(first, &[])),
        format!("FailedPrecondition: roll {first} is too long ago")
    );
    let undo = world.refused(world.undo(Some(first)));
    assert_eq!(
        undo,
        format!("FailedPrecondition: event {first} cannot be undone: it is too long ago")
    );
    world.run(apply(first + 1, &[]));
    assert_eq!(replay(&world.log), world.table);
}
