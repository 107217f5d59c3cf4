//! Running other programs.

use std::{
    ffi::{OsStr, OsString},
    fmt,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
};

use anyhow::{Context, Result, bail};

/// A program to run, never with our standard input: nothing here may wait for a person.
pub(crate) struct Cmd {
    program: OsString,
    command: Command,
}

impl Cmd {
    pub(crate) fn new(program: impl Into<OsString>) -> Self {
        let program = program.into();
        let mut command = Command::new(&program);
        command.stdin(Stdio::null());
        Self { program, command }
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    /// Runs it with its output shown; an error unless it succeeds.
    pub(crate) fn run(mut self) -> Result<()> {
        let status = self.command.status().with_context(|| format!("cannot start {self}"))?;
        succeeded(&self, status)
    }

    /// Runs it and keeps all it says; an error, with what it said, unless it succeeds.
    pub(crate) fn read(mut self) -> Result<String> {
        let output = self.command.output().with_context(|| format!("cannot start {self}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("{self} failed ({}): {}", output.status, said.trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs it, handing each line of its standard output to `each` while it runs.
    pub(crate) fn lines(mut self, mut each: impl FnMut(&str)) -> Result<ExitStatus> {
        let mut child = self
            .command
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {self}"))?;
        let output = child.stdout.take().context("the output is piped")?;
        for line in BufReader::new(output).split(b'\n') {
            each(String::from_utf8_lossy(&line?).trim_end_matches('\r'));
        }
        Ok(child.wait()?)
    }

    /// Starts it and goes on. What it says on standard error is for the caller to read; the rest is dropped.
    pub(crate) fn spawn(mut self) -> Result<Child> {
        self.command.stdout(Stdio::null()).stderr(Stdio::piped());
        self.command.spawn().with_context(|| format!("cannot start {self}"))
    }
}

impl fmt::Display for Cmd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Path::new(&self.program).file_name().unwrap_or(&self.program);
        write!(f, "`{}", name.display())?;
        for arg in self.command.get_args() {
            write!(f, " {}", arg.display())?;
        }
        f.write_str("`")
    }
}

fn succeeded(cmd: &Cmd, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("{cmd} failed ({status})");
    }
    Ok(())
}

/// Finds a program as a shell would.
pub(crate) fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command_and_what_it_said() {
        let error = Cmd::new("sh").args(["-c", "echo no >&2; exit 3"]).read().unwrap_err();
        assert_eq!(error.to_string(), "`sh -c echo no >&2; exit 3` failed (exit status: 3): no");
    }

    #[test]
    fn lines_arrive_one_by_one_with_the_exit_status() {
        let mut seen = Vec::new();
        let status = Cmd::new("sh")
            .args(["-c", "printf 'a\\r\\nb'; exit 1"])
            .lines(|line| seen.push(line.to_owned()))
            .unwrap();
        assert_eq!(seen, ["a", "b"]);
        assert_eq!(status.code(), Some(1));
    }
}
