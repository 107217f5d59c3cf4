//! Calls over a process's standard input and output, several written ahead.

use std::{
    io::{BufRead, BufReader, Write},
    process::{ChildStdin, ChildStdout},
    time::Instant,
};

use anyhow::{Context, bail};
use bench_kit::{
    Flight, Limits, MCP_INITIALIZE, MCP_INITIALIZED, Process, Request, Sample, check, id_of,
};

use crate::echo;

/// A server's pipes, after the handshake.
pub(crate) struct StdioLoad {
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    request: Request,
}

impl StdioLoad {
    pub(crate) fn open(process: &mut Process) -> anyhow::Result<Self> {
        let (mut stdin, mut stdout) = process.pipes()?;
        writeln!(stdin, "{MCP_INITIALIZE}")?;
        let mut answer = String::new();
        stdout.read_line(&mut answer)?;
        if !answer.contains("\"result\"") {
            bail!("not an answer to `initialize`: {answer}");
        }
        writeln!(stdin, "{MCP_INITIALIZED}")?;
        let request = Request::new(format!("{}\n", echo::call()).into_bytes())?;
        Ok(Self { stdin, stdout, request })
    }

    pub(crate) fn run(&mut self, limits: Limits) -> anyhow::Result<Sample> {
        let mut flight = Flight::new(limits);
        // Answers may come in any order; each sent call is looked up by its id.
        let mut sent: Vec<(u32, Instant)> = Vec::with_capacity(limits.in_flight);
        let mut line = Vec::new();
        while sent.len() < limits.in_flight {
            if !self.send(&mut flight, &mut sent)? {
                break;
            }
        }
        while flight.flying > 0 {
            line.clear();
            if self.stdout.read_until(b'\n', &mut line)? == 0 {
                bail!("the server ended");
            }
            let answered = id_of(&line).context("an answer without an id")?;
            let place = sent.iter().position(|(id, _)| *id == answered);
            let (id, when) = sent.swap_remove(place.context("an answer that nobody waits for")?);
            check(&line, id, echo::MESSAGE.as_bytes())?;
            flight.land(when);
            self.send(&mut flight, &mut sent)?;
        }
        Ok(flight.sample())
    }

    fn send(
        &mut self,
        flight: &mut Flight,
        sent: &mut Vec<(u32, Instant)>,
    ) -> anyhow::Result<bool> {
        let due = flight.take_off(&mut self.request);
        if due {
            sent.push((self.request.id, Instant::now()));
            self.stdin.write_all(&self.request.bytes)?;
        }
        Ok(due)
    }
}
