//! The store in memory: for tests, and for a server that may forget.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::broadcast;

use crate::{
    Append, Appended, Journal, Recorded, SessionRow, Sessions, Snapshot, StoreError, StreamId,
    StreamInfo, Version, announce::Announcer, backend::Backend,
};

/// Streams and sessions in two tables.
pub(crate) struct Memory {
    streams: Mutex<BTreeMap<StreamId, Kept>>,
    /// By category and alias.
    aliases: Mutex<HashMap<(String, Arc<str>), StreamId>>,
    sessions: Mutex<HashMap<String, Session>>,
    announcer: Announcer,
}

struct Kept {
    /// Streams are listed newest first; the clock may give two the same time.
    number: usize,
    info: StreamInfo,
    events: Vec<Recorded>,
    snapshot: Option<Snapshot>,
}

/// The data as text: a tree of values would cost several times as much.
struct Session {
    app: String,
    principal: String,
    data: Box<str>,
    seen_at: i64,
}

impl Memory {
    pub(crate) fn new() -> Self {
        Self {
            streams: Mutex::default(),
            aliases: Mutex::default(),
            sessions: Mutex::default(),
            announcer: Announcer::new(),
        }
    }
}

#[async_trait]
impl Journal for Memory {
    async fn append(&self, append: Append) -> Result<Version, StoreError> {
        append.check()?;
        let mut streams = self.streams.lock();
        let (before, closed) = streams
            .get(&append.stream)
            .map_or((Version(0), false), |kept| (kept.info.version, kept.info.closed));
        append.judge(before, closed)?;
        for alias in &append.aliases {
            let key = (append.stream.category().to_owned(), alias.clone());
            self.aliases.lock().entry(key).or_insert_with(|| append.stream.clone());
        }
        let number = streams.len();
        let kept =
            streams.entry(append.stream.clone()).or_insert_with(|| Kept::new(number, &append));
        let appended = kept.push(append);
        let version = appended.version;
        // Under the lock, so that wakes come in the order of the log.
        self.announcer.announce(appended);
        Ok(version)
    }

    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, StoreError> {
        let streams = self.streams.lock();
        let events = streams.get(stream).map_or(&[][..], |kept| &kept.events);
        let skip = usize::try_from(after.0).unwrap_or(usize::MAX);
        Ok(events.iter().skip(skip).take(limit).cloned().collect())
    }

    async fn info(&self, stream: &StreamId) -> Result<Option<StreamInfo>, StoreError> {
        Ok(self.streams.lock().get(stream).map(|kept| kept.info.clone()))
    }

    async fn find(&self, category: &str, alias: &str) -> Result<Option<StreamId>, StoreError> {
        Ok(self.aliases.lock().get(&(category.to_owned(), alias.into())).cloned())
    }

    async fn list(&self, category: &str) -> Result<Vec<StreamInfo>, StoreError> {
        let streams = self.streams.lock();
        let mut open: Vec<_> = streams
            .values()
            .filter(|kept| !kept.info.closed && kept.info.stream.category() == category)
            .collect();
        open.sort_by_key(|kept| std::cmp::Reverse((kept.info.created_at, kept.number)));
        Ok(open.into_iter().map(|kept| kept.info.clone()).collect())
    }

    async fn list_after(
        &self,
        category: &str,
        after: Option<(i64, &StreamId)>,
        limit: usize,
    ) -> Result<Vec<StreamInfo>, StoreError> {
        let mut open = self.list(category).await?;
        open.retain(|info| after.is_none_or(|after| (info.created_at, &info.stream) > after));
        open.sort_by(|a, b| (a.created_at, &a.stream).cmp(&(b.created_at, &b.stream)));
        open.truncate(limit);
        Ok(open)
    }

    async fn save_snapshot(&self, stream: &StreamId, snapshot: Snapshot) -> Result<(), StoreError> {
        if let Some(kept) = self.streams.lock().get_mut(stream)
            && snapshot.version <= kept.info.version
            && kept.snapshot.as_ref().is_none_or(|older| older.version < snapshot.version)
        {
            kept.snapshot = Some(snapshot);
        }
        Ok(())
    }

    async fn snapshot(&self, stream: &StreamId) -> Result<Option<Snapshot>, StoreError> {
        Ok(self.streams.lock().get(stream).and_then(|kept| kept.snapshot.clone()))
    }

    fn watch(&self) -> broadcast::Receiver<Appended> {
        self.announcer.watch()
    }

    fn watch_stream(&self, stream: &StreamId) -> broadcast::Receiver<Appended> {
        self.announcer.watch_stream(stream)
    }

    fn shared(&self) -> bool {
        false
    }
}

impl Kept {
    /// The stream before its first append.
    fn new(number: usize, first: &Append) -> Self {
        let info = StreamInfo {
            stream: first.stream.clone(),
            version: Version(0),
            head: Value::Null,
            created_at: first.at,
            updated_at: first.at,
            closed: false,
        };
        Self { number, info, events: Vec::new(), snapshot: None }
    }

    fn push(&mut self, mut append: Append) -> Appended {
        self.info.updated_at = append.at;
        self.info.closed = append.closes;
        if let Some(head) = append.head.take() {
            self.info.head = Arc::unwrap_or_clone(head);
        }
        let events = append.recorded(self.info.version);
        self.events.extend_from_slice(&events);
        self.info.version = Version(self.events.len() as u64);
        Appended { stream: self.info.stream.clone(), version: self.info.version, events }
    }
}

#[async_trait]
impl Sessions for Memory {
    async fn create(&self, row: SessionRow) -> Result<(), StoreError> {
        let data = row.data.to_string().into();
        let mut sessions = self.sessions.lock();
        if sessions.contains_key(&row.id) {
            return Err(StoreError::SessionExists);
        }
        let SessionRow { id, app, principal, seen_at, .. } = row;
        sessions.insert(id, Session { app, principal, data, seen_at });
        Ok(())
    }

    async fn get(&self, id: &str) -> Result<Option<SessionRow>, StoreError> {
        let sessions = self.sessions.lock();
        let Some(session) = sessions.get(id) else { return Ok(None) };
        Ok(Some(SessionRow {
            id: id.to_owned(),
            app: session.app.clone(),
            principal: session.principal.clone(),
            data: serde_json::from_str(&session.data).map_err(StoreError::failed)?,
            seen_at: session.seen_at,
        }))
    }

    async fn update(&self, id: &str, data: Value) -> Result<bool, StoreError> {
        let data = data.to_string().into();
        let mut sessions = self.sessions.lock();
        Ok(sessions.get_mut(id).map(|session| session.data = data).is_some())
    }

    async fn touch(&self, ids: &[String], at: i64) -> Result<(), StoreError> {
        let mut sessions = self.sessions.lock();
        for id in ids {
            if let Some(session) = sessions.get_mut(id) {
                session.seen_at = session.seen_at.max(at);
            }
        }
        Ok(())
    }

    async fn delete(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.sessions.lock().remove(id).is_some())
    }

    async fn expire(&self, before: i64) -> Result<Vec<String>, StoreError> {
        let old = self.sessions.lock().extract_if(|_, session| session.seen_at < before).collect();
        let old: Vec<(String, Session)> = old;
        Ok(old.into_iter().map(|(id, _)| id).collect())
    }

    async fn count(&self) -> Result<u64, StoreError> {
        Ok(self.sessions.lock().len() as u64)
    }

    fn shared(&self) -> bool {
        false
    }
}

#[async_trait]
impl Backend for Memory {
    async fn health(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn close(&self) {}
}
