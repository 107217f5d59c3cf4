//! Measures the budgets: `cargo run --release -p spox-embed --example measure`.
//!
//! Times are the least of a few rounds, since other programs only ever add to them.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a clock and figures are its purpose"
)]
#![expect(clippy::cast_precision_loss, reason = "figures for people")]

use std::{fs, hint::black_box, time::Instant};

use spox_embed::{Model, Packed};

const QUERY: &str = "how do I log in with a one-time password";
const REQUIREMENT: &str = "auth session: Session expiration. The system SHALL expire sessions after the \
    configured duration, and tell the user why at the next request.";

fn main() {
    let model = Model::builtin();
    let (query, requirement) = (model.tokenize(QUERY).len(), model.tokenize(REQUIREMENT).len());
    let long = REQUIREMENT.repeat(10);
    println!("model ready         {:8.2} ms", least(5, Model::builtin));
    let first = least(1, || model.embed(QUERY));
    println!("first query         {first:8.2} ms, {query} tokens");
    println!("a query             {:8.2} ms, {query} tokens", least(50, || model.embed(QUERY)));
    println!(
        "a requirement       {:8.2} ms, {requirement} tokens",
        least(20, || model.embed(REQUIREMENT))
    );
    println!("the longest text    {:8.2} ms, 128 tokens", least(10, || model.embed(&long)));
    let texts: Vec<_> = (0..100).map(|n| format!("{REQUIREMENT} {n}")).collect();
    for threads in [1, 2] {
        let all = least(3, || model.embed_all(&texts, threads, &mut |_| {})) / texts.len() as f64;
        println!(
            "indexing, {threads} thread{} {all:8.2} ms for a text, {:.0} texts a second",
            if threads == 1 { " " } else { "s" },
            1000.0 / all
        );
    }
    println!(
        "resident memory     {:8} MB, most {} MB",
        status("VmRSS:") / 1024,
        status("VmHWM:") / 1024
    );
    let index: Vec<Packed> = (0..40_000).map(|n| texts_vector(&model, n)).collect();
    let query = model.embed(QUERY).pack();
    println!("40 000 cosines      {:8.2} ms", least(10, || query.cosines(&index)));
}

/// Different vectors without the time that forty thousand texts take.
fn texts_vector(model: &Model, n: usize) -> Packed {
    thread_local! { static BASE: std::cell::OnceCell<[f32; spox_embed::HIDDEN]> = const { std::cell::OnceCell::new() } }
    let mut numbers = BASE.with(|base| *base.get_or_init(|| *model.embed(REQUIREMENT).numbers()));
    numbers.rotate_left(n % spox_embed::HIDDEN);
    spox_embed::Vector::towards(&numbers).pack()
}

fn least<T>(rounds: usize, mut work: impl FnMut() -> T) -> f64 {
    let once = |()| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64() * 1000.0
    };
    std::iter::repeat_n((), rounds).map(once).fold(f64::INFINITY, f64::min)
}

/// A line of `/proc/self/status`, in kB; zero where there is none.
fn status(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}
