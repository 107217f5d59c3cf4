//! Many at once: one wins where one may, and nothing is lost or counted twice.

use campaign::{Backend as _, PageRequest};
use campaign_core::{Code, Status};
use futures::future::join_all;

use crate::bed::{Bed, campaign, nobody, on_every_back_end, participant};

on_every_back_end!(
    of_twenty_sessions_started_at_once_one_starts,
    a_hundred_who_join_at_once_are_all_there_and_counted,
    campaigns_do_not_wait_for_each_other,
);

async fn of_twenty_sessions_started_at_once_one_starts(bed: Bed) {
    let service = bed.service();
    let id = campaign(&service).await;
    for round in 0..3 {
        let start = async |number: usize| {
            service.start_session(&nobody(), &id, &format!("{round}.{number}")).await
        };
        let started = join_all((0..20).map(start)).await;
        let won: Vec<_> = started.iter().flatten().collect();
        assert_eq!(won.len(), 1);
        for lost in started.iter().filter_map(|started| started.as_ref().err()) {
            assert_eq!(lost.code, Code::FailedPrecondition);
            assert_eq!(lost.message, "active session exists");
        }
        let sessions = service.list_sessions(&nobody(), &id, PageRequest::default()).await.unwrap();
        let active = sessions.items.iter().filter(|one| one.status == Status::Active);
        assert_eq!((sessions.items.len(), active.count()), (round + 1, 1));
        service.end_session(&nobody(), &id, Some(won[0].id.to_string())).await.unwrap();
    }
}

async fn a_hundred_who_join_at_once_are_all_there_and_counted(bed: Bed) {
    let service = bed.service();
    let id = campaign(&service).await;
    let join = async |number: usize| {
        let new = participant(&format!("P{number}"), "PLAYER");
        service.create_participant(&nobody(), &id, new).await.unwrap()
    };
    let joined = join_all((0..100).map(join)).await;
    let table = service.table(&nobody(), &id, None).await.unwrap();
    assert_eq!(table.campaign.participant_count, 100);
    assert_eq!(table.seq, 101);
    for one in &joined {
        assert!(table.participants.contains(one), "{one:?}");
    }
    // The list of campaigns, which reads no journal, says the same.
    let listed = service.list_campaigns(&nobody(), PageRequest::default()).await.unwrap();
    assert_eq!(listed.items, std::slice::from_ref(&table.campaign));
    assert!(service.verify(&nobody(), &id).await.unwrap().valid);
    // And so does a process that reads it all anew.
    let bed = bed.reopened().await;
    assert_eq!(bed.service().table(&nobody(), &id, None).await.unwrap(), table);
}

async fn campaigns_do_not_wait_for_each_other(bed: Bed) {
    let service = bed.service();
    let ids = join_all((0..10).map(|_| campaign(&service))).await;
    let started = join_all(
        ids.iter().map(async |id| service.start_session(&nobody(), id, "first").await.unwrap()),
    );
    assert!(started.await.iter().all(|session| session.status == Status::Active));
    let listed = service.list_campaigns(&nobody(), PageRequest::default()).await.unwrap();
    assert_eq!(listed.items.len(), 10);
}
