//! Following a stream live.

use std::{pin::pin, sync::Arc};

use futures::{FutureExt, Stream, StreamExt};
use kit_store::{Expected, Journal, Recorded, StoreError, Version, tail};

use crate::bed::{Bed, append, exactly, on_every_back_end, stream};

on_every_back_end!(
    a_tail_replays_then_follows,
    a_tail_begins_after_the_version_given,
    a_tail_hears_what_is_appended_before_it_is_polled,
    a_tail_that_lags_reads_the_log,
    tails_under_load_see_every_version_once_and_in_order,
    watchers_hear_of_an_append_before_its_caller,
    a_tail_ends_with_the_error_that_stopped_it,
);

async fn versions(
    tail: &mut (impl Stream<Item = Result<Recorded, StoreError>> + Unpin),
    count: usize,
) -> Vec<u64> {
    tail.take(count).map(|event| event.unwrap().version.0).collect().await
}

async fn say(journal: &Arc<dyn Journal>, id: &str, count: usize) {
    for _ in 0..count {
        journal.append(append(id, Expected::Any, &["x"])).await.unwrap();
    }
}

async fn a_tail_replays_then_follows(bed: Bed) {
    let journal = bed.journal();
    say(&journal, "a", 3).await;
    let mut tail = pin!(tail(journal.clone(), stream("a"), Version(0)));
    assert_eq!(versions(&mut tail, 3).await, [1, 2, 3]);
    assert!(tail.next().now_or_never().is_none(), "nothing more yet");
    say(&journal, "a", 2).await;
    assert_eq!(versions(&mut tail, 2).await, [4, 5]);
}

async fn a_tail_begins_after_the_version_given(bed: Bed) {
    let journal = bed.journal();
    say(&journal, "a", 3).await;
    let mut tail = pin!(tail(journal.clone(), stream("a"), Version(2)));
    say(&journal, "a", 1).await;
    assert_eq!(versions(&mut tail, 2).await, [3, 4]);
}

async fn a_tail_hears_what_is_appended_before_it_is_polled(bed: Bed) {
    let journal = bed.journal();
    let mut tail = pin!(tail(journal.clone(), stream("a"), Version(0)));
    journal.append(append("a", exactly(0), &["1", "2", "3"])).await.unwrap();
    say(&journal, "b", 2).await;
    say(&journal, "a", 1).await;
    assert_eq!(versions(&mut tail, 4).await, [1, 2, 3, 4]);
}

async fn a_tail_that_lags_reads_the_log(bed: Bed) {
    let journal = bed.journal();
    say(&journal, "a", 1).await;
    let mut tail = pin!(tail(journal.clone(), stream("a"), Version(0)));
    assert_eq!(versions(&mut tail, 1).await, [1]);
    // More than any queue between the two holds, and more than one page.
    say(&journal, "a", 300).await;
    assert_eq!(versions(&mut tail, 300).await, (2..=301).collect::<Vec<_>>());
    say(&journal, "a", 1).await;
    assert_eq!(versions(&mut tail, 1).await, [302]);
}

async fn tails_under_load_see_every_version_once_and_in_order(bed: Bed) {
    const EACH: usize = 50;
    let journal = bed.journal();
    let followers: Vec<_> = (0..8)
        .map(|_| {
            let journal = journal.clone();
            tokio::spawn(async move {
                let mut tail = pin!(tail(journal, stream("a"), Version(0)));
                versions(&mut tail, 4 * EACH).await
            })
        })
        .collect();
    let appenders: Vec<_> = (0..4)
        .map(|_| {
            let journal = journal.clone();
            tokio::spawn(async move { say(&journal, "a", EACH).await })
        })
        .collect();
    for appender in appenders {
        appender.await.unwrap();
    }
    for follower in followers {
        assert_eq!(follower.await.unwrap(), (1..=4 * EACH as u64).collect::<Vec<_>>());
    }
}

async fn watchers_hear_of_an_append_before_its_caller(bed: Bed) {
    let journal = bed.journal();
    let (mut all, mut one) = (journal.watch(), journal.watch_stream(&stream("a")));
    journal.append(append("a", exactly(0), &["x", "y"])).await.unwrap();
    for watcher in [&mut all, &mut one] {
        // Where replicas append too, the wake that they get may overtake the one with the events.
        let heard: Vec<_> = std::iter::from_fn(|| watcher.try_recv().ok()).collect();
        assert!(heard.iter().all(|wake| wake.stream == stream("a") && wake.version == Version(2)));
        assert!(heard.iter().any(|wake| wake.events.len() == 2), "{heard:?}");
    }
}

async fn a_tail_ends_with_the_error_that_stopped_it(bed: Bed) {
    let journal = bed.journal();
    let mut tail = pin!(tail(journal, stream("a"), Version(0)));
    bed.store.close().await;
    if bed.reopened().await.is_some() {
        assert!(matches!(tail.next().await, Some(Err(StoreError::Stopped))));
        assert!(tail.next().await.is_none());
    }
}
