//! The server of pages as agents command it: configured, started, used, begun anew.
//!
//! Three states, and what may be asked in each is checked in one place ([`Service::running`], [`Service::project`]), so
//! that every surface refuses in the same words. Changes of state happen one at a time. Start at [`Service::configure`].

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use axum::Router;
use futures::future::join_all;
use parking_lot::RwLock;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use ui_core::Key;
use ui_view::{Types, ViewContext};

use crate::{
    Config, Error, audits, browser, http,
    project::Project,
    running::{Running, Surroundings},
    session::{Session, Stage, Variables},
    viewdefs,
};

/// How long an upload waits for sessions that do something else.
const PUSHING: Duration = Duration::from_secs(1);

/// The server of pages. Cloning shares it.
#[derive(Clone)]
pub struct Service(Arc<Shared>);

struct Shared {
    config: Config,
    around: Surroundings,
    /// Where the host shows the pages, if it does; else each start has a listener of its own.
    home: Option<String>,
    mode: Mode,
    state: RwLock<State>,
    /// Held while the state changes.
    change: Mutex<()>,
}

/// Who the server is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// An agent and one person: everybody comes to session 1.
    Agent,
    /// Anybody: whoever comes gets a session.
    Visitors,
}

#[derive(Clone)]
enum State {
    Unconfigured,
    Configured(Arc<Project>),
    Running(Arc<Running>, CancellationToken),
}

/// A server that was started.
#[derive(Debug)]
pub(crate) struct Started {
    pub(crate) url: String,
    pub(crate) notes: Vec<String>,
}

/// What `ui_status` tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Status {
    pub(crate) state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sessions: Option<usize>,
}

impl Service {
    pub(crate) fn new(
        config: Config,
        around: Surroundings,
        home: Option<String>,
        mode: Mode,
    ) -> Self {
        let state = RwLock::new(State::Unconfigured);
        Self(Arc::new(Shared { config, around, home, mode, state, change: Mutex::new(()) }))
    }

    /// Begins with a folder that the host was told of: its pages are served at once where the host shows them, else
    /// an agent starts them.
    pub(crate) fn begin(&self, base: &Path) -> Result<(), Error> {
        let project = Arc::new(Project::prepare(base, &self.0.config)?);
        *self.0.state.write() = match &self.0.home {
            Some(url) => {
                let running = Running::start(project, &self.0.around, url.clone());
                State::Running(running, CancellationToken::new())
            }
            None => State::Configured(project),
        };
        Ok(())
    }

    /// Prepares a folder; a server that runs ends first, once it is sure that the new folder can be used. Gives the
    /// folder of the logs.
    pub(crate) async fn configure(&self, base: &str) -> Result<PathBuf, Error> {
        let _alone = self.0.change.lock().await;
        let (base, config) = (PathBuf::from(base), self.0.config.clone());
        let prepare = move || {
            let project = Project::prepare(&base, &config)?;
            project.put_documents()?;
            Ok::<_, Error>(project)
        };
        let project = blocking(prepare).await??;
        let logs = project.logs();
        let before =
            std::mem::replace(&mut *self.0.state.write(), State::Configured(Arc::new(project)));
        if let State::Running(running, reconfigured) = before {
            // Whoever waits for events hears of it before anything else ends.
            reconfigured.cancel();
            running.stop().await;
        }
        tracing::info!(logs = %logs.display(), "configured");
        Ok(logs)
    }

    /// Starts serving pages. For an agent there is a session at once.
    pub(crate) async fn start(&self) -> Result<Started, Error> {
        let _alone = self.0.change.lock().await;
        let project = match &*self.0.state.read() {
            State::Unconfigured => return Err(Error::NotConfigured),
            State::Running(..) => return Err(Error::AlreadyRunning),
            State::Configured(project) => project.clone(),
        };
        let around = &self.0.around;
        let running = match &self.0.home {
            Some(url) => Running::start(project, around, url.clone()),
            None => Running::listening(project, around, self.site()).await?,
        };
        let url = running.url.clone();
        let mut notes = Vec::new();
        if self.0.mode == Mode::Agent {
            match running.open().await {
                Ok((_, trouble)) => {
                    notes.extend(trouble.map(|text| format!("main.lua failed: {text}")));
                    let site = running.clone();
                    let audit = move || audits::of_programs(&site.project, &site.shelf);
                    notes.extend(blocking(audit).await.unwrap_or_default());
                }
                Err(error) => {
                    running.stop().await;
                    return Err(error);
                }
            }
        }
        *self.0.state.write() = State::Running(running, CancellationToken::new());
        tracing::info!(%url, "pages are served");
        Ok(Started { url, notes })
    }

    /// What it does now.
    pub(crate) fn status(&self) -> Status {
        match &*self.0.state.read() {
            State::Unconfigured => Status { state: "unconfigured", url: None, sessions: None },
            State::Configured(_) => Status { state: "configured", url: None, sessions: None },
            State::Running(running, _) => Status {
                state: "running",
                url: Some(running.url.clone()),
                sessions: Some(running.shown()),
            },
        }
    }

