//! What a change does to the main specs, line by line: for the page and the terminal.
//!
//! A view, not a judgement: it shows what a delta asks for even where [`apply`](crate::apply()) would refuse. Start at
//! [`diff`]. Line numbers are those of the two files that a reader can open: the main spec for what goes or stays, the
//! delta for what comes.

use std::{collections::BTreeMap, sync::Arc};

use imara_diff::{Algorithm, Diff, InternedInput};
use serde::Serialize;

use crate::{
    ChangeFiles, DeltaItem, Operation, Source,
    directive::{retires, spec_block, spec_lines},
    draft::{Block, Draft},
    parse_delta,
    renames::Renames,
    text::plain,
};

/// Longer lines are not compared word by word: nobody reads them so, and the cost grows with the square.
const MOST_WORDS: usize = 500;

/// A change beside the main specs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeDiff {
    pub change: String,
    /// Sorted by capability.
    pub capabilities: Vec<CapabilityDiff>,
}

/// One delta beside its main spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CapabilityDiff {
    pub capability: String,
    /// There is no main spec yet.
    #[serde(rename = "new")]
    pub is_new: bool,
    /// The delta says that the main spec goes.
    pub retires: bool,
    /// In the order of the delta's items.
    pub requirements: Vec<RequirementDiff>,
}

/// One requirement, before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequirementDiff {
    pub operation: Operation,
    /// Of a renamed one, the new name.
    pub name: String,
    /// Of a renamed one, the old name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    pub state: DiffState,
    /// How many lines come, and how many go.
    pub added: usize,
    pub removed: usize,
    /// The whole requirement, what stays included; only the heading of one that is renamed.
    pub lines: Vec<DiffLine>,
}

/// How an item of a delta relates to the main spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DiffState {
    /// It is still to be done.
    Pending,
    /// The main spec says so already.
    Done,
    /// The main spec lacks what it is about.
    Missing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    pub kind: LineKind,
    /// The line in the main spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<u32>,
    /// The line in the delta.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<u32>,
    pub text: String,
    /// The words of the line, where it is another wording of its counterpart: together they are `text`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Words>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LineKind {
    #[serde(rename = "same")]
    Kept,
    Added,
    Removed,
}

/// A run of words in a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Words {
    pub text: String,
    /// The counterpart does not have them.
    pub changed: bool,
}

impl ChangeDiff {
    /// Whether the main specs say already what the change asks for.
    pub fn is_empty(&self) -> bool {
        let mut all = self.capabilities.iter().flat_map(|one| &one.requirements);
        all.all(|requirement| requirement.state == DiffState::Done)
    }
}

/// Compares the deltas of `change` with the main specs. What cannot be read is left out.
pub fn diff(change: &ChangeFiles, main: &BTreeMap<String, Arc<str>>) -> ChangeDiff {
    let one = |(capability, source): (&String, &Source)| {
        let text = source.text()?;
        let delta = parse_delta(capability, text);
        let draft = main.get(capability).map(|text| Draft::cut(text));
        let view = View { draft: draft.as_ref(), renames: Renames::of(&delta) };
        Some(CapabilityDiff {
            capability: capability.clone(),
            is_new: draft.is_none(),
            retires: retires(text),
            requirements: delta.items.iter().map(|item| view.requirement(item)).collect(),
        })
    };
    ChangeDiff {
        change: change.id.clone(),
        capabilities: change.deltas.iter().filter_map(one).collect(),
    }
}

struct View<'a> {
    draft: Option<&'a Draft<'a>>,
    renames: Renames<'a>,
}

impl View<'_> {
    fn requirement(&self, item: &DeltaItem) -> RequirementDiff {
        match item.operation {
            Operation::Added | Operation::Modified => self.written(item),
            Operation::Removed => self.removed(item),
            Operation::Renamed => self.renamed(item),
        }
    }

    fn written(&self, item: &DeltaItem) -> RequirementDiff {
        let added = item.operation == Operation::Added;
        let origin = if added { &item.name } else { self.renames.origin(&item.name) };
        let old = self.main(origin).or_else(|| self.main(&item.name));
        let lines = compare(&old.map(numbered).unwrap_or_default(), &new_lines(item));
        let state = match old {
            Some(old) if plain(old.original) == spec_block(item) => DiffState::Done,
            None if !added => DiffState::Missing,
            _ => DiffState::Pending,
        };
        finish(item, state, lines)
    }

    fn removed(&self, item: &DeltaItem) -> RequirementDiff {
        match self.main(&item.name) {
            Some(old) => finish(item, DiffState::Pending, compare(&numbered(old), &[])),
            None => finish(item, DiffState::Done, Vec::new()),
        }
    }

    fn renamed(&self, item: &DeltaItem) -> RequirementDiff {
        let (from, to) =
            (item.from.as_deref().unwrap_or_default(), item.to.as_deref().unwrap_or_default());
        let refilled = || self.draft.is_some_and(|draft| self.renames.is_refilled(from, draft));
        match (self.main(from), self.main(to)) {
            (None, Some(_)) => finish(item, DiffState::Done, Vec::new()),
            (None, None) => finish(item, DiffState::Missing, Vec::new()),
            (Some(_), Some(_)) if refilled() => finish(item, DiffState::Done, Vec::new()),
            (Some(old), _) => {
                let heading = format!("### Requirement: {to}");
                let lines = compare(&numbered(old)[..1], &[(item.line, &heading)]);
                finish(item, DiffState::Pending, lines)
            }
        }
    }

    fn main(&self, name: &str) -> Option<&Block<'_>> {
        self.draft?.only(name)
    }
}

