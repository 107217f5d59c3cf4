//! Who may do what.

use campaign_core::{Caller, Command, SheetInput, VitalsInput, token};

use crate::world::{
    World, action, apply, create_actor, create_participant, dice_roll, duality_roll, note,
    set_control,
};

fn set_hope(id: &str) -> Command {
    let vitals = VitalsInput { hope: Some(3), ..VitalsInput::default() };
    Command::SetState { actor_id: id.into(), vitals }
}

#[test]
fn without_tokens_everybody_may_do_everything_but_play_what_others_play() {
    let (mut world, cast) = World::playing();
    let bob = Caller::participant(cast.bob.clone(), false);
    for command in [
        create_participant("Carol", "GM"),
        create_actor("Bear", "NPC"),
        set_hope(cast.thorin.as_str()),
        Command::SetFear { fear: 3 },
        note("hello"),
        duality_roll(3, 4),
    ] {
        assert_eq!(world.send_as(&bob, &command).unwrap().len(), 1, "{command:?}");
    }
    let refused = format!(
        "PermissionDenied: participant `{}` does not control actor `{}`",
        cast.bob, cast.thorin
    );
    assert_eq!(world.refused_as(&bob, action(cast.thorin.as_str(), 8, 5, None)), refused);
    world.run(action(cast.thorin.as_str(), 8, 5, None));
    let roll = world.table.seq();
    assert_eq!(world.refused_as(&bob, apply(roll, &[])), refused);
    let alice = Caller::participant(cast.alice.clone(), false);
    let wolf = format!(
        "PermissionDenied: participant `{}` does not control actor `{}`",
        cast.alice, cast.wolf
    );
    assert_eq!(world.refused_as(&alice, apply(roll, &[&cast.wolf])), wolf);
    world.send_as(&alice, &apply(roll, &[])).unwrap();
    let gm = Caller::participant(cast.gm, false);
    world.send_as(&gm, &action(cast.thorin.as_str(), 8, 5, None)).unwrap();
}

#[test]
fn a_player_does_not_take_what_came_of_the_roll_of_another() {
    let (mut world, cast) = World::playing();
    world.run(set_control(&cast.wolf, cast.bob.as_str()));
    world.run(action(cast.thorin.as_str(), 5, 5, None));
    let roll = world.table.seq();
    let bob = Caller::participant(cast.bob.clone(), false);
    let refused = world.refused_as(&bob, apply(roll, &[&cast.wolf]));
    let thorin = format!("does not control actor `{}`", cast.thorin);
    assert!(refused.ends_with(&thorin), "{refused}");
}

#[test]
fn a_participant_who_has_a_token_must_show_it() {
    let (mut world, cast) = World::playing();
    let seated = world.seat(&cast.alice);
    assert!(seated.proven && world.table.has_token(&cast.alice));
    assert!(!world.table.guarded(), "a player's token guards only the player");
    let unproven = Caller::participant(cast.alice.clone(), false);
    assert_eq!(
        world.refused_as(&unproven, note("it is me")),
        format!("PermissionDenied: participant `{}` must show its token", cast.alice)
    );
    world.send_as(&seated, &note("it is me")).unwrap();
    assert!(!world.table.is_token_of(&cast.alice, "seat_of_another"));
    assert!(!world.table.is_token_of(&cast.bob, "seat_of_nobody"));
    let stranger = Caller::participant("part_x".into(), true);
    assert_eq!(world.refused_as(&stranger, note("hi")), "NotFound: participant not found");
}

