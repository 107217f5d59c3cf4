//! The figures as Markdown.

use bench_kit::{
    Round,
    table::{as_float, grouped, line, ratio, size, time},
};

use crate::{
    idle::Idle,
    rounds::Measured,
    start::Product,
    subject::{Maker, Subject, Talk},
};

/// Everything known of one subject.
pub(crate) struct Figures<'a> {
    subject: &'a Subject,
    loaded: &'a Measured,
    alone: &'a Measured,
    start: f64,
}

/// One column: how to read it from a round, or how it is known without rounds.
struct Column {
    title: &'static str,
    figure: fn(&Figures<'_>) -> f64,
    ratio: fn(&Figures<'_>, &Figures<'_>) -> f64,
    shown: fn(f64) -> String,
}

const CALLS: fn(&Round) -> f64 = |round| round.calls_per_second;
const P50: fn(&Round) -> f64 = |round| round.p50.as_secs_f64();
const P99: fn(&Round) -> f64 = |round| round.p99.as_secs_f64();
const CPU: fn(&Round) -> f64 = |round| round.cpu_per_call;

const COLUMNS: [Column; 9] = [
    Column {
        title: "calls/s",
        figure: |row| row.loaded.rounds.median(CALLS),
        ratio: |row, other| row.loaded.rounds.ratio(&other.loaded.rounds, CALLS),
        shown: |calls| grouped(calls.round()),
    },
    Column {
        title: "p50",
        figure: |row| row.loaded.rounds.median(P50),
        ratio: |row, other| row.loaded.rounds.ratio(&other.loaded.rounds, P50),
        shown: time,
    },
    Column {
        title: "p99",
        figure: |row| row.loaded.rounds.median(P99),
        ratio: |row, other| row.loaded.rounds.ratio(&other.loaded.rounds, P99),
        shown: time,
    },
    Column {
        title: "CPU per call",
        figure: |row| row.loaded.rounds.median(CPU),
        ratio: |row, other| row.loaded.rounds.ratio(&other.loaded.rounds, CPU),
        shown: time,
    },
    Column {
        title: "p50 alone",
        figure: |row| row.alone.rounds.median(P50),
        ratio: |row, other| row.alone.rounds.ratio(&other.alone.rounds, P50),
        shown: time,
    },
    Column {
        title: "p99 alone",
        figure: |row| row.alone.rounds.median(P99),
        ratio: |row, other| row.alone.rounds.ratio(&other.alone.rounds, P99),
        shown: time,
    },
    Column {
        title: "memory idle",
        figure: |row| as_float(row.loaded.memory_idle),
        ratio: |row, other| as_float(row.loaded.memory_idle) / as_float(other.loaded.memory_idle),
        shown: size,
    },
    Column {
        title: "under load",
        figure: |row| as_float(row.loaded.memory_loaded),
        ratio: |row, other| {
            as_float(row.loaded.memory_loaded) / as_float(other.loaded.memory_loaded)
        },
        shown: size,
    },
    Column {
        title: "start",
        figure: |row| row.start,
        ratio: |row, other| row.start / other.start,
        shown: time,
    },
];

impl<'a> Figures<'a> {
    pub(crate) fn all(
        subjects: &'a [Subject],
        loaded: &'a [Measured],
        alone: &'a [Measured],
        start: &[f64],
    ) -> Vec<Self> {
        let rows = subjects.iter().zip(loaded).zip(alone).zip(start);
        rows.map(|(((subject, loaded), alone), start)| Self {
            subject,
            loaded,
            alone,
            start: *start,
        })
        .collect()
    }

    /// The TypeScript server that is spoken to in the same way; it has no modern era yet, and a modern
    /// request is a stateless one.
    fn typescript<'b>(&self, all: &'b [Self]) -> Option<&'b Self> {
        let talk =
            if self.subject.talk == Talk::Modern { Talk::Stateless } else { self.subject.talk };
        all.iter().find(|row| row.subject.maker == Maker::TypeScript && row.subject.talk == talk)
    }

    fn bare<'b>(&self, all: &'b [Self]) -> Option<&'b Self> {
        all.iter().find(|row| row.subject.maker == Maker::Axum && self.subject.maker != Maker::Axum)
    }
}

/// Three tables: the figures, and what they are of the bare handler's and of the TypeScript server's.
pub(crate) fn figures(all: &[Figures<'_>], connections: usize) -> String {
    let mut text = format!("### Calls, {connections} in flight\n\n");
    head(&mut text, "server");
    for row in all {
        cells(&mut text, row, |column| (column.shown)((column.figure)(row)));
    }
    text.push_str("\n### As a multiple of the bare axum handler\n\n");
    ratios(&mut text, all, Figures::bare);
    text.push_str(
        "\n### As a multiple of the TypeScript SDK server, spoken to in the same way\n\n",
    );
    ratios(&mut text, all, Figures::typescript);
    text
}

fn ratios<'a, 'b>(
    text: &mut String,
    all: &'b [Figures<'a>],
    other: impl Fn(&Figures<'a>, &'b [Figures<'a>]) -> Option<&'b Figures<'a>>,
) {
    head(text, "server");
    for row in all {
        let Some(other) = other(row, all) else { continue };
        if !std::ptr::eq(row, other) {
            cells(text, row, |column| ratio((column.ratio)(row, other)));
        }
    }
}

fn head(text: &mut String, first: &str) {
    let titles: Vec<_> = COLUMNS.iter().map(|column| column.title).collect();
    line(text, first, &titles);
    line(text, "---", &["---:"; COLUMNS.len()]);
}

fn cells(text: &mut String, row: &Figures<'_>, cell: impl Fn(&Column) -> String) {
    line(text, row.subject.name, &COLUMNS.iter().map(cell).collect::<Vec<_>>());
}

pub(crate) fn idle(all: &[(&str, Idle)], sessions: usize) -> String {
    let count = grouped(as_float(sessions as u64));
    let mut text = format!("\n### {count} idle sessions\n\n");
    line(&mut text, "server", &["memory before", "after", "growth", "per session"]);
    line(&mut text, "---", &["---:"; 4]);
    for (name, idle) in all {
        let growth = as_float(idle.after.saturating_sub(idle.before));
        let each = growth / as_float(sessions as u64);
        let cells = [as_float(idle.before), as_float(idle.after), growth, each].map(size);
        line(&mut text, name, &cells);
    }
    text
}

pub(crate) fn product(product: Product) -> String {
    let (start, memory) = (time(product.start), size(as_float(product.memory)));
    format!(
        "\n### `tandem serve`\n\nFrom the start of the process to the answer to `initialize`: {start}. \
         Memory then: {memory}.\n"
    )
}

/// The first of `all` is the bare handler.
pub(crate) fn instructions(all: &[(&str, f64)]) -> String {
    let mut text = String::from("### Instructions per call\n\n");
    line(&mut text, "server", &["instructions", "× bare"]);
    line(&mut text, "---", &["---:"; 2]);
    let bare = all.first().map_or(f64::NAN, |(_, count)| *count);
    for (name, count) in all {
        line(&mut text, name, &[grouped(count.round()), ratio(count / bare)]);
    }
    text
}
