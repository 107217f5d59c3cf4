//! One session: a VM, its variables, the browsers that show it, and one queue for all that happens to it.
//!
//! Whatever happens (a batch from a browser, code of an agent, a timer, an edited file) is a piece of [work](queue) in the
//! session's queue. One runs at a time, in order, on a thread that may block; a session with nothing to do has no
//! thread. After each piece the engine tells every browser what changed, and only then does whoever asked get
//! the answer. Start at [`Session::ask`], then [`stage`], which is what a piece of work has before it.

mod events;
mod host;
mod outbox;
mod queue;
mod stage;
mod told;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use serde_json::Value;
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::oneshot,
};
use ui_core::{ConnId, Failure};

pub(crate) use self::{
    events::Events,
    outbox::Outbox,
    stage::{Stage, Variables},
};
use self::{
    queue::{Done, Effect, Queue},
    told::Told,
};
use crate::{Error, running::Running};

/// How long an overview waits for a session that is busy.
const GLANCE: Duration = Duration::from_millis(200);

/// A session. Shared by everything that has to do with it.
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) events: Arc<Events>,
    me: Weak<Self>,
    site: Arc<Running>,
    queue: Queue,
    /// Held by the piece of work that runs, and by nobody else.
    stage: Mutex<Option<Stage>>,
    outboxes: Mutex<BTreeMap<ConnId, Arc<Outbox>>>,
    told: Told,
    begun: Instant,
    /// When somebody last did something, in milliseconds since `begun`. Timers are nobody.
    active: AtomicU64,
}

/// Which thread works a queue off, if none does yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// One for work that blocks.
    Pool,
    /// This one, whose other tasks go to another thread first: a person who clicks does not wait for two threads to be woken, one for
    /// the work and one for the answer, and nobody waits for a click that never ends.
    Here,
}

/// How long and by whom a session is used.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Usage {
    pub(crate) connections: usize,
    pub(crate) age: Duration,
    /// Since somebody did something; nothing while a browser shows it.
    pub(crate) idle: Duration,
}

