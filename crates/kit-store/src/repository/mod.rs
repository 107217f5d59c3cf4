//! Live states over the journal: load, decide, append, apply.
//!
//! A state is an `Arc` that readers take a copy of; a command makes the next one beside it. That is why reads never
//! wait for writes, nobody sees a half-applied command, and a snapshot can be encoded beside the traffic; with
//! persistent collections inside, neither costs more when the state is large. A lock per stream would make one slow
//! reader of a large state stop its writers.
//!
//! A command is decided on what is in line to be written, so that many commands on one stream share one wait for the
//! disk; readers and answers see only what is durable.
//!
//! A read of a journal that is ours alone (SQLite, memory) is a lookup. Where replicas append too
//! (PostgreSQL), it asks the log for what is new first, so a client that wrote through one replica finds its
//! write on every other.

mod cache;
mod past;
mod snapshots;

use std::{num::NonZeroUsize, sync::Arc};

use serde_json::value::to_raw_value;
use tokio::sync::OwnedMutexGuard;

use self::{
    cache::{Cache, Entry},
    past::Past,
    snapshots::Snapshots,
};
use crate::{
    Aggregate, Append, Cause, Decided, Decision, Done, ExecuteError, Expected, Journal, Live,
    NewEvent, Recorded, StoreError, StreamId, StreamInfo, Version,
};

/// Events read at once.
const PAGE: usize = 1024;

/// How a [`Repository`] weighs memory, disk and patience.
#[derive(Debug, Clone)]
pub struct Settings {
    /// States kept in memory.
    pub streams: NonZeroUsize,
    /// Events between two snapshots of a stream.
    pub snapshot_every: u64,
    /// How often a command is decided again because somebody else was first. A replica that has just won need not read
    /// before it decides again, so it may win for as long as it has commands in line: this bounds that, not bad luck.
    pub tries: u32,
}

impl Default for Settings {
    fn default() -> Self {
        let streams = NonZeroUsize::MIN.saturating_add(1023);
        Self { streams, snapshot_every: 500, tries: 512 }
    }
}

/// The live states of one kind of stream. Clones share them.
///
/// Make one for each kind and process, and append to its streams through it alone: it believes that what
/// nobody else can write has not changed.
pub struct Repository<A: Aggregate> {
    inner: Arc<Inner<A>>,
}

struct Inner<A: Aggregate> {
    journal: Arc<dyn Journal>,
    settings: Settings,
    cache: Cache<A>,
    past: Past<A>,
    snapshots: Snapshots,
}

impl<A: Aggregate> Clone for Repository<A> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

impl<A: Aggregate> Repository<A> {
    pub fn new(journal: Arc<dyn Journal>) -> Self {
        Self::with(journal, Settings::default())
    }

    pub fn with(journal: Arc<dyn Journal>, settings: Settings) -> Self {
        let cache = Cache::new(settings.streams);
        let snapshots = Snapshots::new(journal.clone(), settings.snapshot_every);
        Self { inner: Arc::new(Inner { journal, settings, cache, past: Past::new(), snapshots }) }
    }

    /// The name of the stream `id`, for [`crate::tail`] and [`Journal`].
    pub fn stream(&self, id: &str) -> StreamId {
        StreamId::new(A::CATEGORY, id)
    }

    pub fn journal(&self) -> &Arc<dyn Journal> {
        &self.inner.journal
    }

    /// The state of `id`, as late as any append answered before this call; `None` if it never was.
    pub async fn load(&self, id: &str) -> Result<Option<Live<A>>, StoreError> {
        self.load_since(id, Version(0)).await
    }

    /// The same, and not before `version` if that is in the log: watchers hear of an append a moment before it is in the
    /// state, and may come here with what they heard.
    pub async fn load_since(
        &self,
        id: &str,
        version: Version,
    ) -> Result<Option<Live<A>>, StoreError> {
        let entry = self.inner.cache.entry(self.stream(id));
        let mut live = self.inner.latest(&entry).await?;
        if live.version < version {
            live = self.inner.catch_up(&entry).await?;
        }
        if live.version == Version(0) {
            self.inner.cache.forget(&entry);
            return Ok(None);
        }
        Ok(Some(live))
    }

