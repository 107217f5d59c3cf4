//! What every journal does.

use std::sync::Arc;

use kit_store::{Append, Expected, Signal, Snapshot, StoreError, StreamId, Version};
use serde_json::{
    json,
    value::{RawValue, to_raw_value},
};

use crate::bed::{Bed, append, event, exactly, log, on_every_back_end, said, stream};

on_every_back_end!(
    versions_count_from_one,
    a_conflict_names_the_actual_version_and_writes_nothing,
    an_unknown_stream_has_nothing,
    what_is_read_is_what_was_written,
    reading_stops_at_the_limit_and_goes_on_after_a_version,
    a_closed_stream_is_readable_but_takes_nothing_and_is_not_listed,
    a_listing_has_the_newest_first_and_only_its_category,
    pages_go_on_in_the_order_of_creation,
    head_and_times_follow_the_appends,
    an_alias_leads_to_the_stream_that_took_it_first,
    an_alias_of_an_append_that_is_refused_leads_nowhere,
    the_latest_snapshot_stays,
    an_append_without_events_is_refused,
    names_that_cannot_be_kept_are_refused,
    of_many_appenders_expecting_one_version_one_wins,
    appenders_of_any_version_all_get_in,
    a_large_append_is_whole,
    a_closed_store_refuses,
    a_restart_finds_everything,
    a_signal_reaches_whoever_listens,
    a_signal_that_no_notification_can_carry_is_refused,
);

async fn versions_count_from_one(bed: Bed) {
    let journal = bed.journal();
    assert_eq!(journal.append(append("a", exactly(0), &["x", "y"])).await.unwrap(), Version(2));
    assert_eq!(journal.append(append("a", exactly(2), &["z"])).await.unwrap(), Version(3));
    assert_eq!(journal.append(append("a", Expected::Any, &["w"])).await.unwrap(), Version(4));
    assert_eq!(journal.append(append("b", Expected::Any, &["other"])).await.unwrap(), Version(1));
    assert_eq!(said(&log(&*journal, "a").await), ["x", "y", "z", "w"]);
}

async fn a_conflict_names_the_actual_version_and_writes_nothing(bed: Bed) {
    let journal = bed.journal();
    journal.append(append("a", exactly(0), &["x", "y"])).await.unwrap();
    for believed in [0, 1, 3] {
        let refused = journal.append(append("a", exactly(believed), &["no"])).await.unwrap_err();
        let message = format!("stream `thing/a` is at version 2, not {believed}");
        assert_eq!(refused.to_string(), message);
    }
    let refused = journal.append(append("new", exactly(1), &["no"])).await.unwrap_err();
    assert_eq!(refused.to_string(), "stream `thing/new` is at version 0, not 1");
    assert_eq!(said(&log(&*journal, "a").await), ["x", "y"]);
    assert!(journal.info(&stream("new")).await.unwrap().is_none());
}

async fn an_unknown_stream_has_nothing(bed: Bed) {
    let journal = bed.journal();
    for stream in [stream("none"), StreamId::new("thing", "a\0b"), stream(&"x".repeat(10_000))] {
        assert!(journal.read(&stream, Version(0), 10).await.unwrap().is_empty());
        assert!(journal.info(&stream).await.unwrap().is_none());
        assert!(journal.snapshot(&stream).await.unwrap().is_none());
    }
    assert!(journal.list("no\0category").await.unwrap().is_empty());
}

async fn what_is_read_is_what_was_written(bed: Bed) {
    // The text itself: order of keys, spaces, escapes, numbers beyond a double.
    let text = r#"{"z": 1, "a":[1.50,  12345678901234567890123], "s":"\u0000 \ud83d\ude80 ü"}"#;
    let data: Arc<RawValue> = RawValue::from_string(text.to_owned()).unwrap().into();
    let mut append = append("a", exactly(0), &["x"]);
    append.events[0] = kit_store::NewEvent { kind: "größer".into(), data };
    append.actor = "ann; DROP TABLE events --".into();
    append.at = -5;
    let journal = bed.journal();
    journal.append(append).await.unwrap();
    let [event] = log(&*journal, "a").await.try_into().unwrap();
    assert_eq!(event.data.get(), text);
    assert_eq!(&*event.kind, "größer");
    assert_eq!(&*event.actor, "ann; DROP TABLE events --");
    assert_eq!((event.stream, event.at), (stream("a"), -5));
}

