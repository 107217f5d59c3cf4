//! One delta and its main spec.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{AppliedSpec, Fate, Step, result};
use crate::{
    Base, Delta, DeltaItem, Operation, Problem, Refusal,
    directive::{retires, spec_block},
    draft::{Draft, Found},
    lines,
    names::{fold, nearest},
    parse_delta, parse_spec,
    renames::Renames,
    text::{Break, plain},
};

/// For how many missing names near ones are looked for, and among how many.
const SUGGESTED: usize = 3;
const SUGGESTED_FROM: usize = 10_000;

/// Everything that the rules look at, and what they found out so far.
struct Work<'a> {
    capability: &'a str,
    delta: &'a Delta,
    renames: Renames<'a>,
    base: Option<&'a Base>,
    draft: Draft<'a>,
    steps: Vec<Step>,
    warnings: Vec<String>,
    against: Vec<Refusal>,
}

pub(super) fn apply(
    change: &str,
    capability: &str,
    delta_text: &str,
    main: Option<&Arc<str>>,
    base: Option<&Base>,
) -> Result<AppliedSpec, Vec<Refusal>> {
    let delta = &parse_delta(capability, delta_text);
    let against = contradictions(delta);
    if !against.is_empty() {
        return Err(against);
    }
    let retires = retires(delta_text);
    if main.is_none() {
        if retires && delta.items.iter().all(|item| item.operation == Operation::Removed) {
            return Ok(already_retired(delta));
        }
        let against = more_than_added(delta);
        if !against.is_empty() {
            return Err(against);
        }
    }
    let created = main.is_none().then(|| skeleton(change, delta, delta_text));
    let before = main.map_or_else(|| created.as_deref().unwrap_or_default(), |text| &**text);
    let mut work = Work {
        capability,
        delta,
        renames: Renames::of(delta),
        base,
        draft: Draft::cut(before),
        steps: Vec::with_capacity(delta.items.len()),
        warnings: Vec::new(),
        against: Vec::new(),
    };
    work.notice(main.is_some());
    work.renamed();
    work.removed();
    work.modified();
    work.added();
    work.finish(main, retires)
}

