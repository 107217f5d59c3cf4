//! Rules in a `.gitignore` that may have others.

use super::block::newline;

const COMMENT: &str = "# spox";

/// `existing` with every missing rule appended under a comment. A rule that somebody turned around (`!rule`) stays so.
pub(super) fn merge(existing: Option<&str>, rules: &[&str]) -> String {
    let existing = existing.unwrap_or_default();
    let has = |rule: &&&str| {
        existing.lines().map(str::trim).any(|line| line.strip_prefix('!').unwrap_or(line) == **rule)
    };
    let missing: Vec<_> = rules.iter().filter(|rule| !has(rule)).copied().collect();
    if missing.is_empty() {
        return existing.to_owned();
    }
    let newline = newline(existing);
    let kept = match existing.trim_end() {
        "" => String::new(),
        kept => format!("{kept}{newline}{newline}"),
    };
    format!("{kept}{COMMENT}{newline}{}{newline}", missing.join(newline))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_lines_stay_and_missing_rules_follow_a_comment() {
        let merged = merge(Some("*.log\nb"), &["a", "b"]);
        assert_eq!(merged, "*.log\nb\n\n# spox\na\n");
        assert_eq!(merge(Some(&merged), &["a", "b"]), merged);
    }

    #[test]
    fn without_a_file_the_rules_are_the_file() {
        assert_eq!(merge(None, &["a"]), "# spox\na\n");
    }

    #[test]
    fn a_rule_that_was_turned_around_is_not_turned_back() {
        assert_eq!(merge(Some("!a\n"), &["a"]), "!a\n");
    }

    #[test]
    fn a_rule_is_not_found_in_a_longer_one() {
        assert_eq!(merge(Some("aa\n"), &["a"]), "aa\n\n# spox\na\n");
    }
}
