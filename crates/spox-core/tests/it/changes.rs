//! What a change says: its proposal and its tasks.

use std::collections::BTreeMap;

use spox_core::{ChangeFiles, Source, parse_change, parse_proposal, parse_tasks};

use crate::world::{GOOD_DELTA, change};

#[test]
fn a_proposal_keeps_its_texts_as_written() {
    let proposal = parse_proposal(
        "# Change: X\n\n## Why\n\n\n  Because\r\n\r\n- it <!-- is --> so  \n\n## what changes\n- a\n\
         ## Impact\n- b\n## Other\nc\n",
    );
    assert_eq!(proposal.why, "  Because\n\n- it <!-- is --> so");
    assert_eq!(proposal.what_changes, "- a");
    assert_eq!(proposal.impact.as_deref(), Some("- b"));
    assert_eq!((proposal.why_line, proposal.what_changes_line), (Some(3), Some(10)));
    assert!(!proposal.breaking);
}

#[test]
fn headings_in_code_do_not_end_a_section() {
    let proposal = parse_proposal("## Why\na\n```\n## What Changes\n```\nb\n");
    assert_eq!(proposal.why, "a\n```\n## What Changes\n```\nb");
    assert_eq!(proposal.what_changes_line, None);
}

#[test]
fn a_bullet_marks_a_breaking_change() {
    assert!(parse_proposal("## What Changes\n- **BREAKING** no more\n").breaking);
    assert!(parse_proposal("* x **BREAKING**: y\n").breaking);
    assert!(!parse_proposal("**BREAKING** is only said\n- breaking\n").breaking);
    assert!(!parse_proposal("```\n- **BREAKING** in code\n```\n").breaking);
}

#[test]
fn the_title_is_that_of_the_proposal_or_made_of_the_id() {
    let title = |text: &str| {
        let files = ChangeFiles {
            id: "add-two-factors".into(),
            proposal: Some(text.into()),
            ..ChangeFiles::default()
        };
        parse_change(&files).title
    };
    assert_eq!(title("# Change: Two factors\n"), "Two factors");
    assert_eq!(title("# Two factors\n"), "Two factors");
    assert_eq!(title("## Why\n"), "add two factors");
    assert_eq!(title("# Change:\n"), "add two factors");
    assert_eq!(title("#\n# Two factors\n"), "Two factors");
}

#[test]
fn tasks_are_checkboxes_after_a_dash_or_a_star() {
    let tasks = parse_tasks(
        "- [ ] a\n* [ ] b\n  - [x] c\n- [X] d\n* [x] e\n* [X] f\n+ [ ] no\n- [] no\n- [y] no\n\
         - [ ]no\n- [ ]\n1. [ ] no\n-  [ ] no\n```\n- [ ] no\n```\n<!--\n- [ ] no\n-->\n",
    );
    let texts: Vec<_> = tasks.items.iter().map(|task| (task.text.as_str(), task.done)).collect();
    assert_eq!(
        texts,
        [("a", false), ("b", false), ("c", true), ("d", true), ("e", true), ("f", true)]
    );
    assert_eq!((tasks.completed, tasks.total), (4, 6));
}

#[test]
fn a_task_may_have_a_number_of_two_or_more_parts() {
    let tasks = parse_tasks(
        "- [ ] 1.1 a\n- [ ] 1.2.10 b\n- [ ] 1. c\n- [ ] 1.1. d\n- [ ] 2.1\n- [ ] 1.x e\n",
    );
    let numbers: Vec<_> = tasks.items.iter().map(|task| task.number.as_deref()).collect();
    assert_eq!(numbers, [Some("1.1"), Some("1.2.10"), None, None, Some("2.1"), None]);
    assert_eq!(tasks.items[0].text, "a");
    assert_eq!(tasks.items[2].text, "1. c");
}

#[test]
fn a_task_knows_its_group() {
    let tasks =
        parse_tasks("- [ ] a\n## 1. Store it\n- [ ] b\n### x\n- [ ] c\n## Notes\n- [ ] d\n");
    let groups: Vec<_> = tasks.items.iter().map(|task| task.group.as_deref()).collect();
    assert_eq!(groups, [None, Some("1. Store it"), Some("1. Store it"), None]);
    assert_eq!(tasks.items[1].line, 3);
}

#[test]
fn progress_is_rounded_down() {
    let tasks = |done: usize, open: usize| {
        parse_tasks(&("- [x] 1.1 a\n".repeat(done) + &"- [ ] 1.2 b\n".repeat(open))).percent()
    };
    assert_eq!((tasks(0, 0), tasks(2, 1), tasks(199, 1), tasks(3, 0)), (0, 66, 99, 100));
}

#[test]
fn a_change_without_files_is_empty_and_not_an_error() {
    let parsed = parse_change(&ChangeFiles { id: "a-b".into(), ..ChangeFiles::default() });
    assert_eq!((parsed.title.as_str(), parsed.proposal), ("a b", None));
    assert_eq!((parsed.tasks.content.as_str(), parsed.tasks.total), ("", 0));
    assert!(parsed.deltas.is_empty() && parsed.design.is_none());
}

#[test]
fn design_and_tasks_are_given_raw() {
    let files = ChangeFiles {
        tasks: Some("\u{feff}- [ ] a\r\n".into()),
        design: Some("# D\n\n<!-- x -->\n".into()),
        ..change(GOOD_DELTA)
    };
    let parsed = parse_change(&files);
    assert_eq!(parsed.design.as_deref(), Some("# D\n\n<!-- x -->\n"));
    assert_eq!(parsed.tasks.content, "- [ ] a\r\n");
}

#[test]
fn deltas_are_sorted_by_capability_and_files_without_items_are_left_out() {
    let deltas = ["b", "empty", "a/x"].map(|capability| {
        let text = if capability == "empty" { "## ADDED Requirements\n" } else { GOOD_DELTA };
        (capability.to_owned(), Source::from(text))
    });
    let files = ChangeFiles { deltas: BTreeMap::from(deltas), ..change("") };
    assert_eq!(parse_change(&files).deltas.keys().collect::<Vec<_>>(), ["a/x", "b"]);
}

#[test]
fn unreadable_files_are_as_good_as_missing_to_the_parser() {
    let bad = || Some(Source::Unreadable("not UTF-8".into()));
    let files = ChangeFiles { proposal: bad(), tasks: bad(), design: bad(), ..change("") };
    let parsed = parse_change(&files);
    assert_eq!((parsed.proposal, parsed.tasks.total, parsed.design), (None, 0, None));
}
