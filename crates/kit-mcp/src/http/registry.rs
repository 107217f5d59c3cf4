//! All sessions of one endpoint.

use std::{
    collections::HashMap,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use http::StatusCode;
use kit_core::Principal;
use kit_store::{Sessions, Signal, Signals, StoreError};
use parking_lot::Mutex;
use rmcp::model::{
    ClientCapabilities, ErrorCode, Implementation, InitializeRequestParams, ProtocolVersion,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    reply::Refusal,
    session::{Session, now_ms},
};
use crate::{Limits, Metrics};

/// The topic under which replicas tell each other that a session ended.
const ENDED: &str = "mcp.session.ended";
/// How often rows are touched and expired ones removed.
const SWEEP: Duration = Duration::from_secs(30);
/// With a store that others write to: how old what we remember of a session may be, in milliseconds.
const RECHECK_MS: i64 = 2_000;
/// How long a session is kept in memory after its last request; its row stays.
const REMEMBERED_MS: i64 = 10 * 60 * 1000;
/// How long the row of somebody is kept who did not introduce himself and is not heard of again.
const GUEST_MS: i64 = 10 * 60 * 1000;
/// Independent locks, so that requests of different sessions do not meet.
const SHARDS: usize = 16;

/// Finds, opens and ends sessions.
pub(crate) struct Registry {
    app: String,
    rows: Arc<dyn Sessions>,
    signals: Arc<dyn Signals>,
    limits: Limits,
    metrics: Metrics,
    shards: [Mutex<HashMap<Uuid, Arc<Session>>>; SHARDS],
}

impl Registry {
    pub(crate) fn new(
        app: String,
        rows: Arc<dyn Sessions>,
        signals: Arc<dyn Signals>,
        limits: Limits,
        metrics: Metrics,
    ) -> Arc<Self> {
        let shards = std::array::from_fn(|_| Mutex::default());
        Arc::new(Self { app, rows, signals, limits, metrics, shards })
    }

    pub(crate) async fn open(
        &self,
        principal: Principal,
        version: ProtocolVersion,
        client: InitializeRequestParams,
    ) -> Result<Arc<Session>, Refusal> {
        if self.len() >= self.limits.sessions && self.forget_idle(60_000) == 0 {
            let why = format!("{} sessions are open, which is the limit", self.limits.sessions);
            return Err(Refusal::overloaded(why));
        }
        self.admit(principal, version, client, 0).await
    }

    /// A session for somebody who did not send `initialize`. Most such never come back, so their rows end soon unless
    /// they do, and they may not take the places of those who introduce themselves.
    pub(crate) async fn open_guest(
        &self,
        principal: Principal,
        version: ProtocolVersion,
    ) -> Result<Arc<Session>, Refusal> {
        if self.len() >= self.limits.sessions / 2 && self.forget_idle(60_000) == 0 {
            let why = "too many sessions are open to begin one without `initialize`";
            return Err(Refusal::overloaded(why));
        }
        let client = Implementation::new("unknown", "0");
        let client = InitializeRequestParams::new(ClientCapabilities::default(), client);
        let idle = i64::try_from(self.limits.session_idle.as_millis()).unwrap_or(i64::MAX);
        self.admit(principal, version, client, (idle - GUEST_MS).max(0)).await
    }

    /// Opens a session whose row counts as unused for `aged_ms` already.
    async fn admit(
        &self,
        principal: Principal,
        version: ProtocolVersion,
        client: InitializeRequestParams,
        aged_ms: i64,
    ) -> Result<Arc<Session>, Refusal> {
        let id = Uuid::new_v4();
        let session = Session::new(&id.to_string(), principal, version, client)
            .ok_or_else(|| Refusal::invalid("the session could not be named"))?;
        let mut row = session.row(&self.app);
        row.seen_at = row.seen_at.saturating_sub(aged_ms);
        self.rows.create(row).await.map_err(unavailable)?;
        self.remember(id, session.clone());
        self.metrics.sessions_opened.inc();
        Ok(session)
    }

    /// The session of that id, if `principal` opened it here: to anyone else it does not exist.
    pub(crate) async fn find(
        &self,
        id: &str,
        principal: &Principal,
    ) -> Result<Arc<Session>, Refusal> {
        let unknown = || {
            let why = "no session has this `Mcp-Session-Id`, or it has ended: send `initialize` without the header";
            Refusal::new(StatusCode::NOT_FOUND, ErrorCode::INVALID_REQUEST, why)
        };
        let key = Uuid::try_parse(id).map_err(|_| unknown())?;
        let now = now_ms();
        let known = self.shard(&key).lock().get(&key).cloned();
        let session = match known {
            Some(session) if !self.is_stale(&session, now) => session,
            known => self.reload(key, known, now).await?.ok_or_else(unknown)?,
        };
        if session.principal != *principal {
            return Err(unknown());
        }
        session.seen_at.store(now, Ordering::Relaxed);
        Ok(session)
    }

    /// Writes what the client subscribed to, so that another replica goes on with it.
    pub(crate) async fn save(&self, session: &Session) -> Result<(), Refusal> {
        let row = session.row(&self.app);
        self.rows.update(&row.id, row.data).await.map_err(unavailable).map(drop)
    }

    pub(crate) async fn end(&self, session: &Session) -> Result<(), Refusal> {
        self.rows.delete(&session.id).await.map_err(unavailable)?;
        self.forget(&session.id);
        let signal = Signal { topic: ENDED.into(), payload: (*session.id).into() };
        if let Err(error) = self.signals.send(signal).await {
            tracing::warn!(%error, "other replicas were not told that a session ended");
        }
        Ok(())
    }

    /// Touches, expires and hears of ended sessions until `shutdown`.
    pub(crate) async fn keep_house(self: Arc<Self>, shutdown: CancellationToken) {
        let mut signals = self.signals.receive();
        let mut sweep = tokio::time::interval(SWEEP.min(self.limits.session_idle));
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                _ = sweep.tick() => self.sweep().await,
                signal = signals.recv() => match signal {
                    Ok(signal) if &*signal.topic == ENDED => {
                        self.forget(signal.payload.as_str().unwrap_or_default());
                    }
                    Err(tokio::sync::broadcast::error::RecvError::Closed) => break,
                    _ => {}
                },
            }
        }
    }

    async fn sweep(&self) {
        let now = now_ms();
        self.touch(now - 60_000).await;
        let idle = i64::try_from(self.limits.session_idle.as_millis()).unwrap_or(i64::MAX);
        match self.rows.expire(now.saturating_sub(idle)).await {
            Ok(ids) => ids.iter().for_each(|id| self.forget(id)),
            Err(error) => tracing::warn!(%error, "sessions were not expired"),
        }
        self.forget_idle(REMEMBERED_MS);
    }

    /// Tells the store of the sessions in use that it last heard of before `before`.
    async fn touch(&self, before: i64) {
        let used: Vec<_> = self
            .all()
            .into_iter()
            .filter(|session| {
                let touched = session.touched_at.load(Ordering::Relaxed);
                session.seen_at.load(Ordering::Relaxed) > touched && touched < before
            })
            .collect();
        if used.is_empty() {
            return;
        }
        let now = now_ms();
        let ids: Vec<_> = used.iter().map(|session| session.id.to_string()).collect();
        match self.rows.touch(&ids, now).await {
            Ok(()) => {
                for session in used {
                    session.touched_at.store(now, Ordering::Relaxed);
                }
            }
            Err(error) => tracing::warn!(%error, "sessions were not touched"),
        }
    }

    /// Drops from memory what has not been used for `idle_ms`; the rows stay. Returns how many went.
    fn forget_idle(&self, idle_ms: i64) -> usize {
        let before = now_ms() - idle_ms;
        let mut gone = 0;
        for shard in &self.shards {
            let mut shard = shard.lock();
            let held = shard.len();
            shard.retain(|_, session| {
                session.seen_at.load(Ordering::Relaxed) >= before || !session.is_idle()
            });
            gone += held - shard.len();
        }
        self.metrics.sessions.dec_by(i64::try_from(gone).unwrap_or(0));
        gone
    }

    async fn reload(
        &self,
        key: Uuid,
        known: Option<Arc<Session>>,
        now: i64,
    ) -> Result<Option<Arc<Session>>, Refusal> {
        let row = self.rows.get(&key.to_string()).await.map_err(unavailable)?;
        let row = row.filter(|row| row.app == self.app);
        match (row, known) {
            (None, _) => {
                self.forget(&key.to_string());
                Ok(None)
            }
            (Some(_), Some(known)) => {
                known.checked_at.store(now, Ordering::Relaxed);
                Ok(Some(known))
            }
            (Some(row), None) => {
                let Some(session) = Session::restore(row) else { return Ok(None) };
                self.metrics.sessions_restored.inc();
                Ok(Some(self.remember(key, session)))
            }
        }
    }

    fn is_stale(&self, session: &Session, now: i64) -> bool {
        self.rows.shared() && now - session.checked_at.load(Ordering::Relaxed) > RECHECK_MS
    }

    /// Keeps `session`, unless somebody else restored the same one first: then that one.
    fn remember(&self, key: Uuid, session: Arc<Session>) -> Arc<Session> {
        let mut shard = self.shard(&key).lock();
        let held = shard.len();
        let session = shard.entry(key).or_insert(session).clone();
        if shard.len() > held {
            self.metrics.sessions.inc();
        }
        session
    }

    fn forget(&self, id: &str) {
        let Ok(key) = Uuid::try_parse(id) else { return };
        let gone = self.shard(&key).lock().remove(&key);
        if let Some(session) = gone {
            session.ended.cancel();
            self.metrics.sessions.dec();
        }
    }

    fn shard(&self, key: &Uuid) -> &Mutex<HashMap<Uuid, Arc<Session>>> {
        &self.shards[usize::from(key.as_bytes()[0]) % SHARDS]
    }

    fn all(&self) -> Vec<Arc<Session>> {
        self.shards
            .iter()
            .flat_map(|shard| shard.lock().values().cloned().collect::<Vec<_>>())
            .collect()
    }

    fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().len()).sum()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "an argument of `map_err`")]
fn unavailable(error: StoreError) -> Refusal {
    tracing::error!(%error, source = ?std::error::Error::source(&error), "the session store failed");
    Refusal::overloaded("sessions cannot be read or written at the moment: repeat the request")
}
