//! Queries as people type them.

use crate::Failure;

/// A query as people type it: `run:` is put in front where the text has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunText {
    pub sent: String,
    added: u32,
}

const RUN: &str = "run: ";

impl RunText {
    pub fn of(given: &str) -> Self {
        let lower = given.to_ascii_lowercase();
        let has_run = lower.match_indices("run").any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            let starts = before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '`');
            starts && lower[at + 3..].trim_start().starts_with(':')
        });
        if has_run {
            return Self { sent: given.to_owned(), added: 0 };
        }
        Self { sent: format!("{RUN}{given}"), added: u32::try_from(RUN.len()).unwrap_or(0) }
    }

    /// Columns of the first line as the person typed it.
    pub fn moved_back(&self, mut failure: Failure) -> Failure {
        for issue in
            failure.issues.iter_mut().filter(|issue| issue.file.is_none() && issue.line == Some(1))
        {
            issue.column = issue.column.map(|column| column.saturating_sub(self.added).max(1));
        }
        failure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_is_added_only_where_it_is_missing() {
        assert_eq!(RunText::of("flights -> by_carrier").sent, "run: flights -> by_carrier");
        for whole in ["run: a -> b", "source: a is b\nRUN : a", "# tag\nrun:a"] {
            assert_eq!(RunText::of(whole).sent, whole);
        }
        assert_eq!(RunText::of("a -> { group_by: rerun, runs }").added, 5);
    }
}
