//! Rules about a delta in its surroundings: C16 to C18 and C20 against the main spec, C19 against the other changes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::issue::{Severity, Sheet};
use crate::{
    base::Base,
    model::{
        ChangeFiles, Delta, DeltaItem, Operation, ParsedChange, ParsedRequirement, ParsedSpec,
        Source,
    },
    names::{did_you_mean, fold, nearest},
    text::{body, plain},
};

/// For so many unknown names the nearest one is looked for; each costs a look at every name of the main spec.
const MOST_LOOKED_UP: usize = 20;
const MOST_LISTED: usize = 10;

/// What a change is checked against.
#[derive(Debug, Clone, Default)]
pub struct Context<'a> {
    main: BTreeMap<&'a str, Option<Main<'a>>>,
    touches: Option<&'a Touches>,
}

/// A main spec.
#[derive(Debug, Clone, Copy)]
pub struct Main<'a> {
    pub text: &'a str,
    /// `text`, parsed.
    pub spec: &'a ParsedSpec,
}

impl<'a> Context<'a> {
    /// With the main specs by capability; none for one that is there but cannot be read.
    pub fn new(main: impl IntoIterator<Item = (&'a str, Option<Main<'a>>)>) -> Self {
        Self { main: main.into_iter().collect(), touches: None }
    }

    /// Also with what all active changes touch.
    #[must_use]
    pub fn with_changes(mut self, touches: &'a Touches) -> Self {
        self.touches = Some(touches);
        self
    }
}

/// Which active change touches which requirement.
#[derive(Debug, Clone, Default)]
pub struct Touches {
    by_requirement: HashMap<(String, String), Vec<Touch>>,
}

#[derive(Debug, Clone)]
struct Touch {
    change: String,
    /// Whether the requirement exists once that change is applied, and did not before.
    gives: bool,
}

impl Touches {
    /// Of all active changes; the one that is checked may be among them.
    pub fn of<'a>(changes: impl IntoIterator<Item = &'a ParsedChange>) -> Self {
        let mut touches = Self::default();
        for change in changes {
            for (capability, delta) in &change.deltas {
                for item in &delta.items {
                    touches.add(
                        &change.id,
                        capability,
                        &item.name,
                        item.operation == Operation::Added,
                    );
                    if let (Operation::Renamed, Some(to)) = (item.operation, &item.to) {
                        touches.add(&change.id, capability, to, true);
                    }
                }
            }
        }
        touches
    }

    fn add(&mut self, change: &str, capability: &str, name: &str, gives: bool) {
        let key = (capability.to_owned(), fold(name));
        let touch = Touch { change: change.to_owned(), gives };
        self.by_requirement.entry(key).or_default().push(touch);
    }

    /// The changes other than `own` that touch the requirement.
    fn others<'t>(
        &'t self,
        own: &'t str,
        capability: &str,
        name: &str,
    ) -> impl Iterator<Item = &'t Touch> {
        let key = (capability.to_owned(), fold(name));
        let found = self.by_requirement.get(&key).map_or(&[][..], Vec::as_slice);
        found.iter().filter(move |touch| touch.change != own)
    }
}

/// The fingerprints that lie with a change; none if there are none.
pub(super) fn base_of(files: &ChangeFiles) -> Result<Base, String> {
    match &files.base {
        None => Ok(Base::default()),
        Some(Source::Text(text)) => Base::from_json(text),
        Some(Source::Unreadable(reason)) => Err(reason.clone()),
    }
}

pub(super) fn check(
    sheet: &mut Sheet<'_>,
    change: &str,
    delta: &Delta,
    context: &Context<'_>,
    base: Option<&Base>,
) {
    if let Some(touches) = context.touches {
        concurrent(sheet, change, delta, touches);
    }
    let main = match context.main.get(delta.capability.as_str()) {
        Some(None) => return,
        Some(Some(main)) => Some(*main),
        None => None,
    };
    let mut check =
        Check { change, delta, main, names: Names::of(main, delta), context, looked_up: 0 };
    for item in delta.items.iter().filter(|item| !item.name.is_empty()) {
        match item.operation {
            Operation::Added => check.added(sheet, item),
            Operation::Modified => check.modified(sheet, item),
            Operation::Removed => {
                check.existing(sheet, item, &item.name);
            }
            Operation::Renamed => check.renamed(sheet, item),
        }
    }
    if let (Some(base), Some(main)) = (base, main) {
        check.drifted(sheet, main, base);
    }
}