    /// The state of `id` as it was at `version`; `None` if it never was there.
    pub async fn load_at(&self, id: &str, version: Version) -> Result<Option<Live<A>>, StoreError> {
        let Some(now) = self.load_since(id, version).await? else { return Ok(None) };
        match version {
            Version(0) => Ok(None),
            _ if version > now.version => Ok(None),
            _ if version == now.version => Ok(Some(now)),
            _ => self.inner.look_back(&self.stream(id), version).await.map(Some),
        }
    }

    /// Keeps a state that will be asked for again, by its version, when it is no longer the latest.
    pub fn keep(&self, id: &str, live: &Live<A>) {
        self.inner.past.keep(&self.stream(id), live);
    }

    /// The stream that took `alias`, see [`Decision::alias`].
    pub async fn find(&self, alias: &str) -> Result<Option<StreamId>, StoreError> {
        self.inner.journal.find(A::CATEGORY, alias).await
    }

    /// The open streams, the newest first, with their summaries.
    pub async fn list(&self) -> Result<Vec<StreamInfo>, StoreError> {
        self.inner.journal.list(A::CATEGORY).await
    }

    /// Up to `limit` open streams in the order of their creation, equal times by id, after the one that was created then
    /// under that id.
    pub async fn list_after(
        &self,
        after: Option<(i64, &str)>,
        limit: usize,
    ) -> Result<Vec<StreamInfo>, StoreError> {
        let after = after.map(|(at, id)| (at, self.stream(id)));
        let after = after.as_ref().map(|(at, stream)| (*at, stream));
        self.inner.journal.list_after(A::CATEGORY, after, limit).await
    }

    /// Decides on the state of `id` and appends what follows; answers when it is durable.
    ///
    /// `decide` sees the state with its version (0: the stream does not exist) and is called again when
    /// somebody else was first. It is never refused because of what another replica had already changed.
    /// The command is carried out to its end also when the caller goes away after it was decided.
    pub async fn execute<D, E>(
        &self,
        id: &str,
        cause: Cause,
        decide: impl FnMut(&Live<A>) -> Result<D, E>,
    ) -> Result<Done<A>, ExecuteError<E>>
    where
        D: Into<Decided<A>>,
    {
        let entry = self.inner.cache.entry(self.stream(id));
        let done = self.carry_out(&entry, cause, decide).await;
        if done.is_err() && entry.newest().is_some_and(|live| live.version == Version(0)) {
            self.inner.cache.forget(&entry);
        }
        done
    }

    async fn carry_out<D, E>(
        &self,
        entry: &Arc<Entry<A>>,
        cause: Cause,
        mut decide: impl FnMut(&Live<A>) -> Result<D, E>,
    ) -> Result<Done<A>, ExecuteError<E>>
    where
        D: Into<Decided<A>>,
    {
        let shared = self.inner.journal.shared();
        let mut turn = entry.turn().await;
        // Nobody else appends, or we have looked since the caller asked.
        let mut fresh = !shared;
        for _ in 0..self.inner.settings.tries {
            let live = self.inner.newest(entry).await?;
            let decided = judge(entry, &cause, &live, &mut decide);
            let appends = decided.as_ref().is_ok_and(|new| !new.decision.events.is_empty());
            if !appends && !fresh {
                // A refusal may rest on what another replica has changed.
                fresh = true;
                if self.inner.catch_up(entry).await?.version != live.version {
                    continue;
                }
            }
            if !appends && !shared {
                drop(turn);
                // Or on what is not durable yet, and an answer is only given about what is.
                if entry.durable(live.version).await {
                    return unchanged(live, decided);
                }
                turn = entry.turn().await;
                continue;
            }
            let Decided { decision, next } = decided?;
            if decision.events.is_empty() {
                return unchanged(live, Ok(decision.into()));
            }
            let (append, events) = encode::<A>(entry.stream(), live.version, &cause, decision)?;
            let change = Change { live, next, events };
            match self.inner.clone().commit(entry, turn, append, change).await? {
                Committed::Done(done) => return Ok(done),
                Committed::Late(Some(kept)) => turn = kept,
                Committed::Late(None) => turn = entry.turn().await,
            }
            fresh = true;
        }
        Err(StoreError::Busy.into())
    }

