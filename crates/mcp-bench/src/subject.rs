//! What is measured: which server, spoken to in which way.

use std::{net::SocketAddr, path::Path};

use anyhow::Context;
use bench_kit::{HttpLoad, Launch, Limits, Loaded, Process, Sample};

use crate::load::{StdioLoad, http};

/// How a client speaks to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Talk {
    /// The same JSON, without any protocol.
    Bare,
    /// HTTP after a handshake, each connection with a session of its own.
    Sessions,
    /// HTTP without a session.
    Stateless,
    /// HTTP as in revision 2026-07-28, where every request stands alone.
    Modern,
    /// Lines over pipes.
    Stdio,
}

/// Who wrote the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maker {
    Axum,
    Tandem,
    Rmcp,
    TypeScript,
}

/// One row of the tables.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) maker: Maker,
    pub(crate) talk: Talk,
    pub(crate) launch: Launch,
}

/// Everything that is measured, in the order of the tables. Without `typescript`, the path of its
/// server, those rows are left out.
pub(crate) fn subjects(typescript: Option<&Path>) -> anyhow::Result<Vec<Subject>> {
    use Maker::{Axum, Rmcp, Tandem};
    use Talk::{Bare, Modern, Sessions, Stateless, Stdio};
    let all = [
        Some(rust("bare axum handler", Axum, Bare, "bare")?),
        Some(rust("Tandem, sessions", Tandem, Sessions, "tandem-sessions")?),
        Some(rust("Tandem, sessions, with its log", Tandem, Sessions, "tandem-logged")?),
        Some(rust("Tandem, sessions, no guard", Tandem, Sessions, "tandem-unguarded")?),
        Some(rust("rmcp, sessions", Rmcp, Sessions, "rmcp-sessions")?),
        node("TypeScript SDK, sessions", Sessions, "sessions", typescript),
        Some(rust("Tandem, stateless", Tandem, Stateless, "tandem-stateless")?),
        Some(rust("rmcp, stateless", Rmcp, Stateless, "rmcp-stateless")?),
        node("TypeScript SDK, stateless", Stateless, "stateless", typescript),
        Some(rust("Tandem, 2026-07-28", Tandem, Modern, "tandem-sessions")?),
        Some(rust("rmcp, 2026-07-28", Rmcp, Modern, "rmcp-stateless")?),
        Some(rust("Tandem, stdio", Tandem, Stdio, "tandem-stdio")?),
        Some(rust("rmcp, stdio", Rmcp, Stdio, "rmcp-stdio")?),
        node("TypeScript SDK, stdio", Stdio, "stdio", typescript),
    ];
    Ok(all.into_iter().flatten().collect())
}

/// Who holds idle sessions.
pub(crate) fn session_keepers(typescript: Option<&Path>) -> anyhow::Result<Vec<Subject>> {
    use Maker::{Rmcp, Tandem};
    use Talk::Sessions;
    let all = [
        Some(rust("Tandem, sessions in SQLite", Tandem, Sessions, "tandem-sessions")?),
        Some(rust("Tandem, sessions in memory", Tandem, Sessions, "tandem-memory")?),
        Some(rust("rmcp", Rmcp, Sessions, "rmcp-sessions")?),
        node("TypeScript SDK", Sessions, "sessions", typescript),
    ];
    Ok(all.into_iter().flatten().collect())
}

fn rust(name: &'static str, maker: Maker, talk: Talk, kind: &str) -> anyhow::Result<Subject> {
    let own = std::env::current_exe().context("cannot tell where this program is")?;
    let launch = Launch::new([own.as_os_str(), "serve".as_ref(), kind.as_ref()]);
    Ok(Subject { name, maker, talk, launch })
}

fn node(name: &'static str, talk: Talk, mode: &str, script: Option<&Path>) -> Option<Subject> {
    let launch = Launch::new(["node".as_ref(), script?.as_os_str(), mode.as_ref()]);
    Some(Subject { name, maker: Maker::TypeScript, talk, launch })
}

/// A subject that is running and has open connections.
pub(crate) struct Running {
    process: Process,
    load: Load,
}

enum Load {
    Http(HttpLoad),
    Stdio(StdioLoad),
}

impl Running {
    /// Opens `lanes` connections to a server that was started from `subject`.
    pub(crate) fn open(
        subject: &Subject,
        mut process: Process,
        lanes: usize,
    ) -> anyhow::Result<Self> {
        let load = if subject.talk == Talk::Stdio {
            Load::Stdio(StdioLoad::open(&mut process)?)
        } else {
            let address: SocketAddr = process.line()?.parse()?;
            Load::Http(http(address, subject.talk, lanes)?)
        };
        Ok(Self { process, load })
    }

    /// Closes the connections and lets the server end by itself.
    pub(crate) fn end(self) -> anyhow::Result<()> {
        drop(self.load);
        self.process.end()
    }
}

impl Loaded for Running {
    fn process(&self) -> &Process {
        &self.process
    }

    fn run(&mut self, limits: Limits) -> anyhow::Result<Sample> {
        match &mut self.load {
            Load::Http(load) => load.run(limits),
            Load::Stdio(load) => load.run(limits),
        }
    }
}
