//! What a run looks like: a heading per step, its time, a table at the end.

use std::{
    io::{IsTerminal, Write, stdout},
    time::{Duration, Instant},
};

use crate::tally::Tally;

/// What became of one step.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) tally: Tally,
    pub(crate) took: Duration,
    /// Why it failed or did not run.
    pub(crate) remark: Option<String>,
}

impl Row {
    fn verdict(&self) -> &'static str {
        match self.tally {
            Tally { failed: 1.., .. } => "FAILED",
            Tally { passed: 0, skipped: 1.., .. } => "skipped",
            _ => "ok",
        }
    }
}

pub(crate) fn heading(title: &str) {
    let (bold, plain) = bold();
    println!("\n{bold}== {title}{plain}");
    drop(stdout().flush());
}

pub(crate) fn footing(row: &Row) {
    let remark = row.remark.as_deref().map(|remark| format!(": {remark}")).unwrap_or_default();
    println!("-- {} {} in {}{remark}", row.name, row.verdict(), seconds(row.took));
}

/// Says what is going on and, unless it was over at once, how long it took.
pub(crate) fn doing<T>(what: &str, work: impl FnOnce() -> T) -> T {
    println!("   {what} …");
    let start = Instant::now();
    let done = work();
    if start.elapsed() > Duration::from_secs(1) {
        println!("   {what}: {}", seconds(start.elapsed()));
    }
    done
}

/// The table. Its last line holds the counts and nothing else, for whoever reads it with a program.
pub(crate) fn table(rows: &[Row]) -> String {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let mut total = Tally::default();
    let mut lines = Vec::new();
    for row in rows {
        total += row.tally;
        let (verdict, took) = (row.verdict(), seconds(row.took));
        let counts = row.tally.sentence();
        lines.push(format!("{:width$}  {verdict:7}  {took:>10}  {counts}", row.name));
        lines.extend(row.remark.iter().map(|remark| format!("{:width$}  {remark}", "")));
    }
    lines.push(total.sentence());
    lines.join("\n")
}

fn seconds(time: Duration) -> String {
    if time.as_secs() >= 60 {
        format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

fn bold() -> (&'static str, &'static str) {
    if stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        ("\u{1b}[1m", "\u{1b}[0m")
    } else {
        ("", "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &'static str, tally: Tally, seconds: u64, remark: Option<&str>) -> Row {
        Row { name, tally, took: Duration::from_secs(seconds), remark: remark.map(Into::into) }
    }

    #[test]
    fn the_last_line_is_the_sum() {
        let rows = [
            row("format", Tally::ONE, 1, None),
            row("rust", Tally { passed: 40, failed: 2, skipped: 1 }, 61, Some("two tests failed")),
            row("browser", Tally::SKIP, 0, Some("no Chromium")),
        ];
        let table = table(&rows);
        assert_eq!(
            table.lines().collect::<Vec<_>>(),
            [
                "format   ok            1.0 s  1 passed, 0 failed",
                "rust     FAILED   1 min 01 s  40 passed, 2 failed, 1 skipped",
                "         two tests failed",
                "browser  skipped       0.0 s  0 passed, 0 failed, 1 skipped",
                "         no Chromium",
                "41 passed, 2 failed, 2 skipped",
            ]
        );
    }
}
