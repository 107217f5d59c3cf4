//! What holds for every text, whoever wrote it.
//!
//! Property tests over texts made of the words that mean something to the parser, and a loop over mutations of real files.

use proptest::prelude::*;
use spox_core::{
    ParsedRequirement, ParsedSpec, lines, parse_delta, parse_outline, parse_proposal, parse_spec,
    parse_tasks, validate_spec,
};

use crate::world::{GOOD_DELTA, GOOD_PROPOSAL, GOOD_SPEC, GOOD_TASKS, spec_file};

/// What lines are made of.
const WORDS: &[&str] = &[
    "# T",
    "## Purpose",
    "## Requirements",
    "## Notes",
    "### Requirement: A",
    "###Requirement:b",
    "### Requirement:",
    "### Other",
    "#### Scenario: S",
    "####scenario:",
    "#### Notes",
    "##### Scenario: x",
    "- **Scenario: x**",
    "- **WHEN** w",
    "WHEN w",
    "When w",
    "* **and** x",
    "  more",
    "- **THEN** t",
    "THEN",
    "- OR o",
    "GIVEN g",
    "- **WHEN** w **THEN** t",
    "```",
    "````",
    "~~~",
    "- ```rs",
    "    ```",
    "<!--",
    "-->",
    "`<!--`",
    "a <!-- b --> c",
    "<!-->",
    "`` ` ``",
    "## ADDED Requirements",
    "## modified requirements",
    "## REMOVED Requirements",
    "## RENAMED Requirements",
    "- FROM: `### Requirement: A`",
    "- TO: B",
    "### Requirement: A → B",
    "- `### Requirement: A`",
    "**Reason**: r",
    "**Migration**: m",
    "**Removed scenario**: S",
    "- [ ] 1.1 t",
    "* [x] t",
    "## 1. G",
    "[l](../a/spec.md#requirement-b)",
    "spec:auth#x",
    "spec:",
    "## Why",
    "## What Changes",
    "- **BREAKING** b",
    "",
    " ",
    "\t",
    "\r",
    "\u{feff}",
    "\0",
    "ä€😀",
    "The system SHALL",
    "must",
];

fn any_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        6 => proptest::sample::select(WORDS).prop_map(str::to_owned),
        1 => proptest::collection::vec(proptest::sample::select(WORDS), 1..4)
            .prop_map(|words| words.join(" ")),
        1 => any::<String>(),
    ];
    let end = prop_oneof![8 => Just("\n"), 1 => Just("\r\n"), 1 => Just("")];
    proptest::collection::vec((line, end), 0..40).prop_map(|lines| {
        lines.into_iter().flat_map(|(line, end)| [line, end.to_owned()]).collect()
    })
}

/// A requirement by what it says, wherever it stands.
fn said(requirement: &ParsedRequirement) -> impl PartialEq + std::fmt::Debug + use<> {
    let scenarios: Vec<_> = requirement
        .scenarios
        .iter()
        .map(|one| {
            (one.name.clone(), one.conditions.clone(), one.then_clauses.clone(), one.has_when)
        })
        .collect();
    (requirement.name.clone(), requirement.description.clone(), scenarios)
}

fn all_said(spec: &ParsedSpec) -> impl PartialEq + std::fmt::Debug + use<> {
    let requirements: Vec<_> = spec.requirements.iter().map(said).collect();
    (spec.title.clone(), spec.purpose.clone(), requirements)
}

/// The lines and the blocks cover the file: nothing is read twice, nothing is lost.
fn nothing_is_lost(text: &str) {
    let mut end = 0;
    for line in lines(text) {
        assert_eq!(line.span.start, end, "{text:?}");
        end = line.span.end;
    }
    assert_eq!(end, text.len(), "{text:?}");

    let spec = parse_spec("x", text);
    let mut rebuilt = String::new();
    let mut at = 0;
    for requirement in &spec.requirements {
        rebuilt.push_str(&text[at..requirement.span.start]);
        rebuilt.push_str(&text[requirement.span.clone()]);
        at = requirement.span.end;
        let mut inside = requirement.span.start;
        for scenario in &requirement.scenarios {
            assert!(inside <= scenario.span.start && scenario.span.end <= at, "{text:?}");
            inside = scenario.span.end;
        }
    }
    rebuilt.push_str(&text[at..]);
    assert_eq!(rebuilt, text);
    for item in parse_delta("x", text).items {
        assert_eq!(text[item.span.clone()], item.block);
        assert!(item.requirement_block().len() <= item.block.len());
    }
}

/// A block that is cut out and put into another file says the same there.
fn blocks_stand_alone(text: &str) {
    for requirement in &parse_spec("x", text).requirements {
        let alone = format!("## Requirements\n{}", &text[requirement.span.clone()]);
        let again = parse_spec("x", &alone);
        assert_eq!(again.requirements.len(), 1, "{alone:?}");
        assert_eq!(said(&again.requirements[0]), said(requirement), "{alone:?}");
    }
}

