//! The figures as Markdown.

use std::fmt::Write as _;

use bench_kit::{
    Placement, Round, Rounds,
    table::{grouped, line, ratio, time},
};

use crate::{
    subject::{Maker, Subject},
    task::Task,
};

const CALLS: fn(&Round) -> f64 = |round| round.calls_per_second;
const P50: fn(&Round) -> f64 = |round| round.p50.as_secs_f64();
const P99: fn(&Round) -> f64 = |round| round.p99.as_secs_f64();
const CPU: fn(&Round) -> f64 = |round| round.cpu_per_call;

/// Two tables: the figures of `task`, and what Tandem's are of the others'.
pub(crate) fn figures(
    subjects: &[Subject],
    figures: &[Rounds],
    task: Task,
    placement: Placement,
) -> String {
    let durable = if task == Task::Join { ", durable" } else { "" };
    let cores = match placement {
        Placement::Everywhere => "all cores",
        Placement::Apart => "one core",
    };
    let mut text = format!("### `{}`{durable}, {cores}\n\n", task.tool());
    // Writing to a string cannot fail.
    let _ = writeln!(text, "With {}.\n", placement.words());
    head(&mut text, "server");
    for (subject, rounds) in subjects.iter().zip(figures) {
        let cells = [
            grouped(rounds.median(CALLS).round()),
            time(rounds.median(P50)),
            time(rounds.median(P99)),
            time(rounds.median(CPU)),
        ];
        line(&mut text, subject.name, &cells);
    }
    text.push('\n');
    ratios(&mut text, subjects, figures);
    text
}

fn ratios(text: &mut String, subjects: &[Subject], figures: &[Rounds]) {
    let rows = || subjects.iter().zip(figures);
    if rows().all(|(subject, _)| subject.maker == Maker::Tandem) {
        return;
    }
    head(text, "ratio");
    for (subject, rounds) in rows().filter(|(subject, _)| subject.maker == Maker::Tandem) {
        for (other, theirs) in rows().filter(|(subject, _)| subject.maker != Maker::Tandem) {
            let cells = [CALLS, P50, P99, CPU].map(|figure| ratio(rounds.ratio(theirs, figure)));
            line(text, &format!("{} ÷ {}", subject.name, other.name), &cells);
        }
    }
    text.push('\n');
}

fn head(text: &mut String, first: &str) {
    line(text, first, &["calls/s", "p50", "p99", "CPU per call"]);
    line(text, "---", &["---:"; 4]);
}
