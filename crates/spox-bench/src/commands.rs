//! List and validate, each a process from start to end.

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use bench_kit::{
    median,
    table::{self, as_float, grouped},
};

use crate::{Args, tree::Size};

/// How often the memory of a running command is looked at.
const LOOK: Duration = Duration::from_millis(1);

/// The same question, put to each tool in its own words.
const QUESTIONS: [(&[&str], &[&str]); 2] = [
    (&["spec", "list"], &["list", "--specs"]),
    (&["spec", "validate"], &["validate", "--specs", "--no-interactive"]),
];

/// What one run of a command took.
#[derive(Debug, Clone, Copy)]
struct Run {
    seconds: f64,
    /// The most that was resident, in bytes.
    memory: u64,
}

pub(crate) fn measure(args: &Args, tree: &Path, size: Size) -> anyhow::Result<String> {
    let scenarios = size.specs * size.requirements * size.scenarios;
    let (specs, scenarios) = (size.specs.to_string(), grouped(as_float(scenarios as u64)));
    let mut text =
        format!("\n### {specs} specs, {scenarios} scenarios: one process from start to end\n\n");
    table::line(&mut text, "command", &["time", "times faster", "memory"]);
    table::line(&mut text, "---", &["---:"; 3]);
    for (ours, theirs) in QUESTIONS {
        let commands = [spox(args, ours), openspec(args, theirs)];
        let [mine, peers] = rounds(&commands, tree, args.rounds, size.specs)?;
        let faster = mine.iter().zip(&peers).map(|(mine, peer)| peer.seconds / mine.seconds);
        let faster = table::ratio(median(faster.collect()));
        let names = [
            format!("`tandem spox {}`", ours.join(" ")),
            format!("`openspec {}`", theirs.join(" ")),
        ];
        for ((name, runs), faster) in names.iter().zip([mine, peers]).zip([faster, "1".into()]) {
            let time = median(runs.iter().map(|run| run.seconds).collect());
            let memory = median(runs.iter().map(|run| as_float(run.memory)).collect());
            table::line(&mut text, name, &[table::time(time), faster, table::size(memory)]);
        }
    }
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "\nMedians of {} interleaved rounds after one that does not count; the ratio is the median of those within a round.",
        args.rounds
    );
    Ok(text)
}

fn spox(args: &Args, words: &[&str]) -> Vec<String> {
    let program = args.tandem.to_string_lossy().into_owned();
    [program, "spox".into()].into_iter().chain(words.iter().map(ToString::to_string)).collect()
}

fn openspec(args: &Args, words: &[&str]) -> Vec<String> {
    let script = args.openspec.to_string_lossy().into_owned();
    ["node".into(), script].into_iter().chain(words.iter().map(ToString::to_string)).collect()
}

fn rounds(
    commands: &[Vec<String>; 2],
    tree: &Path,
    rounds: usize,
    specs: usize,
) -> anyhow::Result<[Vec<Run>; 2]> {
    let mut all = [Vec::new(), Vec::new()];
    for number in 0..=rounds {
        for (words, runs) in commands.iter().zip(&mut all) {
            let run = run(words, tree, specs).with_context(|| format!("`{}`", words.join(" ")))?;
            if number > 0 {
                runs.push(run);
            }
        }
    }
    Ok(all)
}

/// Runs a command to its end. Its output must have a line for every spec, or it did something else.
fn run(words: &[String], tree: &Path, specs: usize) -> anyhow::Result<Run> {
    let output = tempfile::NamedTempFile::new()?;
    let start = Instant::now();
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .current_dir(tree)
        .env("NO_COLOR", "1")
        // What it would send over the network is no part of its work.
        .env("OPENSPEC_TELEMETRY", "0")
        .stdin(Stdio::null())
        .stdout(output.reopen()?)
        .stderr(Stdio::null())
        .spawn()?;
    let (status, memory) = peak(&mut child)?;
    let seconds = start.elapsed().as_secs_f64();
    let text = fs::read_to_string(output.path())?;
    let named = text.lines().filter(|line| line.contains("-0")).count();
    if !status.success() || named < specs {
        bail!("{status}, and {named} of {specs} specs are in its output");
    }
    Ok(Run { seconds, memory })
}

/// Waits for the end of a process and tells the most memory that was seen with it.
fn peak(child: &mut Child) -> anyhow::Result<(ExitStatus, u64)> {
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    loop {
        if let Some(ended) = child.try_wait()? {
            return Ok((ended, most));
        }
        let line = fs::read_to_string(&status).unwrap_or_default();
        let kib = line.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = kib.and_then(|kib| kib.split_whitespace().next()?.parse::<u64>().ok());
        most = most.max(kib.unwrap_or(0) * 1024);
        thread::sleep(LOOK);
    }
}
