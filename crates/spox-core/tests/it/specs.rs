//! What a spec says: section by section, clause by clause.

use spox_core::{ParsedScenario, ParsedSpec, parse_spec};

fn parse(text: &str) -> ParsedSpec {
    parse_spec("auth", text)
}

/// A spec with one requirement that holds `body`.
fn requirement(body: &str) -> ParsedSpec {
    parse(&format!("# T\n## Purpose\np\n## Requirements\n### Requirement: R\n{body}\n"))
}

fn scenario(body: &str) -> ParsedScenario {
    let mut spec = requirement(&format!("text\n#### Scenario: S\n{body}"));
    spec.requirements.remove(0).scenarios.remove(0)
}

fn clauses(body: &str) -> (String, Vec<String>) {
    let scenario = scenario(body);
    (scenario.when_clause, scenario.then_clauses)
}

fn names(spec: &ParsedSpec) -> Vec<&str> {
    spec.requirements.iter().map(|requirement| requirement.name.as_str()).collect()
}

#[test]
fn a_spec_gives_its_title_purpose_requirements_and_scenarios() {
    let spec = parse(
        "# Auth Specification\n\n## Purpose\n\nWho may\nenter.\n\n## Requirements\n\n\
         ### Requirement: Login\n\nThe system SHALL\nask.\n\n#### Scenario: Wrong\n\n\
         - **WHEN** a `bad` one\n- **AND** late\n- **THEN** refuse\n- **AND** log\n",
    );
    assert_eq!(spec.title, "Auth Specification");
    assert_eq!(spec.purpose, "Who may enter.");
    let login = &spec.requirements[0];
    assert_eq!((login.name.as_str(), login.line), ("Login", 10));
    assert_eq!(login.description, "The system SHALL ask.");
    let wrong = &login.scenarios[0];
    assert_eq!((wrong.name.as_str(), wrong.line), ("Wrong", 15));
    assert_eq!(wrong.when_clause, "a `bad` one AND late");
    assert_eq!(wrong.conditions, ["a `bad` one", "late"]);
    assert_eq!(wrong.then_clauses, ["refuse", "log"]);
}

#[test]
fn the_title_is_the_first_heading_of_level_one() {
    assert_eq!(parse("x\n  # A  \n# B\n").title, "A");
    assert_eq!(parse("```\n# A\n```\n<!-- # B -->\n# C\n").title, "C");
    assert_eq!(parse("#A\n").title, "auth", "a heading needs its blank");
}

#[test]
fn without_title_and_purpose_a_spec_is_still_there() {
    let spec = parse("## Requirements\n### Requirement: R\n");
    assert_eq!((spec.title.as_str(), spec.purpose.as_str()), ("auth", ""));
    assert_eq!(names(&spec), ["R"]);
}

#[test]
fn a_byte_order_mark_does_not_hide_the_title() {
    assert_eq!(parse("\u{feff}# A\n").title, "A");
}

#[test]
fn section_headings_are_read_in_any_case_and_indented() {
    let spec = parse("  ## PURPOSE\n why \n\t## requirements\n ### Requirement: R\n");
    assert_eq!((spec.purpose.as_str(), names(&spec)), ("why", vec!["R"]));
}

#[test]
fn a_section_heading_is_the_whole_line() {
    let spec = parse("## Purpose of it\nwhy\n## Requirements list\n### Requirement: R\n");
    assert_eq!((spec.purpose.as_str(), names(&spec).len()), ("", 0));
}

#[test]
fn requirement_and_scenario_headings_may_lack_the_blank_and_have_any_case() {
    let spec = parse(
        "## Requirements\n###Requirement: A\n####scenario: s\n### REQUIREMENT:B\n#### SCENARIO:t\n",
    );
    assert_eq!(names(&spec), ["A", "B"]);
    assert_eq!(spec.requirements[0].scenarios[0].name, "s");
    assert_eq!(spec.requirements[1].scenarios[0].name, "t");
}

#[test]
fn requirements_outside_their_section_do_not_exist() {
    let spec = parse(
        "### Requirement: A\n## Requirements\n### Requirement: B\n## Notes\n### Requirement: C\n",
    );
    assert_eq!(names(&spec), ["B"]);
}

#[test]
fn a_second_requirements_heading_goes_on_with_the_section() {
    let spec = parse(
        "## Requirements\n### Requirement: A\na\n## Requirements\n### Requirement: B\n## X\n\
         ### Requirement: C\n## Requirements\n### Requirement: D\n",
    );
    assert_eq!(names(&spec), ["A", "B", "D"]);
    assert_eq!(spec.requirements[0].description, "a");
}