async fn reading_stops_at_the_limit_and_goes_on_after_a_version(bed: Bed) {
    let journal = bed.journal();
    journal.append(append("a", exactly(0), &["1", "2", "3", "4", "5"])).await.unwrap();
    let page = |after, limit| {
        let journal = journal.clone();
        async move { said(&journal.read(&stream("a"), Version(after), limit).await.unwrap()) }
    };
    assert_eq!(page(0, 2).await, ["1", "2"]);
    assert_eq!(page(2, 2).await, ["3", "4"]);
    assert_eq!(page(4, 2).await, ["5"]);
    assert!(page(5, 2).await.is_empty());
    assert!(page(u64::MAX, 2).await.is_empty());
    assert!(page(0, 0).await.is_empty());
}

async fn a_closed_stream_is_readable_but_takes_nothing_and_is_not_listed(bed: Bed) {
    let journal = bed.journal();
    journal.append(append("a", exactly(0), &["x"])).await.unwrap();
    journal.append(append("b", exactly(0), &["x"])).await.unwrap();
    journal.append(Append { closes: true, ..append("a", exactly(1), &["end"]) }).await.unwrap();
    for expected in [Expected::Any, exactly(0), exactly(2)] {
        let refused = journal.append(append("a", expected, &["no"])).await.unwrap_err();
        assert!(matches!(refused, StoreError::Closed(_)), "{refused}");
    }
    assert_eq!(said(&log(&*journal, "a").await), ["x", "end"]);
    assert!(journal.info(&stream("a")).await.unwrap().unwrap().closed);
    let listed: Vec<_> = journal.list("thing").await.unwrap();
    assert_eq!(listed.iter().map(|info| info.stream.id()).collect::<Vec<_>>(), ["b"]);
}

async fn a_listing_has_the_newest_first_and_only_its_category(bed: Bed) {
    let journal = bed.journal();
    for (id, at) in [("first", 10), ("second", 20), ("same-time", 20), ("old", 5)] {
        journal.append(Append { at, ..append(id, exactly(0), &["x"]) }).await.unwrap();
    }
    // A later change does not make it newer.
    journal.append(Append { at: 99, ..append("old", exactly(1), &["x"]) }).await.unwrap();
    let elsewhere = StreamId::new("other", "x");
    let other = Append { stream: elsewhere, ..append("x", exactly(0), &["x"]) };
    journal.append(other).await.unwrap();
    let listed = journal.list("thing").await.unwrap();
    let ids: Vec<_> = listed.iter().map(|info| info.stream.id()).collect();
    assert_eq!(ids, ["same-time", "second", "first", "old"]);
}

