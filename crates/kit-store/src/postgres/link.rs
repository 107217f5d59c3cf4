//! One connection that tells the other replicas and hears from them.
//!
//! After an append is durable its stream is named in a notification; whoever hears it reads the log. A
//! notification can be lost: the connection breaks, or a replica is killed between its commit and the notification. So
//! every few seconds, and after each reconnect, the link also looks up which streams have grown since the last
//! time ([`sweep`]). Watchers therefore always learn of an append, mostly at once.

use std::{collections::HashMap, future::poll_fn, num::NonZeroUsize, sync::Arc, time::Duration};

use lru::LruCache;
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::Notify,
    task::JoinHandle,
    time,
};
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, Notification};
use tokio_util::sync::CancellationToken;

use crate::{Appended, StreamId, Version, announce::Announcer, signals::LocalSignals};

pub(super) const SIGNAL: &str = "SELECT pg_notify('tandem_signal', $1)";
const LISTEN: &str = "LISTEN tandem_appended; LISTEN tandem_signal";
const TELL: &str = "SELECT pg_notify('tandem_appended', payload) FROM unnest($1::text[]) payload";
/// Every transaction before this one has ended, and what it wrote can be seen.
const HORIZON: &str = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint";
const GROWN: &str = "
    SELECT name, version FROM tandem.streams
    WHERE id IN (SELECT stream FROM tandem.events WHERE xid >= $1)";

const SWEEP_EVERY: Duration = Duration::from_secs(2);
/// A link that does not answer so long is cut and made anew.
const PATIENCE: Duration = Duration::from_secs(15);
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// Streams whose last announced version is remembered.
const REMEMBERED: usize = 8192;

pub(super) struct Link {
    pub(super) announcer: Announcer,
    pub(super) signals: LocalSignals,
    /// What watchers here know already, so that they are not woken for it again.
    known: Mutex<LruCache<StreamId, Version>>,
    /// What the other replicas are to be told: the latest version of each stream.
    outbox: Mutex<HashMap<StreamId, Version>>,
    ring: Notify,
    stop: CancellationToken,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Link {
    /// Listens from here on; fails if the first connection does.
    pub(super) async fn open(mut config: Config) -> Result<Arc<Self>, tokio_postgres::Error> {
        // So that whoever looks at the server's connections can tell it from the others.
        let name = config.get_application_name().unwrap_or_default();
        config.application_name(format!("{name} link"));
        let remembered = NonZeroUsize::MIN.saturating_add(REMEMBERED - 1);
        let link = Arc::new(Self {
            announcer: Announcer::new(),
            signals: LocalSignals::new(),
            known: Mutex::new(LruCache::new(remembered)),
            outbox: Mutex::default(),
            ring: Notify::new(),
            stop: CancellationToken::new(),
            task: Mutex::default(),
        });
        let (session, horizon) = Session::begin(&link, &config, None).await?;
        *link.task.lock() = Some(tokio::spawn(keep(link.clone(), config, session, horizon)));
        Ok(link)
    }

    /// Tells everybody of an append of this replica.
    pub(super) fn appended(&self, appended: Appended) {
        let (stream, version) = (appended.stream.clone(), appended.version);
        self.note(&stream, version);
        self.announcer.announce(appended);
        self.outbox
            .lock()
            .entry(stream)
            .and_modify(|told| *told = version.max(*told))
            .or_insert(version);
        self.ring.notify_one();
    }

    /// Tells what is still to be told, then ends.
    pub(super) async fn close(&self) {
        self.stop();
        let task = self.task.lock().take();
        if let Some(task) = task {
            drop(task.await);
        }
    }

    pub(super) fn stop(&self) {
        self.stop.cancel();
    }

    /// Remembers that watchers know of `version`; `false` if they knew.
    fn note(&self, stream: &StreamId, version: Version) -> bool {
        let mut known = self.known.lock();
        match known.get_mut(stream) {
            Some(last) if *last >= version => false,
            Some(last) => {
                *last = version;
                true
            }
            None => known.put(stream.clone(), version).is_none(),
        }
    }

    /// Wakes the watchers of a stream that grew elsewhere.
    fn grown(&self, stream: StreamId, version: Version) {
        if self.note(&stream, version) {
            self.announcer.announce(Appended { stream, version, events: Arc::new([]) });
        }
    }

    fn heard(&self, notification: &Notification) {
        let payload = notification.payload();
        if notification.channel() == "tandem_signal" {
            match serde_json::from_str(payload) {
                Ok(signal) => self.signals.deliver(signal),
                Err(error) => tracing::warn!(%error, "a signal is not readable"),
            }
        } else if let Some((version, name)) = payload.split_once(' ')
            && let Ok(version) = version.parse()
        {
            self.grown(StreamId::stored(name), Version(version));
        }
    }
}

/// Keeps a session open until the link is stopped.
async fn keep(link: Arc<Link>, config: Config, mut session: Session, mut horizon: i64) {
    while let Err(error) = session.run(&link, &mut horizon).await {
        tracing::warn!(%error, "lost the link to the other replicas");
        let mut pause = FIRST_PAUSE;
        session = loop {
            match Session::begin(&link, &config, Some(horizon)).await {
                Ok((session, reached)) => {
                    horizon = reached;
                    break session;
                }
                Err(error) => tracing::debug!(%error, "no link to the other replicas yet"),
            }
            if link.stop.run_until_cancelled(time::sleep(pause)).await.is_none() {
                return;
            }
            pause = LONGEST_PAUSE.min(pause * 2);
        };
        tracing::info!("the link to the other replicas is back");
    }
}

/// One connection's life.
struct Session {
    client: Client,
    pump: JoinHandle<()>,
}

impl Session {
    /// Connects, listens, then looks up what was missed since `horizon`: in this order nothing slips through.
    async fn begin(
        link: &Arc<Link>,
        config: &Config,
        horizon: Option<i64>,
    ) -> Result<(Self, i64), tokio_postgres::Error> {
        let (client, connection) = config.connect(NoTls).await?;
        let pump = tokio::spawn(pump(link.clone(), connection));
        let session = Self { client, pump };
        session.client.batch_execute(LISTEN).await?;
        let horizon = session.sweep(link, horizon).await?;
        Ok((session, horizon))
    }

