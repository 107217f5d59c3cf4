//! A journal that somebody has been at.

use campaign::{Backend as _, wire::Verdict};
use rusqlite::Connection;

use crate::bed::{Bed, campaign, nobody, note, participant};

/// A campaign of four entries in a file that somebody then works on; what `verify` finds.
async fn after(work: &str) -> Verdict {
    let bed = Bed::sqlite();
    let service = bed.service();
    let id = campaign(&service).await;
    service.create_participant(&nobody(), &id, participant("Ann", "GM")).await.unwrap();
    service.add_note(&nobody(), &id, note("gold")).await.unwrap();
    service.add_note(&nobody(), &id, note("more gold")).await.unwrap();
    let file = Connection::open(bed.file()).unwrap();
    // What the store refuses by itself takes somebody who removes its guards first.
    assert!(file.execute("UPDATE events SET data = replace(data, 'gold', 'lead')", ()).is_err());
    file.execute_batch("DROP TRIGGER events_are_not_changed; DROP TRIGGER events_are_not_deleted;")
        .unwrap();
    file.execute_batch(work).unwrap();
    drop(file);
    let bed = bed.reopened().await;
    bed.service().verify(&nobody(), &id).await.unwrap()
}

fn why(verdict: &Verdict) -> (u64, &str) {
    assert!(!verdict.valid);
    (verdict.seq.unwrap(), verdict.why.as_deref().unwrap())
}

const THIRD: &str = "place & ((1 << 36) - 1) = 3";

#[tokio::test]
async fn an_untouched_journal_is_valid() {
    let verdict = after("").await;
    assert_eq!((verdict.valid, verdict.events), (true, Some(4)));
}

#[tokio::test]
async fn a_changed_text_is_found() {
    let work = format!("UPDATE events SET data = replace(data, 'gold', 'lead') WHERE {THIRD}");
    assert_eq!(why(&after(&work).await), (3, "its hash is not that of its content"));
}

#[tokio::test]
async fn a_changed_author_is_found() {
    let work = format!("UPDATE events SET data = replace(data, 'SYSTEM', 'GM') WHERE {THIRD}");
    assert_eq!(why(&after(&work).await), (3, "its hash is not that of its content"));
}

#[tokio::test]
async fn an_entry_that_is_no_longer_readable_is_found() {
    let work = format!("UPDATE events SET data = '[]' WHERE {THIRD}");
    let verdict = after(&work).await;
    assert_eq!(why(&verdict).0, 3);
}

#[tokio::test]
async fn a_missing_entry_is_found() {
    let verdict = after(&format!("DELETE FROM events WHERE {THIRD}")).await;
    assert_eq!(why(&verdict), (3, "its seq is 4"));
}

#[tokio::test]
async fn a_missing_end_is_found() {
    let verdict = after("DELETE FROM events WHERE place & ((1 << 36) - 1) = 4").await;
    assert_eq!(why(&verdict), (4, "it is missing, 4 were written"));
}

#[tokio::test]
async fn an_entry_that_is_filed_under_another_type_is_found() {
    let work = format!("UPDATE events SET kind = 'campaign.created' WHERE {THIRD}");
    assert_eq!(why(&after(&work).await), (3, "the store files it as a `campaign.created`"));
}