    /// Runs Lua. Gives what it returns, and what looks like a mistake in it.
    pub(crate) async fn run(
        &self,
        session: &str,
        code: &str,
    ) -> Result<(Value, Vec<String>), Error> {
        let running = self.running()?;
        let result = running.session(session)?.run(code.to_owned()).await?;
        let (code, site) = (code.to_owned(), running.clone());
        let notes = blocking(move || audits::of_code(&code, &site.shelf)).await?;
        Ok((result, notes))
    }

    /// Takes a view definition in, for every session. Gives what looks like a mistake in it.
    pub(crate) async fn upload(
        &self,
        kind: &str,
        namespace: &str,
        content: &str,
    ) -> Result<Vec<String>, Error> {
        let running = self.running()?;
        let key = Key::new(kind, namespace).map_err(|error| Error::Viewdef(error.to_string()))?;
        let (views, content) = (running.shelf.clone(), content.to_owned());
        let (types, kind) = (known_types(&running).await, kind.to_owned());
        let (viewdef, notes) = blocking(move || {
            let known = ViewContext { type_name: Some(&kind), types: Some(&types) };
            let (html, notes) = viewdefs::prepared(&content, known);
            Ok::<_, Error>((views.put(key, &html)?, notes))
        })
        .await??;
        // In every session at the same time. One that is busy tells its pages when its turn comes, which nobody waits for.
        let sessions = running.sessions();
        let told = sessions.iter().map(|session| {
            let viewdef = viewdef.clone();
            session.ask(move |stage| stage.viewdef_changed(&viewdef, true))
        });
        drop(tokio::time::timeout(PUSHING, join_all(told)).await);
        Ok(notes)
    }

    pub(crate) async fn open_browser(
        &self,
        session: &str,
        path: &str,
        conserve: bool,
    ) -> Result<String, Error> {
        let running = self.running()?;
        let url = browser::address(&running.url, &running.session(session)?.id, path, conserve);
        browser::open(&url).await?;
        Ok(url)
    }

    /// What happened in a session since somebody last asked, waiting until something does.
    pub(crate) async fn wait(&self, session: &str, longest: Duration) -> Result<Vec<Value>, Error> {
        let (running, reconfigured) = self.at_work()?;
        let session = running.session(session)?;
        tokio::select! {
            biased;
            events = session.events.wait(longest) => Ok(events),
            () = reconfigured.cancelled() => Ok(vec![json!({"event": "server_reconfigured"})]),
            () = running.stopped.cancelled() => Ok(Vec::new()),
        }
    }

    pub(crate) async fn state(&self, session: &str) -> Result<Value, Error> {
        self.session(session)?.state().await
    }

    pub(crate) async fn variables(&self, session: &str) -> Result<Variables, Error> {
        self.session(session)?.look(Stage::variables).await
    }

    /// What a person sees, in text.
    pub(crate) async fn look(&self, session: &str) -> Result<String, Error> {
        self.session(session)?.look(Stage::look).await
    }

    /// The server at work, or why there is none.
    pub(crate) fn running(&self) -> Result<Arc<Running>, Error> {
        self.at_work().map(|(running, _)| running)
    }

    fn at_work(&self) -> Result<(Arc<Running>, CancellationToken), Error> {
        match &*self.0.state.read() {
            State::Unconfigured => Err(Error::NotConfigured),
            State::Configured(_) => Err(Error::NotStarted),
            State::Running(running, reconfigured) => Ok((running.clone(), reconfigured.clone())),
        }
    }

    pub(crate) fn session(&self, id: &str) -> Result<Arc<Session>, Error> {
        self.running()?.session(id)
    }

    /// The ids of all sessions.
    pub(crate) fn session_ids(&self) -> Vec<String> {
        let sessions = self.running().map(|running| running.sessions()).unwrap_or_default();
        sessions.iter().map(|session| session.id.clone()).collect()
    }

    /// The folder that was configured.
    pub(crate) fn project(&self) -> Option<Arc<Project>> {
        match &*self.0.state.read() {
            State::Unconfigured => None,
            State::Configured(project) => Some(project.clone()),
            State::Running(running, _) => Some(running.project.clone()),
        }
    }

    pub(crate) fn mode(&self) -> Mode {
        self.0.mode
    }

    /// Everything that it answers over HTTP.
    fn site(&self) -> Router {
        http::routes(self).fallback_service(http::rest(self))
    }
}

/// What Lua knows of types, in the first session, unless that is busy.
async fn known_types(running: &Running) -> Types {
    let Some(session) = running.sessions().into_iter().next() else { return Types::default() };
    let asked = tokio::time::timeout(PUSHING, session.look(Stage::types)).await;
    asked.ok().and_then(Result::ok).unwrap_or_default()
}

/// Work that waits for the disk.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Error::Internal("the work failed by a mistake of ours".to_owned()))
}
