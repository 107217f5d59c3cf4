//! Rebasing a change: the main specs moved on, the deltas follow.
//!
//! For each requirement that the change touches and somebody else changed since, the three texts (`.base.json`, main spec,
//! delta) are merged scenario by scenario. The result is new text for the deltas and new fingerprints; what both sides
//! changed is told as [`Conflict`]s, with the texts. Start at [`rebase`]; the merge itself is in `merge`.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use serde::Serialize;

use crate::{
    Base, ChangeFiles, DeltaItem, Fingerprint, Operation, Refusal, Refused, Source,
    apply::contradictions,
    directive::spec_block,
    draft::Draft,
    fingerprints,
    merge::{Clash, Part, Resolve, merge},
    parse_delta,
    renames::Renames,
    text::{Break, body, content_end, plain},
};

/// A change that is up to date again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rebased {
    pub change: String,
    /// The deltas whose text changes, by capability.
    #[serde(skip)]
    pub deltas: BTreeMap<String, Arc<str>>,
    /// The new `.base.json`.
    #[serde(skip)]
    pub base: Base,
    /// Every requirement for which something was to be done.
    pub steps: Vec<RebaseStep>,
}

/// What rebasing did to one requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RebaseStep {
    pub capability: String,
    pub requirement: String,
    /// The parts that the main spec gave or took away.
    pub from_main: Vec<Part>,
    /// The parts that both sides changed and of which `resolve` chose one.
    pub resolved: Vec<Part>,
    /// There was no fingerprint, so nothing could be merged; from now on there is one.
    pub unknown_base: bool,
}

/// Something that both sides changed since the change was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conflict {
    pub capability: String,
    /// As the delta calls it.
    pub requirement: String,
    #[serde(flatten)]
    pub what: Disagreement,
    /// The text that the change was written against; none where there was none. Likewise the others.
    pub base: Option<String>,
    pub main: Option<String>,
    pub mine: Option<String>,
}

/// What two sides do not agree on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "conflict", rename_all = "snake_case")]
pub enum Disagreement {
    /// Both changed it.
    Changed { part: Part },
    /// The change removes what the main spec changed.
    Removed,
    /// The change modifies what the main spec no longer has; perhaps it has another name now.
    Gone { now: Option<String> },
    /// Both added a requirement of this name.
    Added,
}

impl Conflict {
    pub(crate) fn way_out(&self) -> &'static str {
        match self.what {
            Disagreement::Changed { .. } => {
                "write what shall hold into the delta and rebase for `mine`, or rebase for `main`"
            }
            Disagreement::Removed => {
                "rebase for `mine` to remove it all the same, or take it out of the delta"
            }
            Disagreement::Gone { now: Some(_) } => "write the new name in the delta",
            Disagreement::Gone { now: None } => {
                "put it under ADDED to bring it back, or take it out of the delta"
            }
            Disagreement::Added => "use MODIFIED with both texts, or another name",
        }
    }
}