/// C19
fn concurrent(sheet: &mut Sheet<'_>, change: &str, delta: &Delta, touches: &Touches) {
    for item in &delta.items {
        for name in [Some(&item.name), item.to.as_ref()].into_iter().flatten() {
            let others = touches.others(change, &delta.capability, name);
            let others: BTreeSet<_> = others.map(|touch| format!("\"{}\"", touch.change)).collect();
            if others.is_empty() {
                continue;
            }
            let others = others.into_iter().collect::<Vec<_>>().join(", ");
            sheet
                .warn("C19", format!("Requirement \"{name}\" is also modified by {others}"))
                .at(item.line, item.column)
                .fix("archive one change first, then rebase the other");
        }
    }
}

struct Check<'c> {
    change: &'c str,
    delta: &'c Delta,
    main: Option<Main<'c>>,
    names: Names<'c>,
    context: &'c Context<'c>,
    looked_up: usize,
}

impl Check<'_> {
    /// C17
    fn added(&self, sheet: &mut Sheet<'_>, item: &DeltaItem) {
        let Some(there) = self.names.folded(&item.name) else { return };
        // A rename in this change makes room for it.
        if self.names.taken_away.contains(there.name.as_str()) {
            return;
        }
        let same_name = there.name == item.name;
        if same_name
            && self.main.is_some_and(|main| same_text(&main.text[there.span.clone()], &item.block))
        {
            return;
        }
        let message =
            format!("ADDED requirement \"{}\" exists in the main spec already", item.name);
        sheet.error("C17", message).at(item.line, item.column).fix(if same_name {
            "put it under `## MODIFIED Requirements`, or give it another name".to_owned()
        } else {
            format!("the main spec has \"{}\": modify that one, or find another name", there.name)
        });
    }

    /// C16, C18
    fn modified(&mut self, sheet: &mut Sheet<'_>, item: &DeltaItem) {
        let name = self.names.origin(&item.name);
        let Some(there) = self.existing(sheet, item, name) else { return };
        let kept: HashSet<_> =
            item.scenarios.iter().chain(&item.removed_scenarios).map(|name| fold(name)).collect();
        let lost: Vec<_> = there
            .scenarios
            .iter()
            .filter(|scenario| !kept.contains(&fold(&scenario.name)))
            .map(|scenario| scenario.name.as_str())
            .collect();
        if let Some(first) = lost.first() {
            let message = format!(
                "MODIFIED requirement \"{}\" leaves out scenarios of the main spec, applying it would delete them: {}",
                item.name,
                listed(&lost)
            );
            sheet.error("C18", message).at(item.line, item.column).fix(format!(
                "copy them from the main spec, or write `**Removed scenario**: {first}` for each that shall go"
            ));
        }
    }

    fn renamed(&mut self, sheet: &mut Sheet<'_>, item: &DeltaItem) {
        let Some(to) = item.to.as_deref().filter(|to| !to.is_empty()) else { return };
        let is_chained = self.names.given.contains(item.name.as_str());
        let taken = self
            .names
            .folded(to)
            .filter(|there| !self.names.taken_away.contains(there.name.as_str()));
        let has_source = is_chained || self.names.exact.contains_key(item.name.as_str());
        match (has_source, taken) {
            (false, Some(there)) if there.name == to => {
                sheet
                    .warn(
                        "C16",
                        format!("Requirement \"{}\" is renamed to \"{to}\" already", item.name),
                    )
                    .at(item.line, item.column)
                    .fix("remove it from the delta");
            }
            (true, Some(there)) => {
                let message = format!(
                    "RENAMED requirement \"{}\" takes a name that the main spec has: \"{}\"",
                    item.name, there.name
                );
                sheet.error("C17", message).at(item.line, item.column).fix("find another name");
            }
            (true, None) => {}
            (false, _) => {
                self.existing(sheet, item, &item.name);
            }
        }
    }

    /// The requirement `name` of the main spec; C16 if there is none.
    fn existing(
        &mut self,
        sheet: &mut Sheet<'_>,
        item: &DeltaItem,
        name: &str,
    ) -> Option<&ParsedRequirement> {
        if !self.names.exact.contains_key(name) {
            self.missing(sheet, item, name);
        }
        self.names.exact.get(name).copied()
    }

    fn missing(&mut self, sheet: &mut Sheet<'_>, item: &DeltaItem, name: &str) {
        let capability = &self.delta.capability;
        let word = item.operation.word();
        let given_by = self.context.touches.and_then(|touches| {
            touches.others(self.change, capability, name).find(|touch| touch.gives)
        });
        if let Some(touch) = given_by {
            let message = format!(
                "{word} requirement \"{name}\" is not in the main spec yet, change \"{}\" adds it",
                touch.change
            );
            let fix = format!("archive \"{}\" first", touch.change);
            sheet.add(Severity::Warning, "C16", message).at(item.line, item.column).fix(fix);
            return;
        }
        let Some(main) = self.main else {
            sheet
                .error("C16", format!("{word} requirement \"{name}\": capability \"{capability}\" has no main spec"))
                .at(item.line, item.column)
                .fix("a new capability can only have `## ADDED Requirements`");
            return;
        };
        let issue = sheet
            .error("C16", format!("{word} requirement \"{name}\" does not exist in the main spec"));
        issue.at(item.line, item.column);
        let near = match self.names.folded(name) {
            Some(there) => vec![there.name.as_str()],
            None if self.looked_up < MOST_LOOKED_UP => {
                self.looked_up += 1;
                nearest(
                    name,
                    main.spec.requirements.iter().map(|requirement| requirement.name.as_str()),
                )
            }
            None => Vec::new(),
        };
        issue.fix(if near.is_empty() {
            "write the name as the main spec has it".to_owned()
        } else {
            did_you_mean(&near)
        });
    }

    /// C20
    fn drifted(&self, sheet: &mut Sheet<'_>, main: Main<'_>, base: &Base) {
        for item in self.delta.items.iter().filter(|item| item.operation != Operation::Added) {
            let name = self.names.origin(&item.name);
            let Some(there) = self.names.exact.get(name) else { continue };
            let print = base.get(&self.delta.capability, name);
            if print.is_some_and(|print| !print.matches(&main.text[there.span.clone()])) {
                sheet
                    .warn("C20", format!("Requirement \"{name}\" has changed in the main spec since this change was written"))
                    .at(item.line, item.column)
                    .fix(format!("run `spox change rebase {}`", self.change));
            }
        }
    }
}

