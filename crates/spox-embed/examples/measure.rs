//! Measures the budgets: `cargo run --release -p spox-embed --example measure`.
//!
//! Times are the least of some rounds, since other programs only ever add to them. Processor time is told beside, where
//! the system counts it: on a machine that does other work, too, it is the truer one.
#![expect(clippy::print_stdout, reason = "figures are its purpose")]

use std::{fs, hint::black_box, time::Instant};

use spox_embed::{Model, Packed, Vector};

const QUERY: &str = "how do I log in with a one-time password";
const REQUIREMENT: &str = "auth session: Session expiration. The system SHALL expire sessions after the \
    configured duration, and tell the user why at the next request.";

fn main() {
    println!("                           least ms   processor ms");
    report("model ready", 20, Model::builtin);
    let model = Model::builtin();
    report("first query", 1, || model.embed(QUERY));
    for (name, text) in
        [("query", QUERY), ("requirement", REQUIREMENT), ("longest text", &REQUIREMENT.repeat(10))]
    {
        report(&format!("{name}, {} tokens", model.tokenize(text).len()), 50, || model.embed(text));
    }
    let texts: Vec<_> = (0..100).map(|n| format!("{REQUIREMENT} {n}")).collect();
    for threads in [1, 2] {
        let name = format!("100 texts, {threads} threads");
        let least = report(&name, 3, || model.embed_all(&texts, threads, &mut |_| {}));
        println!("  texts a second         {:10.0}", 100_000.0 / least);
    }
    println!(
        "resident memory          {:10} MB, at most {} MB",
        status("VmRSS:"),
        status("VmHWM:")
    );
    let index = many(&model.embed(REQUIREMENT));
    let query = model.embed(QUERY).pack();
    report("40 000 cosines", 50, || query.cosines(&index));
}

/// Different vectors without the time that forty thousand texts take.
fn many(vector: &Vector) -> Vec<Packed> {
    let mut numbers = *vector.numbers();
    let mut next = || {
        numbers.rotate_left(1);
        Vector::towards(&numbers).pack()
    };
    (0..40_000).map(|_| next()).collect()
}

/// Prints the least time of some rounds, and the mean processor time of this thread; gives the first.
fn report<T>(name: &str, rounds: u32, mut work: impl FnMut() -> T) -> f64 {
    let mut least = f64::INFINITY;
    let before = processor();
    for _ in 0..rounds {
        let start = Instant::now();
        black_box(work());
        least = least.min(start.elapsed().as_secs_f64() * 1000.0);
    }
    // The system counts in steps of a few milliseconds, so one round would say little.
    let mean = (processor() - before) / f64::from(rounds);
    println!("{name:25}{least:10.2}{mean:15.2}");
    least
}

/// Milliseconds that this thread ran; zero where the system does not tell.
fn processor() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|time| time.parse::<f64>().ok()).unwrap_or_default() / 1e6
}

/// A line of `/proc/self/status`, in MB; zero where there is none.
fn status(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() / 1024
}
