//! Three texts of one requirement become one: what the change was written against, what the main spec has now, what the
//! change says.
//!
//! The unit is the scenario (and the description before the first one): whoever touched it alone wins, and if both did, it
//! is a [`Clash`]. So two people who work on different scenarios of one requirement never hear of each other. Start at
//! [`merge`].

use std::collections::HashMap;

use serde::Serialize;

use crate::{
    lines::lines,
    names::fold,
    parse::heading::{heading, level, scenario_name},
};

/// Who wins where both sides changed the same thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Resolve {
    /// Nobody: it is told and nothing is done.
    #[default]
    Refuse,
    /// The change. For after its author has looked at the main spec and put both together by hand.
    Mine,
    /// The main spec.
    Main,
}

/// A part of a requirement that stands or falls as a whole.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "name")]
pub enum Part {
    /// All of it.
    Whole,
    /// What precedes the first scenario.
    Description,
    Scenario(String),
    /// Another `####` heading after the first scenario.
    Note(String),
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole => f.write_str("the whole requirement"),
            Self::Description => f.write_str("the description"),
            Self::Scenario(name) => write!(f, "scenario `{name}`"),
            Self::Note(name) => write!(f, "`{name}`"),
        }
    }
}

/// A part that both sides changed, each in its own way. None: it is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clash {
    pub(crate) part: Part,
    pub(crate) base: Option<String>,
    pub(crate) main: Option<String>,
    pub(crate) mine: Option<String>,
}

/// What became of three texts.
#[derive(Debug)]
pub(crate) struct Merged {
    /// A plain block with the heading of the change.
    pub(crate) block: String,
    /// The parts that the main spec gave, those that it took away included.
    pub(crate) from_main: Vec<Part>,
    pub(crate) clashes: Vec<Clash>,
}

/// Merges three plain blocks. Where there are clashes and `resolve` does not say who wins, the block has the change's text.
///
/// `removed` are the scenarios that the change says it removes; a line for each that the main spec still has goes into the
/// block, so that applying it is allowed.
pub(crate) fn merge(
    base: &str,
    main: &str,
    mine: &str,
    removed: &[String],
    resolve: Resolve,
) -> Merged {
    let [base, main, mine] = [base, main, mine].map(Parts::of);
    let mut merger = Merger { resolve, from_main: Vec::new(), clashes: Vec::new() };

    let lead = merger
        .pick(&Part::Description, Some(base.lead), Some(main.lead), Some(mine.lead))
        .unwrap_or_default();
    let mut kept = Vec::new();
    for (key, text) in &mine.all {
        let picked = merger.pick(&key.0, base.get(key), main.get(key), Some(text));
        kept.push((key, picked));
    }
    // What only the main spec has goes behind what precedes it there.
    let mut behind: HashMap<Option<&Key>, Vec<&str>> = HashMap::new();
    let mut anchor = None;
    for (key, text) in &main.all {
        if mine.get(key).is_some() {
            anchor = Some(key);
        } else if let Some(text) = merger.pick(&key.0, base.get(key), Some(text), None) {
            behind.entry(anchor).or_default().push(text);
        }
    }
    let mut parts: Vec<&str> = behind.remove(&None).unwrap_or_default();
    for (key, text) in kept {
        parts.extend(text);
        parts.extend(behind.remove(&Some(key)).unwrap_or_default());
    }

    let mut block = mine.heading.to_owned();
    if !lead.is_empty() {
        block.push('\n');
        block.push_str(lead);
    }
    let directives = directives(&main, &parts, removed);
    for part in directives.iter().map(String::as_str).chain(parts) {
        block.push_str("\n\n");
        block.push_str(part);
    }
    Merged { block, from_main: merger.from_main, clashes: merger.clashes }
}

struct Merger {
    resolve: Resolve,
    from_main: Vec<Part>,
    clashes: Vec<Clash>,
}