/// The names of the main spec, and what the renames of a delta make of them.
struct Names<'a> {
    exact: HashMap<&'a str, &'a ParsedRequirement>,
    folded: HashMap<String, &'a ParsedRequirement>,
    /// The name in the main spec by the new name.
    origins: HashMap<&'a str, &'a str>,
    taken_away: HashSet<&'a str>,
    /// What the renames give, also for a while.
    given: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    fn of(main: Option<Main<'a>>, delta: &'a Delta) -> Self {
        let mut names = Self {
            exact: HashMap::new(),
            folded: HashMap::new(),
            origins: HashMap::new(),
            taken_away: HashSet::new(),
            given: HashSet::new(),
        };
        for requirement in main.into_iter().flat_map(|main| &main.spec.requirements) {
            names.exact.entry(&requirement.name).or_insert(requirement);
            names.folded.entry(fold(&requirement.name)).or_insert(requirement);
        }
        for item in delta.of(Operation::Renamed) {
            if let (Some(from), Some(to)) = (&item.from, &item.to) {
                // Renames follow each other: A → B and then B → C make C of A.
                let first = names.origins.remove(from.as_str()).unwrap_or(from);
                names.origins.insert(to, first);
                names.taken_away.insert(from);
                names.given.insert(to);
            }
        }
        names
    }

    fn folded(&self, name: &str) -> Option<&'a ParsedRequirement> {
        self.folded.get(&fold(name)).copied()
    }

    /// The name in the main spec of what the delta calls `name`. A rename onto a name that is taken (C17) changes nothing.
    fn origin<'n>(&self, name: &'n str) -> &'n str
    where
        'a: 'n,
    {
        if self.exact.contains_key(name) && !self.taken_away.contains(name) {
            return name;
        }
        self.origins.get(name).copied().unwrap_or(name)
    }
}

fn listed(names: &[&str]) -> String {
    let mut list: Vec<_> =
        names.iter().take(MOST_LISTED).map(|name| format!("\"{name}\"")).collect();
    if names.len() > MOST_LISTED {
        list.push(format!("and {} more", names.len() - MOST_LISTED));
    }
    list.join(", ")
}

/// Whether two blocks say the same below their headings.
fn same_text(one: &str, other: &str) -> bool {
    body(&plain(one)) == body(&plain(other))
}
