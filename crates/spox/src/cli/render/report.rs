//! `validate`: what is wrong, for people. [`sarif`](super::sarif), [`github`](super::github) and [`junit`](super::junit) say
//! the same for machines.

use std::fmt::Write as _;

use spox_core::{Issue, Report, Severity};

use super::layout::{Color, clean, count, pad};

/// What was validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Noun {
    Spec,
    Change,
}

impl Noun {
    pub(in crate::cli) fn word(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Change => "change",
        }
    }
}

/// One spec or change, and what was found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct Item {
    pub(in crate::cli) noun: Noun,
    pub(in crate::cli) id: String,
    /// What the files of the report are below, from the root of the project; empty for specs, whose files are named from
    /// the root.
    pub(in crate::cli) folder: String,
    pub(in crate::cli) report: Report,
}

impl Item {
    pub(in crate::cli) fn passes(&self, strict: bool) -> bool {
        self.report.passes(strict)
    }

    pub(super) fn errors(&self) -> usize {
        self.report.errors().count()
    }

    pub(super) fn warnings(&self) -> usize {
        self.report.warnings().count()
    }

    /// What can fail, not what is merely worth knowing.
    pub(super) fn problems(&self) -> impl Iterator<Item = &Issue> {
        self.report.issues.iter().filter(|issue| issue.severity != Severity::Info)
    }

    /// The file of an issue from the root of the project, for machines.
    pub(super) fn path(&self, issue: &Issue) -> String {
        match &*self.folder {
            "" => issue.file.clone(),
            folder => format!("{folder}/{}", issue.file),
        }
    }
}

/// How much to tell.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::cli) struct Telling {
    /// Warnings fail, too.
    pub(in crate::cli) strict: bool,
    /// Also say the rule and the way out.
    pub(in crate::cli) fixes: bool,
}

/// One item: every finding, then the verdict.
pub(in crate::cli) fn one(item: &Item, telling: Telling) -> String {
    let mut text = format!("Validating {}: {}\n", item.noun.word(), clean(&item.id));
    for issue in &item.report.issues {
        line(&mut text, "  ", issue, telling);
    }
    let (errors, warnings) = (item.errors(), item.warnings());
    if errors + warnings > 0 {
        let _ = writeln!(text, "\n{}, {}", count(errors, "error"), count(warnings, "warning"));
    }
    if item.noun == Noun::Change && item.passes(telling.strict) {
        let verdict = format!("Change '{}' is valid", clean(&item.id));
        let _ = writeln!(text, "\n{}", Color::Green.paint(&verdict));
    }
    text
}

/// All specs or all changes: a line for each, what is wrong with it below, then the sum.
pub(in crate::cli) fn all(noun: Noun, items: &[Item], telling: Telling) -> String {
    let word = noun.word();
    let mut text = format!("Validating {word}s...\n");
    for item in items {
        let _ = writeln!(text, "  {} {}", pad(&item.id, 20), status(item, telling.strict));
        for issue in item.problems() {
            line(&mut text, "    ", issue, telling);
        }
    }
    let errors: usize = items.iter().map(Item::errors).sum();
    let warnings: usize = items.iter().map(Item::warnings).sum();
    let _ =
        writeln!(text, "\n{} {word}s validated, {errors} errors, {warnings} warnings", items.len());
    text
}

fn status(item: &Item, strict: bool) -> String {
    let counted =
        |color: Color, word: &str, count: String| format!("{} ({count})", color.paint(word));
    match (item.errors(), item.warnings()) {
        (0, 0) => Color::Green.paint("PASS"),
        (0, n) if strict => counted(Color::Red, "FAIL", count(n, "warning")),
        (0, n) => counted(Color::Green, "PASS", count(n, "warning")),
        (n, _) => counted(Color::Red, "FAIL", count(n, "error")),
    }
}

