//! What holds of applying whatever the specs and changes are.

use std::collections::{BTreeMap, BTreeSet};

use proptest::{collection::vec, prelude::*, sample::select};
use spox_core::{
    Allow, Applied, ChangeFiles, Fate, Refused, Resolve, Source, apply, diff, fingerprints,
    parse_delta, parse_spec, rebase,
};

use crate::desk::{Specs, change, fingerprinted, specs, written};

/// A requirement by what it says: the word of its description, and its scenarios with a word each.
type Said = (u8, BTreeMap<u8, u8>);

/// Requirements by number.
type Model = BTreeMap<u8, Said>;

/// What a change does to a requirement.
#[derive(Debug, Clone)]
enum Deed {
    Add(Said),
    /// New words, scenarios that come or change, scenarios that go.
    Modify {
        word: Option<u8>,
        set: BTreeMap<u8, u8>,
        drop: BTreeSet<u8>,
    },
    Remove,
    Rename,
    RenameAndModify {
        set: BTreeMap<u8, u8>,
    },
}

type Plan = BTreeMap<u8, Deed>;

fn scenarios() -> impl Strategy<Value = BTreeMap<u8, u8>> {
    proptest::collection::btree_map(0..5_u8, 0..4_u8, 0..4)
}

fn said() -> impl Strategy<Value = Said> {
    (0..4_u8, scenarios())
}

fn model() -> impl Strategy<Value = Model> {
    proptest::collection::btree_map(0..8_u8, said(), 0..7)
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        said().prop_map(Deed::Add),
        (
            proptest::option::of(0..4_u8),
            scenarios(),
            proptest::collection::btree_set(0..5_u8, 0..2)
        )
            .prop_map(|(word, set, drop)| Deed::Modify { word, set, drop }),
        Just(Deed::Remove),
        Just(Deed::Rename),
        scenarios().prop_map(|set| Deed::RenameAndModify { set }),
    ]
}

/// Deeds for `model`, made possible: what is there cannot be added, and what is not there can only be added.
fn plan(model: &Model, deeds: Plan) -> Plan {
    let possible = |number, deed| match (model.contains_key(&number), deed) {
        (true, Deed::Add((word, set))) => {
            (number, Deed::Modify { word: Some(word), set, drop: BTreeSet::new() })
        }
        (false, Deed::Modify { set, .. } | Deed::RenameAndModify { set }) => {
            (number, Deed::Add((0, set)))
        }
        (false, Deed::Remove | Deed::Rename) => (number, Deed::Add(Said::default())),
        (_, deed) => (number, deed),
    };
    deeds.into_iter().map(|(number, deed)| possible(number, deed)).collect()
}

fn plans() -> impl Strategy<Value = Plan> {
    proptest::collection::btree_map(0..10_u8, deed(), 1..6)
}

fn name(number: u8) -> String {
    format!("Rule {number}")
}

fn new_name(number: u8) -> String {
    format!("New rule {number}")
}

fn block(name: &str, (word, scenarios): &Said) -> String {
    let mut text = format!("### Requirement: {name}\nIt SHALL do {word}.\n");
    for (scenario, word) in scenarios {
        let (scenario, word) = (scenario.to_string(), word.to_string());
        text.extend([
            "\n#### Scenario: s",
            &scenario,
            "\n- **WHEN** ",
            &word,
            "\n- **THEN** done\n",
        ]);
    }
    text
}

/// What a requirement says after `deed`; none if it is gone.
fn done(said: Option<&Said>, deed: &Deed) -> Option<Said> {
    let mut new = said.cloned().unwrap_or_default();
    match deed {
        Deed::Add(said) => return Some(said.clone()),
        Deed::Remove => return None,
        Deed::Rename => {}
        Deed::RenameAndModify { set } => new.1.extend(set),
        Deed::Modify { word, set, drop } => {
            new.0 = word.unwrap_or(new.0);
            new.1.extend(set);
            new.1.retain(|scenario, _| !drop.contains(scenario));
        }
    }
    Some(new)
}

fn renames(deed: &Deed) -> bool {
    matches!(deed, Deed::Rename | Deed::RenameAndModify { .. })
}

