//! A server of pages at work: its sessions, its view definitions, its listener.
//!
//! [`Running::start`] makes one, [`Running::stop`] ends it with everything in it. Sessions are numbered from 1, and from 1 again
//! when none is left.

use std::{
    collections::BTreeMap,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use axum::Router;
use kit_app::Clock;
use kit_http::{Guard, Pages, Rules, Token};
use kit_mcp::Hub;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::{Error, project::Project, session::Session, viewdefs::Shelf, watch};

/// Sessions that one server holds. A thousand people are many; a loop that asks for `/` is none.
const MOST_SESSIONS: usize = 10_000;

/// How long an answer that is under way may take when the server ends.
const GRACE: Duration = Duration::from_secs(2);
/// How long somebody who ends it waits for that.
const CLOSING: Duration = Duration::from_millis(300);

/// A server of pages.
pub(crate) struct Running {
    pub(crate) project: Arc<Project>,
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) hub: Hub,
    pub(crate) clock: Arc<dyn Clock>,
    /// Where browsers find it, without a slash at the end.
    pub(crate) url: String,
    /// Cancelled when it ends.
    pub(crate) stopped: CancellationToken,
    sessions: Mutex<Sessions>,
    /// Accepts connections, if that is done here.
    serving: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Sessions {
    last: u64,
    all: BTreeMap<u64, Arc<Session>>,
}

/// What a server of pages needs of the host.
#[derive(Clone)]
pub(crate) struct Surroundings {
    pub(crate) hub: Hub,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) shutdown: CancellationToken,
}

impl Running {
    /// Starts one with a listener of its own, for these routes.
    pub(crate) async fn listening(
        project: Arc<Project>,
        around: &Surroundings,
        routes: Router,
    ) -> Result<Arc<Self>, Error> {
        let listener = listen(&project).await?;
        let bound = listener.local_addr().map_err(|source| Error::Listen {
            address: project.settings.server.host.to_string(),
            source,
        })?;
        let running = Self::start(project, around, format!("http://{}", named(bound)));
        let guard = Guard::new(rules(&running.project, bound), kit_http::Metrics::default());
        let server = kit_http::Server::new(routes, guard);
        let serving = tokio::spawn(server.serve(listener, running.stopped.clone(), GRACE));
        *running.serving.lock() = Some(serving);
        Ok(running)
    }

    /// Starts one that browsers find at `url`: watches the files, lets unused sessions go.
    pub(crate) fn start(project: Arc<Project>, around: &Surroundings, url: String) -> Arc<Self> {
        let running = Arc::new(Self {
            shelf: Arc::new(Shelf::new(project.viewdefs())),
            hub: around.hub.clone(),
            clock: around.clock.clone(),
            url,
            stopped: around.shutdown.child_token(),
            sessions: Mutex::default(),
            serving: Mutex::default(),
            project,
        });
        running.leave_word();
        let settings = &running.project.settings;
        if settings.lua.hotload {
            let seen = watch::begin(&running.project);
            tokio::spawn(watch::run(running.clone(), seen));
        }
        if let Some(timeout) = settings.session.timeout {
            let stopped = running.stopped.clone();
            tokio::spawn(let_go(Arc::downgrade(&running), stopped, timeout));
        }
        running
    }

    /// Says where commands in the same folder find it, until it ends.
    fn leave_word(&self) {
        let (place, stopped) = (self.project.word(), self.stopped.clone());
        let word = format!("{}\n", json!({"url": self.url, "pid": std::process::id()}));
        if let Err(error) = std::fs::write(&place, &word) {
            tracing::warn!(%error, "commands in the folder will not find this server");
            return;
        }
        tokio::spawn(async move {
            stopped.cancelled().await;
            // Unless another server has taken the folder over.
            if std::fs::read_to_string(&place).is_ok_and(|found| found == word) {
                drop(std::fs::remove_file(&place));
            }
        });
    }