impl Work<'_> {
    /// What the delta holds that has no effect.
    fn notice(&mut self, main_exists: bool) {
        let Some(purpose) = self.delta.purpose.as_deref().filter(|text| !text.is_empty()) else {
            return;
        };
        if main_exists && purpose != self.draft.purpose {
            self.warnings
                .push("the delta's Purpose was not taken over: the spec has its own".into());
        }
    }

    fn renamed(&mut self) {
        for item in self.delta.of(Operation::Renamed) {
            let (Some(from), Some(to)) = (item.from.as_deref(), item.to.as_deref()) else {
                continue;
            };
            let already_done = match self.draft.find(from) {
                Found::One(at) => self.rename(at, from, to),
                Found::Twice(first, second) => {
                    self.refuse(from, Problem::Ambiguous { first, second })
                }
                Found::Spelled(exact) => {
                    // `Login` → `login` that was done before: what is spelled so is the target itself.
                    let done = exact == to && self.draft.only(to).is_some();
                    if done {
                        Some(true)
                    } else {
                        self.refuse(from, Problem::Spelling { operation: item.operation, exact })
                    }
                }
                Found::Nothing if self.draft.only(to).is_some() => Some(true),
                Found::Nothing => self.refuse_missing(item.operation, from),
            };
            self.step(item.operation, to, Some(from), already_done);
        }
    }

    fn rename(&mut self, at: usize, from: &str, to: &str) -> Option<bool> {
        if !matches!(self.draft.find(to), Found::Nothing | Found::Spelled(_)) {
            if self.renames.is_refilled(from, &self.draft) {
                return Some(true);
            }
            return self.refuse(to, Problem::Exists { operation: Operation::Renamed });
        }
        if let Some(exact) = self.draft.spelled(to, Some(at)) {
            return self.refuse(to, Problem::Spelling { operation: Operation::Renamed, exact });
        }
        if let Some(line) = self.draft.outside(to) {
            return self.refuse(to, Problem::Outside { line });
        }
        self.draft.rename(at, to);
        Some(false)
    }

    fn removed(&mut self) {
        for item in self.delta.of(Operation::Removed) {
            let name = item.name.as_str();
            let already_done = match self.draft.find(name) {
                Found::One(at) if self.is_stale(at, name) => {
                    self.refuse(name, Problem::Stale { operation: item.operation })
                }
                Found::One(at) => {
                    self.draft.remove(at);
                    Some(false)
                }
                Found::Twice(first, second) => {
                    self.refuse(name, Problem::Ambiguous { first, second })
                }
                Found::Spelled(exact) => {
                    self.refuse(name, Problem::Spelling { operation: item.operation, exact })
                }
                Found::Nothing => {
                    let warning = self.removed_before(name);
                    self.warnings.push(warning);
                    Some(true)
                }
            };
            self.step(item.operation, name, None, already_done);
        }
    }

    /// What to say of a requirement that is not there to be removed.
    fn removed_before(&self, name: &str) -> String {
        let print = self.base.and_then(|base| base.get(self.capability, name));
        let print = print.filter(|_| self.warnings.len() < SUGGESTED);
        match print.and_then(|print| self.draft.named_now(print)) {
            Some(now) => format!(
                "REMOVED `{name}` is not in the spec, but `{now}` says the same and stays: was it renamed?"
            ),
            None => format!("REMOVED `{name}` is not in the spec: taken as removed before"),
        }
    }

    fn modified(&mut self) {
        for item in self.delta.of(Operation::Modified) {
            let name = item.name.as_str();
            let already_done = match self.draft.find(name) {
                Found::One(at) => self.modify(at, item),
                Found::Twice(first, second) => {
                    self.refuse(name, Problem::Ambiguous { first, second })
                }
                Found::Spelled(exact) => {
                    self.refuse(name, Problem::Spelling { operation: item.operation, exact })
                }
                Found::Nothing => self.refuse_missing(item.operation, name),
            };
            self.step(item.operation, name, None, already_done);
        }
    }

    fn modify(&mut self, at: usize, item: &DeltaItem) -> Option<bool> {
        let new = spec_block(item);
        let block = self.draft.block(at);
        if plain(&block.text) == new {
            return Some(true);
        }
        if self.is_stale(at, self.renames.origin(&item.name)) {
            return self.refuse(&item.name, Problem::Stale { operation: item.operation });
        }
        let (dropped, idle) = dropped_scenarios(&block.scenarios, item);
        self.warnings.extend(idle.into_iter().map(|scenario| {
            format!(
                "`{}`: `**Removed scenario**: {scenario}` has no effect, since no scenario of that name goes",
                item.name
            )
        }));
        if !dropped.is_empty() {
            return self.refuse(&item.name, Problem::DropsScenarios { scenarios: dropped });
        }
        self.draft.replace(at, &new);
        Some(false)
    }

    fn added(&mut self) {
        for item in self.delta.of(Operation::Added) {
            let name = item.name.as_str();
            let already_done = match self.draft.find(name) {
                Found::One(at) if plain(&self.draft.block(at).text) == spec_block(item) => {
                    Some(true)
                }
                Found::One(_) => self.refuse(name, Problem::Exists { operation: item.operation }),
                Found::Twice(first, second) => {
                    self.refuse(name, Problem::Ambiguous { first, second })
                }
                Found::Spelled(exact) => {
                    self.refuse(name, Problem::Spelling { operation: item.operation, exact })
                }
                Found::Nothing => self.add(item),
            };
            self.step(item.operation, name, None, already_done);
        }
    }

    fn add(&mut self, item: &DeltaItem) -> Option<bool> {
        if let Some(line) = self.draft.outside(&item.name) {
            return self.refuse(&item.name, Problem::Outside { line });
        }
        self.draft.append(&item.name, &spec_block(item));
        Some(false)
    }

    fn finish(
        mut self,
        main: Option<&Arc<str>>,
        retires: bool,
    ) -> Result<AppliedSpec, Vec<Refusal>> {
        let (fate, after) = if retires {
            self.retire(main)
        } else if main.is_some() && self.steps.iter().all(|step| step.already_done) {
            (Fate::Unchanged, main.cloned())
        } else {
            if self.draft.requirements().next().is_none() {
                self.warnings.push(
                    "the last requirement is gone and the spec stays; to retire it, write `**Retired capability**: <reason>` in the delta"
                        .into(),
                );
            }
            if !self.draft.has_heading() {
                self.warnings.push("the spec had no Requirements section and got one".into());
            }
            (
                if main.is_some() { Fate::Updated } else { Fate::Created },
                Some(self.draft.render().into()),
            )
        };
        if self.against.is_empty()
            && let (Fate::Created | Fate::Updated, Some(after)) = (fate, &after)
        {
            self.against =
                result::check(self.capability, main.map(|text| &**text), after, &self.draft);
        }
        if !self.against.is_empty() {
            return Err(self.against);
        }
        Ok(AppliedSpec {
            capability: self.capability.to_owned(),
            before: main.cloned(),
            after,
            fate,
            steps: self.steps,
            warnings: self.warnings,
        })
    }

    fn retire(&mut self, main: Option<&Arc<str>>) -> (Fate, Option<Arc<str>>) {
        let requirements: Vec<String> =
            self.draft.requirements().map(|(name, _)| name.to_owned()).collect();
        if !requirements.is_empty() {
            let capability = self.capability.to_owned();
            self.against.push(Refusal::StillHolds { capability, requirements });
        }
        if let Some(main) = main {
            self.warnings.extend(result::lost_with(&parse_spec("", main)));
        }
        (Fate::Retired, None)
    }

    fn step(
        &mut self,
        operation: Operation,
        requirement: &str,
        from: Option<&str>,
        already_done: Option<bool>,
    ) {
        // None: refused, and `against` knows why.
        let Some(already_done) = already_done else { return };
        let (requirement, from) = (requirement.to_owned(), from.map(str::to_owned));
        self.steps.push(Step { operation, requirement, from, already_done });
    }

    /// Whether the main requirement is no longer what the author of the change saw.
    fn is_stale(&self, at: usize, origin: &str) -> bool {
        let print = self.base.and_then(|base| base.get(self.capability, origin));
        print.is_some_and(|print| !print.matches(self.draft.block(at).original))
    }

    fn refuse(&mut self, name: &str, problem: Problem) -> Option<bool> {
        self.against.push(refusal(self.capability, name, problem));
        None
    }

    fn refuse_missing(&mut self, operation: Operation, name: &str) -> Option<bool> {
        // Looks at every name of the spec, so not for each of thousands of mistakes.
        let mut near = Vec::new();
        if self.against.len() < SUGGESTED {
            let names = self.draft.requirements().map(|(name, _)| name).take(SUGGESTED_FROM);
            near.extend(nearest(name, names).into_iter().map(str::to_owned));
        }
        self.refuse(name, Problem::Missing { operation, nearest: near })
    }
}

