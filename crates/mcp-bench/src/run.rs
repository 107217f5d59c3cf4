//! One run: measure everything, print Markdown on standard output, say on standard error how far it is.

use std::{io::Write, path::PathBuf, time::Duration};

use bench_kit::{Limits, Plan, pin_load, placement};

use crate::{
    idle, instructions, rounds, start,
    subject::{self, Subject, Talk},
    table::{self, Figures},
};

/// No round makes more calls than this, however fast the server.
const MOST_CALLS: usize = 500_000;

/// How often each server is started to see how long that takes.
const STARTS: usize = 9;

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// The TypeScript server's script, run with node; without it those rows are left out
    #[arg(long, value_name = "PATH")]
    typescript: Option<PathBuf>,
    /// The program `tandem`, to see how long `tandem serve` takes to start
    #[arg(long, value_name = "PATH")]
    tandem: Option<PathBuf>,
    /// Rounds that count, after one that warms up
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// How long each round loads each server
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Connections, each with one call in flight (on a pipe: calls written ahead)
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// Idle sessions to hold; 0 leaves that part out
    #[arg(long, default_value_t = 10_000)]
    sessions: usize,
    /// Only servers whose name contains this (the bare handler is always there)
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Count instructions per call with valgrind, and nothing else
    #[arg(long)]
    instructions: bool,
}

pub(crate) fn run(args: &RunArgs) -> anyhow::Result<()> {
    let mut subjects = subject::subjects(args.typescript.as_deref())?;
    if let Some(text) = &args.only {
        subjects.retain(|subject| subject.talk == Talk::Bare || subject.name.contains(text));
    }
    let report = if args.instructions { count(&subjects)? } else { measure(&subjects, args)? };
    std::io::stdout().write_all(report.as_bytes())?;
    Ok(())
}

fn measure(subjects: &[Subject], args: &RunArgs) -> anyhow::Result<String> {
    say("start-up");
    let start = start::measure(subjects, STARTS)?;
    pin_load();
    say("rounds, all connections");
    let loaded = rounds::measure(subjects, args.plan(args.connections))?;
    say("rounds, one call at a time");
    let alone = rounds::measure(subjects, args.plan(1))?;
    let figures: Vec<_> = Figures::all(subjects, &loaded, &alone, &start);
    let mut report = table::figures(&figures, args.connections);
    if args.sessions > 0 {
        let keepers = subject::session_keepers(args.typescript.as_deref())?;
        let idle = keepers.iter().map(|subject| {
            say(&format!("{} idle sessions: {}", args.sessions, subject.name));
            Ok((subject.name, idle::measure(subject, args.sessions)?))
        });
        report += &table::idle(&idle.collect::<anyhow::Result<Vec<_>>>()?, args.sessions);
    }
    if let Some(tandem) = &args.tandem {
        say("start-up of `tandem serve`");
        report += &table::product(start::product(tandem, STARTS)?);
    }
    report += &args.how();
    Ok(report)
}

fn count(subjects: &[Subject]) -> anyhow::Result<String> {
    // Node compiles while it runs; how many instructions that takes says nothing about a call.
    let native = subjects.iter().filter(|subject| subject.maker != subject::Maker::TypeScript);
    let counts = native.map(|subject| {
        say(&format!("instructions: {}", subject.name));
        Ok((subject.name, instructions::measure(subject)?))
    });
    Ok(table::instructions(&counts.collect::<anyhow::Result<Vec<_>>>()?))
}

impl RunArgs {
    /// How the figures were obtained, as far as this program decides it.
    fn how(&self) -> String {
        let Self { rounds, seconds, connections, .. } = self;
        format!(
            "\nMedians of {rounds} interleaved rounds of {seconds} s for each server after one that does not \
             count, {connections} connections (stdio: {connections} calls written ahead), {}. \
             Start-up is the median of {STARTS} starts.\n",
            placement()
        )
    }

    fn plan(&self, in_flight: usize) -> Plan {
        let time = Duration::from_secs_f64(self.seconds);
        Plan { rounds: self.rounds, limits: Limits { time, calls: MOST_CALLS, in_flight } }
    }
}

/// Tells the person at the terminal what is being done; a failure to do so is no reason to stop.
fn say(what: &str) {
    drop(writeln!(std::io::stderr(), "measuring {what}"));
}