    /// Tells and sweeps until the link is stopped.
    async fn run(&mut self, link: &Link, horizon: &mut i64) -> Result<(), LinkError> {
        let mut sweeps = time::interval(SWEEP_EVERY);
        sweeps.set_missed_tick_behavior(time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = link.ring.notified() => self.tell(link).await?,
                _ = sweeps.tick() => {
                    *horizon = time::timeout(PATIENCE, self.sweep(link, Some(*horizon))).await??;
                }
                _ = &mut self.pump => return Err(LinkError::Ended),
                () = link.stop.cancelled() => return self.tell(link).await,
            }
        }
    }

    async fn tell(&self, link: &Link) -> Result<(), LinkError> {
        let outbox = std::mem::take(&mut *link.outbox.lock());
        if outbox.is_empty() {
            return Ok(());
        }
        let payloads: Vec<_> =
            outbox.iter().map(|(stream, version)| format!("{version} {stream}")).collect();
        // What is lost here, the others' sweeps find.
        time::timeout(PATIENCE, self.client.execute(TELL, &[&payloads])).await??;
        Ok(())
    }

    /// Wakes the watchers of what has grown since `horizon`; returns the horizon for the next time.
    async fn sweep(&self, link: &Link, horizon: Option<i64>) -> Result<i64, tokio_postgres::Error> {
        // Before the look-up: what commits in between is found twice rather than never.
        let reached: i64 = self.client.query_one(HORIZON, &[]).await?.get(0);
        let Some(horizon) = horizon else { return Ok(reached) };
        // Transactions number from lower again only in another cluster: then everything may be new.
        let since = if reached < horizon { 0 } else { horizon };
        for row in self.client.query(GROWN, &[&since]).await? {
            let version: i64 = row.get(1);
            link.grown(StreamId::stored(row.get(0)), Version(version.unsigned_abs()));
        }
        Ok(reached)
    }
}

/// Why a session ended.
#[derive(Debug, thiserror::Error)]
enum LinkError {
    #[error("the connection ended")]
    Ended,
    #[error("the server does not answer")]
    Silent(#[from] time::error::Elapsed),
    #[error(transparent)]
    Failed(#[from] tokio_postgres::Error),
}

/// Drives the connection and passes on what arrives.
async fn pump<S, T>(link: Arc<Link>, mut connection: Connection<S, T>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notification(notification) = message {
            link.heard(&notification);
        }
    }
}