/// What is wrong with a delta whatever the main spec says (C14, C15).
pub(crate) fn contradictions(delta: &Delta) -> Vec<Refusal> {
    let capability = &delta.capability;
    let mut against = invisible(delta);
    if delta.items.is_empty() {
        against.push(Refusal::EmptyDelta { capability: capability.clone() });
    }
    against.extend(delta.items.iter().filter_map(|item| incomplete(capability, item)));
    let mut refuse = |name: &str, problem| against.push(refusal(capability, name, problem));

    let mut named: HashMap<&str, Operation> = HashMap::with_capacity(delta.items.len());
    for item in &delta.items {
        let (name, operation) = (item.name.as_str(), item.operation);
        if operation == Operation::Renamed {
            continue;
        }
        match named.insert(name, operation) {
            Some(first) if first == operation => refuse(name, Problem::Twice { operation }),
            Some(first) => refuse(name, Problem::TwoOperations { first, second: operation }),
            None => {}
        }
    }
    let (mut sources, mut targets) = (HashSet::new(), HashSet::new());
    for item in delta.of(Operation::Renamed) {
        let (Some(from), Some(to)) = (item.from.as_deref(), item.to.as_deref()) else { continue };
        let operation = Operation::Renamed;
        for (seen, name) in [(&mut sources, from), (&mut targets, to)] {
            if !seen.insert(name) {
                refuse(name, Problem::Twice { operation });
            }
        }
        match named.get(from) {
            Some(Operation::Modified) => refuse(from, Problem::OldName { to: to.to_owned() }),
            Some(Operation::Removed) => {
                refuse(
                    from,
                    Problem::TwoOperations { first: Operation::Removed, second: operation },
                );
            }
            _ => {}
        }
        if let Some(&first @ (Operation::Added | Operation::Removed)) = named.get(to) {
            refuse(to, Problem::TwoOperations { first, second: operation });
        }
    }
    against
}

