//! The store in PostgreSQL, shared by any number of replicas.
//!
//! An append is one statement: it locks the row of its stream and nothing else, so streams do not wait for
//! each other. Other replicas are told by [`link`], outside of that transaction: a transaction that notifies holds a
//! lock of the whole cluster while it commits, which would let commits through one by one.

mod journal;
mod link;
mod schema;
mod sessions;

use std::{error::Error, sync::Arc, time::Duration};

use async_trait::async_trait;
use deadpool_postgres::{
    Client, Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime, TimeoutType,
};
use tokio::sync::broadcast;
use tokio_postgres::{Config, NoTls, config::Host, error::SqlState};
use tokio_util::task::TaskTracker;

use self::link::Link;
use crate::{Signal, Signals, StoreError, backend::Backend};

/// Connections of one replica, besides the one that listens. A PostgreSQL allows 100 by default.
const CONNECTIONS: usize = 16;
/// How long a request may wait for a connection.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) struct Postgres {
    inner: Arc<Inner>,
    /// Appends outlive the callers that go away, so that watchers hear of all that is durable.
    appends: TaskTracker,
}

struct Inner {
    pool: Pool,
    link: Arc<Link>,
}

impl Postgres {
    pub(crate) async fn open(url: &str) -> Result<Self, StoreError> {
        let config = config(url)?;
        let what = place(&config);
        let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let pool = Pool::builder(Manager::from_config(config.clone(), NoTls, manager))
            .max_size(CONNECTIONS)
            .wait_timeout(Some(PATIENCE))
            .create_timeout(Some(PATIENCE))
            .recycle_timeout(Some(PATIENCE))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|source| StoreError::Open { what: what.clone(), source: source.into() })?;
        let mut client = pool
            .get()
            .await
            .map_err(|source| StoreError::Open { what: what.clone(), source: source.into() })?;
        schema::prepare(&mut client, &what).await?;
        drop(client);
        let link = Link::open(config)
            .await
            .map_err(|source| StoreError::Open { what, source: source.into() })?;
        Ok(Self { inner: Arc::new(Inner { pool, link }), appends: TaskTracker::new() })
    }
}

impl Inner {
    async fn client(&self) -> Result<Client, StoreError> {
        self.pool.get().await.map_err(|error| match error {
            PoolError::Timeout(TimeoutType::Wait) => StoreError::Busy,
            PoolError::Closed => StoreError::Stopped,
            other => StoreError::Unreachable(other.into()),
        })
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.inner.link.stop();
    }
}

#[async_trait]
impl Backend for Postgres {
    async fn health(&self) -> Result<(), StoreError> {
        let client = self.inner.client().await?;
        client.simple_query("SELECT 1").await.map(drop).map_err(failed)
    }

    async fn close(&self) {
        self.appends.close();
        self.appends.wait().await;
        self.inner.link.close().await;
        self.inner.pool.close();
    }
}

#[async_trait]
impl Signals for Postgres {
    async fn send(&self, signal: Signal) -> Result<(), StoreError> {
        let text = signal.encode()?;
        let client = self.inner.client().await?;
        let notify = client.prepare_cached(link::SIGNAL).await.map_err(failed)?;
        client.execute(&notify, &[&text]).await.map(drop).map_err(failed)
    }

    fn receive(&self) -> broadcast::Receiver<Signal> {
        self.inner.link.signals.receive()
    }
}

fn config(url: &str) -> Result<Config, StoreError> {
    if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
        // The scheme only: the rest may hold a password.
        let scheme = url.split_once("://").map_or("", |(scheme, _)| scheme);
        return Err(StoreError::UnknownScheme(scheme.chars().take(32).collect()));
    }
    let mut config: Config = url.parse().map_err(|source: tokio_postgres::Error| {
        StoreError::Open { what: "database URL".into(), source: source.into() }
    })?;
    if config.get_application_name().is_none() {
        config.application_name("tandem");
    }
    // A machine that vanishes says nothing: without these a request would hang for many minutes.
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(PATIENCE);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_secs(30));
    }
    Ok(config)
}

/// Where the database is, without the password.
fn place(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(path)) => path.display().to_string(),
        None => String::new(),
    };
    format!("postgres://{host}/{}", config.get_dbname().unwrap_or_default())
}

/// What a statement that wrote nothing failed with.
fn failed(error: tokio_postgres::Error) -> StoreError {
    let gone = match error.as_db_error() {
        // 57P0x: the server is stopping or starting. 53x: it is out of connections, memory or disk.
        Some(refused) => {
            [&SqlState::ADMIN_SHUTDOWN, &SqlState::CRASH_SHUTDOWN, &SqlState::CANNOT_CONNECT_NOW]
                .contains(&refused.code())
                || refused.code().code().starts_with("53")
        }
        None => is_connection(&error),
    };
    if gone { StoreError::Unreachable(error.into()) } else { StoreError::failed(error) }
}

/// Whether the connection broke, so that the server may have done what was asked without our knowing.
fn is_connection(error: &tokio_postgres::Error) -> bool {
    error.is_closed() || error.source().is_some_and(<dyn Error>::is::<std::io::Error>)
}

/// PostgreSQL's integers are signed; a version counts rows and is far from the end of either.
fn integer(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}