#[test]
fn a_gm_with_a_token_guards_the_table() {
    let (mut world, cast) = World::playing();
    let gm = world.seat(&cast.gm);
    assert!(world.table.guarded());
    let alice = Caller::participant(cast.alice.clone(), false);
    for (command, what) in [
        (create_participant("Carol", "GM"), "add participants"),
        (create_actor("Bear", "NPC"), "add actors"),
        (set_control(&cast.wolf, cast.alice.as_str()), "say who plays an actor"),
        (
            Command::SetSheet {
                actor_id: cast.thorin.as_str().into(),
                sheet: SheetInput { evasion: Some(99), ..SheetInput::default() },
            },
            "change sheets",
        ),
        (Command::SetFear { fear: 0 }, "set the GM's Fear"),
        (Command::EndSession { session_id: None }, "end sessions"),
        (Command::StartSession { name: String::new() }, "start sessions"),
        (
            Command::IssueToken {
                participant_id: cast.alice.as_str().into(),
                token_hash: token::hash("x"),
            },
            "issue tokens",
        ),
        (world.undo(Some(2)), "undo"),
    ] {
        let refused = format!("PermissionDenied: only the GM may {what}");
        assert_eq!(world.refused_as(&alice, command.clone()), refused);
        assert_eq!(world.refused_as(&Caller::nobody(), command), refused);
    }
    world.send_as(&gm, &create_actor("Bear", "NPC")).unwrap();
    let another = world.join_as(&gm, "Carol");
    assert!(world.table.participant(&another).is_some());
}

#[test]
fn at_a_guarded_table_a_player_plays_its_own_actors_and_writes_notes() {
    let (mut world, cast) = World::playing();
    world.seat(&cast.gm);
    let alice = Caller::participant(cast.alice.clone(), false);
    let thorin = cast.thorin.as_str();
    for command in [
        note("hello"),
        set_hope(thorin),
        action(thorin, 8, 5, None),
        duality_roll(3, 4),
        dice_roll(1),
    ] {
        assert_eq!(world.send_as(&alice, &command).unwrap().len(), 1, "{command:?}");
    }
    let roll = world.table.seq() - 2;
    world.send_as(&alice, &apply(roll, &[])).unwrap();
    let control = "PermissionDenied: participant `";
    let wolf = cast.wolf.as_str();
    assert!(world.refused_as(&alice, set_hope(wolf)).starts_with(control));
    assert!(world.refused_as(&alice, action(wolf, 8, 5, None)).starts_with(control));
    let nobody = Caller::nobody();
    for command in [note("hello"), set_hope(thorin), action(thorin, 8, 5, None), dice_roll(1)] {
        let refused = world.refused_as(&nobody, command);
        assert!(refused.starts_with("PermissionDenied: only the GM may"), "{refused}");
    }
}

#[test]
fn a_token_that_is_issued_again_replaces_the_one_before() {
    let (mut world, cast) = World::playing();
    let issue = |token: &str| Command::IssueToken {
        participant_id: format!(" {} ", cast.alice),
        token_hash: token::hash(token),
    };
    world.run(issue("seat_one"));
    world.run(issue("seat_two"));
    assert!(!world.table.is_token_of(&cast.alice, "seat_one"));
    assert!(world.table.is_token_of(&cast.alice, " seat_two\n"));
    let missing =
        Command::IssueToken { participant_id: "part_x".into(), token_hash: String::new() };
    assert_eq!(world.refused(missing), "NotFound: participant not found");
    assert!(!world.log.concat().contains("seat_"), "the token itself is never kept");
    let made = token::make([255; 32]);
    assert_eq!(made, format!("seat_{}8", "_".repeat(42)));
}

#[test]
fn the_journal_names_who_did_it() {
    let (mut world, cast) = World::playing();
    let by = |world: &World| {
        let entry = world.entries().pop().unwrap();
        (entry.by.kind.name(), entry.by.id.to_string())
    };
    world.send_as(&Caller::participant(cast.gm.clone(), false), &note("a")).unwrap();
    assert_eq!(by(&world), ("GM", cast.gm.to_string()));
    world.send_as(&Caller::participant(cast.bob.clone(), false), &note("b")).unwrap();
    assert_eq!(by(&world), ("PARTICIPANT", cast.bob.to_string()));
    world.run(note("c"));
    assert_eq!(by(&world), ("SYSTEM", String::new()));
}
