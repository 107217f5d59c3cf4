//! From an action to the update that it causes.

use std::{fmt::Write as _, time::Instant};

use bench_kit::{
    Process, median, placement,
    table::{self, as_float},
};

use crate::{Args, nicegui::NiceGui, tandem::Tandem};

/// An open page.
pub(crate) trait Page {
    fn name(&self) -> &'static str;

    /// Presses the button and waits for the label to say `count`.
    fn act(&mut self, count: usize) -> anyhow::Result<()>;

    fn process(&self) -> &Process;
}

/// What one round came to.
struct Round {
    median: f64,
    p99: f64,
    /// Of the server, for one action.
    cpu: f64,
}

/// Both with so many labels on the page, in turn.
pub(crate) fn measure(args: &Args, labels: usize) -> anyhow::Result<String> {
    let mut pages: Vec<Box<dyn Page>> = vec![Box::new(Tandem::open(args, labels)?)];
    if let Some(words) = &args.nicegui {
        pages.push(Box::new(NiceGui::open(words, labels)?));
    }
    let mut rounds: Vec<Vec<Round>> = pages.iter().map(|_| Vec::new()).collect();
    let mut done = vec![0; pages.len()];
    for number in 0..=args.rounds {
        for ((page, rounds), done) in pages.iter_mut().zip(&mut rounds).zip(&mut done) {
            let round = round(&mut **page, args.actions, done)?;
            // The first one only warms up.
            if number > 0 {
                rounds.push(round);
            }
        }
    }
    Ok(tables(args, labels, &pages, &rounds))
}

fn round(page: &mut dyn Page, actions: usize, done: &mut usize) -> anyhow::Result<Round> {
    let before = page.process().cpu()?;
    let mut times = Vec::with_capacity(actions);
    for _ in 0..actions {
        *done += 1;
        let start = Instant::now();
        page.act(*done)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let cpu = page.process().cpu()?.saturating_sub(before);
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64();
    let cpu = cpu.as_secs_f64() / as_float(times.len() as u64);
    Ok(Round { median: at(50), p99: at(99), cpu })
}

fn tables(args: &Args, labels: usize, pages: &[Box<dyn Page>], rounds: &[Vec<Round>]) -> String {
    let mut text = format!("\n### From an action to its update, {labels} labels on the page\n\n");
    table::line(&mut text, "server", &["p50", "p99", "CPU per action"]);
    table::line(&mut text, "---", &["---:", "---:", "---:"]);
    let of =
        |rounds: &[Round], figure: fn(&Round) -> f64| median(rounds.iter().map(figure).collect());
    for (page, rounds) in pages.iter().zip(rounds) {
        let cells = [
            of(rounds, |round| round.median),
            of(rounds, |round| round.p99),
            of(rounds, |round| round.cpu),
        ];
        table::line(&mut text, page.name(), &cells.map(table::time));
    }
    if let [ours, theirs] = rounds {
        let ratio = |figure: fn(&Round) -> f64| {
            let ratios =
                ours.iter().zip(theirs).map(|(ours, theirs)| figure(theirs) / figure(ours));
            table::ratio(median(ratios.collect()))
        };
        let cells =
            [ratio(|round| round.median), ratio(|round| round.p99), ratio(|round| round.cpu)];
        table::line(&mut text, "times less", &cells);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "\nMedians of {} interleaved rounds of {} actions, one after the other on one socket; {}.",
        args.rounds,
        args.actions,
        placement()
    );
    text
}