impl Merger {
    /// Which of the texts of a part stays. Blank lines around it do not count.
    fn pick<'a>(
        &mut self,
        part: &Part,
        base: Option<&str>,
        main: Option<&'a str>,
        mine: Option<&'a str>,
    ) -> Option<&'a str> {
        let [b, m, d] = [base, main, mine].map(|text| text.map(str::trim));
        if d == m || m == b {
            return mine;
        }
        let main_wins = d == b || self.resolve == Resolve::Main;
        if d != b {
            let [base, main, mine] = [b, m, d].map(|text| text.map(str::to_owned));
            self.clashes.push(Clash { part: part.clone(), base, main, mine });
        }
        if main_wins {
            self.from_main.push(part.clone());
            return main;
        }
        mine
    }
}

/// The lines that allow what the merged block leaves out of what the main spec has.
fn directives(main: &Parts<'_>, merged: &[&str], removed: &[String]) -> Vec<String> {
    let mut left_out: HashMap<String, usize> = HashMap::new();
    for ((part, _), _) in &main.all {
        if let Part::Scenario(name) = part {
            *left_out.entry(fold(name)).or_default() += 1;
        }
    }
    for part in merged {
        let heading = part.lines().next().unwrap_or_default().trim();
        if let Some(count) = scenario_name(heading).and_then(|name| left_out.get_mut(&fold(name))) {
            *count = count.saturating_sub(1);
        }
    }
    let wanted = removed.iter().filter(|name| match left_out.get_mut(&fold(name)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    });
    wanted.map(|name| format!("**Removed scenario**: {name}")).collect()
}

/// A part and how many of its name precede it.
type Key = (Part, usize);

/// A plain block, taken apart.
struct Parts<'a> {
    heading: &'a str,
    /// From the line below the heading up to the first scenario, without blank lines at the end.
    lead: &'a str,
    all: Vec<(Key, &'a str)>,
    places: HashMap<Key, usize>,
}

impl<'a> Parts<'a> {
    fn of(block: &'a str) -> Self {
        let mut starts: Vec<(Part, usize)> = Vec::new();
        for line in lines(block).skip(1).filter(|line| !line.fenced) {
            if level(&line.text) != Some(4) {
                continue;
            }
            if let Some(name) = scenario_name(&line.text) {
                starts.push((Part::Scenario(name.to_owned()), line.span.start));
            } else if let (Some((_, text)), false) = (heading(&line.text), starts.is_empty()) {
                starts.push((Part::Note(text.to_owned()), line.span.start));
            }
        }
        let mut ends: Vec<usize> = starts.iter().skip(1).map(|(_, start)| *start).collect();
        ends.push(block.len());
        let lead_end = starts.first().map_or(block.len(), |(_, start)| *start);
        let (heading, lead) =
            block[..lead_end].split_once('\n').unwrap_or((&block[..lead_end], ""));

        let mut counts: HashMap<Part, usize> = HashMap::new();
        let mut all = Vec::with_capacity(starts.len());
        let mut places = HashMap::with_capacity(starts.len());
        for ((part, start), end) in starts.into_iter().zip(ends) {
            let count = counts.entry(part.clone()).or_default();
            let key = (part, *count);
            *count += 1;
            places.insert(key.clone(), all.len());
            all.push((key, block[start..end].trim_end()));
        }
        Self { heading, lead: lead.trim_end(), all, places }
    }