    /// Waits for the snapshots that are being written; call it before closing the store.
    pub async fn settle(&self) {
        self.inner.snapshots.settle().await;
    }
}

/// The version that the caller asked for, then the domain.
fn judge<A: Aggregate, D: Into<Decided<A>>, E>(
    entry: &Entry<A>,
    cause: &Cause,
    live: &Live<A>,
    decide: &mut impl FnMut(&Live<A>) -> Result<D, E>,
) -> Result<Decided<A>, ExecuteError<E>> {
    if let Some(expected) = cause.expected
        && expected != live.version
    {
        let stream = entry.stream().clone();
        return Err(StoreError::Conflict { stream, expected, actual: live.version }.into());
    }
    decide(live).map(Into::into).map_err(ExecuteError::Rejected)
}

/// What is to be written, and the events that it was made of.
fn encode<A: Aggregate>(
    stream: &StreamId,
    version: Version,
    cause: &Cause,
    decision: Decision<A::Event>,
) -> Result<(Append, Vec<A::Event>), StoreError> {
    let encode = |event: &A::Event| {
        let data = to_raw_value(event).map_err(StoreError::failed)?.into();
        Ok(NewEvent { kind: A::kind(event).into(), data })
    };
    let Decision { events, head, closes, aliases } = decision;
    let append = Append {
        stream: stream.clone(),
        expected: Expected::Exactly(version),
        events: events.iter().map(encode).collect::<Result<_, StoreError>>()?,
        actor: cause.actor.clone(),
        at: cause.at,
        head: head.map(Arc::new),
        closes,
        aliases,
    };
    Ok((append, events))
}

/// A state and what becomes of it.
struct Change<A: Aggregate> {
    live: Live<A>,
    next: Option<Arc<A>>,
    events: Vec<A::Event>,
}

impl<A: Aggregate> Change<A> {
    /// The state after the events, and they.
    fn carry_out(self) -> (Live<A>, Vec<A::Event>) {
        let Self { live, next, events } = self;
        let next = match next {
            Some(state) => Live { version: Version(live.version.0 + events.len() as u64), state },
            None => follow(live, &events),
        };
        (next, events)
    }
}

type Turn = OwnedMutexGuard<()>;

/// What became of an append.
enum Committed<A: Aggregate> {
    Done(Done<A>),
    /// Somebody else was first, or one that was in line before it failed: it has to be decided again.
    Late(Option<Turn>),
}

fn unchanged<A: Aggregate, E>(
    live: Live<A>,
    decided: Result<Decided<A>, ExecuteError<E>>,
) -> Result<Done<A>, ExecuteError<E>> {
    Ok(Done { version: live.version, events: decided?.decision.events, state: live })
}

impl<A: Aggregate> Inner<A> {
    /// Puts an append in line, lets the next command be decided on what follows from it, and answers when it is
    /// durable. Many commands on one stream so share one wait for the disk, as those on many streams do.
    ///
    /// Out of the caller's hands: a caller that goes away in between would leave a state that lacks what the
    /// log has.
    async fn commit(
        self: Arc<Self>,
        entry: &Arc<Entry<A>>,
        turn: Turn,
        append: Append,
        change: Change<A>,
    ) -> Result<Committed<A>, StoreError> {
        let (entry, stream) = (entry.clone(), append.stream.clone());
        let commit = async move {
            let bytes = append.events.iter().map(|event| event.data.get().len()).sum();
            // Before it is in line: a state that cannot be made must not get into the log.
            let (next, events) = change.carry_out();
            let answer = self.journal.submit(append).await?;
            let turn = if self.journal.shared() {
                Some(turn)
            } else {
                entry.hold(next.clone());
                drop(turn);
                None
            };
            match answer.await {
                Ok(version) => {
                    entry.settle(next.clone(), bytes);
                    self.snapshots.consider(&entry);
                    Ok(Committed::Done(Done { version, events, state: next }))
                }
                Err(StoreError::Conflict { .. }) if self.journal.shared() => {
                    self.catch_up(&entry).await?;
                    Ok(Committed::Late(turn))
                }
                Err(StoreError::Conflict { .. }) => {
                    entry.reset();
                    Ok(Committed::Late(None))
                }
                Err(error) => {
                    // It may be in the log or not; what the log says goes.
                    entry.reset();
                    Err(error)
                }
            }
        };
        let ended = tokio::spawn(commit).await;
        // It panicked, or the runtime is shutting down.
        ended.map_err(|source| StoreError::InDoubt { stream, source: source.into() })?
    }