#[test]
fn a_description_is_every_line_before_the_first_scenario() {
    let spec = requirement("\n one \n\n- two\n\n#### Notes\nthree\n#### Scenario: S\nfour\n");
    assert_eq!(spec.requirements[0].description, "one - two #### Notes three");
}

#[test]
fn code_in_a_description_is_text_and_never_structure() {
    let spec = requirement("SHALL\n```md\n### Requirement: X\n#### Scenario: Y\n```\nend");
    assert_eq!(names(&spec), ["R"]);
    assert_eq!(
        spec.requirements[0].description,
        "SHALL ```md ### Requirement: X #### Scenario: Y ``` end"
    );
    assert!(spec.requirements[0].scenarios.is_empty());
}

#[test]
fn comments_are_no_text_and_no_structure() {
    let spec = requirement("a <!-- x --> b\n<!--\n### Requirement: X\n-->\nc");
    assert_eq!(names(&spec), ["R"]);
    assert_eq!(spec.requirements[0].description, "a  b c");
}

#[test]
fn a_heading_of_level_three_ends_a_requirement() {
    let spec = requirement("a\n### Notes\nb\n#### Scenario: S\n- **WHEN** w");
    assert_eq!(spec.requirements[0].description, "a");
    assert!(spec.requirements[0].scenarios.is_empty());
}

#[test]
fn clauses_are_read_bold_in_any_case_after_any_bullet() {
    for body in [
        "- **WHEN** w\n- **THEN** t",
        "* **When** w\n* **Then** t",
        "+ **when** w\n+ **then** t",
        "1. **WHEN** w\n2) **THEN** t",
        "**WHEN** w\n**THEN** t",
        "- **WHEN**: w\n- **THEN:** t",
        "  - **WHEN**   w  \n  - **THEN** t",
    ] {
        assert_eq!(clauses(body), ("w".into(), vec!["t".into()]), "{body}");
    }
}

#[test]
fn clauses_are_read_plain_in_capitals() {
    for body in
        ["- WHEN w\n- THEN t", "WHEN w\nTHEN t", "* WHEN w\n1. THEN t", "WHEN: w\n- THEN: t"]
    {
        assert_eq!(clauses(body), ("w".into(), vec!["t".into()]), "{body}");
    }
}

#[test]
fn prose_that_begins_like_a_keyword_is_no_clause() {
    let (when, then) = clauses(
        "- **WHEN** w\n- **THEN** t\n\nWhen in doubt, ask.\nThen go.\nWHENEVER\nANDROID\nORDER",
    );
    assert_eq!((when.as_str(), then), ("w", vec!["t".to_owned()]));
}

#[test]
fn keywords_without_stars_and_capitals_count_where_there_is_nothing_else() {
    let body = "Given g\nWhen w\nAnd x\nThen t\nAnd u";
    assert_eq!(clauses(body), ("g AND w AND x".into(), vec!["t".into(), "u".into()]));
    assert_eq!(clauses("- **WHEN** w\n- then t"), ("w".into(), vec!["t".into()]));
}

#[test]
fn a_marker_inside_the_line_counts_as_in_older_tools() {
    assert_eq!(clauses("- so **WHEN** w\n- and **THEN** t").0, "so w");
    assert_eq!(clauses("- **THEN** he sees **WHEN** and **AND**\n- **WHEN** w").0, "w");
}

#[test]
fn when_and_then_may_share_a_line() {
    assert_eq!(clauses("- **WHEN** w **THEN** t"), ("w".into(), vec!["t".into()]));
}

#[test]
fn and_before_then_is_a_condition_and_after_it_an_outcome() {
    let scenario = scenario("- **WHEN** a\n- **AND** b\n- **THEN** c\n- **AND** d\n- **AND** e");
    assert_eq!(scenario.conditions, ["a", "b"]);
    assert_eq!(scenario.when_clause, "a AND b");
    assert_eq!(scenario.then_clauses, ["c", "d", "e"]);
}

#[test]
fn given_is_a_condition() {
    let scenario = scenario("- **GIVEN** g\n- **WHEN** w\n- **THEN** t");
    assert_eq!((scenario.when_clause.as_str(), scenario.conditions.len()), ("g AND w", 2));
}

