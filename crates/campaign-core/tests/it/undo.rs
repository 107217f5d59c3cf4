//! What can be taken back, and what stands in the way.

use campaign_core::{Caller, Command, SheetInput, Status, VitalsInput};

use crate::world::{World, action, apply, dice_roll, note, set_control};

fn set_state(id: &str, hope: i64) -> Command {
    let vitals = VitalsInput { hope: Some(hope), ..VitalsInput::default() };
    Command::SetState { actor_id: id.into(), vitals }
}

/// Undoes an entry, which must be possible.
fn undo(world: &mut World, seq: u64) {
    world.run(world.undo(Some(seq)));
    assert!(world.table.is_undone(seq));
}

fn refused(world: &mut World, seq: u64) -> String {
    let refused = world.refused(world.undo(Some(seq)));
    let begin = format!("FailedPrecondition: event {seq} ");
    refused.strip_prefix(&begin).unwrap_or_else(|| panic!("{refused}")).to_owned()
}

#[test]
fn a_participant_who_joined_is_gone_again_unless_needed() {
    let mut world = World::begun();
    let alice = world.join("Alice", "PLAYER");
    let bob = world.join("Bob", "PLAYER");
    let wolf = world.actor("Wolf", "NPC");
    world.run(set_control(&wolf, alice.as_str()));
    let needed = refused(&mut world, 2);
    assert_eq!(needed, format!("cannot be undone: participant `{alice}` controls actor `{wolf}`"));
    world.run(set_control(&wolf, "GM"));
    let before = world.table.campaign().unwrap().updated_at;
    undo(&mut world, 2);
    let campaign = world.table.campaign().unwrap();
    assert_eq!((campaign.participant_count, world.table.participant(&alice)), (1, None));
    assert!(campaign.updated_at > before);
    // Who played the wolf before is gone, so the wolf cannot go back to her.
    let gone = refused(&mut world, 6);
    assert_eq!(gone, format!("cannot be undone: participant `{alice}` is gone"));
    world.seat(&bob);
    let token = refused(&mut world, 3);
    assert_eq!(token, format!("cannot be undone: participant `{bob}` has a token"));
}

#[test]
fn an_actor_is_gone_again_unless_later_events_are_about_it() {
    let mut world = World::begun();
    let wolf = world.actor("Wolf", "NPC");
    world.run(set_control(&wolf, "GM"));
    let needed = refused(&mut world, 2);
    assert_eq!(needed, format!("cannot be undone: later events are about actor `{wolf}`"));
    undo(&mut world, 3);
    undo(&mut world, 2);
    assert_eq!(world.table.campaign().unwrap().actor_count, 0);
    assert_eq!(world.table.actors().count(), 0);
}

#[test]
fn what_was_set_goes_back_unless_it_was_set_again() {
    let (mut world, cast) = World::playing();
    let thorin = cast.thorin.as_str();
    let first = world.table.seq() + 1;
    world.run(set_state(thorin, 2));
    world.run(set_state(thorin, 4));
    let changed = format!("cannot be undone: actor `{thorin}` was changed since");
    assert_eq!(refused(&mut world, first), changed);
    undo(&mut world, first + 1);
    undo(&mut world, first);
    assert_eq!(world.table.actor(&cast.thorin).unwrap().vitals.hope, 0);

    let sheet = SheetInput { hp_max: Some(2), ..SheetInput::default() };
    world.run(Command::SetSheet { actor_id: thorin.into(), sheet });
    let set = world.table.seq();
    world.run(set_state(thorin, 1));
    assert_eq!(refused(&mut world, set), changed, "the points that it cost were set since");
    undo(&mut world, set + 1);
    undo(&mut world, set);
    let actor = world.table.actor(&cast.thorin).unwrap();
    assert_eq!((actor.sheet.hp_max, actor.vitals.hp), (6, 6), "the points came back");

    world.run(Command::SetFear { fear: 5 });
    let fear = world.table.seq();
    world.run(Command::SetFear { fear: 6 });
    let changed = "cannot be undone: the GM's Fear was changed since";
    assert_eq!(refused(&mut world, fear), changed);
    world.run(set_control(&cast.wolf, cast.bob.as_str()));
    let control = world.table.seq();
    world.run(set_control(&cast.wolf, "GM"));
    let changed = format!("cannot be undone: who plays actor `{}` was changed since", cast.wolf);
    assert_eq!(refused(&mut world, control), changed);
}