    /// What the next command is decided on.
    async fn newest(&self, entry: &Arc<Entry<A>>) -> Result<Live<A>, StoreError> {
        match entry.newest() {
            Some(live) => Ok(live),
            None => self.catch_up(entry).await,
        }
    }

    /// The state as this process knows it.
    async fn current(&self, entry: &Arc<Entry<A>>) -> Result<Live<A>, StoreError> {
        match entry.live() {
            Some(live) => Ok(live),
            None => self.catch_up(entry).await,
        }
    }

    /// The state as the log knows it.
    async fn latest(&self, entry: &Arc<Entry<A>>) -> Result<Live<A>, StoreError> {
        if self.journal.shared() { self.catch_up(entry).await } else { self.current(entry).await }
    }

    /// Folds the log up to `version`, which it holds, from the nearest state at hand.
    async fn look_back(&self, stream: &StreamId, version: Version) -> Result<Live<A>, StoreError> {
        let mut live = match self.past.nearest(stream, version) {
            Some(near) => near,
            None => match self.snapshots.load(stream).await? {
                (snapshot, _) if snapshot.version <= version => snapshot,
                _ => Live { version: Version(0), state: Arc::default() },
            },
        };
        while live.version < version {
            let missing = version.0 - live.version.0;
            let limit = usize::try_from(missing).unwrap_or(PAGE).min(PAGE);
            let page = self.journal.read(stream, live.version, limit).await?;
            if page.is_empty() {
                return Err(StoreError::failed(format!("`{stream}` ends before {version}")));
            }
            for recorded in &page {
                let event = decode::<A>(recorded)?;
                Arc::make_mut(&mut live.state).apply(&event);
                live.version = recorded.version;
            }
            self.past.keep(stream, &live);
        }
        Ok(live)
    }

    /// Reads from the log what the state lacks. Several may do so at once: the latest one stays.
    async fn catch_up(&self, entry: &Arc<Entry<A>>) -> Result<Live<A>, StoreError> {
        let mut live = if let Some(live) = entry.live() {
            live
        } else {
            let (live, bytes) = self.snapshots.load(entry.stream()).await?;
            entry.started(live.version, bytes);
            live
        };
        let mut grown = 0;
        loop {
            let page = self.journal.read(entry.stream(), live.version, PAGE).await?;
            let events = page.iter().map(decode::<A>).collect::<Result<Vec<_>, _>>()?;
            grown += page.iter().map(|recorded| recorded.data.get().len()).sum::<usize>();
            live = follow(live, &events);
            if page.len() < PAGE {
                break;
            }
        }
        entry.publish(&live, grown);
        self.snapshots.consider(entry);
        Ok(live)
    }
}

/// The state after `events`. The one before may still be read, so this is another; what is in persistent
/// collections is shared.
fn follow<A: Aggregate>(mut live: Live<A>, events: &[A::Event]) -> Live<A> {
    if events.is_empty() {
        return live;
    }
    let state = Arc::make_mut(&mut live.state);
    for event in events {
        state.apply(event);
        live.version.0 += 1;
    }
    live
}

fn decode<A: Aggregate>(recorded: &Recorded) -> Result<A::Event, StoreError> {
    A::decode(&recorded.kind, &recorded.data).map_err(|source| StoreError::Unreadable {
        stream: recorded.stream.clone(),
        version: recorded.version,
        source: source.into(),
    })
}
