//! Counting tests from what their runners print.

use std::ops::AddAssign;

/// How many checks passed, failed and did not run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl Tally {
    /// One check that passed: a step that is itself the check.
    pub(crate) const ONE: Self = Self { passed: 1, failed: 0, skipped: 0 };
    pub(crate) const FAILURE: Self = Self { passed: 0, failed: 1, skipped: 0 };
    pub(crate) const SKIP: Self = Self { passed: 0, failed: 0, skipped: 1 };

    /// `12 passed, 0 failed`, and what was skipped if anything was.
    pub(crate) fn sentence(self) -> String {
        let Self { passed, failed, skipped } = self;
        match skipped {
            0 => format!("{passed} passed, {failed} failed"),
            _ => format!("{passed} passed, {failed} failed, {skipped} skipped"),
        }
    }

    /// What one line of a runner's output adds: libtest, vitest, Playwright, `node --test`, or a sentence like ours.
    pub(crate) fn of_line(line: &str) -> Option<Self> {
        let line = plain(line);
        let line = line.trim();
        if let Some(result) = line.strip_prefix("test result: ") {
            return Some(counts(result, "; "));
        }
        // `Tests  1 failed | 11 passed (12)`; the line `Test Files …` counts files and is not wanted.
        if let Some(result) = line.strip_prefix("Tests  ") {
            return Some(counts(result, " | "));
        }
        of_node(line).or_else(|| of_sentence(line)).or_else(|| of_playwright(line))
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// Adds up `3 passed`, `1 failed`, `2 ignored` wherever they stand between the separators.
fn counts(text: &str, separator: &str) -> Tally {
    let mut tally = Tally::default();
    for part in text.split(separator) {
        let words: Vec<_> = part.split_whitespace().collect();
        for pair in words.windows(2) {
            if let Ok(count) = pair[0].parse() {
                count_as(&mut tally, pair[1], count);
            }
        }
    }
    tally
}

fn count_as(tally: &mut Tally, word: &str, count: u64) {
    match word {
        "passed" | "pass" => tally.passed += count,
        "failed" | "fail" | "cancelled" => tally.failed += count,
        "ignored" | "skipped" | "todo" => tally.skipped += count,
        _ => {}
    }
}

/// `ℹ pass 5` or `# pass 5`.
fn of_node(line: &str) -> Option<Tally> {
    let rest = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# "))?;
    let (word, count) = rest.split_once(' ')?;
    let mut tally = Tally::default();
    count_as(&mut tally, word, count.parse().ok()?);
    (tally != Tally::default()).then_some(tally)
}

/// `12 passed, 0 failed, 1 skipped`, alone on a line.
fn of_sentence(line: &str) -> Option<Tally> {
    let (passed, rest) = line.split_once(" passed, ")?;
    let (failed, skipped) = rest.split_once(", ").unwrap_or((rest, "0 skipped"));
    Some(Tally {
        passed: passed.parse().ok()?,
        failed: failed.strip_suffix(" failed")?.parse().ok()?,
        skipped: skipped.strip_suffix(" skipped")?.parse().ok()?,
    })
}

/// `5 passed (3.2s)` or `1 failed`, alone on a line.
fn of_playwright(line: &str) -> Option<Tally> {
    let mut words = line.split_whitespace();
    let count = words.next()?.parse().ok()?;
    let word = words.next()?;
    let tail = words.next();
    if words.next().is_some() || tail.is_some_and(|tail| !tail.starts_with('(')) {
        return None;
    }
    let mut tally = Tally::default();
    count_as(&mut tally, word, count);
    (tally != Tally::default()).then_some(tally)
}

/// The line without colours.
fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find('\u{1b}') {
        text.push_str(&rest[..start]);
        let sequence = &rest[start..];
        let end =
            sequence.find(|c: char| c.is_ascii_alphabetic()).map_or(sequence.len(), |at| at + 1);
        rest = &sequence[end..];
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of a line that has some.
    fn counts(line: &str) -> (u64, u64, u64) {
        let tally = Tally::of_line(line).unwrap();
        (tally.passed, tally.failed, tally.skipped)
    }

    #[test]
    fn libtest_is_counted() {
        let line = "test result: FAILED. 12 passed; 1 failed; 2 ignored; 0 measured; 3 filtered out; finished in 0.10s";
        assert_eq!(counts(line), (12, 1, 2));
    }

    #[test]
    fn vitest_is_counted_through_its_colours() {
        let line = "\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[31m1 failed\u{1b}[39m\u{1b}[22m\u{1b}[2m | \u{1b}[22m\u{1b}[32m11 passed\u{1b}[39m\u{1b}[90m (12)\u{1b}[39m";
        assert_eq!(counts(line), (11, 1, 0));
    }

    #[test]
    fn playwright_and_node_are_counted() {
        assert_eq!(counts("  5 passed (3.2s)"), (5, 0, 0));
        assert_eq!(counts("  1 failed"), (0, 1, 0));
        assert_eq!(counts("ℹ pass 7"), (7, 0, 0));
        assert_eq!(counts("# fail 2"), (0, 2, 0));
    }

    #[test]
    fn a_sentence_is_counted_only_when_it_stands_alone() {
        assert_eq!(counts("84 passed, 2 failed"), (84, 2, 0));
        assert_eq!(counts(&Tally { passed: 3, failed: 0, skipped: 1 }.sentence()), (3, 0, 1));
        assert_eq!(Tally::of_line("conformance 2025-11-25: 84 passed, 0 failed"), None);
    }

    #[test]
    fn other_lines_count_nothing() {
        for line in
            ["test a_name_with_1_passed ... ok", "3 passed the gate today", "ℹ duration_ms 12", ""]
        {
            assert_eq!(Tally::of_line(line), None, "{line}");
        }
    }

    #[test]
    fn the_sentence_names_skips_only_when_there_are_some() {
        assert_eq!(Tally::ONE.sentence(), "1 passed, 0 failed");
        assert_eq!(Tally::SKIP.sentence(), "0 passed, 0 failed, 1 skipped");
    }
}