    fn get(&self, key: &Key) -> Option<&'a str> {
        self.places.get(key).map(|at| self.all[*at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(description: &str, scenarios: &[(&str, &str)]) -> String {
        let mut block = format!("### Requirement: R\n{description}");
        for (name, text) in scenarios {
            let lines = ["\n\n#### Scenario: ", name, "\n- **WHEN** ", text, "\n- **THEN** done"];
            block.extend(lines);
        }
        block
    }

    fn merged(base: &str, main: &str, mine: &str) -> Merged {
        merge(base, main, mine, &[], Resolve::Refuse)
    }

    #[test]
    fn changes_to_different_scenarios_are_both_kept() {
        let base = block("It SHALL.", &[("a", "1"), ("b", "1")]);
        let main = block("It SHALL.", &[("a", "2"), ("b", "1")]);
        let mine = block("It SHALL.", &[("a", "1"), ("b", "2")]);
        let merged = merged(&base, &main, &mine);
        assert_eq!(merged.block, block("It SHALL.", &[("a", "2"), ("b", "2")]));
        assert_eq!(merged.from_main, [Part::Scenario("a".into())]);
        assert_eq!(merged.clashes, []);
    }

    #[test]
    fn the_description_is_a_part_of_its_own() {
        let base = block("It SHALL.", &[("a", "1")]);
        let main = block("It SHALL always.", &[("a", "1")]);
        let mine = block("It SHALL.", &[("a", "2")]);
        assert_eq!(merged(&base, &main, &mine).block, block("It SHALL always.", &[("a", "2")]));
    }

    #[test]
    fn a_new_scenario_of_the_main_spec_goes_behind_the_one_it_follows_there() {
        let base = block("It SHALL.", &[("a", "1"), ("b", "1")]);
        let main =
            block("It SHALL.", &[("first", "1"), ("a", "1"), ("x", "1"), ("y", "1"), ("b", "1")]);
        let mine = block("It SHALL.", &[("a", "1"), ("mine", "1"), ("b", "1")]);
        let order = [("first", "1"), ("a", "1"), ("x", "1"), ("y", "1"), ("mine", "1"), ("b", "1")];
        assert_eq!(merged(&base, &main, &mine).block, block("It SHALL.", &order));
    }

    #[test]
    fn what_the_main_spec_removed_goes_and_what_the_change_removed_stays_away() {
        let base = block("It SHALL.", &[("a", "1"), ("b", "1"), ("c", "1")]);
        let main = block("It SHALL.", &[("b", "1"), ("c", "1")]);
        let mine = block("It SHALL.", &[("a", "1"), ("b", "1")]);
        let merged = merge(&base, &main, &mine, &["c".into()], Resolve::Refuse);
        let wanted = "### Requirement: R\nIt SHALL.\n\n**Removed scenario**: c\n\n#### Scenario: b\n- **WHEN** 1\n- **THEN** done";
        assert_eq!(merged.block, wanted);
        assert_eq!(merged.clashes, []);
    }

    #[test]
    fn what_both_changed_is_a_clash_with_all_three_texts() {
        let [base, main, mine] = ["1", "2", "3"].map(|text| block("It SHALL.", &[("a", text)]));
        let clashes = merged(&base, &main, &mine).clashes;
        let text =
            |text: &str| Some(format!("#### Scenario: a\n- **WHEN** {text}\n- **THEN** done"));
        let part = Part::Scenario("a".into());
        assert_eq!(clashes, [Clash { part, base: text("1"), main: text("2"), mine: text("3") }]);
        assert_eq!(merge(&base, &main, &mine, &[], Resolve::Mine).block, mine);
        assert_eq!(merge(&base, &main, &mine, &[], Resolve::Main).block, main);
    }

    #[test]
    fn a_removed_scenario_that_the_main_spec_changed_is_a_clash() {
        let base = block("It SHALL.", &[("a", "1"), ("b", "1")]);
        let main = block("It SHALL.", &[("a", "2"), ("b", "1")]);
        let mine = block("It SHALL.", &[("b", "1")]);
        assert_eq!(merged(&base, &main, &mine).clashes.len(), 1);
        assert_eq!(merged(&base, &mine, &main).clashes.len(), 1);
        assert_eq!(merge(&base, &main, &mine, &["a".into()], Resolve::Main).block, main);
    }

    #[test]
    fn the_same_change_on_both_sides_is_no_clash() {
        let base = block("It SHALL.", &[("a", "1")]);
        let both = block("It SHALL.", &[("a", "2"), ("b", "1")]);
        let merged = merged(&base, &both, &both);
        assert_eq!((merged.block, merged.clashes.len()), (both, 0));
    }

    #[test]
    fn scenarios_of_one_name_are_told_apart_by_their_order() {
        let base = block("It SHALL.", &[("a", "1"), ("a", "2")]);
        let main = block("It SHALL.", &[("a", "1"), ("a", "3")]);
        let mine = block("It SHALL.", &[("a", "4"), ("a", "2")]);
        assert_eq!(
            merged(&base, &main, &mine).block,
            block("It SHALL.", &[("a", "4"), ("a", "3")])
        );
    }

    #[test]
    fn a_scenario_in_a_code_block_is_text_of_its_part() {
        let example = "It SHALL.\n\n```\n#### Scenario: none\n```";
        let base = block(example, &[("a", "1")]);
        assert_eq!(Parts::of(&base).all.len(), 1);
    }
}