async fn pages_go_on_in_the_order_of_creation(bed: Bed) {
    let journal = bed.journal();
    for (id, at) in [("b", 20), ("A", 20), ("first", 10), ("a", 20), ("last", 30), ("closed", 15)] {
        let closes = id == "closed";
        let append = Append { at, closes, ..append(id, exactly(0), &["x"]) };
        journal.append(append).await.unwrap();
    }
    let other = StreamId::new("other", "x");
    journal.append(Append { stream: other, ..append("x", exactly(0), &["x"]) }).await.unwrap();
    let page = async |after: Option<(i64, &str)>, limit| {
        let after = after.map(|(at, id)| (at, stream(id)));
        let after = after.as_ref().map(|(at, stream)| (*at, stream));
        let page = journal.list_after("thing", after, limit).await.unwrap();
        page.iter().map(|info| info.stream.id().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(page(None, usize::MAX).await, ["first", "A", "a", "b", "last"]);
    assert_eq!(page(None, 2).await, ["first", "A"]);
    assert_eq!(page(Some((20, "A")), 2).await, ["a", "b"]);
    // What it goes on after need not be there any more.
    assert_eq!(page(Some((20, "aa")), 9).await, ["b", "last"]);
    assert!(page(Some((30, "last")), 9).await.is_empty());
    assert!(page(None, 0).await.is_empty());
    assert!(journal.list_after("no\0category", None, 9).await.unwrap().is_empty());
}

async fn head_and_times_follow_the_appends(bed: Bed) {
    let journal = bed.journal();
    let head = json!({"name": "Sol", "bodies": 1});
    journal.append(append("a", exactly(0), &["x"])).await.unwrap();
    assert!(journal.info(&stream("a")).await.unwrap().unwrap().head.is_null());
    let named =
        Append { head: Some(head.clone().into()), at: 2000, ..append("a", exactly(1), &["y"]) };
    journal.append(named).await.unwrap();
    journal.append(Append { at: 3000, ..append("a", exactly(2), &["z"]) }).await.unwrap();
    let info = journal.info(&stream("a")).await.unwrap().unwrap();
    assert_eq!((info.version, info.head), (Version(3), head));
    assert_eq!((info.created_at, info.updated_at, info.closed), (1000, 3000, false));
}

async fn an_alias_leads_to_the_stream_that_took_it_first(bed: Bed) {
    let journal = bed.journal();
    let named = |id, version, names: &[&str]| Append {
        aliases: names.iter().map(|name| (*name).into()).collect(),
        ..append(id, exactly(version), &["x"])
    };
    journal.append(named("a", 0, &["one", "two"])).await.unwrap();
    journal.append(named("b", 0, &["two", "three"])).await.unwrap();
    journal.append(named("a", 1, &["four", "one"])).await.unwrap();
    for (alias, id) in [("one", "a"), ("two", "a"), ("three", "b"), ("four", "a")] {
        assert_eq!(journal.find("thing", alias).await.unwrap(), Some(stream(id)), "{alias}");
    }
    assert_eq!(journal.find("other", "one").await.unwrap(), None);
    for odd in ["five", "", "a\0b", &"x".repeat(10_000)] {
        assert_eq!(journal.find("thing", odd).await.unwrap(), None);
    }
}

async fn an_alias_of_an_append_that_is_refused_leads_nowhere(bed: Bed) {
    let journal = bed.journal();
    let aliases = vec!["one".into()];
    let late = Append { aliases: aliases.clone(), ..append("a", exactly(7), &["x"]) };
    journal.append(late).await.unwrap_err();
    assert_eq!(journal.find("thing", "one").await.unwrap(), None);
    let odd = Append { aliases: vec!["a\0b".into()], ..append("a", exactly(0), &["x"]) };
    assert!(journal.append(odd).await.unwrap_err().to_string().starts_with("alias"));
    assert!(journal.info(&stream("a")).await.unwrap().is_none());
}

async fn the_latest_snapshot_stays(bed: Bed) {
    let journal = bed.journal();
    journal.append(append("a", exactly(0), &["1", "2", "3"])).await.unwrap();
    let snapshot = |version| Snapshot {
        version: Version(version),
        data: to_raw_value(&json!({ "at": version })).unwrap().into(),
    };
    for version in [2, 3, 1] {
        journal.save_snapshot(&stream("a"), snapshot(version)).await.unwrap();
    }
    let kept = journal.snapshot(&stream("a")).await.unwrap().unwrap();
    assert_eq!((kept.version, kept.data.get()), (Version(3), r#"{"at":3}"#));
    // Neither of what the log does not hold nor of a stream that is not there.
    journal.save_snapshot(&stream("a"), snapshot(4)).await.unwrap();
    journal.save_snapshot(&stream("none"), snapshot(1)).await.unwrap();
    assert_eq!(journal.snapshot(&stream("a")).await.unwrap().unwrap().version, Version(3));
    assert!(journal.snapshot(&stream("none")).await.unwrap().is_none());
}

async fn an_append_without_events_is_refused(bed: Bed) {
    let refused = bed.journal().append(append("a", exactly(0), &[])).await.unwrap_err();
    assert_eq!(refused.to_string(), "append to `thing/a` has no events");
}

async fn names_that_cannot_be_kept_are_refused(bed: Bed) {
    let journal = bed.journal();
    for id in ["a\0b", "line\nbreak", &"x".repeat(600)] {
        let refused = journal.append(append(id, Expected::Any, &["x"])).await.unwrap_err();
        assert_eq!(refused.to_string(), "stream name is not 1 to 512 printable bytes");
    }
    let mut actor = append("a", Expected::Any, &["x"]);
    actor.actor = "an\0n".into();
    assert!(journal.append(actor).await.unwrap_err().to_string().starts_with("actor"));
    let mut kind = append("a", Expected::Any, &["x"]);
    kind.events.push(event("", "y"));
    assert!(journal.append(kind).await.unwrap_err().to_string().starts_with("event kind"));
    assert!(journal.info(&stream("a")).await.unwrap().is_none());
}

async fn of_many_appenders_expecting_one_version_one_wins(bed: Bed) {
    let journal = bed.journal();
    for round in 0..10 {
        let rivals = (0..8).map(|rival| {
            let journal = journal.clone();
            let text = format!("{round}.{rival}");
            tokio::spawn(async move { journal.append(append("a", exactly(round), &[&text])).await })
        });
        let mut won = 0;
        for outcome in futures::future::join_all(rivals).await {
            match outcome.unwrap() {
                Ok(version) => {
                    assert_eq!(version, Version(round + 1));
                    won += 1;
                }
                Err(StoreError::Conflict { actual, .. }) => assert_eq!(actual, Version(round + 1)),
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(won, 1);
    }
    assert_eq!(log(&*journal, "a").await.len(), 10);
}

async fn appenders_of_any_version_all_get_in(bed: Bed) {
    let journal = bed.journal();
    let appenders = (0..200).map(|number| {
        let journal = journal.clone();
        let id = format!("{}", number % 3);
        let text = number.to_string();
        tokio::spawn(async move {
            let version = journal.append(append(&id, Expected::Any, &[&text])).await.unwrap();
            (id, version, text)
        })
    });
    for answered in futures::future::join_all(appenders).await {
        let (id, version, text) = answered.unwrap();
        let log = log(&*journal, &id).await;
        let index = usize::try_from(version.0).unwrap() - 1;
        assert_eq!(said(&log)[index], text, "an answer names the version that the event has");
    }
}

async fn a_large_append_is_whole(bed: Bed) {
    let journal = bed.journal();
    let long = "ü".repeat(1_000_000);
    let many = vec!["x"; 3000];
    journal.append(append("a", exactly(0), &[&long])).await.unwrap();
    journal.append(append("a", exactly(1), &many)).await.unwrap();
    let events = log(&*journal, "a").await;
    assert_eq!(events.len(), 3001);
    assert_eq!(said(&events[..1]), [long]);
}

async fn a_closed_store_refuses(bed: Bed) {
    bed.store.health().await.unwrap();
    let journal = bed.journal();
    journal.append(append("a", exactly(0), &["x"])).await.unwrap();
    bed.store.close().await;
    // Memory has nothing to close.
    if bed.reopened().await.is_some() {
        let refused = journal.append(append("a", exactly(1), &["y"])).await.unwrap_err();
        assert_eq!(refused.to_string(), "the store is closed");
        let refused = journal.read(&stream("a"), Version(0), 1).await.unwrap_err();
        assert_eq!(refused.to_string(), "the store is closed");
    }
}

async fn a_restart_finds_everything(bed: Bed) {
    let journal = bed.journal();
    let head = Some(json!("head").into());
    journal.append(Append { head, ..append("a", exactly(0), &["x", "y"]) }).await.unwrap();
    let data = to_raw_value("state").unwrap().into();
    let snapshot = Snapshot { version: Version(2), data };
    journal.save_snapshot(&stream("a"), snapshot).await.unwrap();
    drop(journal);
    let Some(bed) = bed.reopened().await else { return };
    let journal = bed.journal();
    assert_eq!(said(&log(&*journal, "a").await), ["x", "y"]);
    assert_eq!(journal.info(&stream("a")).await.unwrap().unwrap().head, "head");
    assert_eq!(journal.snapshot(&stream("a")).await.unwrap().unwrap().version, Version(2));
    journal.append(append("a", exactly(1), &["no"])).await.unwrap_err();
    assert_eq!(journal.append(append("a", exactly(2), &["z"])).await.unwrap(), Version(3));
}

async fn a_signal_reaches_whoever_listens(bed: Bed) {
    let mut receivers = [bed.store.signals.receive(), bed.store.signals.receive()];
    let signal = Signal { topic: "tools".into(), payload: json!({"app": "ui", "nul": "\0"}) };
    bed.store.signals.send(signal.clone()).await.unwrap();
    for receiver in &mut receivers {
        assert_eq!(receiver.recv().await.unwrap(), signal);
    }
}

async fn a_signal_that_no_notification_can_carry_is_refused(bed: Bed) {
    let payload = |size| Signal { topic: "t".into(), payload: json!("x".repeat(size)) };
    bed.store.signals.send(payload(7000)).await.unwrap();
    let refused = bed.store.signals.send(payload(8000)).await.unwrap_err();
    assert_eq!(refused.to_string(), "signal `t` has 8026 bytes, 7168 at most");
}