fn delta_of(model: &Model, plan: &Plan) -> String {
    let [mut added, mut modified, mut removed, mut renamed] = [const { String::new() }; 4];
    for (number, deed) in plan {
        let name = if renames(deed) { new_name(*number) } else { name(*number) };
        let after = done(model.get(number), deed);
        if renames(deed) {
            let old = self::name(*number);
            renamed.extend([
                "- FROM: `### Requirement: ",
                &old,
                "`\n- TO: `### Requirement: ",
                &name,
                "`\n",
            ]);
        }
        match (deed, after) {
            (Deed::Add(_), Some(said)) => added += &(block(&name, &said) + "\n"),
            (Deed::Modify { drop, .. }, Some(said)) => {
                modified += &block(&name, &said);
                for scenario in drop.iter().filter(|one| model[number].1.contains_key(one)) {
                    let line = format!("\n**Removed scenario**: s{scenario}\n");
                    modified += &line;
                }
                modified.push('\n');
            }
            (Deed::RenameAndModify { .. }, Some(said)) => modified += &(block(&name, &said) + "\n"),
            (Deed::Remove, _) => removed.extend(["### Requirement: ", &name, "\n\n"]),
            _ => {}
        }
    }
    let mut text = "# Delta\n".to_owned();
    for (word, items) in
        [("ADDED", added), ("MODIFIED", modified), ("REMOVED", removed), ("RENAMED", renamed)]
    {
        if !items.is_empty() {
            text.extend(["\n## ", word, " Requirements\n\n", &items]);
        }
    }
    text
}

/// How a file is laid out, which no change may touch.
#[derive(Debug, Clone)]
struct Layout {
    bom: bool,
    crlf: bool,
    head: String,
    /// Blank lines between two requirements.
    gap: usize,
    tail: String,
}

fn layout() -> impl Strategy<Value = Layout> {
    let text = vec(
        select(vec!["", " ", "text  ", "- a", "```\n### Requirement: no\n```", "<!--\n## no\n-->"]),
        0..5,
    )
    .prop_map(|lines| lines.iter().flat_map(|line| [line, "\n"]).collect::<String>());
    let tail = prop_oneof![
        Just(String::new()),
        Just("\n\n".to_owned()),
        text.clone().prop_map(|text| format!("\n## Notes\n{text}")),
        text.clone().prop_map(|text| format!("\n## Notes\n{text}no newline")),
    ];
    (any::<bool>(), any::<bool>(), text, 0..4_usize, tail)
        .prop_map(|(bom, crlf, head, gap, tail)| Layout { bom, crlf, head, gap, tail })
}

/// The file, and the length of what precedes the first requirement and of what follows the last.
fn spec_of(model: &Model, layout: &Layout) -> (String, usize, usize) {
    let breaks = |text: String| if layout.crlf { text.replace('\n', "\r\n") } else { text };
    let bom = if layout.bom { "\u{feff}" } else { "" };
    let head = breaks(format!("{bom}# Title\n{}\n## Purpose\nx\n\n## Requirements\n", layout.head));
    let gap = "\n".repeat(layout.gap);
    let blocks: Vec<String> =
        model.iter().map(|(number, said)| block(&name(*number), said)).collect();
    let tail = breaks(layout.tail.clone());
    let text = format!("{head}{}{tail}", breaks(format!("\n{}", blocks.join(&gap))));
    (text, head.len(), tail.len())
}

fn requirements(text: &str) -> Vec<(String, String)> {
    let spec = parse_spec("s", text);
    let plain = |text: &str| text.trim_end().replace("\r\n", "\n");
    spec.requirements.iter().map(|one| (one.name.clone(), plain(&text[one.span.clone()]))).collect()
}

/// What the main spec must say after `plan`: what is kept in its order, then what is new.
fn expected(model: &Model, plan: &Plan) -> Vec<(String, String)> {
    let kept = model.iter().filter_map(|(number, said)| match plan.get(number) {
        None => Some((name(*number), said.clone())),
        Some(deed) => {
            let name = if renames(deed) { new_name(*number) } else { name(*number) };
            Some((name, done(Some(said), deed)?))
        }
    });
    let new = plan.iter().filter_map(|(number, deed)| match deed {
        Deed::Add(said) => Some((name(*number), said.clone())),
        _ => None,
    });
    kept.chain(new)
        .map(|(name, said)| (name.clone(), block(&name, &said).trim_end().to_owned()))
        .collect()
}