impl Session {
    /// A session with nothing in it; [`Session::begin`] comes first.
    pub(crate) fn new(id: String, site: Arc<Running>) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            id,
            events: Arc::default(),
            me: me.clone(),
            site,
            queue: Queue::default(),
            stage: Mutex::new(None),
            outboxes: Mutex::default(),
            told: Told::default(),
            begun: Instant::now(),
            active: AtomicU64::new(0),
        })
    }

    /// Makes the VM and runs the project's program. A failure of that is a note and not the end: the session is
    /// there, and the file can be mended.
    pub(crate) async fn begin(self: &Arc<Self>) -> Result<Option<String>, Error> {
        let made = self.clone();
        self.work(Effect::Stirs, move |stage| {
            let (fresh, trouble) = Stage::new(&made.id, &made.site, &made.events)?;
            *stage = Some(fresh);
            Ok::<_, Error>(trouble)
        })
        .await?
    }

    /// Does a piece of work when its turn has come. When this returns, browsers have been told what it changed.
    pub(crate) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Stage) -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.touch();
        let gone = Error::UnknownSession(self.id.clone());
        self.work(Effect::Stirs, move |stage| stage.as_mut().map(work)).await?.ok_or(gone)
    }

    /// The same without waiting, and without anybody who would hear of a failure.
    pub(crate) fn tell(self: &Arc<Self>, work: impl FnOnce(&mut Stage) + Send + 'static) {
        let work = Box::new(move |stage: &mut Option<Stage>| {
            if let Some(stage) = stage {
                work(stage);
            }
            Box::new(|| {}) as Done
        });
        self.start(self.queue.push(work, Effect::Stirs), Where::Pool);
    }

    async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        effect: Effect,
        work: impl FnOnce(&mut Option<Stage>) -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.work_in(Where::Pool, effect, work).await
    }

    async fn work_in<T: Send + 'static>(
        self: &Arc<Self>,
        place: Where,
        effect: Effect,
        work: impl FnOnce(&mut Option<Stage>) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (answer, answered) = oneshot::channel();
        let work = Box::new(move |stage: &mut Option<Stage>| {
            let value = work(stage);
            // Whoever asked may have gone away meanwhile.
            Box::new(move || drop(answer.send(value))) as Done
        });
        self.start(self.queue.push(work, effect), place);
        // Dropped unanswered: the session has ended, or the work panicked, which the log tells.
        answered.await.map_err(|_| Error::UnknownSession(self.id.clone()))
    }

    /// The same for an agent who only looks. It is told when too much waits already; a browser waits for its own
    /// work before it sends more.
    pub(crate) async fn look<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Stage) -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.touch();
        self.check_room()?;
        let gone = Error::UnknownSession(self.id.clone());
        self.work(Effect::Looks, move |stage| stage.as_mut().map(work)).await?.ok_or(gone)
    }

    fn check_room(&self) -> Result<(), Error> {
        if self.queue.is_full() { Err(Error::Busy(self.id.clone())) } else { Ok(()) }
    }

    /// Runs Lua for an agent.
    pub(crate) async fn run(self: &Arc<Self>, code: String) -> Result<Value, Error> {
        self.check_room()?;
        self.ask(move |stage| stage.run(&code)).await?
    }

    pub(crate) async fn state(self: &Arc<Self>) -> Result<Value, Error> {
        let state = self.look(Stage::state).await?;
        state.map_err(|Failure { text, .. }| Error::Execution(text.into()))
    }

    /// A new browser: its id, and what waits for it.
    pub(crate) async fn connect(self: &Arc<Self>) -> Result<(ConnId, Arc<Outbox>), Error> {
        let id = self.ask(Stage::connect).await?;
        let outbox = Arc::new(Outbox::default());
        self.outboxes.lock().insert(id, outbox.clone());
        // Before it watches anything there is nothing that it could miss.
        Ok((id, outbox))
    }

    /// What a browser sent. Ends when it has been dealt with.
    pub(crate) async fn receive(self: &Arc<Self>, from: ConnId, text: String) -> Result<(), Error> {
        self.touch();
        let gone = Error::UnknownSession(self.id.clone());
        let receive =
            move |stage: &mut Option<Stage>| stage.as_mut().map(|stage| stage.receive(from, &text));
        self.work_in(Where::Here, Effect::Stirs, receive).await?.ok_or(gone)
    }

    /// A browser is gone, and what was made for it with it.
    pub(crate) fn disconnect(self: &Arc<Self>, id: ConnId) {
        self.outboxes.lock().remove(&id);
        self.touch();
        self.tell(move |stage| stage.disconnect(id));
    }

    pub(crate) fn usage(&self) -> Usage {
        let connections = self.outboxes.lock().len();
        let age = self.begun.elapsed();
        let active = Duration::from_millis(self.active.load(Ordering::Relaxed));
        let idle = if connections > 0 { Duration::ZERO } else { age.saturating_sub(active) };
        Usage { connections, age, idle }
    }

    /// The type of what it shows, unless it is busy.
    pub(crate) async fn type_shown(self: &Arc<Self>) -> Option<String> {
        let variables = self.work(Effect::Looks, |stage| stage.as_mut().map(Stage::variables));
        let variables = tokio::time::timeout(GLANCE, variables).await.ok()?.ok()??;
        variables.list[0]["type"].as_str().map(str::to_owned)
    }

    /// Ends it: connections close, what waits is not done, timers do not fire any more.
    pub(crate) fn end(&self) {
        self.queue.close();
        for outbox in self.outboxes.lock().values() {
            outbox.close();
        }
        // Unless a piece of work holds it, which then drops it at its end.
        if let Some(mut stage) = self.stage.try_lock() {
            stage.take();
        }
    }

    fn touch(&self) {
        let now = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.active.store(now, Ordering::Relaxed);
    }

    /// Has a thread work the queue off, unless one does already.
    fn start(self: &Arc<Self>, queued: queue::Queued, place: Where) {
        if queued != queue::Queued::Start {
            return;
        }
        if place == Where::Here && Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread
        {
            return tokio::task::block_in_place(|| self.work_off());
        }
        let session = self.clone();
        tokio::task::spawn_blocking(move || session.work_off());
    }

    /// Does what is in the queue until nothing is left.
    fn work_off(self: &Arc<Self>) {
        let mut stage = self.stage.lock();
        let mut stirred = false;
        while let Some((work, effect)) = self.queue.next() {
            stirred |= effect == Effect::Stirs;
            if let Some(done) = self.perform(&mut stage, work) {
                done();
            }
            // A queue that is never empty must not keep timers from their turn.
            if stage.as_ref().and_then(Stage::next_timer).is_some_and(|after| after.is_zero()) {
                let due = |stage: &mut Option<Stage>| {
                    stage.iter_mut().for_each(Stage::run_due);
                };
                stirred = true;
                self.perform(&mut stage, due);
            }
        }
        if self.queue.is_closed() {
            stage.take();
            return;
        }
        // Still on stage, so that whoever comes next arms after this.
        self.arm(stage.as_ref().and_then(Stage::next_timer));
        drop(stage);
        if stirred {
            self.told.changed(self, &self.site.hub);
        }
    }

    /// Does one piece and tells browsers what changed. A panic ends the piece and nothing else.
    fn perform<T>(
        &self,
        stage: &mut Option<Stage>,
        work: impl FnOnce(&mut Option<Stage>) -> T,
    ) -> Option<T> {
        let worked = std::panic::AssertUnwindSafe(|| {
            let done = work(stage);
            if let Some(stage) = stage.as_mut() {
                self.deliver(stage);
            }
            done
        });
        let done = std::panic::catch_unwind(worked).ok();
        if done.is_none() {
            tracing::error!(session = %self.id, "a piece of work panicked");
        }
        done
    }

    /// Hands each browser what changed. What a slow one cannot take, it is told to ask for again.
    fn deliver(&self, stage: &mut Stage) {
        // A second round says what was dropped in the first; it is small.
        for _ in 0..2 {
            let frames = stage.settle();
            let mut lost = Vec::new();
            {
                let outboxes = self.outboxes.lock();
                for (id, frame) in frames {
                    if let Some(outbox) = outboxes.get(&id) {
                        lost.extend(outbox.push(frame).into_iter().map(|frame| (id, frame)));
                    }
                }
            }
            if lost.is_empty() {
                return;
            }
            let mut slow: Vec<_> = lost.iter().map(|(id, _)| *id).collect();
            slow.dedup();
            tracing::info!(session = %self.id, connections = ?slow, frames = lost.len(), "a browser reads too slowly");
            for (id, frame) in lost {
                stage.dropped(id, &frame);
            }
        }
    }

    /// Has the queue go on when the next timer is due.
    fn arm(self: &Arc<Self>, after: Option<Duration>) {
        let Some(after) = after else { return self.queue.disarm() };
        let session = self.me.clone();
        self.queue.arm(Instant::now() + after, async move {
            tokio::time::sleep(after).await;
            if let Some(session) = session.upgrade() {
                session.tell(Stage::run_due);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use futures::future::join_all;
    use kit_app::SystemClock;
    use kit_mcp::Hub;
    use tempfile::TempDir;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::{Config, project::Project, running::Surroundings};

    async fn session() -> (TempDir, Arc<Session>) {
        let dir = tempfile::tempdir().unwrap();
        let project = Arc::new(Project::prepare(dir.path(), &Config::default()).unwrap());
        let around = Surroundings {
            hub: Hub::default(),
            clock: Arc::new(SystemClock),
            shutdown: CancellationToken::new(),
        };
        let running = Running::start(project, &around, "http://127.0.0.1:1".to_owned());
        (dir, running.open().await.unwrap().0)
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn pieces_run_in_order_and_one_at_a_time() {
        let (_dir, session) = session().await;
        let (inside, order) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
        let pieces = (0..50).map(|number| {
            let (inside, order) = (inside.clone(), order.clone());
            session.ask(move |_| {
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two at once");
                std::thread::yield_now();
                order.lock().push(number);
                inside.fetch_sub(1, Ordering::SeqCst);
            })
        });
        assert!(join_all(pieces).await.iter().all(Result::is_ok));
        assert_eq!(*order.lock(), (0..50).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_piece_that_panics_ends_alone() {
        let (_dir, session) = session().await;
        session.run("x = 1".to_owned()).await.unwrap();
        let failed = session.ask(|_| panic!("a mistake of ours")).await;
        assert!(failed.is_err());
        assert_eq!(session.run("return x".to_owned()).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn what_a_page_reports_is_in_the_log() {
        let (_dir, session) = session().await;
        let (id, _outbox) = session.connect().await.unwrap();
        let log = Log::default();
        let (kept, filler) = (log.clone(), "x".repeat(10_000));
        let report = serde_json::json!({"type": "error", "data": {
            "varId": 7, "code": "ui-code", "description": format!("a view's script failed {filler}")}});
        session
            .ask(move |stage| {
                let subscriber =
                    tracing_subscriber::fmt().with_writer(move || log.clone()).with_ansi(false);
                tracing::subscriber::with_default(subscriber.finish(), || {
                    stage.receive(id, &report.to_string());
                    stage.settle()
                })
            })
            .await
            .unwrap();
        let text = String::from_utf8(kept.0.lock().clone()).unwrap();
        assert!(text.contains("a page reports: a view's script failed"), "{text}");
        assert!(text.contains("variable=7") && text.contains("code=\"ui-code\""), "{text}");
        assert!(text.len() < 2_000, "a page cannot fill the log");
    }

    /// Lines of a log, kept.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Log {
        fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
            self.0.lock().extend_from_slice(text);
            Ok(text.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn whoever_waits_for_a_session_that_ends_is_told() {
        let (_dir, session) = session().await;
        let (begun, may_end) = (tokio::sync::oneshot::channel(), std::sync::mpsc::channel());
        let busy = tokio::spawn({
            let session = session.clone();
            async move {
                session
                    .ask(move |_| {
                        begun.0.send(()).unwrap();
                        may_end.1.recv().unwrap();
                    })
                    .await
            }
        });
        begun.1.await.unwrap();
        let waiting = tokio::spawn({
            let session = session.clone();
            async move { session.run("return 1".to_owned()).await }
        });
        while session.queue.len() == 0 {
            tokio::task::yield_now().await;
        }
        session.end();
        let error = waiting.await.unwrap().unwrap_err();
        assert_eq!(error.to_string(), "session 1 not found");
        may_end.0.send(()).unwrap();
        assert!(busy.await.unwrap().is_ok(), "what was under way is answered");
        assert!(session.run("return 1".to_owned()).await.is_err());
    }
}