fn line_breaks_do_not_matter(text: &str) {
    let lf = text.replace("\r\n", "\n").replace('\r', "");
    let crlf = lf.replace('\n', "\r\n");
    assert_eq!(all_said(&parse_spec("x", &lf)), all_said(&parse_spec("x", &crlf)), "{lf:?}");
    assert_eq!(parse_proposal(&lf), parse_proposal(&crlf));
    assert_eq!(parse_tasks(&lf).items, parse_tasks(&crlf).items);
    let names = |text: &str| -> Vec<_> {
        let items = parse_delta("x", text).items.into_iter();
        items
            .map(|item| (item.operation, item.name, item.text, item.line, item.scenarios))
            .collect()
    };
    assert_eq!(names(&lf), names(&crlf));
}

/// Everything that reads text reads this, too.
fn is_read_by_all(text: &str) {
    let (whole, outline) = (parse_spec("x", text), parse_outline("x", text));
    assert_eq!((&outline.title, &outline.purpose), (&whole.title, &whole.purpose));
    assert_eq!(outline.requirements, whole.requirements.len());
    nothing_is_lost(text);
    blocks_stand_alone(text);
    line_breaks_do_not_matter(text);
    for issue in validate_spec(&spec_file(text)).issues {
        let last = text.split('\n').count().max(1);
        let line = issue.line.and_then(|line| usize::try_from(line).ok()).unwrap_or(1);
        assert!((1..=last).contains(&line), "{issue} in {text:?}");
        assert!(issue.fix.is_some(), "{issue}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_is_read_without_loss(text in any_text()) {
        is_read_by_all(&text);
    }

    #[test]
    fn any_characters_are_read_without_loss(text in any::<String>()) {
        is_read_by_all(&text);
    }

    #[test]
    fn a_fenced_copy_of_a_spec_changes_nothing(at in 0_usize..32, copy in any_text()) {
        let fence = "~".repeat(5 + copy.chars().filter(|c| *c == '~').count());
        let mut all: Vec<&str> = GOOD_SPEC.lines().collect();
        let fenced = format!("{fence}\n{GOOD_SPEC}{copy}\n{fence}");
        all.insert(at.min(all.len()), &fenced);
        let (plain, with_copy) = (parse_spec("x", GOOD_SPEC), parse_spec("x", &all.join("\n")));
        prop_assert_eq!(&plain.title, &with_copy.title);
        prop_assert_eq!(plain.requirements.len(), with_copy.requirements.len());
        for (one, other) in plain.requirements.iter().zip(&with_copy.requirements) {
            prop_assert_eq!(&one.name, &other.name);
            let one = ParsedRequirement { description: String::new(), ..one.clone() };
            let other = ParsedRequirement { description: String::new(), ..other.clone() };
            prop_assert_eq!(said(&one), said(&other));
        }
    }

    #[test]
    fn a_commented_copy_of_a_spec_changes_nothing(at in 0_usize..32) {
        let mut all: Vec<&str> = GOOD_SPEC.lines().collect();
        let comment = format!("<!--\n{GOOD_SPEC}```\n-->");
        all.insert(at.min(all.len()), &comment);
        let (plain, with_copy) = (parse_spec("x", GOOD_SPEC), parse_spec("x", &all.join("\n")));
        prop_assert_eq!(all_said(&plain), all_said(&with_copy));
    }
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % limit.max(1)
    }
}

/// One small thing that may happen to a file.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut all: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let at = random.below(all.len());
    match random.below(7) {
        0 if !all.is_empty() => drop(all.remove(at)),
        1 if !all.is_empty() => all.insert(at, all[at].clone()),
        2 if !all.is_empty() => {
            let other = random.below(all.len());
            all.swap(at, other);
        }
        3 if !all.is_empty() => {
            let chars: Vec<char> = all[at].chars().collect();
            let cut = random.below(chars.len());
            all[at] = chars[cut..].iter().collect();
        }
        4 if !all.is_empty() => {
            let word = WORDS[random.below(WORDS.len())];
            let middle = all[at].char_indices().map(|(index, _)| index).nth(random.below(12));
            all[at].insert_str(middle.unwrap_or(0), word);
        }
        _ => all.insert(at, format!("{}\n", WORDS[random.below(WORDS.len())])),
    }
    all.concat()
}

#[test]
fn twenty_thousand_mutations_of_real_files_are_read_without_loss() {
    let rounds = if std::env::var_os("SLOW_TESTS").is_some() { 20_000 } else { 2_000 };
    let seeds = [
        GOOD_SPEC,
        GOOD_DELTA,
        GOOD_PROPOSAL,
        GOOD_TASKS,
        include_str!("bad_spec.md"),
        include_str!("bad_delta.md"),
    ];
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    let mut text = String::new();
    for round in 0..rounds {
        // Each file drifts away from its seed for a while.
        if round % 20 == 0 {
            seeds[random.below(seeds.len())].clone_into(&mut text);
        }
        text = mutate(&text, &mut random);
        is_read_by_all(&text);
    }
}
