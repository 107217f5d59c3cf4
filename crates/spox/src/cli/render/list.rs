//! `spec list` and `change list`: never coloured.

use std::fmt::Write as _;

use super::layout::{clean, count, pad, width};

pub(in crate::cli) fn specs(specs: &[(&str, usize)]) -> String {
    let rows = specs.iter().map(|(id, requirements)| (*id, count(*requirements, "requirement")));
    list("Specs:", "No specs found.", rows)
}

/// By id, how many tasks are done, and how many there are.
pub(in crate::cli) fn changes(changes: &[(&str, usize, usize)]) -> String {
    let rows = changes.iter().map(|(id, done, total)| (*id, format!("{done}/{total} tasks")));
    list("Changes:", "No active changes.", rows)
}

fn list<'a>(
    title: &str,
    empty: &str,
    rows: impl Iterator<Item = (&'a str, String)> + Clone,
) -> String {
    let Some(widest) = rows.clone().map(|(id, _)| width(&clean(id))).max() else {
        return format!("{empty}\n");
    };
    let mut text = format!("{title}\n");
    for (id, what) in rows {
        let _ = writeln!(text, "- {}  {what}", pad(id, widest));
    }
    text
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    #[test]
    fn names_are_padded_to_the_longest() {
        assert_snapshot!(specs(&[("auth", 2), ("認証", 1), ("platform/mail", 0)]), @r"
        Specs:
        - auth           2 requirements
        - 認証           1 requirement
        - platform/mail  0 requirements
        ");
        assert_snapshot!(changes(&[("add-2fa", 2, 5), ("fix-login", 0, 0)]), @r"
        Changes:
        - add-2fa    2/5 tasks
        - fix-login  0/0 tasks
        ");
    }

    #[test]
    fn nothing_is_said_in_words() {
        assert_eq!(specs(&[]), "No specs found.\n");
        assert_eq!(changes(&[]), "No active changes.\n");
    }
}