impl std::fmt::Display for Conflict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` of `{}`: ", self.requirement, self.capability)?;
        match &self.what {
            Disagreement::Changed { part } => {
                write!(f, "{part} was changed both in this change and in the main spec")
            }
            Disagreement::Removed => {
                f.write_str("this change removes it, and it was changed in the main spec")
            }
            Disagreement::Gone { now: Some(now) } => {
                write!(f, "this change modifies it, and the main spec calls it `{now}` now")
            }
            Disagreement::Gone { now: None } => {
                f.write_str("this change modifies it, and it was removed from the main spec")
            }
            Disagreement::Added => {
                f.write_str("this change adds it, and so did the main spec with other words")
            }
        }
    }
}

/// Brings `change` up to date with the main specs. Without conflicts, or with `resolve` to settle them, it can be applied
/// afterwards as if it had been written today.
pub fn rebase(
    change: &ChangeFiles,
    main: &BTreeMap<String, Arc<str>>,
    resolve: Resolve,
) -> Result<Rebased, Refused> {
    let base =
        Base::of_change(change)?.ok_or_else(|| Refusal::NoBase { change: change.id.clone() })?;
    let mut rebased = change.clone();
    let (mut deltas, mut steps, mut reasons) = (BTreeMap::new(), Vec::new(), Vec::new());
    for (capability, source) in &change.deltas {
        let text = match source {
            Source::Text(text) => text,
            Source::Unreadable(detail) => {
                reasons.push(Refusal::unreadable_delta(capability, detail));
                continue;
            }
        };
        let mut work = Work {
            capability,
            base: &base,
            resolve,
            draft: main.get(capability).map(|text| Draft::cut(text)),
            edits: Vec::new(),
            steps: Vec::new(),
            reasons: Vec::new(),
        };
        let new = work.delta(text);
        steps.append(&mut work.steps);
        reasons.append(&mut work.reasons);
        if let Some(new) = new {
            rebased.deltas.insert(capability.clone(), Source::Text(Arc::clone(&new)));
            deltas.insert(capability.clone(), new);
        }
    }
    Refused::unless_empty(reasons)?;
    let base = fingerprints(&rebased, main, None);
    Ok(Rebased { change: change.id.clone(), deltas, base, steps })
}

/// One delta while it is rebased.
struct Work<'a> {
    capability: &'a str,
    base: &'a Base,
    resolve: Resolve,
    draft: Option<Draft<'a>>,
    edits: Vec<Edit>,
    steps: Vec<RebaseStep>,
    reasons: Vec<Refusal>,
}

/// A plain block that takes the place of an item's.
struct Edit {
    line: u32,
    span: Range<usize>,
    block: String,
}

impl Work<'_> {
    /// The new text of a delta; none if it stays as it is.
    fn delta(&mut self, text: &str) -> Option<Arc<str>> {
        let delta = parse_delta(self.capability, text);
        self.reasons = contradictions(&delta);
        if !self.reasons.is_empty() {
            return None;
        }
        let renames = Renames::of(&delta);
        for item in &delta.items {
            match item.operation {
                Operation::Added => self.added(item),
                Operation::Modified => self.modified(item, renames.origin(&item.name)),
                Operation::Removed => self.removed(item),
                // The block goes along whatever it says, so its text does not matter.
                Operation::Renamed => {}
            }
        }
        if self.edits.is_empty() || !self.reasons.is_empty() {
            return None;
        }
        let new = self.edited(text);
        if !self.holds(&delta.items, &new) {
            self.reasons.push(Refusal::Broken {
                capability: self.capability.to_owned(),
                detail: "the merged delta cannot be read; is a code block or comment left open?"
                    .into(),
            });
            return None;
        }
        Some(new.into())
    }

    fn added(&mut self, item: &DeltaItem) {
        let Some(main) = self.main_text(&[&item.name]) else { return };
        let mine = spec_block(item);
        if mine != main {
            self.conflict(item, Disagreement::Added, None, Some(main), Some(mine));
        }
    }

    fn removed(&mut self, item: &DeltaItem) {
        let Some(main) = self.main_text(&[&item.name]) else { return };
        let Some(print) = self.base.get(self.capability, &item.name) else {
            return self.step(item, Vec::new(), Vec::new(), true);
        };
        if print.matches(&main) {
            return;
        }
        if self.resolve == Resolve::Mine {
            return self.step(item, Vec::new(), vec![Part::Whole], false);
        }
        self.conflict(item, Disagreement::Removed, Some(print.text.clone()), Some(main), None);
    }

    fn modified(&mut self, item: &DeltaItem, origin: &str) {
        let print = self.base.get(self.capability, origin);
        let mine = spec_block(item);
        let Some(main) = self.main_text(&[origin, &item.name]) else {
            if let Some(print) = print {
                let now = self.now_called(print);
                let what = Disagreement::Gone { now };
                self.conflict(item, what, Some(print.text.clone()), None, Some(mine));
            }
            return;
        };
        let Some(print) = print else {
            return self.step(item, Vec::new(), Vec::new(), true);
        };
        if print.matches(&main) || body(&mine) == body(&main) {
            return;
        }
        let merged = merge(&print.text, &main, &mine, &item.removed_scenarios, self.resolve);
        if self.resolve == Resolve::Refuse && !merged.clashes.is_empty() {
            for Clash { part, base, main, mine } in merged.clashes {
                self.conflict(item, Disagreement::Changed { part }, base, main, mine);
            }
            return;
        }
        let resolved = merged.clashes.into_iter().map(|clash| clash.part).collect();
        self.step(item, merged.from_main, resolved, false);
        self.edits.push(Edit { line: item.line, span: item.span.clone(), block: merged.block });
    }

    /// What the main spec has under the first of `names` that it knows.
    fn main_text(&self, names: &[&str]) -> Option<String> {
        let draft = self.draft.as_ref()?;
        names.iter().find_map(|name| draft.only(name)).map(|block| plain(block.original))
    }

    /// What the main spec calls the requirement of the fingerprint now.
    fn now_called(&self, print: &Fingerprint) -> Option<String> {
        // Looks at the whole spec, so not for each of thousands.
        let draft = self.draft.as_ref().filter(|_| self.reasons.len() < 3)?;
        draft.named_now(print).map(str::to_owned)
    }

    fn conflict(
        &mut self,
        item: &DeltaItem,
        what: Disagreement,
        base: Option<String>,
        main: Option<String>,
        mine: Option<String>,
    ) {
        let (capability, requirement) = (self.capability.to_owned(), item.name.clone());
        let conflict = Conflict { capability, requirement, what, base, main, mine };
        self.reasons.push(Refusal::Conflict(Box::new(conflict)));
    }

    fn step(
        &mut self,
        item: &DeltaItem,
        from_main: Vec<Part>,
        resolved: Vec<Part>,
        unknown_base: bool,
    ) {
        let (capability, requirement) = (self.capability.to_owned(), item.name.clone());
        self.steps.push(RebaseStep { capability, requirement, from_main, resolved, unknown_base });
    }

    fn edited(&mut self, text: &str) -> String {
        self.edits.sort_by_key(|edit| edit.span.start);
        let breaks = Break::of(text);
        let mut new = String::with_capacity(text.len());
        let mut at = 0;
        for edit in &self.edits {
            new.push_str(&text[at..edit.span.start]);
            new.push_str(&breaks.write(&edit.block));
            at = content_end(text, edit.span.end);
        }
        new.push_str(&text[at..]);
        new
    }

    /// Whether `new` has the same items, and those that were merged say what was merged.
    fn holds(&self, items: &[DeltaItem], new: &str) -> bool {
        let found = parse_delta(self.capability, new).items;
        let edits: BTreeMap<u32, &str> =
            self.edits.iter().map(|edit| (edit.line, edit.block.as_str())).collect();
        found.len() == items.len()
            && items.iter().zip(&found).all(|(old, new)| {
                let same = (old.operation, &old.name, &old.from, &old.to)
                    == (new.operation, &new.name, &new.from, &new.to);
                let text = edits
                    .get(&old.line)
                    .map_or_else(|| plain(&old.block), |text| (*text).to_owned());
                same && plain(&new.block) == text
            })
    }
}
