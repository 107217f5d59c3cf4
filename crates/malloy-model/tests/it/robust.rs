//! Whatever the text, there is an answer, and soon.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use malloy_model::Options;

use crate::support::{World, corpus, refusals};

const TEAMS: &str =
    "source: teams is duckdb.table('data/teams.csv') extend { primary_key: team_id }\n";

#[test]
fn a_text_cut_anywhere_is_answered() {
    let Some(folder) = corpus() else {
        println!("skipped: no conformance corpus");
        return;
    };
    let world = World::new();
    for name in ["faa", "shop", "visits", "store"] {
        let text = std::fs::read_to_string(folder.join(format!("models/{name}.malloy"))).unwrap();
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(41).collect();
        for end in ends {
            let _answer = world.compile(None, "cut", &text[..end], Options::default());
        }
    }
}

#[test]
fn a_text_without_some_of_its_words_is_answered() {
    let world = World::new();
    let text = format!(
        "##! experimental\n{TEAMS}source: p(x::number is 3) is duckdb.table('data/players.csv') extend {{ join_one: teams with team_id \
         where: points > x dimension: d is points ? pick 'a' when < 3 else 'b' measure: m is points.sum() {{ where: d = 'a' | 'b' }} \
         view: v is {{ group_by: d, teams.team aggregate: m, s is all(m, d) nest: n is {{ select: player, y is @2021.year + 1 limit: 3 }} \
         calculate: r is rank() order_by: m desc }} }} run: p(x is 4) -> v + {{ having: m > 3 }} -> {{ select: *, n.player }}"
    );
    let words: Vec<&str> = text.split(' ').collect();
    for gone in 0..words.len() {
        for length in [1, 2, 5] {
            let kept: Vec<&str> = words
                .iter()
                .enumerate()
                .filter(|(at, _)| *at < gone || *at >= gone + length)
                .map(|(_, word)| *word)
                .collect();
            let _answer = world.compile(None, "gaps", &kept.join(" "), Options::default());
        }
    }
}

#[test]
fn what_doubles_with_every_step_is_refused_and_soon() {
    for (keyword, first) in [("dimension", "team_id + 0"), ("measure", "count() + 0")] {
        let mut text = format!("{TEAMS}source: t is teams extend {{ {keyword}: d0 is {first}\n");
        for step in 1..80 {
            let before = step - 1;
            let _ = writeln!(text, "{keyword}: d{step} is d{before} + d{before}");
        }
        text.push_str("}\nrun: t -> { group_by: team aggregate: n is count() }");
        let started = Instant::now();
        let found = refusals(&text);
        assert!(started.elapsed() < Duration::from_secs(5));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("expression-too-large"), "{found:?}");
    }
}

#[test]
fn what_goes_on_too_deep_is_refused() {
    let chain = |count: usize| {
        let mut text = format!("{TEAMS}source: s0 is teams\n");
        for step in 1..=count {
            let _ = writeln!(text, "source: s{step} is s{} -> {{ group_by: team }}", step - 1);
        }
        let _ = writeln!(text, "run: s{count} -> {{ select: team }}");
        refusals(&text)
    };
    assert_eq!(chain(50), [""; 0]);
    let found = chain(100);
    assert!(found.iter().any(|line| line.starts_with("query-too-deep")), "{found:?}");

    let mut text =
        format!("{TEAMS}source: t is teams extend {{ view: v0 is {{ group_by: team }}\n");
    for step in 1..100 {
        let _ = writeln!(text, "view: v{step} is v{} + {{ limit: 3 }}", step - 1);
    }
    text.push_str("}\nrun: t -> v99");
    let found = refusals(&text);
    assert!(found.iter().any(|line| line.starts_with("query-too-deep")), "{found:?}");

    let deep = |count: usize| {
        format!(
            "{TEAMS}run: teams -> {{ select: x is {}1{} }}",
            "(".repeat(count),
            ")".repeat(count)
        )
    };
    assert_eq!(refusals(&deep(100)), [""; 0]);
    assert!(!refusals(&deep(10_000)).is_empty());
}

#[test]
fn a_large_model_is_compiled_in_linear_time() {
    let time = |fields: usize| {
        let mut text = format!("{TEAMS}source: t is teams extend {{\n");
        for field in 0..fields {
            let _ = writeln!(
                text,
                "dimension: d{field} is concat(team, '{field}') measure: m{field} is count(d{field})"
            );
        }
        text.push_str("}\nrun: t -> { group_by: d0 aggregate: m1 }");
        let started = Instant::now();
        assert_eq!(refusals(&text), [""; 0]);
        started.elapsed()
    };
    let (small, large) = (time(500), time(4000));
    // Eight times as much; quadratic would be sixty-four.
    assert!(large < small * 24 + Duration::from_millis(200), "{small:?} and {large:?}");
}
