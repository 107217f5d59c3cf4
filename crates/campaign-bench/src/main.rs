//! Measures a roll and a durable join, side by side with the same tools on the official MCP SDKs.
//!
//! Starts each server as a process of its own ([`subject`]), asks it over MCP ([`mcp`]) or gRPC ([`grpc`], [`streams`]), first
//! to see that its answers are right ([`proof`]), then for the two tasks ([`task`]) in interleaved rounds, and prints Markdown
//! ([`table`]). No part of the product: `cargo xtask bench campaign` runs it, nothing else does.

mod client;
mod grpc;
mod mcp;
mod proof;
mod streams;
mod subject;
mod table;
mod task;

use std::{io::Write, path::PathBuf, time::Duration};

use anyhow::Context;
use bench_kit::{Limits, Placement, Plan, Rounds, rounds};
use clap::Parser;

use crate::{
    subject::{Running, Subject},
    task::Task,
};

/// No round makes more calls than this, however fast the server.
const MOST_CALLS: usize = 500_000;

/// Measure rolls and joins of campaigns side by side
#[derive(Debug, clap::Parser)]
#[command(name = "campaign-bench")]
struct Args {
    /// The program `tandem`
    #[arg(long, value_name = "PATH")]
    tandem: PathBuf,
    /// The TypeScript server's script, run with `node`; without it that row is left out
    #[arg(long, value_name = "PATH")]
    typescript: Option<PathBuf>,
    /// The Python server: an interpreter that has its packages, and the script; without it that row is left out
    #[arg(long, num_args = 2, value_names = ["INTERPRETER", "PATH"])]
    python: Option<Vec<PathBuf>>,
    /// Rounds that count, after one that warms up
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// How long each round loads each server
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Calls in flight: one on each connection, or on streams of one gRPC connection
    #[arg(long, default_value_t = 32)]
    connections: usize,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let subjects =
        subject::subjects(&args.tandem, args.typescript.as_deref(), args.python.as_deref());
    let mut report = String::new();
    for placement in [Placement::Everywhere, Placement::Apart] {
        placement.take();
        for task in [Task::Roll, Task::Join] {
            let figures = measure(&subjects, task, args.plan(), placement)?;
            report += &table::figures(&subjects, &figures, task, placement);
        }
    }
    report += &args.how();
    std::io::stdout().write_all(report.as_bytes())?;
    Ok(())
}

/// Measures `task` on all subjects, each started anew.
fn measure(
    subjects: &[Subject],
    task: Task,
    plan: Plan,
    placement: Placement,
) -> anyhow::Result<Vec<Rounds>> {
    let mut all = Vec::with_capacity(subjects.len());
    for subject in subjects {
        say(&format!("checking {}", subject.name));
        let lanes = plan.limits.in_flight;
        all.push(Running::open(subject, task, lanes, placement).context(subject.name)?);
    }
    say(&format!("measuring `{}`", task.tool()));
    let figures = rounds(&mut all, plan)?;
    for (running, subject) in all.iter_mut().zip(subjects) {
        running.prove_kept().context(subject.name)?;
    }
    Ok(figures)
}

impl Args {
    fn plan(&self) -> Plan {
        let time = Duration::from_secs_f64(self.seconds);
        let in_flight = self.connections;
        Plan { rounds: self.rounds, limits: Limits { time, calls: MOST_CALLS, in_flight } }
    }

    /// How the figures were obtained, as far as this program decides it.
    fn how(&self) -> String {
        let Self { rounds, seconds, connections, .. } = self;
        format!(
            "Medians of {rounds} interleaved rounds of {seconds} s for each server after one that does not count, \
             {connections} connections with one call in flight each (gRPC: {connections} calls in flight on one \
             connection).\n"
        )
    }
}

/// Tells the person at the terminal what is being done; a failure to do so is no reason to stop.
fn say(what: &str) {
    drop(writeln!(std::io::stderr(), "{what}"));
}
