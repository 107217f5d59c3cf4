//! Servers that run beside the tests.

use std::{
    io::{BufRead as _, BufReader, Read},
    process::{Child, Command},
    thread,
};

use anyhow::{Context as _, Result, bail};

use crate::cmd::Cmd;

/// A running server, ended when its owner is done with it, however that comes.
pub(crate) struct Service {
    child: Child,
    /// Which signal asks it to end soon: servers differ.
    signal: &'static str,
}

impl Service {
    /// Starts `cmd` and waits for the line of its log in which `ready` finds what it looks for.
    pub(crate) fn start<T>(
        cmd: Cmd,
        signal: &'static str,
        ready: impl Fn(&str) -> Option<T>,
    ) -> Result<(Self, T)> {
        let name = cmd.to_string();
        let mut child = cmd.spawn()?;
        let log = child.stderr.take().context("the log is piped")?;
        let service = Self { child, signal };
        let found =
            wait(log, ready).with_context(|| format!("{name} ended before it was ready"))?;
        Ok((service, found))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // Asked, not killed, so that it can flush and remove what it made.
        let id = self.child.id().to_string();
        let asked = Command::new("kill").args(["-s", self.signal, &id]).status();
        if !asked.is_ok_and(|status| status.success()) {
            drop(self.child.kill());
        }
        drop(self.child.wait());
    }
}

/// Reads the log up to the line that is waited for; a thread reads the rest, since a full pipe would stop the server.
fn wait<T>(log: impl Read + Send + 'static, ready: impl Fn(&str) -> Option<T>) -> Result<T> {
    let mut log = BufReader::new(log).lines();
    let mut said = Vec::new();
    for line in log.by_ref() {
        let line = line?;
        if let Some(found) = ready(&line) {
            thread::spawn(move || log.for_each(drop));
            return Ok(found);
        }
        said.push(line);
    }
    bail!("it said:\n{}", said.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Cmd {
        Cmd::new("sh").args(["-c", script])
    }

    #[test]
    fn it_is_there_once_its_log_says_so() {
        let script = "echo starting >&2; echo port 7 >&2; exec sleep 600";
        let (service, port) = Service::start(shell(script), "TERM", |line| {
            line.strip_prefix("port ").and_then(|port| port.parse::<u16>().ok())
        })
        .unwrap();
        assert_eq!(port, 7);
        // Returns only because the process is asked to end.
        drop(service);
    }

    #[test]
    fn one_that_ends_too_early_shows_what_it_said() {
        let failed = Service::start(shell("echo cannot bind >&2"), "TERM", |_| None::<()>);
        let error = format!("{:#}", failed.err().unwrap());
        assert!(error.ends_with("ended before it was ready: it said:\ncannot bind"), "{error}");
    }
}
