//! Input that was made to hurt. Each of these is a second of work at most, and a day for a parser that looks twice.

use std::time::{Duration, Instant};

use spox_core::{
    ChangeFiles, Context, Source, parse_delta, parse_proposal, parse_spec, parse_tasks,
    validate_change, validate_spec,
};

use crate::world::{GOOD_SPEC, change, many, spec_file};

/// Reads `text` with everything there is. The limit is far above what a loaded machine needs.
fn read(text: &str) {
    let started = Instant::now();
    validate_spec(&spec_file(text));
    parse_delta("x", text);
    let files =
        ChangeFiles { proposal: Some(text.into()), tasks: Some(text.into()), ..change(text) };
    validate_change(&files, &Context::default());
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

fn in_a_scenario(text: &str) -> String {
    format!("## Requirements\n### Requirement: R\nSHALL\n#### Scenario: S\n{text}")
}

const MANY: usize = 40_000;

#[test]
fn nuls_and_lone_carriage_returns_are_characters() {
    let spec = parse_spec("x", "# A\0B\n## Purpose\nx\ry\0\n");
    assert_eq!((spec.title.as_str(), spec.purpose.as_str()), ("A\0B", "x\ry\0"));
    read(&"\0".repeat(MANY));
    read(&"\r".repeat(MANY));
    read(&"### Requirement: x\r".repeat(MANY / 10));
}

#[test]
fn lines_of_a_megabyte_are_read() {
    let long = "x".repeat(1 << 20);
    for text in [
        format!(
            "# {long}\n## Purpose\n{long}\n## Requirements\n### Requirement: {long}\n{long}\n#### Scenario: {long}\n- WHEN {long}\n- THEN {long}\n"
        ),
        format!("## {long}\n- [ ] {long}\n### Requirement: {long}\n"),
        long.clone(),
    ] {
        read(&text);
    }
    let spec = parse_spec("x", &format!("# {long}\n"));
    assert_eq!(spec.title.len(), 1 << 20);
}

#[test]
fn a_hundred_thousand_nested_fences_are_read() {
    let rising: String = many(3..800, |n| format!("{}\n", "`".repeat(n)));
    read(&rising);
    read(&"```\n~~~\n".repeat(50_000));
    read(&"- ```\n".repeat(100_000));
    let spec = parse_spec("x", &format!("```\n{}```\n{GOOD_SPEC}", "~~~\n````x\n".repeat(50_000)));
    assert_eq!(spec.requirements.len(), 2);
}

#[test]
fn comments_and_code_spans_without_end_are_read_once() {
    for piece in
        ["<!--", "-->", "<!-- `", "` <!--", "`<!--``", "<!--\n", "`", "``` `", "<!-->", "<!---"]
    {
        let many = piece.repeat(MANY);
        read(&many);
        read(&format!("{many}-->"));
    }
    // Runs of back-ticks of all lengths, so that no run finds its partner.
    let runs: String = many(1..1500, |n| format!("{} ", "`".repeat(n)));
    read(&format!("{runs}<!-- x --> {runs}"));
}

#[test]
fn stars_brackets_and_keywords_without_end_are_read_once() {
    for piece in [
        "**",
        "*",
        "**WHEN**",
        "**WHEN",
        "**THEN**",
        "- **WHEN** a **THEN** b\n",
        "](",
        "](spec.md)",
        "spec:",
        "spec:a#b",
        "spec:a ",
        "#",
        "# ",
        "- ",
        "1.",
        "WHEN ",
        "\u{feff}",
        "ä",
        "[l](../a/spec.md#requirement-x) ",
    ] {
        read(&in_a_scenario(&piece.repeat(MANY / 3)));
        read(&piece.repeat(MANY / 3));
    }
}

#[test]
fn scenarios_requirements_and_tasks_of_one_name_are_compared_once() {
    let scenarios = "#### Scenario: S\n".repeat(20_000);
    read(&in_a_scenario(&scenarios));
    read(&format!("## ADDED Requirements\n{}", "### Requirement: R\n".repeat(20_000)));
    read(&format!("## RENAMED Requirements\n{}", "- FROM: A\n- TO: B\n".repeat(20_000)));
    read(&format!(
        "## MODIFIED Requirements\n### Requirement: R\n{}",
        "**Removed scenario**: S\n".repeat(20_000)
    ));
    read(&"- [ ] 1.1 x\n".repeat(20_000));
}

#[test]
fn continuation_lines_are_added_in_linear_time() {
    read(&in_a_scenario(&format!("- WHEN x\n{}", "  y\n".repeat(MANY))));
    read(&format!("## Purpose\n{}", "y\n".repeat(MANY)));
    read(&format!(
        "## REMOVED Requirements\n### Requirement: R\n**Reason**: x\n{}",
        "y\n".repeat(MANY)
    ));
}

#[test]
fn an_open_comment_hides_nothing_and_an_open_fence_all_that_follows() {
    let open = GOOD_SPEC.replacen("The system SHALL", "<!-- The system SHALL", 1);
    assert_eq!(parse_spec("x", &open).requirements.len(), 2);
    let open = GOOD_SPEC.replacen("The system SHALL", "```\nThe system SHALL", 1);
    assert_eq!(parse_spec("x", &open).requirements.len(), 1);
}

#[test]
fn what_is_not_utf_8_is_an_issue_and_not_a_crash() {
    let unreadable = Source::Unreadable("invalid utf-8 sequence of 1 bytes from index 3".into());
    let files = ChangeFiles {
        proposal: Some(unreadable.clone()),
        deltas: [("auth".to_owned(), unreadable)].into(),
        ..change("")
    };
    let report = validate_change(&files, &Context::default());
    assert_eq!(report.errors().filter(|issue| issue.code == "S01").count(), 2);
}

#[test]
fn nothing_at_all_is_read() {
    read("");
    read("\u{feff}");
    read("\n");
    assert_eq!(parse_proposal("").why_line, None);
    assert_eq!(parse_tasks("").total, 0);
}
