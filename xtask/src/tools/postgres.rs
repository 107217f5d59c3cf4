//! The programs of a PostgreSQL server. The tests start one of their own (`kit_test::postgres`).

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{Missing, apt::Apt};
use crate::cmd::which;

/// The directory of `initdb` and `postgres`, which is often not on the path.
pub(super) fn find(apt: &Apt) -> Result<PathBuf, Missing> {
    if let Some(found) = installed() {
        return Ok(found);
    }
    let tried = apt.install(&["postgresql"]);
    installed().ok_or_else(|| {
        let why = tried.err().map(|error| format!(" ({error:#})")).unwrap_or_default();
        Missing::new(
            format!("no PostgreSQL server, and it could not be installed{why}"),
            "install the package `postgresql`; its server need not run",
        )
    })
}

fn installed() -> Option<PathBuf> {
    let on_path = which("initdb").and_then(|file| fs::canonicalize(file).ok());
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let packaged = versions.map(|version| version.path().join("bin/initdb"));
    let initdb = on_path.into_iter().chain(packaged).find(|file| file.is_file())?;
    initdb.parent().map(Path::to_owned)
}
