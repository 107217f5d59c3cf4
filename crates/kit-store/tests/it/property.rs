//! Whatever is appended in whatever order, the log is what a simple model says.

use std::{collections::BTreeMap, sync::Arc};

use kit_store::{Append, Expected, Journal, StoreError, Version};
use proptest::{collection::vec, prelude::*};
use tokio::runtime::Runtime;

use crate::bed::{Bed, append, log, said};

/// One attempt. What is expected is said relative to where the model stands, so that both outcomes are common.
#[derive(Debug, Clone)]
struct Attempt {
    stream: u8,
    expected: Option<i64>,
    events: u8,
    closes: bool,
}

fn attempt() -> impl Strategy<Value = Attempt> {
    let expected = prop_oneof![2 => Just(None), 5 => Just(Some(0)), 2 => (-2i64..3).prop_map(Some)];
    (0u8..4, expected, 1u8..4, prop::bool::weighted(0.03))
        .prop_map(|(stream, expected, events, closes)| Attempt { stream, expected, events, closes })
}

#[derive(Default)]
struct Model {
    streams: BTreeMap<String, (Vec<String>, bool)>,
    said: usize,
}

impl Model {
    /// What to append, and what must come of it.
    fn play(&mut self, attempt: &Attempt) -> (Append, Result<Version, ()>) {
        let id = attempt.stream.to_string();
        let (log, closed) = self.streams.entry(id.clone()).or_default();
        let at = i64::try_from(log.len()).unwrap();
        let expected = match attempt.expected {
            None => Expected::Any,
            Some(off) => Expected::Exactly(Version((at + off).max(0).unsigned_abs())),
        };
        let new: Vec<_> = (0..attempt.events).map(|n| format!("{}.{n}", self.said)).collect();
        self.said += 1;
        let texts: Vec<_> = new.iter().map(String::as_str).collect();
        let append = Append { closes: attempt.closes, ..append(&id, expected, &texts) };
        let fits = matches!(expected, Expected::Any)
            || expected == Expected::Exactly(Version(at.unsigned_abs()));
        if *closed || !fits {
            return (append, Err(()));
        }
        log.extend(new);
        *closed = attempt.closes;
        (append, Ok(Version(log.len() as u64)))
    }
}

/// One after another: every answer is the model's, and so is every log.
async fn follows_the_model(journal: &dyn Journal, attempts: &[Attempt]) {
    let mut model = Model::default();
    for attempt in attempts {
        let (append, expected) = model.play(attempt);
        let outcome = journal.append(append).await;
        assert_eq!(outcome.map_err(drop), expected, "{attempt:?}");
    }
    for (id, (events, _)) in &model.streams {
        assert_eq!(said(&log(journal, id).await), *events);
    }
}

/// All at once: the log holds exactly what was acknowledged, each append in one piece where it was told to be.
async fn keeps_what_it_acknowledged(journal: Arc<dyn Journal>, attempts: &[Attempt]) {
    let mut model = Model::default();
    let appends = attempts.iter().map(|attempt| {
        let append = Append { closes: false, ..model.play(attempt).0 };
        let journal = journal.clone();
        tokio::spawn(async move { (append.clone(), journal.append(append).await) })
    });
    let mut acknowledged: BTreeMap<String, BTreeMap<u64, String>> = BTreeMap::new();
    for answered in futures::future::join_all(appends.collect::<Vec<_>>()).await {
        let (append, outcome) = answered.unwrap();
        let last = match outcome {
            Ok(version) => version.0,
            Err(StoreError::Conflict { expected, actual, .. }) => {
                assert_ne!(expected, actual, "a conflict says where the stream really is");
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        let kept = acknowledged.entry(append.stream.id().to_owned()).or_default();
        let first = last + 1 - append.events.len() as u64;
        if let Expected::Exactly(before) = append.expected {
            assert_eq!(before.0 + 1, first, "it stands where it was expected");
        }
        for (version, event) in (first..).zip(&append.events) {
            let text = serde_json::from_str(event.data.get()).unwrap();
            assert!(kept.insert(version, text).is_none(), "no version is given twice");
        }
    }
    for (id, kept) in acknowledged {
        assert_eq!(said(&log(&*journal, &id).await), kept.into_values().collect::<Vec<_>>());
    }
}

fn check(bed: impl AsyncFn() -> Option<Bed>, attempts: &[Attempt]) {
    Runtime::new().unwrap().block_on(async {
        let Some(alone) = bed().await else { return };
        follows_the_model(&*alone.journal(), attempts).await;
        let Some(together) = bed().await else { return };
        keeps_what_it_acknowledged(together.journal(), attempts).await;
    });
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn in_memory_the_log_is_what_the_model_says(attempts in vec(attempt(), 1..60)) {
        check(async || Some(Bed::memory()), &attempts);
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn on_sqlite_the_log_is_what_the_model_says(attempts in vec(attempt(), 1..60)) {
        check(async || Some(Bed::sqlite()), &attempts);
    }
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn on_postgres_the_log_is_what_the_model_says(attempts in vec(attempt(), 1..60)) {
        check(Bed::postgres, &attempts);
    }
}
