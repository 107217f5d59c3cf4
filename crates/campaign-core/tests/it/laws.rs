//! What holds after any steps.

use campaign_core::{
    DiceSpec, Moment, Status, Table, Walker, can_undo, dice, duality, ids, markdown,
    parse_notation, verify,
};
use proptest::{collection::vec, prelude::*};
use serde_json::Value;

use crate::{
    arbitrary::{Step, any_command, any_step, any_step_in_order},
    forks::{fork, table},
    world::{World, bytes, replay},
};

fn played(steps: &[Step]) -> World {
    let mut world = World::begun();
    for step in steps {
        drop(world.step(step));
    }
    world
}

/// What of the invariants does not hold.
fn violations(table: &Table) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |holds: bool, what: &str| {
        if !holds {
            found.push(what.to_owned());
        }
    };
    let campaign = table.campaign().unwrap();
    check(campaign.participant_count == table.participants().count(), "participants are counted");
    check(campaign.actor_count == table.actors().count(), "actors are counted");
    check(campaign.updated_at >= campaign.created_at, "campaign: updated after created");
    let active: Vec<_> = table.sessions().filter(|s| s.status == Status::Active).collect();
    check(active.len() <= 1, "one active session");
    check(active.first().copied() == table.active_session(), "the active session is known");
    for session in table.sessions() {
        check(session.ended_at.is_some() == (session.status == Status::Ended), "ended has an end");
        check(session.updated_at >= session.started_at, "session: updated after started");
    }
    for actor in table.actors() {
        let (vitals, sheet) = (actor.vitals, &actor.sheet);
        check((0..=6).contains(&vitals.hope), "hope");
        check((0..=sheet.stress_max).contains(&vitals.stress), "stress");
        check((0..=sheet.hp_max).contains(&vitals.hp), "hp");
        check(sheet.traits.len() == 6, "six traits");
        check(sheet.severe_threshold >= sheet.major_threshold, "thresholds");
        let player = actor.controller.as_ref().and_then(|controller| controller.participant());
        check(player.is_none_or(|id| table.participant(id).is_some()), "whoever plays is there");
        check(actor.updated_at >= actor.created_at, "actor: updated after created");
    }
    check((0..=12).contains(&table.gm_fear()), "fear");
    found
}

/// What an undo brings back: everything but the journal and the times of change.
fn restorable(table: &Table) -> Value {
    let mut value = serde_json::to_value(table).unwrap();
    for key in ["seq", "last_hash", "undone"] {
        value.as_object_mut().unwrap().remove(key);
    }
    forget(&mut value, "updated_at");
    value
}

fn forget(value: &mut Value, key: &str) {
    match value {
        Value::Object(map) => {
            map.remove(key);
            map.values_mut().for_each(|value| forget(value, key));
        }
        Value::Array(list) => list.iter_mut().for_each(|value| forget(value, key)),
        _ => {}
    }
}

const FOR_GOOD: [&str; 4] =
    ["campaign.created", "campaign.forked", "participant.token_issued", "event.undone"];