/// What the author wrote and nobody reads: it would be lost without a word.
fn invisible(delta: &Delta) -> Vec<Refusal> {
    let notes = &delta.notes;
    let outside = notes.outside.iter().map(|remark| {
        (remark.line, format!("requirement `{}` is below none of the delta headings", remark.text))
    });
    let hidden = notes.open_fence.filter(|(_, hidden)| *hidden > 0).map(|(line, hidden)| {
        (line, format!("a code block is never closed and hides {hidden} headings"))
    });
    let refuse =
        |(line, detail)| Refusal::BadItem { capability: delta.capability.clone(), line, detail };
    outside.chain(hidden).map(refuse).collect()
}

fn incomplete(capability: &str, item: &DeltaItem) -> Option<Refusal> {
    let detail = match (item.operation, item.from.as_deref(), item.to.as_deref()) {
        (Operation::Renamed, None | Some(""), _) => {
            format!("RENAMED to `{}` without FROM", item.name)
        }
        (Operation::Renamed, _, None | Some("")) => {
            format!("RENAMED from `{}` without TO", item.name)
        }
        (Operation::Renamed, from, to) if from == to => {
            format!("RENAMED `{}` keeps its name", item.name)
        }
        (operation, ..) if item.name.is_empty() => format!("{} without a name", operation.word()),
        _ => return None,
    };
    Some(Refusal::BadItem { capability: capability.to_owned(), line: item.line, detail })
}

fn more_than_added(delta: &Delta) -> Vec<Refusal> {
    let others = delta.items.iter().filter(|item| item.operation != Operation::Added);
    others
        .map(|item| {
            let problem = Problem::OnlyAdded { operation: item.operation };
            refusal(&delta.capability, &item.name, problem)
        })
        .collect()
}

fn already_retired(delta: &Delta) -> AppliedSpec {
    let step = |item: &DeltaItem| Step {
        operation: item.operation,
        requirement: item.name.clone(),
        from: None,
        already_done: true,
    };
    AppliedSpec {
        capability: delta.capability.clone(),
        before: None,
        after: None,
        fate: Fate::Unchanged,
        steps: delta.items.iter().map(step).collect(),
        warnings: vec!["there is no such spec: taken as retired before".into()],
    }
}

/// A spec without requirements, to which the first ones are added.
fn skeleton(change: &str, delta: &Delta, delta_text: &str) -> String {
    let capability = &delta.capability;
    let purpose = purpose(delta, delta_text).unwrap_or_else(|| {
        format!(
            "TBD: this spec was created by change `{change}`. Say here what {capability} is for."
        )
    });
    let text =
        format!("# {capability} Specification\n\n## Purpose\n\n{purpose}\n\n## Requirements\n");
    Break::of(delta_text).write(&text)
}

/// The text below `## Purpose` as its author laid it out.
fn purpose(delta: &Delta, text: &str) -> Option<String> {
    delta.purpose.as_deref().filter(|purpose| !purpose.is_empty())?;
    let mut sections = delta.sections.iter();
    let from = sections.find(|section| section.name.eq_ignore_ascii_case("purpose"))?.line;
    let to = sections.next().map_or(u32::MAX, |next| next.line);
    let span = lines(text)
        .filter(|line| line.number > from && line.number < to)
        .map(|line| line.span)
        .reduce(|first, last| first.start..last.end)?;
    Some(plain(text[span].trim_start_matches(['\n', '\r'])))
}

/// Scenarios that `item` would delete though it does not say so, and those that it says it deletes and does not.
fn dropped_scenarios(current: &[String], item: &DeltaItem) -> (Vec<String>, Vec<String>) {
    // Counted, since a name may occur twice: one of two that goes is a loss, too.
    let mut kept = counts(&item.scenarios);
    let mut allowed = counts(&item.removed_scenarios);
    let mut take = |name: &str| {
        let name = fold(name);
        [&mut kept, &mut allowed].into_iter().any(|counts| match counts.get_mut(&name) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        })
    };
    let dropped = current.iter().filter(|name| !take(name)).cloned().collect();
    let idle = item.removed_scenarios.iter().filter(|name| allowed.get(&fold(name)) != Some(&0));
    (dropped, idle.cloned().collect())
}

fn counts(names: &[String]) -> HashMap<String, usize> {
    let mut counts = HashMap::with_capacity(names.len());
    for name in names {
        *counts.entry(fold(name)).or_default() += 1;
    }
    counts
}

fn refusal(capability: &str, requirement: &str, problem: Problem) -> Refusal {
    let (capability, requirement) = (capability.to_owned(), requirement.to_owned());
    Refusal::Requirement { capability, requirement, problem }
}