#[test]
fn or_belongs_to_where_it_stands_and_keeps_its_word() {
    let scenario = scenario("- **WHEN** a\n- **OR** b\n- **THEN** c\n- OR d");
    assert_eq!(scenario.when_clause, "a OR b");
    assert_eq!(scenario.conditions, ["a", "OR b"]);
    assert_eq!(scenario.then_clauses, ["c", "OR d"]);
}

#[test]
fn a_later_when_replaces_the_earlier_one() {
    let scenario = scenario("- **GIVEN** g\n- **WHEN** a\n- **AND** b\n- **WHEN** c\n- **THEN** t");
    assert_eq!(scenario.conditions, ["g", "c"]);
}

#[test]
fn a_later_then_loses_no_outcome() {
    let (when, then) =
        clauses("- **WHEN** a\n- **THEN** b\n- **WHEN** c\n- **AND** d\n- **THEN** e");
    assert_eq!((when.as_str(), then), ("c AND d", vec!["b".to_owned(), "e".to_owned()]));
}

#[test]
fn indented_text_goes_on_with_the_clause_before_it() {
    let body = "- **WHEN** a\n  b\n    c\n- **THEN** d:\n  - e\n  - f\nnot this\n  nor this";
    assert_eq!(clauses(body), ("a b c".into(), vec!["d: - e - f".into()]));
    assert_eq!(clauses("- **WHEN** a\n\n  b\n- **THEN** c").0, "a", "a blank line ends it");
    assert_eq!(clauses("- **WHEN**\n  a\n- **THEN** c").0, "a");
}

#[test]
fn a_keyword_below_a_clause_is_a_clause_if_it_is_the_first_of_its_kind() {
    let nested = "- **GIVEN** g\n  - **WHEN** w\n    - **AND** x\n    - **THEN** t\n";
    assert_eq!(clauses(nested), ("g AND w AND x".into(), vec!["t".into()]));
    let about = "- **WHEN** w\n- **THEN** use bold words:\n  - **GIVEN** first\n  - **WHEN** next\n  - **THEN** last\n- **AND** u";
    let outcome = "use bold words: - **GIVEN** first - **WHEN** next - **THEN** last";
    assert_eq!(clauses(about), ("w".into(), vec![outcome.into(), "u".into()]));
}

#[test]
fn emphasis_inside_a_sentence_is_no_clause() {
    let body = "- **WHEN** w\n- **THEN** t\n\nThis **OR** that, **GIVEN** time.";
    assert_eq!(clauses(body), ("w".into(), vec!["t".into()]));
}

#[test]
fn the_first_purpose_counts() {
    assert_eq!(parse("## Purpose\na\n## Notes\nx\n## Purpose\nb\n").purpose, "a");
}

#[test]
fn code_in_a_scenario_belongs_to_no_clause() {
    let body = "- **WHEN** a\n  ```\n  **THEN** x\n  ```\n- **THEN** b";
    assert_eq!(clauses(body), ("a".into(), vec!["b".into()]));
}

#[test]
fn a_scenario_ends_at_the_next_heading_of_its_level() {
    let spec = requirement(
        "x\n#### Scenario: A\n- WHEN a\n#### Notes\n- WHEN b\n#### Scenario: B\n- WHEN c",
    );
    let scenarios = &spec.requirements[0].scenarios;
    assert_eq!(scenarios.len(), 2);
    assert_eq!(scenarios[0].when_clause, "a");
    assert_eq!(scenarios[1].when_clause, "c");
}

#[test]
fn deeper_headings_are_text() {
    let spec = requirement("x\n##### Requirement: Y\n###### z\n#### Scenario: A");
    assert_eq!(spec.requirements[0].description, "x ##### Requirement: Y ###### z");
}

#[test]
fn spans_are_the_blocks_of_the_file() {
    let text = "## Requirements\r\n### Requirement: A\r\nä\r\n#### Scenario: S\r\n- WHEN x\r\n\r\n### Requirement: B\r\n## End\r\n";
    let spec = parse(text);
    let blocks: Vec<_> = spec.requirements.iter().map(|one| &text[one.span.clone()]).collect();
    assert_eq!(
        blocks,
        [
            "### Requirement: A\r\nä\r\n#### Scenario: S\r\n- WHEN x\r\n\r\n",
            "### Requirement: B\r\n"
        ]
    );
    let scenario = &spec.requirements[0].scenarios[0];
    assert_eq!(&text[scenario.span.clone()], "#### Scenario: S\r\n- WHEN x\r\n\r\n");
    let section = spec.section("Requirements").map(|section| &text[section.span.clone()]);
    assert_eq!(section, Some(text.trim_end_matches("## End\r\n")));
}
