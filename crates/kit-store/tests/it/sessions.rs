//! What every table of sessions does.

use kit_store::{SessionRow, StoreError};
use serde_json::json;

use crate::bed::{Bed, on_every_back_end};

on_every_back_end!(
    a_session_is_read_back_as_it_was_made,
    an_id_is_not_given_twice,
    data_changes_only_where_a_session_is,
    a_deleted_session_is_gone,
    sessions_not_seen_expire_and_touched_ones_stay,
    an_id_that_cannot_be_is_just_unknown,
    ten_thousand_sessions_are_nothing_special,
);

fn row(id: &str, seen_at: i64) -> SessionRow {
    let data = json!({"protocol": "2025-11-25", "client": {"name": "test", "nul": "\0"}});
    SessionRow { id: id.into(), app: "universe".into(), principal: "local".into(), data, seen_at }
}

async fn a_session_is_read_back_as_it_was_made(bed: Bed) {
    let sessions = &bed.store.sessions;
    sessions.create(row("one", 5)).await.unwrap();
    assert_eq!(sessions.get("one").await.unwrap(), Some(row("one", 5)));
    assert_eq!(sessions.get("two").await.unwrap(), None);
    assert_eq!(sessions.count().await.unwrap(), 1);
    let reopened = bed.reopened().await;
    if let Some(bed) = reopened {
        assert_eq!(bed.store.sessions.get("one").await.unwrap(), Some(row("one", 5)));
    }
}

async fn an_id_is_not_given_twice(bed: Bed) {
    let sessions = &bed.store.sessions;
    sessions.create(row("one", 5)).await.unwrap();
    let refused = sessions.create(row("one", 6)).await.unwrap_err();
    assert!(matches!(refused, StoreError::SessionExists), "{refused}");
    assert_eq!(sessions.get("one").await.unwrap(), Some(row("one", 5)));
}

async fn data_changes_only_where_a_session_is(bed: Bed) {
    let sessions = &bed.store.sessions;
    sessions.create(row("one", 5)).await.unwrap();
    assert!(sessions.update("one", json!({"subscribed": ["a"]})).await.unwrap());
    assert!(!sessions.update("two", json!({})).await.unwrap());
    let changed = SessionRow { data: json!({"subscribed": ["a"]}), ..row("one", 5) };
    assert_eq!(sessions.get("one").await.unwrap(), Some(changed));
    assert_eq!(sessions.count().await.unwrap(), 1);
}

async fn a_deleted_session_is_gone(bed: Bed) {
    let sessions = &bed.store.sessions;
    sessions.create(row("one", 5)).await.unwrap();
    assert!(sessions.delete("one").await.unwrap());
    assert!(!sessions.delete("one").await.unwrap());
    assert_eq!(sessions.get("one").await.unwrap(), None);
}

async fn sessions_not_seen_expire_and_touched_ones_stay(bed: Bed) {
    let sessions = &bed.store.sessions;
    for (id, seen_at) in [("old", 10), ("touched", 10), ("edge", 50), ("new", 100)] {
        sessions.create(row(id, seen_at)).await.unwrap();
    }
    sessions.touch(&["touched".into(), "unknown".into()], 60).await.unwrap();
    // A batch that comes late does not make a session older.
    sessions.touch(&["new".into()], 1).await.unwrap();
    assert_eq!(sessions.expire(50).await.unwrap(), ["old"]);
    assert_eq!(sessions.expire(50).await.unwrap(), Vec::<String>::new());
    assert_eq!(sessions.count().await.unwrap(), 3);
    assert_eq!(sessions.get("new").await.unwrap().unwrap().seen_at, 100);
}

async fn an_id_that_cannot_be_is_just_unknown(bed: Bed) {
    let sessions = &bed.store.sessions;
    for id in ["", "\0", "'; DROP TABLE sessions", &"x".repeat(100_000)] {
        assert_eq!(sessions.get(id).await.unwrap(), None);
        assert!(!sessions.update(id, json!({})).await.unwrap());
        assert!(!sessions.delete(id).await.unwrap());
        sessions.touch(&[id.to_owned()], 1).await.unwrap();
    }
}

async fn ten_thousand_sessions_are_nothing_special(bed: Bed) {
    let sessions = &bed.store.sessions;
    let ids: Vec<_> = (0..10_000).map(|number| format!("session-{number:05}")).collect();
    for chunk in ids.chunks(500) {
        let made = chunk.iter().map(|id| sessions.create(row(id, 1)));
        futures::future::try_join_all(made).await.unwrap();
    }
    assert_eq!(sessions.count().await.unwrap(), 10_000);
    sessions.touch(&ids[..9000], 10).await.unwrap();
    let mut expired = sessions.expire(10).await.unwrap();
    expired.sort();
    assert_eq!(expired, ids[9000..]);
}
