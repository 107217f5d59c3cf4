//! A PostgreSQL server that lives as long as the tests.

use std::{
    fs,
    net::TcpListener,
    os::unix::{fs::chown, process::CommandExt as _},
    path::{Path, PathBuf},
};

use anyhow::Result;
use tempfile::TempDir;

use super::{Missing, apt::Apt};
use crate::{
    cmd::{Cmd, which},
    report,
    service::Service,
};

/// A running server with nothing in it, reached as a superuser without a password, on loopback only.
pub(crate) struct Postgres {
    pub(crate) url: String,
    // In this order: the server ends before its directory goes.
    _server: Service,
    _dir: TempDir,
}

impl Postgres {
    pub(super) fn start(binaries: &Path) -> Result<Self, Missing> {
        report::doing("starting PostgreSQL", || start(binaries)).map_err(|error| {
            Missing::new(
                format!("PostgreSQL in `{}` does not start: {error:#}", binaries.display()),
                "see that `initdb` and `postgres` work there",
            )
        })
    }
}

/// The directory of `initdb` and `postgres`, which is often not on the path.
pub(super) fn binaries(apt: &Apt) -> Result<PathBuf, Missing> {
    if let Some(found) = installed() {
        return Ok(found);
    }
    let tried = apt.install(&["postgresql"]);
    installed().ok_or_else(|| {
        let why = tried.err().map(|error| format!(" ({error:#})")).unwrap_or_default();
        Missing::new(
            format!("no PostgreSQL server, and it could not be installed{why}"),
            "install `postgresql` (the server; its binaries are enough, it need not run)",
        )
    })
}

fn installed() -> Option<PathBuf> {
    let on_path = which("initdb").and_then(|file| fs::canonicalize(file).ok());
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .max()
        .map(|version| PathBuf::from(format!("/usr/lib/postgresql/{version}/bin/initdb")));
    let initdb = on_path.into_iter().chain(newest).find(|file| file.is_file())?;
    initdb.parent().map(Path::to_owned)
}

fn start(binaries: &Path) -> Result<Postgres> {
    let user = User::choose()?;
    let dir = tempfile::Builder::new().prefix("tandem-postgres-").tempdir()?;
    user.own(dir.path())?;
    let data = dir.path().join("data");
    let initdb = Cmd::new(binaries.join("initdb"))
        .args(["--username=tandem", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"])
        .arg("--pgdata")
        .arg(&data);
    user.run_as(initdb).dir(dir.path()).read()?;
    // Another program may take the port in between; PostgreSQL cannot choose one itself.
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let server = Cmd::new(binaries.join("postgres"))
        .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-c", "max_connections=300"])
        // Tests kill clients, never this server, so its own durability may be traded for speed.
        .args(["-c", "fsync=off", "-k"])
        .arg(dir.path())
        .arg("-D")
        .arg(&data);
    let (server, ()) = Service::start(user.run_as(server).dir(dir.path()), "INT", |line| {
        line.contains("ready to accept connections").then_some(())
    })?;
    let url = format!("postgres://tandem@127.0.0.1:{port}/postgres");
    Ok(Postgres { url, _server: server, _dir: dir })
}

/// Whom the server runs as: it refuses to be root.
struct User(Option<(u32, u32)>);

impl User {
    fn choose() -> Result<Self> {
        let id = |option: &str, user: &str| -> Result<u32> {
            Ok(Cmd::new("id").args([option, user]).read()?.trim().parse()?)
        };
        if Cmd::new("id").arg("-u").read()?.trim() != "0" {
            return Ok(Self(None));
        }
        let name = if id("-u", "postgres").is_ok() { "postgres" } else { "nobody" };
        Ok(Self(Some((id("-u", name)?, id("-g", name)?))))
    }

    fn own(&self, path: &Path) -> Result<()> {
        match self.0 {
            Some((user, group)) => Ok(chown(path, Some(user), Some(group))?),
            None => Ok(()),
        }
    }

    fn run_as(&self, cmd: Cmd) -> Cmd {
        match self.0 {
            Some((user, group)) => cmd.with(|command| command.uid(user).gid(group)),
            None => cmd,
        }
    }
}
