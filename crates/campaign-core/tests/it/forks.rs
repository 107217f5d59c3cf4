//! A campaign that goes on as another.

use campaign_core::{
    By, CampaignId, Entry, Fork, Moment, Refusal, Table, fork as fork_entries, verify,
};

use crate::world::{World, action, apply, note, nth_id};

pub(crate) struct Forked {
    pub(crate) id: CampaignId,
    pub(crate) entries: Vec<Entry>,
    /// Every id that was made, in order.
    pub(crate) made: Vec<String>,
}

/// Forks what happened up to `seq`.
pub(crate) fn fork(world: &World, seq: usize, name: Option<&str>) -> Result<Forked, Refusal> {
    let mut made = Vec::new();
    let mut next_id = |prefix: &str| {
        made.push(nth_id(prefix, made.len(), 0xff));
        made[made.len() - 1].clone()
    };
    let id = CampaignId::from("camp_there");
    let fork = Fork {
        campaign: id.clone(),
        name: name.map(str::to_owned),
        at: Moment(world.clock + 5),
        by: By::system(),
        request_id: "req-2".into(),
        invocation_id: "".into(),
    };
    let entries = fork_entries(&world.entries()[..seq], fork, &mut next_id)?;
    Ok(Forked { id, entries, made })
}

pub(crate) fn table(entries: &[Entry]) -> Table {
    let mut table = Table::default();
    for entry in entries {
        table.apply(entry);
    }
    table
}

#[test]
fn a_fork_has_the_same_history_under_new_ids() {
    let (mut world, cast) = World::playing();
    world.run(action(cast.thorin.as_str(), 8, 5, Some(10)));
    world.run(apply(world.table.seq(), &[]));
    world.run(note("hello"));
    world.run(world.undo(None));
    let forked = fork(&world, world.log.len(), Some(" Another ")).unwrap();
    let there = table(&forked.entries);
    let campaign = there.campaign().unwrap();
    assert_eq!((&campaign.id, &*campaign.name), (&forked.id, "Another"));
    assert_eq!((campaign.participant_count, campaign.actor_count), (3, 2));
    assert_eq!(campaign.created_at, Moment(world.clock + 5), "as old as the fork");
    assert_eq!(there.seq(), world.table.seq() + 1);
    let thorin = there.actors().next().unwrap();
    assert_eq!((&*thorin.name, thorin.vitals.hope), ("Thorin", 1));
    assert_ne!(thorin.id, cast.thorin);
    assert!(there.is_undone(world.table.seq() - 1));
    let text = serde_json::to_string(&forked.entries[..forked.entries.len() - 1]).unwrap();
    for old in &world.made {
        assert!(!text.contains(old), "{old} is in the fork");
    }
    let last = forked.entries.last().unwrap();
    let wanted = format!(r#"{{"from":"camp_here","seq":{}}}"#, world.table.seq());
    assert_eq!((last.kind(), last.payload().get()), ("campaign.forked", &*wanted));
    assert_eq!(verify(&forked.id, &forked.entries).unwrap().events, there.seq());
}

#[test]
fn a_fork_takes_no_tokens_and_so_is_not_guarded() {
    let (mut world, cast) = World::playing();
    world.seat(&cast.gm);
    let forked = fork(&world, world.log.len(), None).unwrap();
    let there = table(&forked.entries);
    assert!(world.table.guarded() && !there.guarded());
    assert!(there.participants().all(|participant| !there.has_token(&participant.id)));
    assert_eq!(there.campaign().unwrap().name, "The Lost Expedition", "the old name stays");
}

#[test]
fn a_fork_ends_where_it_was_asked_to() {
    let (world, _) = World::playing();
    let forked = fork(&world, 4, None).unwrap();
    let there = table(&forked.entries);
    assert_eq!((there.seq(), there.participants().count(), there.actors().count()), (5, 3, 0));
}

#[test]
fn a_fork_of_nothing_and_a_fork_without_a_name_are_refused() {
    let (world, _) = World::playing();
    let refused = |seq, name| fork(&world, seq, name).err().unwrap().to_string();
    assert_eq!(refused(0, None), "campaign not found");
    assert_eq!(refused(3, Some(" ")), "campaign name is required");
}