fn finish(item: &DeltaItem, state: DiffState, lines: Vec<DiffLine>) -> RequirementDiff {
    let count = |kind| lines.iter().filter(|line| line.kind == kind).count();
    RequirementDiff {
        operation: item.operation,
        name: item.to.as_ref().unwrap_or(&item.name).clone(),
        from: item.from.clone(),
        state,
        added: count(LineKind::Added),
        removed: count(LineKind::Removed),
        lines,
    }
}

/// A line without its break, and its number.
type Numbered<'a> = (u32, &'a str);

fn numbered<'a>(block: &Block<'a>) -> Vec<Numbered<'a>> {
    (block.line..).zip(block.original.lines()).collect()
}

fn new_lines(item: &DeltaItem) -> Vec<Numbered<'_>> {
    let lines = spec_lines(item).into_iter();
    lines.map(|(number, line)| (number, line.lines().next().unwrap_or_default())).collect()
}

fn compare(old: &[Numbered<'_>], new: &[Numbered<'_>]) -> Vec<DiffLine> {
    let mut input = InternedInput::default();
    input.update_before(old.iter().map(|(_, text)| *text));
    input.update_after(new.iter().map(|(_, text)| *text));
    let mut changes = Diff::compute(Algorithm::Histogram, &input);
    changes.postprocess_lines(&input);

    let mut lines = Vec::with_capacity(old.len().max(new.len()));
    let (mut from, mut to) = (0, 0);
    for hunk in changes.hunks() {
        let [before, after] =
            [hunk.before, hunk.after].map(|range| range.start as usize..range.end as usize);
        kept(&old[from..before.start], &new[to..after.start], &mut lines);
        replaced(&old[before.clone()], &new[after.clone()], &mut lines);
        (from, to) = (before.end, after.end);
    }
    kept(&old[from..], &new[to..], &mut lines);
    lines
}

fn kept(old: &[Numbered<'_>], new: &[Numbered<'_>], lines: &mut Vec<DiffLine>) {
    lines.extend(old.iter().zip(new).map(|((old, text), (new, _))| DiffLine {
        kind: LineKind::Kept,
        old: Some(*old),
        new: Some(*new),
        text: (*text).to_owned(),
        words: Vec::new(),
    }));
}

/// What goes, then what comes. As many lines as there were before are most likely other wordings of these.
fn replaced(old: &[Numbered<'_>], new: &[Numbered<'_>], lines: &mut Vec<DiffLine>) {
    let pairs = if old.len() == new.len() { old.len() } else { 0 };
    let mut words: Vec<[Vec<Words>; 2]> =
        old.iter().zip(new).take(pairs).map(|((_, old), (_, new))| reworded(old, new)).collect();
    words.resize_with(old.len().max(new.len()), Default::default);
    for (side, kind) in [LineKind::Removed, LineKind::Added].into_iter().enumerate() {
        let numbered = if kind == LineKind::Removed { old } else { new };
        for ((number, text), words) in numbered.iter().zip(&mut words) {
            lines.push(DiffLine {
                kind,
                old: (kind == LineKind::Removed).then_some(*number),
                new: (kind == LineKind::Added).then_some(*number),
                text: (*text).to_owned(),
                words: std::mem::take(&mut words[side]),
            });
        }
    }
}

/// Both lines as words, unless more than half of them differ: then it is another sentence, better read as a whole.
fn reworded(old: &str, new: &str) -> [Vec<Words>; 2] {
    let mut input = InternedInput::default();
    input.update_before(words(old).take(MOST_WORDS + 1));
    input.update_after(words(new).take(MOST_WORDS + 1));
    if input.before.len().max(input.after.len()) > MOST_WORDS {
        return Default::default();
    }
    let mut edits = Diff::compute(Algorithm::Myers, &input);
    edits.postprocess_no_heuristic(&input);
    let edited = (edits.count_removals() + edits.count_additions()) as usize;
    if 2 * edited > input.before.len() + input.after.len() {
        return Default::default();
    }
    let run = |text, is_changed: &dyn Fn(u32) -> bool| {
        let mut runs: Vec<Words> = Vec::new();
        for (word, at) in words(text).zip(0..) {
            let changed = is_changed(at);
            match runs.last_mut().filter(|last| last.changed == changed) {
                Some(last) => last.text.push_str(word),
                None => runs.push(Words { text: word.to_owned(), changed }),
            }
        }
        runs
    };
    [run(old, &|at| edits.is_removed(at)), run(new, &|at| edits.is_added(at))]
}

/// Runs of letters and digits, runs of blanks, and every other character by itself.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let class = |c: char| (c.is_alphanumeric() || c == '_', c.is_whitespace());
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = match class(first) {
            (false, false) => first.len_utf8(),
            kind => rest.find(|c| class(c) != kind).unwrap_or(rest.len()),
        };
        let (word, more) = rest.split_at(end);
        rest = more;
        Some(word)
    })
}