/// All scenarios of a main spec, by requirement number, whatever the requirement is called now.
fn all_scenarios(main: &Specs) -> BTreeSet<(u8, String, String)> {
    let spec = parse_spec("s", &main["s"]);
    let mut all = BTreeSet::new();
    for requirement in &spec.requirements {
        let number =
            requirement.name.rsplit(' ').next().unwrap_or_default().parse().expect("a number");
        all.extend(
            requirement
                .scenarios
                .iter()
                .map(|one| (number, one.name.clone(), one.when_clause.clone())),
        );
    }
    all
}

/// Archives `files`; rebases it in between if that is what applying asks for.
fn archive_in_turn(files: &ChangeFiles, main: &Specs) -> Result<Applied, Refused> {
    let first = apply(files, main, Allow::default());
    let Err(refused) = &first else { return first };
    if !refused.reasons.iter().any(|reason| matches!(reason.rule(), Some("C18" | "C20"))) {
        return first;
    }
    let rebased = rebase(files, main, Resolve::Refuse)?;
    let mut files = files.clone();
    files.deltas.extend(rebased.deltas.into_iter().map(|(name, text)| (name, Source::Text(text))));
    files.base = Some(Source::Text(rebased.base.to_json().into()));
    apply(&files, main, Allow::default())
}

/// The scenarios of `model` that `plan` changes, by number and name: new words, or none where they go.
fn intents(model: &Model, plan: &Plan) -> BTreeMap<(u8, String), Option<String>> {
    let mut intents = BTreeMap::new();
    for (number, deed) in plan {
        let before = model.get(number).map(|said| said.1.clone()).unwrap_or_default();
        let after = done(model.get(number), deed).map(|said| said.1).unwrap_or_default();
        for scenario in before.keys().chain(after.keys()) {
            if before.get(scenario) != after.get(scenario) {
                let new = after.get(scenario).map(ToString::to_string);
                intents.insert((*number, format!("s{scenario}")), new);
            }
        }
    }
    intents
}