fn line(text: &mut String, indent: &str, issue: &Issue, telling: Telling) {
    let color = match issue.severity {
        Severity::Error => Color::Red,
        Severity::Warning => Color::Yellow,
        Severity::Info => Color::Dim,
    };
    let word = color.paint(&format!("{:<5}", issue.severity));
    let place = match issue.line {
        Some(line) => format!("{}:{line}", issue.file),
        None => issue.file.clone(),
    };
    let _ = writeln!(text, "{indent}{word}  {} {}", pad(&place, 20), clean(&issue.message));
    if telling.fixes {
        let fix = issue.fix.as_deref().unwrap_or_default();
        let way = format!("{} {fix}", issue.code);
        let _ = writeln!(text, "{indent}       {}", Color::Dim.paint(way.trim_end()));
    }
}

#[cfg(test)]
pub(in crate::cli::render) mod tests {
    use anstream::adapter::strip_str;
    use insta::assert_snapshot;

    use super::*;

    fn issue(severity: Severity, code: &'static str, line: u32, message: &str) -> Issue {
        Issue {
            severity,
            code,
            file: "specs/auth/spec.md".into(),
            line: Some(line),
            column: Some(1),
            message: message.into(),
            fix: None,
            section: None,
        }
    }

    fn item(noun: Noun, id: &str, issues: Vec<Issue>) -> Item {
        let folder =
            if noun == Noun::Change { format!("specs/_changes/{id}") } else { String::new() };
        Item { noun, id: id.into(), folder, report: Report { issues } }
    }

    pub(in crate::cli::render) fn auth() -> Item {
        let no_text = "Requirement \"Log <Out>\" has no description text";
        let fix = Some("write one sentence with SHALL or MUST below the heading".into());
        let first = Issue { fix, ..issue(Severity::Error, "S06", 12, no_text) };
        let short = "Purpose section is too short (9 chars, minimum 50 recommended)";
        item(Noun::Spec, "auth", vec![first, issue(Severity::Warning, "S03", 3, short)])
    }

    pub(in crate::cli::render) fn warned() -> Item {
        let file = "specs/platform/Über uns, 100%: x/spec.md".into();
        let issue = issue(Severity::Warning, "S08", 7, "Requirement \"r\" has no\nscenarios");
        item(Noun::Spec, "platform/認証", vec![Issue { file, column: None, ..issue }])
    }

    pub(in crate::cli::render) fn clean_item() -> Item {
        item(Noun::Spec, "mail", Vec::new())
    }

    pub(in crate::cli::render) fn change(severity: Severity) -> Item {
        let progress = issue(Severity::Info, "C08", 1, "Tasks: 4/6 completed (66%)");
        let short = "Why section is too short (9 chars, minimum 50 recommended)";
        let why = Issue { file: "proposal.md".into(), ..issue(severity, "C03", 3, short) };
        let issues = vec![Issue { file: "tasks.md".into(), line: None, ..progress }, why];
        item(Noun::Change, "add-x", issues)
    }

    const PLAIN: Telling = Telling { strict: false, fixes: false };

    #[test]
    fn one_item_is_told_with_everything_that_was_found() {
        let told = [
            one(&auth(), PLAIN),
            one(&clean_item(), PLAIN),
            one(&change(Severity::Warning), PLAIN),
            one(&change(Severity::Error), PLAIN),
            one(&change(Severity::Warning), Telling { strict: true, fixes: true }),
            one(&auth(), Telling { strict: false, fixes: true }),
        ];
        assert_snapshot!(strip_str(&told.join("-----\n")));
    }

    #[test]
    fn all_items_are_told_with_what_is_wrong_below_each() {
        let specs = [auth(), clean_item(), warned()];
        let strict = Telling { strict: true, fixes: false };
        let told = [
            all(Noun::Spec, &specs, PLAIN),
            all(Noun::Spec, &specs, strict),
            all(Noun::Change, &[change(Severity::Warning)], PLAIN),
            all(Noun::Change, &[], PLAIN),
        ];
        assert_snapshot!(strip_str(&told.join("-----\n")));
    }

    #[test]
    fn strict_fails_on_warnings_and_nothing_else() {
        assert!(warned().passes(false) && !warned().passes(true));
        assert!(clean_item().passes(true));
        assert!(!auth().passes(false));
    }
}
