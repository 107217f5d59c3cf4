//! What the chain of hashes finds.

use campaign_core::{Broken, CampaignId, Entry, Moment, Walker, verify};

use crate::world::{World, action, apply, note};

fn played() -> World {
    let (mut world, cast) = World::playing();
    world.run(action(cast.thorin.as_str(), 8, 5, Some(10)));
    world.run(apply(world.table.seq(), &[]));
    world.run(note("a \"quoted\" note\twith \u{1f} and é"));
    world.run(world.undo(None));
    world
}

/// Walks the stored texts.
fn walk(log: &[String]) -> Result<u64, Broken> {
    let mut walker = Walker::new(CampaignId::from("camp_here"));
    for text in log {
        walker.read(text)?;
    }
    Ok(walker.finish().events)
}

#[test]
fn a_journal_that_nobody_touched_holds_together() {
    let world = played();
    assert_eq!(walk(&world.log), Ok(world.table.seq()));
    let verified = verify(&world.id, &world.entries()).unwrap();
    assert_eq!(verified.events, world.table.seq());
    assert_eq!(&*verified.head_hash, world.table.last_hash());
    assert_eq!(verify(&world.id, []).unwrap().events, 0);
}

#[test]
fn every_byte_of_every_entry_counts() {
    let world = played();
    let mut walker = Walker::new(world.id.clone());
    for (index, text) in world.log.iter().enumerate() {
        for place in 0..text.len() {
            for bit in [0x01, 0x20] {
                let mut bytes = text.clone().into_bytes();
                bytes[place] ^= bit;
                // What is not even text cannot be stored as JSON.
                let Ok(changed) = String::from_utf8(bytes) else { continue };
                let broken = walker.clone().read(&changed).expect_err(&changed);
                assert_eq!(broken.seq, index as u64 + 1, "{broken} for {changed}");
            }
        }
        walker.read(text).unwrap();
    }
}

#[test]
fn every_field_counts() {
    let world = played();
    let entries = world.entries();
    let changes: [fn(&mut Entry); 10] = [
        |entry| entry.seq += 1,
        |entry| entry.at = Moment(entry.at.0 + 1),
        |entry| entry.request_id = "other".into(),
        |entry| entry.invocation_id = "".into(),
        |entry| entry.by.id = "part_other".into(),
        |entry| entry.by.kind = campaign_core::ByKind::Participant,
        |entry| entry.session_id = entry.session_id.is_none().then(|| "".into()),
        |entry| entry.entity.id = "other".into(),
        |entry| entry.entity.kind = campaign_core::EntityKind::Note,
        |entry| entry.prev_hash = "00".into(),
    ];
    for index in 0..entries.len() {
        for (number, change) in changes.iter().enumerate() {
            let mut forged = entries.clone();
            change(&mut forged[index]);
            if forged == entries {
                continue;
            }
            let broken = verify(&world.id, &forged).unwrap_err();
            assert_eq!(broken.seq, index as u64 + 1, "change {number}");
        }
    }
}

#[test]
fn entries_that_are_gone_moved_doubled_or_of_another_campaign_are_found() {
    let world = played();
    for index in 0..world.log.len() - 1 {
        let mut gone = world.log.clone();
        gone.remove(index);
        assert!(walk(&gone).is_err());
        let mut moved = world.log.clone();
        moved.swap(index, index + 1);
        assert!(walk(&moved).is_err());
        let mut doubled = world.log.clone();
        doubled.insert(index, world.log[index].clone());
        assert!(walk(&doubled).is_err());
    }
    assert!(verify(&CampaignId::from("camp_there"), &world.entries()).is_err());
    // A journal that lost its end holds together; that its head is another is seen by whoever remembers it.
    let short = &world.entries()[..3];
    assert_ne!(&*verify(&world.id, short).unwrap().head_hash, world.table.last_hash());
}

#[test]
fn a_broken_journal_says_where_and_why() {
    let mut world = played();
    world.log[2] = world.log[2].replace("Alice", "Alicia");
    let broken = walk(&world.log).unwrap_err();
    assert_eq!(
        broken.to_string(),
        "event 3 of the journal is broken: its hash is not that of its content"
    );
    world.log[2] = "{}".into();
    assert!(walk(&world.log).unwrap_err().why.starts_with("it cannot be read"));
}

/// Recorded when the encoding was made: journals of any age must verify.
#[test]
fn the_encoding_never_changes() {
    let world = played();
    insta::assert_snapshot!(world.log[0]);
    insta::assert_snapshot!(world.log[world.log.len() - 1]);
}