    /// Ends it and everything in it. The listener is closed when this returns.
    pub(crate) async fn stop(&self) {
        self.stopped.cancel();
        let sessions = std::mem::take(&mut *self.sessions.lock());
        for session in sessions.all.values() {
            session.end();
        }
        let serving = self.serving.lock().take();
        if let Some(serving) = serving {
            // It closes the socket at once and lets answers under way be sent, perhaps the one to this very request.
            drop(tokio::time::timeout(CLOSING, serving).await);
        }
    }

    /// A new session with the next number, its program run; what that complained of.
    pub(crate) async fn open(self: &Arc<Self>) -> Result<(Arc<Session>, Option<String>), Error> {
        let session = {
            let mut sessions = self.sessions.lock();
            if self.stopped.is_cancelled() {
                return Err(Error::NotStarted);
            }
            if sessions.all.len() >= MOST_SESSIONS {
                return Err(Error::TooManySessions(MOST_SESSIONS));
            }
            if sessions.all.is_empty() {
                sessions.last = 0;
            }
            sessions.last += 1;
            let number = sessions.last;
            let session = Session::new(number.to_string(), self.clone());
            sessions.all.insert(number, session.clone());
            session
        };
        match session.begin().await {
            Ok(trouble) => Ok((session, trouble)),
            Err(error) => {
                self.close(&session);
                Err(error)
            }
        }
    }

    pub(crate) fn session(&self, id: &str) -> Result<Arc<Session>, Error> {
        let unknown = || Error::UnknownSession(id.to_owned());
        let number: u64 = id.parse().map_err(|_| unknown())?;
        let found = self.sessions.lock().all.get(&number).cloned();
        // `01` and `+1` are no names of it.
        found.filter(|session| session.id == id).ok_or_else(unknown)
    }

    /// All sessions, by number.
    pub(crate) fn sessions(&self) -> Vec<Arc<Session>> {
        self.sessions.lock().all.values().cloned().collect()
    }

    /// Sessions that a browser shows.
    pub(crate) fn shown(&self) -> usize {
        self.sessions().iter().filter(|session| session.usage().connections > 0).count()
    }

    pub(crate) fn status(&self) -> Value {
        json!({"state": "running", "url": self.url, "sessions": self.shown()})
    }

    fn close(&self, session: &Session) {
        let mut sessions = self.sessions.lock();
        if let Ok(number) = session.id.parse::<u64>() {
            sessions.all.remove(&number);
        }
        drop(sessions);
        session.end();
    }
}

async fn listen(project: &Project) -> Result<TcpListener, Error> {
    let server = &project.settings.server;
    let address = SocketAddr::new(server.host, server.port);
    TcpListener::bind(address)
        .await
        .map_err(|source| Error::Listen { address: address.to_string(), source })
}

/// An address that a browser can be given.
fn named(bound: SocketAddr) -> SocketAddr {
    if !bound.ip().is_unspecified() {
        return bound;
    }
    let ip = match bound.ip() {
        IpAddr::V4(_) => IpAddr::from([127, 0, 0, 1]),
        IpAddr::V6(_) => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
    };
    SocketAddr::new(ip, bound.port())
}

/// Only our own pages may ask; from elsewhere only with the token.
fn rules(project: &Project, bound: SocketAddr) -> Rules {
    let server = &project.settings.server;
    let token = server.token.as_ref().and_then(|token| Token::new(token.clone()).ok());
    Rules { bound: Some(bound), pages: Pages::OwnOnly, token, ..Rules::default() }
}

/// Ends sessions that nobody has used for `timeout`.
async fn let_go(running: std::sync::Weak<Running>, stopped: CancellationToken, timeout: Duration) {
    let pause = (timeout / 2).clamp(Duration::from_millis(50), Duration::from_mins(1));
    loop {
        tokio::select! {
            () = stopped.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        let Some(running) = running.upgrade() else { return };
        for session in running.sessions() {
            if session.usage().idle >= timeout {
                tracing::info!(session = %session.id, "nobody uses it any more");
                running.close(&session);
            }
        }
    }
}