/// Lines as people write them, in any disorder.
fn scraps() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => select(vec![
            "## Requirements", "## ADDED Requirements", "## MODIFIED Requirements", "## REMOVED Requirements",
            "## RENAMED Requirements", "## Purpose", "# Title", "### Requirement: A", "### Requirement: B", "### requirement:a",
            "###Requirement: C", "### Requirement:", "### Notes", "#### Scenario: s", "#### Scenario: t", "#### Other",
            "- FROM: `### Requirement: A`", "- TO: `### Requirement: B`", "- `### Requirement: B`", "### Requirement: A -> B",
            "**Removed scenario**: s", "**Retired capability**: x", "```", "~~~~", "<!--", "-->", "It SHALL.", "", "  ", "\r",
            "- **WHEN** x", "- **THEN** y", "\u{feff}", "ä ö 🎲", "### Requirement: 🎲",
        ]).prop_map(str::to_owned),
        1 => ".{0,12}",
    ];
    (vec(line, 0..25), select(vec!["\n", "\r\n"])).prop_map(|(lines, breaks)| lines.join(breaks))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn applying_gives_what_the_change_asks_for(model in model(), deeds in plans(), layout in layout()) {
        let plan = plan(&model, deeds);
        let (text, head, tail) = spec_of(&model, &layout);
        let main = specs([("s", &*text)]);
        let files = change([("s", &*delta_of(&model, &plan))]);
        let applied = apply(&files, &main, Allow::default()).map_err(|refused| TestCaseError::fail(refused.to_string()))?;
        let after = applied.specs[0].after.clone().expect("not retired");

        prop_assert_eq!(requirements(&after), expected(&model, &plan));
        // Outside the section every byte is the same.
        prop_assert_eq!(&after[..head], &text[..head]);
        prop_assert_eq!(&after[after.len() - tail..], &text[text.len() - tail..]);
        prop_assert_eq!(layout.crlf, !after.replace("\r\n", "").contains('\n'));
        // One blank line between two requirements.
        if applied.specs[0].fate == Fate::Updated {
            let plain = after.replace("\r\n", "\n");
            let spec = parse_spec("s", &plain);
            for pair in spec.requirements.windows(2) {
                let block = &plain[pair[0].span.clone()];
                prop_assert_eq!(&block[block.trim_end().len()..], "\n\n");
            }
        }
        // Once it is there, nothing is left to do.
        let then = written(main, &applied);
        prop_assert!(diff(&files, &then).is_empty());
        let again = apply(&files, &then, Allow::default()).map_err(|refused| TestCaseError::fail(refused.to_string()))?;
        prop_assert_eq!(again.specs[0].fate, Fate::Unchanged);
        prop_assert_eq!(again.specs[0].after.as_deref(), Some(&*after));
    }

    #[test]
    fn two_changes_in_either_order_lose_no_scenario(
        model in model(), mine in plans(), theirs in plans(), layout in layout(),
    ) {
        let (mine, theirs) = (plan(&model, mine), plan(&model, theirs));
        let main = specs([("s", &*spec_of(&model, &layout).0)]);
        let [first, second] = [&mine, &theirs].map(|plan| fingerprinted(change([("s", &*delta_of(&model, plan))]), &main));
        let (intents_first, intents_second) = (intents(&model, &mine), intents(&model, &theirs));
        for (one, other, wants_one, wants_other) in [
            (&first, &second, &intents_first, &intents_second),
            (&second, &first, &intents_second, &intents_first),
        ] {
            let between = written(main.clone(), &apply(one, &main, Allow::default()).expect("valid"));
            let before = all_scenarios(&between);
            let Ok(applied) = archive_in_turn(other, &between) else { continue };
            let after = all_scenarios(&written(between, &applied));
            // What the first left stays, unless the second wanted it otherwise and the first did not touch it.
            for (number, scenario, word) in &before {
                let key = (*number, scenario.clone());
                let allowed = wants_other.contains_key(&key) && wants_one.get(&key).is_none_or(|want| wants_other.get(&key) == Some(want));
                prop_assert!(allowed || after.contains(&(*number, scenario.clone(), word.clone())), "lost {key:?} of {before:?}, now {after:?}");
            }
            // And what the second wanted is there; of a removal that found nothing it is told.
            for ((number, scenario), word) in wants_other {
                let idle = format!("REMOVED `{}` is not in the spec", name(*number));
                if applied.warnings().any(|(_, warning)| warning.starts_with(&idle)) {
                    continue;
                }
                let is_there = after.iter().find(|one| one.0 == *number && one.1 == *scenario).map(|one| one.2.clone());
                prop_assert_eq!(&is_there, word, "{}", scenario);
            }
        }
    }

    #[test]
    fn disorder_never_panics_and_never_gives_half_a_result(main in scraps(), one in scraps(), two in scraps()) {
        let main = specs([("one", &*main)]);
        let files = fingerprinted(change([("one", &*one), ("two", &*two)]), &main);
        drop(diff(&files, &main));
        drop(rebase(&files, &specs([("one", &*two)]), Resolve::Mine));
        match apply(&files, &main, Allow::default()) {
            Ok(applied) => {
                prop_assert_eq!(applied.specs.len(), 2);
                for spec in &applied.specs {
                    let delta = parse_delta(&spec.capability, files.deltas[&spec.capability].text().unwrap_or_default());
                    prop_assert_eq!(spec.steps.len(), delta.items.len(), "every item has its step");
                }
                let then = written(main, &applied);
                if let Ok(again) = apply(&ChangeFiles { base: None, ..files }, &then, Allow::default()) {
                    prop_assert_eq!(written(then.clone(), &again), then, "twice is as once");
                }
            }
            Err(refused) => prop_assert!(!refused.reasons.is_empty()),
        }
    }

    #[test]
    fn disorder_keeps_every_requirement_that_the_change_does_not_name(main in scraps(), delta in scraps()) {
        let specs_before = specs([("s", &*main)]);
        let files = change([("s", &*delta)]);
        let Ok(applied) = apply(&files, &specs_before, Allow::default()) else { return Ok(()) };
        let Some(after) = applied.specs[0].after.as_deref() else { return Ok(()) };
        let parsed = parse_delta("s", &delta);
        let named: BTreeSet<&str> = parsed.items.iter().flat_map(|item| [Some(&*item.name), item.to.as_deref()]).flatten().collect();
        let untouched = |text: &str| requirements(text).into_iter().filter(|(name, _)| !named.contains(&**name)).collect::<Vec<_>>();
        prop_assert_eq!(untouched(after), untouched(&main));
    }

    #[test]
    fn fingerprints_of_any_change_can_be_read_again(main in scraps(), delta in scraps()) {
        let base = fingerprints(&change([("s", &*delta)]), &specs([("s", &*main)]), None);
        prop_assert_eq!(spox_core::Base::from_json(&base.to_json()), Ok(base));
    }
}
