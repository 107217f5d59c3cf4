//! A sixth application, generated into a copy of the checkout, built into the whole and tested.

use std::{
    fs::{self, File, FileTimes},
    path::Path,
};

use anyhow::{Context as _, Result, bail};

use super::{Run, counted, rust};
use crate::{cmd::Cmd, machine::Machine, new_app, report, tally::Tally};

const NAME: &str = "tides";

pub(super) fn test(run: &Run) -> Result<Tally> {
    let dir = tempfile::Builder::new().prefix("tandem-new-app-").tempdir()?;
    copy(&run.machine, dir.path())?;
    // Not locked: the lock file will list two crates more.
    let copy = Machine { root: dir.path().to_owned(), locked: false, ..run.machine.clone() };
    new_app::generate(&copy, NAME)?;
    copy.cargo().args(["fmt", "--all", "--check"]).run()?;
    let lints = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    let clean = report::doing("linting it", || copy.cargo().args(lints).run());
    let mut tally = if clean.is_ok() { Tally::ONE } else { Tally::FAILURE };
    let built = rust::build(&copy)?;
    let tests: Vec<_> = built.tests(&[NAME, "tides-core"]).collect();
    if tests.is_empty() {
        bail!("the new application has no tests");
    }
    for test in tests {
        tally += counted(Cmd::new(test).dir(dir.path()))?;
    }
    Ok(tally)
}

/// Copies what git knows, with its times: to cargo it is then the same code, already compiled (see `claim`).
fn copy(machine: &Machine, to: &Path) -> Result<()> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
    let files = Cmd::new("git").dir(&machine.root).args(list).read()?;
    for file in files.split_terminator('\0') {
        let (from, to) = (machine.root.join(file), to.join(file));
        // Deleted, and git was not told yet.
        let Ok(metadata) = fs::metadata(&from) else { continue };
        fs::create_dir_all(to.parent().context("a file lies in a directory")?)?;
        fs::copy(&from, &to).with_context(|| format!("cannot copy `{file}`"))?;
        let times = FileTimes::new().set_modified(metadata.modified()?);
        File::options().write(true).open(&to)?.set_times(times)?;
    }
    Ok(())
}
