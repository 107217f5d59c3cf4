//! Figures as Markdown.

use std::{fmt::Write, time::Duration};

use crate::load::Sample;

/// What the rounds showed of one subject.
pub(crate) struct Row {
    name: String,
    per_second: Vec<f64>,
    p50: Vec<f64>,
    p99: Vec<f64>,
    cpu: Vec<f64>,
}

impl Row {
    pub(crate) fn new(name: &str) -> Self {
        let name = name.to_owned();
        Self { name, per_second: vec![], p50: vec![], p99: vec![], cpu: vec![] }
    }

    pub(crate) fn add(&mut self, sample: &Sample, cpu: Duration) {
        self.per_second.push(sample.per_second());
        self.p50.push(sample.at(50));
        self.p99.push(sample.at(99));
        self.cpu.push(cpu.as_secs_f64() / sample.count().max(1.0));
    }
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
            median(&row.per_second),
            ratio(&row.per_second, &first.per_second),
            time(median(&row.p50)),
            time(median(&row.p99)),
            time(median(&row.cpu)),
            ratio(&row.cpu, &first.cpu),
        );
    }
    text + "\n"
}

/// The median of the ratios within each round: what disturbed both cancels out.
fn ratio(figures: &[f64], others: &[f64]) -> f64 {
    let ratios: Vec<f64> =
        figures.iter().zip(others).map(|(figure, other)| figure / other).collect();
    median(&ratios)
}

pub(crate) fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

pub(crate) fn time(seconds: f64) -> String {
    if seconds < 0.001 {
        format!("{:.0} µs", seconds * 1e6)
    } else {
        format!("{:.1} ms", seconds * 1e3)
    }
}
