//! Measures the publisher: how soon it answers, what it weighs, and what a query over MCP costs beside the bare database.
//!
//! Starts `tandem publisher serve` over the samples as a process of its own ([`server`]), asks it on the stateless port of
//! its own for `count()`, and runs the SQL of the same query on a DuckDB of this process ([`bare`]). Prints Markdown. No part
//! of the product: `cargo xtask bench publisher` runs it, nothing else does.

mod bare;
mod server;

use std::{io::Write, path::PathBuf, time::Duration};

use bench_kit::{
    Limits, Loaded as _, Plan, Round, Rounds, median, pin_load, placement, rounds,
    table::{as_float, grouped, line, ratio, size, time},
};
use clap::Parser;

use crate::server::{Begun, Server};

/// No round makes more calls than this, however fast the server.
const MOST_CALLS: usize = 200_000;

/// Measure the publisher's start, memory and queries
#[derive(Debug, clap::Parser)]
#[command(name = "publisher-bench")]
struct Args {
    /// The program `tandem`
    #[arg(long, value_name = "PATH")]
    tandem: PathBuf,
    /// The sample packages
    #[arg(long, value_name = "DIR")]
    samples: PathBuf,
    /// Rounds that count, after one that warms up
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// How long each round lasts
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Clients that ask at the same time
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// How long they ask without a pause, at the end
    #[arg(long, default_value_t = 60.0)]
    endurance: f64,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    pin_load();
    let mut report = String::new();
    starts(&args, &mut report)?;
    queries(&args, &mut report)?;
    endurance(&args, &mut report)?;
    std::io::stdout().write_all(report.as_bytes())?;
    Ok(())
}

/// How soon it answers, how soon a package can be asked, and what it weighs then.
fn starts(args: &Args, report: &mut String) -> anyhow::Result<()> {
    let mut all = Vec::new();
    for number in 1..=args.rounds {
        say(&format!("start {number} of {}", args.rounds));
        all.push(Server::start(&args.tandem, &args.samples, true)?.1);
    }
    let of = |figure: fn(&Begun) -> f64| median(all.iter().map(figure).collect());
    *report += "### Start\n\n";
    line(report, "what", &["median"]);
    line(report, "---", &["---:"]);
    line(
        report,
        "process start to first answer",
        &[time(of(|begun| begun.answered.as_secs_f64()))],
    );
    line(
        report,
        "process start to the first rows of a package",
        &[time(of(|begun| begun.usable.as_secs_f64()))],
    );
    line(report, "memory at rest, nothing loaded", &[size(of(|begun| as_float(begun.idle)))]);
    line(report, "memory with one package loaded", &[size(of(|begun| as_float(begun.loaded)))]);
    report.push('\n');
    Ok(())
}

/// What `count()` costs over MCP, kept results on and off, beside the same SQL on a bare database.
fn queries(args: &Args, report: &mut String) -> anyhow::Result<()> {
    let (server, _) = Server::start(&args.tandem, &args.samples, false)?;
    let sql = server.sql()?;
    let bare = |from| bare::seconds(&args.samples.join("library"), &sql, from, args.rounds);
    let (file, bare) = (bare(bare::From::File)?, bare(bare::From::Memory)?);
    let title = format!(
        "### `count()` over MCP, beside {} for its SQL on a bare DuckDB\n\nOn the CSV file itself, which DuckDB then parses each time, \
         the SQL takes {}.\n\n",
        time(bare),
        time(file)
    );
    *report += &title;
    line(report, "clients", &["calls/s", "p50", "p99", "CPU per call", "p50 ÷ bare DuckDB"]);
    line(report, "---", &["---:"; 5]);
    drop(server);
    for kept in [false, true] {
        for lanes in [1, args.connections] {
            let words = if kept { ", result kept" } else { "" };
            say(&format!("measuring {lanes} clients{words}"));
            let (server, _) = Server::start(&args.tandem, &args.samples, kept)?;
            for figures in rounds(&mut [server.loaded(lanes)?], args.plan(lanes))? {
                line(report, &format!("{lanes}{words}"), &cells(&figures, bare));
            }
        }
    }
    let how = format!(
        "\nMedians of {} rounds of {} s after one that does not count, {}. Kept results are off in the first two rows, so that \
         each call compiles and runs its query.\n",
        args.rounds,
        args.seconds,
        placement()
    );
    *report += &how;
    Ok(())
}

/// Many clients without a pause: nothing may fail. Each answer is looked at, and the first that is wrong ends everything.
fn endurance(args: &Args, report: &mut String) -> anyhow::Result<()> {
    let lanes = args.connections;
    let time = Duration::from_secs_f64(args.endurance);
    say(&format!("{lanes} clients for {} s", args.endurance));
    let (server, begun) = Server::start(&args.tandem, &args.samples, false)?;
    let mut asked = server.loaded(lanes)?;
    let sample = asked.run(Limits { time, calls: usize::MAX, in_flight: lanes })?;
    let after = asked.process().memory()?;
    let words = format!(
        "\n{lanes} clients for {} s, kept results off: {} calls, 0 errors, the slowest {}; memory {} before and {} after.\n",
        sample.elapsed.as_secs(),
        grouped(as_float(u64::try_from(sample.latencies.len())?)),
        self::time(sample.latencies.iter().max().copied().unwrap_or_default().as_secs_f64()),
        size(as_float(begun.loaded)),
        size(as_float(after)),
    );
    *report += &words;
    Ok(())
}

fn cells(rounds: &Rounds, bare: f64) -> [String; 5] {
    let p50: fn(&Round) -> f64 = |round| round.p50.as_secs_f64();
    [
        grouped(rounds.median(|round| round.calls_per_second).round()),
        time(rounds.median(p50)),
        time(rounds.median(|round| round.p99.as_secs_f64())),
        time(rounds.median(|round| round.cpu_per_call)),
        ratio(rounds.median(p50) / bare),
    ]
}

impl Args {
    fn plan(&self, in_flight: usize) -> Plan {
        let time = Duration::from_secs_f64(self.seconds);
        Plan { rounds: self.rounds, limits: Limits { time, calls: MOST_CALLS, in_flight } }
    }
}

/// Tells the person at the terminal what is being done; a failure to do so is no reason to stop.
fn say(what: &str) {
    drop(writeln!(std::io::stderr(), "{what}"));
}
