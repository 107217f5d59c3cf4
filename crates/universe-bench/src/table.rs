//! Figures as Markdown.

use std::fmt::Write;

use bench_kit::{Round, Rounds, table::time};

const PER_SECOND: fn(&Round) -> f64 = |round| round.calls_per_second;
const CPU: fn(&Round) -> f64 = |round| round.cpu_per_call;

/// What the rounds showed of one subject.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) rounds: Rounds,
}

pub(crate) fn table(rows: &[Row], connections: usize) -> String {
    let mut text = format!("### `tick`, durable, {connections} in flight\n\n");
    text += "| answer | requests/s | × the first row | p50 | p99 | CPU per request | × the first row |\n";
    text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    let Some(first) = rows.first() else { return text };
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {:.0} | {:.2} | {} | {} | {} | {:.2} |",
            row.name,
            row.rounds.median(PER_SECOND),
            row.rounds.ratio(&first.rounds, PER_SECOND),
            time(row.rounds.median(|round| round.p50.as_secs_f64())),
            time(row.rounds.median(|round| round.p99.as_secs_f64())),
            time(row.rounds.median(CPU)),
            row.rounds.ratio(&first.rounds, CPU),
        );
    }
    text + "\n"
}
