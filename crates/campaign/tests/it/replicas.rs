//! Two replicas on one PostgreSQL: one truth, whoever writes and whoever reads.

use campaign::{Backend as _, Change, PageRequest, Service};
use futures::{StreamExt as _, future::join_all};

use crate::bed::{Bed, actor, campaign, nobody, note, participant, soon};

/// Two replicas, or nothing where PostgreSQL is not installed.
async fn two() -> Option<(Bed, Service, Service)> {
    let bed = Bed::postgres().await?;
    let (a, b) = (bed.service(), bed.replica().await);
    Some((bed, a, b))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_twenty_sessions_started_on_both_one_starts() {
    let Some((_bed, a, b)) = two().await else { return };
    let id = campaign(&a).await;
    let start = async |number: usize| {
        let service = if number.is_multiple_of(2) { &a } else { &b };
        service.start_session(&nobody(), &id, "").await
    };
    let started = soon(join_all((0..20).map(start))).await;
    let lost: Vec<_> = started.iter().filter_map(|started| started.as_ref().err()).collect();
    assert_eq!(lost.len(), 19);
    assert!(lost.iter().all(|lost| lost.message == "active session exists"), "{lost:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writers_on_both_lose_nothing_and_readers_of_both_see_every_entry_once() {
    let Some((_bed, a, b)) = two().await else { return };
    let id = campaign(&a).await;
    let mut feeds = Vec::new();
    for service in [&a, &b] {
        feeds.push(service.watch(&nobody(), &id, 0).await.unwrap());
    }
    let join = async |number: usize| {
        let service = if number.is_multiple_of(2) { &a } else { &b };
        let new = participant(&format!("P{number}"), "PLAYER");
        service.create_participant(&nobody(), &id, new).await.unwrap();
        service.create_actor(&nobody(), &id, actor("A", "NPC")).await.unwrap();
    };
    soon(join_all((0..50).map(join))).await;
    let table = a.table(&nobody(), &id, None).await.unwrap();
    assert_eq!((table.campaign.participant_count, table.campaign.actor_count), (50, 50));
    assert_eq!(b.table(&nobody(), &id, None).await.unwrap(), table);
    for service in [&a, &b] {
        let listed = service.list_campaigns(&nobody(), PageRequest::default()).await.unwrap();
        assert_eq!(listed.items, std::slice::from_ref(&table.campaign));
        let verdict = service.verify(&nobody(), &id).await.unwrap();
        assert_eq!((verdict.valid, verdict.events), (true, Some(101)));
    }
    for feed in &mut feeds {
        for seq in 1..=101 {
            assert_eq!(soon(feed.next()).await.unwrap().unwrap().seq, seq);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_on_one_is_told_to_those_who_watch_all_campaigns_on_the_other() {
    let Some((_bed, a, b)) = two().await else { return };
    let mut changes = b.watch_all(&nobody()).await.unwrap();
    let id = campaign(&a).await;
    let joined = a.create_participant(&nobody(), &id, participant("Ann", "GM")).await.unwrap();
    a.add_note(&nobody(), &id, note("hello")).await.unwrap();
    let mut told = Vec::new();
    while told.len() < 3 {
        match soon(changes.next()).await.unwrap().unwrap() {
            Change::Entry(event) => told.push((event.seq, event.kind)),
            Change::Missed { campaign_id } => panic!("{campaign_id} is to be told in full"),
        }
    }
    let kinds = ["campaign.created", "participant.joined", "note.added"];
    assert_eq!(told, (1..).zip(kinds.map(str::to_owned)).collect::<Vec<_>>());
    // Ids lead to their campaign on both.
    let owner = b.owner_of(&nobody(), joined.id.as_str()).await.unwrap();
    assert_eq!(owner.unwrap().as_str(), id);
}
