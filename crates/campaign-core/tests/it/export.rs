//! A session as people read it.

use campaign_core::{Caller, Command, markdown};

use crate::world::{World, action, apply, dice_roll, duality_roll, note};

fn written(world: &World) -> String {
    let session = world.table.sessions().next().unwrap();
    markdown(&world.table, session, &world.entries())
}

#[test]
fn a_session_reads_as_what_happened_in_it() {
    let (mut world, cast) = World::playing();
    let thorin = cast.thorin.as_str();
    let alice = Caller::participant(cast.alice.clone(), false);
    world.send_as(&alice, &note("I climb *up*\nthe <wall> [now]")).unwrap();
    world.send_as(&alice, &action(thorin, 8, 5, Some(10))).unwrap();
    world.send_as(&alice, &apply(world.table.seq(), &[])).unwrap();
    world.run(action(thorin, 3, 9, None));
    world.run(apply(world.table.seq(), &[]));
    world.run(action(thorin, 4, 4, None));
    world.run(apply(world.table.seq(), &[]));
    world.run(dice_roll(3));
    world.run(duality_roll(5, 8));
    world.run(world.undo(None));
    world.run(Command::SetFear { fear: 4 });
    world.run(Command::EndSession { session_id: None });
    world.run(note("not in the session"));
    insta::assert_snapshot!(written(&world));
}

#[test]
fn a_session_without_a_name_or_anybody_in_it_still_reads_well() {
    let mut world = World::begun();
    world.run(Command::StartSession { name: String::new() });
    insta::assert_snapshot!(written(&world));
}