#[test]
fn a_session_is_gone_again_only_when_nothing_was_entered() {
    let mut world = World::begun();
    world.run(Command::StartSession { name: String::new() });
    let id = world.table.active_session().unwrap().id.clone();
    world.run(note("hello"));
    let entered = refused(&mut world, 2);
    assert_eq!(entered, format!("cannot be undone: something was entered in session `{id}`"));
    undo(&mut world, 3);
    undo(&mut world, 2);
    assert_eq!((world.table.sessions().count(), world.table.active_session()), (0, None));
    world.run(Command::StartSession { name: String::new() });
}

#[test]
fn a_session_that_ended_is_active_again_unless_another_is() {
    let mut world = World::begun();
    world.run(Command::StartSession { name: String::new() });
    let id = world.table.active_session().unwrap().id.clone();
    world.run(Command::EndSession { session_id: None });
    world.run(Command::StartSession { name: String::new() });
    let other = world.table.active_session().unwrap().id.clone();
    let active = refused(&mut world, 3);
    assert_eq!(active, format!("cannot be undone: session `{other}` is active"));
    undo(&mut world, 4);
    undo(&mut world, 3);
    let session = world.table.active_session().unwrap();
    assert_eq!((&session.id, session.status, session.ended_at), (&id, Status::Active, None));
}

#[test]
fn an_applied_outcome_is_taken_back_before_its_roll() {
    let (mut world, cast) = World::playing();
    world.run(action(cast.thorin.as_str(), 8, 5, Some(10)));
    let roll = world.table.seq();
    world.run(apply(roll, &[]));
    let first = refused(&mut world, roll);
    let wanted = format!("cannot be undone: its outcome is applied, undo event {} first", roll + 1);
    assert_eq!(first, wanted);
    undo(&mut world, roll + 1);
    assert_eq!(world.table.actor(&cast.thorin).unwrap().vitals.hope, 0);
    world.run(apply(roll, &[&cast.wolf]));
    assert_eq!(world.table.actor(&cast.wolf).unwrap().vitals.hope, 1, "it can be applied again");
    let applied = world.table.seq();
    undo(&mut world, applied);
    undo(&mut world, roll);
    assert_eq!(
        world.refused(apply(roll, &[])),
        format!("FailedPrecondition: event {roll} was undone")
    );
}

#[test]
fn what_is_taken_back_never_leaves_its_bounds() {
    let (mut world, cast) = World::playing();
    world.run(action(cast.thorin.as_str(), 8, 5, Some(10)));
    world.run(apply(world.table.seq(), &[]));
    let applied = world.table.seq();
    world.run(set_state(cast.thorin.as_str(), 0));
    undo(&mut world, applied);
    assert_eq!(world.table.actor(&cast.thorin).unwrap().vitals.hope, 0);
}

#[test]
fn beginnings_tokens_and_undos_stay() {
    let (mut world, cast) = World::playing();
    assert_eq!(refused(&mut world, 1), "cannot be undone");
    world.run(note("hello"));
    let seq = world.table.seq();
    undo(&mut world, seq);
    assert_eq!(refused(&mut world, seq), "is already undone");
    assert_eq!(refused(&mut world, seq + 1), "cannot be undone");
    world.seat(&cast.bob);
    let seq = world.table.seq();
    assert_eq!(refused(&mut world, seq), "cannot be undone");
    assert_eq!(world.refused(world.undo(Some(999))), "NotFound: event 999 not found");
}

#[test]
fn the_latest_is_the_latest_that_can_be() {
    let mut world = World::begun();
    let none = world.refused(world.undo(None));
    assert_eq!(none, "FailedPrecondition: nothing to undo");
    world.join("Alice", "PLAYER");
    let bob = world.join("Bob", "PLAYER");
    world.seat(&bob);
    world.run(world.undo(None));
    assert!(world.table.is_undone(2), "Bob has a token and stays");
    assert!(world.refused(world.undo(None)).ends_with("nothing to undo"));
}

#[test]
fn an_undo_is_an_entry_of_the_session_and_about_what_it_undoes() {
    let (mut world, cast) = World::playing();
    world.run(dice_roll(1));
    let roll = world.entries().pop().unwrap();
    let gm = Caller::participant(cast.gm, false);
    world.send_as(&gm, &world.undo(Some(roll.seq))).unwrap();
    let undone = world.entries().pop().unwrap();
    assert_eq!((undone.kind(), undone.by.kind.name()), ("event.undone", "GM"));
    assert_eq!((&undone.entity, &undone.session_id), (&roll.entity, &roll.session_id));
    let payload: serde_json::Value = serde_json::from_str(undone.payload().get()).unwrap();
    assert_eq!(
        (payload["seq"].as_u64(), &payload["type"]),
        (Some(roll.seq), &"roll.resolved".into())
    );
    assert_eq!(payload["payload"].to_string(), roll.payload().get());
}