proptest! {
    #[test]
    fn the_invariants_hold_after_any_steps(steps in vec(any_step(), 0..60)) {
        let mut world = World::begun();
        for step in &steps {
            let (before, entries) = (bytes(&world.table), world.log.len());
            let outcome = world.step(step);
            if !matches!(outcome, Ok(1..)) {
                prop_assert_eq!(bytes(&world.table), before, "nothing happened: {:?}", step);
                prop_assert_eq!(world.log.len(), entries);
            }
            prop_assert_eq!(violations(&world.table), Vec::<String>::new(), "after {:?}", step);
            prop_assert_eq!(world.table.seq(), world.log.len() as u64);
        }
        let verified = verify(&world.id, &world.entries()).unwrap();
        prop_assert_eq!(&*verified.head_hash, world.table.last_hash());
    }

    #[test]
    fn replaying_any_part_of_the_journal_gives_the_table_of_that_time(steps in vec(any_step(), 0..40)) {
        let mut world = World::begun();
        let mut tables = vec![Table::default(), world.table.clone()];
        for step in &steps {
            if let Ok(1..) = world.step(step) {
                tables.push(world.table.clone());
            }
        }
        for (seq, then) in tables.iter().enumerate() {
            prop_assert_eq!(bytes(&replay(&world.log[..seq])), bytes(then));
            let read: Table = serde_json::from_str(&bytes(then)).unwrap();
            prop_assert_eq!(&read, then);
            prop_assert_eq!(bytes(&read), bytes(then), "a snapshot");
        }
    }

    #[test]
    fn a_snapshot_goes_on_as_the_table_it_was_taken_of(steps in vec(any_step(), 0..40), at in 0..40_usize) {
        let world = played(&steps);
        let at = at.min(world.log.len());
        let mut table: Table = serde_json::from_str(&bytes(&replay(&world.log[..at]))).unwrap();
        for text in &world.log[at..] {
            table.apply(&serde_json::from_str(text).unwrap());
        }
        prop_assert_eq!(bytes(&table), bytes(&world.table));
    }

    #[test]
    fn an_undo_right_after_restores_the_table(steps in vec(any_step(), 0..50)) {
        let mut world = World::begun();
        for step in &steps {
            let before = restorable(&world.table);
            if !matches!(world.step(step), Ok(1..)) {
                continue;
            }
            let last = world.entry(world.table.seq()).unwrap();
            if FOR_GOOD.contains(&last.kind()) {
                prop_assert!(can_undo(&world.table, &last).is_err());
                continue;
            }
            let mut back = world.clone();
            let command = back.undo(Some(last.seq));
            let gm = back.table.participants().find(|p| p.role == campaign_core::Role::Gm);
            let caller = gm.map(|gm| campaign_core::Caller::participant(gm.id.clone(), true));
            let undone = back.send_as(&caller.unwrap_or_default(), &command);
            prop_assert!(undone.is_ok(), "undo of {:?}: {:?}", step, undone);
            prop_assert_eq!(restorable(&back.table), before, "undo of {:?}", step);
        }
    }

    #[test]
    fn undoing_everything_leads_back_to_the_beginning(steps in vec(any_step_in_order(), 0..40)) {
        let beginning = restorable(&World::begun().table);
        let mut world = played(&steps);
        while world.latest().is_some() {
            world.run(world.undo(None));
            prop_assert_eq!(violations(&world.table), Vec::<String>::new());
        }
        prop_assert_eq!(restorable(&world.table), beginning);
    }

    #[test]
    fn a_fork_is_the_same_table_but_for_its_ids(steps in vec(any_step(), 0..40), at in 1..40_usize) {
        let world = played(&steps);
        let at = at.min(world.log.len());
        let forked = fork(&world, at, None).unwrap();
        prop_assert_eq!(verify(&forked.id, &forked.entries).unwrap().events, at as u64 + 1);
        let journal = serde_json::to_string(&forked.entries[..at]).unwrap();
        for old in &world.made {
            prop_assert!(!journal.contains(old.as_str()), "{} is in the fork", old);
        }
        let mut copied = bytes(&table(&forked.entries[..at]));
        for (old, new) in world.made.iter().zip(&forked.made) {
            copied = copied.replace(new.as_str(), old);
        }
        let shown = |text: &str| {
            let mut value: Value = serde_json::from_str(&text.replace("camp_there", "camp_here")).unwrap();
            for key in ["last_hash", "tokens", "guarded"] {
                value.as_object_mut().unwrap().remove(key);
            }
            value
        };
        prop_assert_eq!(shown(&copied), shown(&bytes(&replay(&world.log[..at]))));
        prop_assert_eq!(violations(&table(&forked.entries)), Vec::<String>::new());
    }

    #[test]
    fn no_change_to_a_journal_goes_unseen(steps in vec(any_step(), 0..25), entry in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(), bit in 0..8_u32) {
        let world = played(&steps);
        let which = entry.index(world.log.len());
        let mut bytes = world.log[which].clone().into_bytes();
        let place = place.index(bytes.len());
        bytes[place] ^= 1 << bit;
        let mut walker = Walker::new(world.id.clone());
        let found = world.log.iter().enumerate().any(|(index, text)| {
            let changed = if index == which { std::str::from_utf8(&bytes) } else { Ok(&**text) };
            changed.map_or(true, |text| walker.read(text).is_err())
        });
        prop_assert!(found, "{:?}", String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_text_and_no_number_makes_anything_panic(commands in vec(any_command(), 0..20), text in any::<String>(),
        numbers in any::<[i64; 4]>(), specs in vec((any::<i64>(), -1..20_000_i64), 0..5)) {
        let (mut world, _) = World::playing();
        for command in &commands {
            drop(world.send(command.clone()));
            prop_assert_eq!(violations(&world.table), Vec::<String>::new(), "after {:?}", command);
        }
        let session = world.table.sessions().next().unwrap();
        drop(markdown(&world.table, session, &world.entries()));
        drop(parse_notation(&text));
        drop(ids::make(&text, [7; 16]));
        drop(Walker::new(world.id.clone()).read(&text));
        let [hope, fear, modifier, difficulty] = numbers;
        drop(duality::outcome(hope, fear, modifier, Some(difficulty)));
        drop(duality::explain(hope % 13, fear % 13, modifier, Some(difficulty)));
        drop(duality::probability(modifier, difficulty, duality::Advantage::Advantage));
        let specs: Vec<_> = specs.into_iter().map(|(sides, count)| DiceSpec { sides, count }).collect();
        drop(dice::roll(&text, 1, &specs));
        drop(dice::roll(dice::ALGORITHM, 1, &specs));
        drop(Moment(modifier).rfc3339_millis());
    }

    #[test]
    fn dice_as_people_write_them_are_read_as_they_were_meant(
        terms in vec((1..1000_i64, 1..1000_i64), 1..6), modifier in -1000..1000_i32, space in " {0,2}") {
        let dice: Vec<_> = terms.iter().map(|(count, sides)| format!("{count}{space}d{sides}")).collect();
        let text = format!("{}{space}{modifier:+}", dice.join(&format!("{space}+{space}")));
        let (specs, read) = parse_notation(&text).unwrap();
        let specs: Vec<_> = specs.iter().map(|spec| (spec.count, spec.sides)).collect();
        prop_assert_eq!((specs, read), (terms, modifier));
    }
}
