//! Applying a change: what the main specs become.
//!
//! All or nothing, and as values: [`apply`] gives every file as it will be, what was done and what somebody should
//! know, or all the reasons against it. The caller writes. Per capability the order is RENAMED, REMOVED, MODIFIED, ADDED,
//! and names match exactly; `capability` has these rules. What is there already counts as done, so that a change that
//! was applied by hand, or twice, does no harm.

mod capability;
mod result;

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;

use crate::{Base, ChangeFiles, Operation, Refusal, Refused, Source, parse_tasks};

pub(crate) use capability::contradictions;

/// What to let pass. By default nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Allow {
    /// Tasks that are not done.
    pub open_tasks: bool,
    /// Requirements that changed in the main spec since the change was written: the change overwrites them. Scenarios
    /// are not lost by this, see [`Problem::DropsScenarios`](crate::Problem::DropsScenarios).
    pub stale: bool,
}

/// A change, applied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Applied {
    pub change: String,
    /// Sorted by capability; those of which nothing changes are here, too.
    pub specs: Vec<AppliedSpec>,
}

/// What one main spec becomes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AppliedSpec {
    pub capability: String,
    /// None: the spec is new.
    #[serde(skip)]
    pub before: Option<Arc<str>>,
    /// None: the spec is retired, its file goes.
    #[serde(skip)]
    pub after: Option<Arc<str>>,
    pub fate: Fate,
    /// In the order in which it was done.
    pub steps: Vec<Step>,
    /// What somebody should know though it stops nothing.
    pub warnings: Vec<String>,
}

/// What happens to a spec file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    Created,
    Updated,
    /// It holds everything already, to the byte.
    Unchanged,
    Retired,
}

/// One operation of a delta.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    pub operation: Operation,
    /// Of a renamed one, the new name.
    pub requirement: String,
    /// Of a renamed one, the old name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The main spec was like this before.
    pub already_done: bool,
}

impl Applied {
    /// The files to write: capability and text; none where the file is to be deleted.
    pub fn writes(&self) -> impl Iterator<Item = (&str, Option<&Arc<str>>)> {
        self.specs
            .iter()
            .filter(|spec| spec.fate != Fate::Unchanged)
            .map(|spec| (&*spec.capability, spec.after.as_ref()))
    }

    /// Every warning, with the capability that it is about.
    pub fn warnings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.specs
            .iter()
            .flat_map(|spec| spec.warnings.iter().map(|warning| (&*spec.capability, &**warning)))
    }

    /// How many requirements really changed by `operation`.
    pub fn count(&self, operation: Operation) -> usize {
        let steps = self.specs.iter().flat_map(|spec| &spec.steps);
        steps.filter(|step| step.operation == operation && !step.already_done).count()
    }
}

/// Applies `change` to the main specs, given by capability. Nothing of it holds unless all of it does.
///
/// ```
/// use spox_core::*;
///
/// let main = [("auth".to_owned(), "# Auth\n\n## Purpose\n\nx\n\n## Requirements\n".into())].into();
/// let delta = "## ADDED Requirements\n\n### Requirement: Login\nIt SHALL let people in.\n";
/// let change = ChangeFiles {
///     id: "add-login".into(),
///     deltas: [("auth".to_owned(), delta.into())].into(),
///     ..ChangeFiles::default()
/// };
/// let applied = apply(&change, &main, Allow::default())?;
/// for (capability, text) in applied.writes() {
///     // Write it to the spec of `capability`, or delete that where there is no text; but only if the file
///     // still is what `AppliedSpec::before` says.
///     assert!(capability == "auth" && text.is_some_and(|text| text.ends_with("let people in.\n")));
/// }
/// # Ok::<_, Refused>(())
/// ```
pub fn apply(
    change: &ChangeFiles,
    main: &BTreeMap<String, Arc<str>>,
    allow: Allow,
) -> Result<Applied, Refused> {
    let mut reasons = Vec::new();
    reasons.extend(open_tasks(change).filter(|_| !allow.open_tasks));
    if change.deltas.is_empty() && change.stray.is_empty() {
        reasons.push(Refusal::NoDeltas { change: change.id.clone() });
    }
    reasons.extend(change.stray.iter().map(|file| Refusal::Stray { file: file.clone() }));
    let base = Base::of_change(change).unwrap_or_else(|reason| {
        reasons.push(reason);
        None
    });
    let base = base.as_ref().filter(|_| !allow.stale);

    let mut specs = Vec::with_capacity(change.deltas.len());
    for (capability, source) in &change.deltas {
        let text = match source {
            Source::Text(text) => text,
            Source::Unreadable(detail) => {
                reasons.push(Refusal::unreadable_delta(capability, detail));
                continue;
            }
        };
        match capability::apply(&change.id, capability, text, main.get(capability), base) {
            Ok(spec) => specs.push(spec),
            Err(against) => reasons.extend(against),
        }
    }
    Refused::unless_empty(reasons)?;
    Ok(Applied { change: change.id.clone(), specs })
}

fn open_tasks(change: &ChangeFiles) -> Option<Refusal> {
    let tasks = parse_tasks(change.tasks.as_ref()?.text()?);
    let open = tasks.total - tasks.completed;
    let refusal = Refusal::OpenTasks { change: change.id.clone(), open, total: tasks.total };
    (open > 0).then_some(refusal)
}
