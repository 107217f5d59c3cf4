//! Specs and changes, read.

use std::sync::Arc;

use spox_core::{
    ChangeSection as Section, Outline, ParsedRequirement, ParsedSpec,
    names::{Found, find},
};

use super::Service;
use crate::{
    Error,
    project::{Change, Snapshot, Spec},
    wire,
};

impl Service {
    /// All specs, by id.
    pub fn list_specs(&self) -> Result<wire::SpecList, Error> {
        let snapshot = self.snapshot()?;
        let summary = |(id, spec): (&str, &Outline)| wire::SpecSummary {
            id: id.to_owned(),
            title: spec.title.clone(),
            purpose: spec.purpose.clone(),
            requirement_count: spec.requirements,
        };
        Ok(wire::SpecList { specs: snapshot.outlines().into_iter().map(summary).collect() })
    }

    /// The names of a spec's requirements.
    pub fn spec_requirements(&self, spec_id: &str) -> Result<wire::SpecRequirements, Error> {
        let snapshot = self.snapshot()?;
        let spec = snapshot.named_spec(spec_id)?.parsed();
        let summary = |requirement: &ParsedRequirement| wire::RequirementSummary {
            name: requirement.name.clone(),
            scenario_count: requirement.scenarios.len(),
            line: requirement.line,
        };
        Ok(wire::SpecRequirements {
            spec_id: spec.id.clone(),
            requirements: spec.requirements.iter().map(summary).collect(),
        })
    }

    /// A scenario; without a name, the first of the requirement.
    pub fn scenario(
        &self,
        spec_id: &str,
        requirement: &str,
        scenario: Option<&str>,
    ) -> Result<wire::ScenarioFound, Error> {
        let snapshot = self.snapshot()?;
        let spec = snapshot.named_spec(spec_id)?.parsed();
        let requirement = named_requirement(spec, requirement)?;
        let names = || requirement.scenarios.iter().map(|scenario| scenario.name.as_str());
        let at = match scenario {
            Some(name) => at(name, names()).map_err(|near| Error::UnknownScenario {
                requirement: requirement.name.clone(),
                name: name.to_owned(),
                near,
            })?,
            None => 0,
        };
        let scenario = requirement.scenarios.get(at);
        let scenario =
            scenario.ok_or_else(|| Error::NoScenarios { requirement: requirement.name.clone() })?;
        Ok(wire::ScenarioFound {
            spec_id: spec.id.clone(),
            requirement: requirement.name.clone(),
            requirement_description: requirement.description.clone(),
            name: scenario.name.clone(),
            when: scenario.when_clause.clone(),
            then: scenario.then_clauses.clone(),
            scenario_name: scenario.name.clone(),
            when_clause: scenario.when_clause.clone(),
            then_clauses: scenario.then_clauses.clone(),
            conditions: scenario.conditions.clone(),
            line: scenario.line,
        })
    }

    /// All active changes, by id.
    pub fn list_changes(&self) -> Result<wire::ChangeList, Error> {
        let snapshot = self.snapshot()?;
        let summary = |change: &Arc<Change>| wire::ChangeSummary {
            id: change.parsed.id.clone(),
            title: change.parsed.title.clone(),
            task_progress: change.progress(),
            breaking: change.parsed.breaking(),
            approved: change.approval.is_some(),
        };
        Ok(wire::ChangeList { changes: snapshot.changes.iter().map(summary).collect() })
    }

    /// A change, whole or one section of it.
    pub fn change(&self, id: &str, section: Option<Section>) -> Result<wire::ChangeFound, Error> {
        let snapshot = self.snapshot()?;
        snapshot.named_change(id)?.found(section)
    }
}

impl Snapshot {
    /// The spec with this id, or one whose id differs only in case.
    pub fn named_spec(&self, id: &str) -> Result<&Arc<Spec>, Error> {
        let ids = self.specs.iter().map(|spec| spec.file.id.as_str());
        match at(id, ids) {
            Ok(at) => Ok(&self.specs[at]),
            Err(near) => Err(Error::UnknownSpec { id: id.to_owned(), near }),
        }
    }

    /// The change with this id, or one whose id differs only in case.
    pub fn named_change(&self, id: &str) -> Result<&Arc<Change>, Error> {
        let ids = self.changes.iter().map(|change| change.files.id.as_str());
        match at(id, ids) {
            Ok(at) => Ok(&self.changes[at]),
            Err(near) => Err(Error::UnknownChange { id: id.to_owned(), near }),
        }
    }
}

/// The requirement of a spec with this name, or the only one that is nearly called so.
pub(crate) fn named_requirement<'a>(
    spec: &'a ParsedSpec,
    name: &str,
) -> Result<&'a ParsedRequirement, Error> {
    let names = spec.requirements.iter().map(|requirement| requirement.name.as_str());
    match at(name, names) {
        Ok(at) => Ok(&spec.requirements[at]),
        Err(near) => {
            Err(Error::UnknownRequirement { spec: spec.id.clone(), name: name.to_owned(), near })
        }
    }
}

/// Where a name stands among names, or those that come near.
fn at<'a, I>(name: &str, names: I) -> Result<usize, Vec<String>>
where
    I: IntoIterator<Item = &'a str>,
    I::IntoIter: Clone,
{
    match find(name, names) {
        Found::Exact(at) | Found::Folded(at) => Ok(at),
        Found::Missing(near) => Err(near),
    }
}

impl Change {
    pub fn progress(&self) -> wire::TaskProgress {
        let tasks = &self.parsed.tasks;
        wire::TaskProgress { completed: tasks.completed, total: tasks.total }
    }

    fn found(&self, section: Option<Section>) -> Result<wire::ChangeFound, Error> {
        let wants = |part| section.is_none_or(|section| section == part);
        let parsed = &self.parsed;
        let proposal = || {
            let missing = || Error::NoProposal { id: parsed.id.clone() };
            parsed.proposal.as_ref().map(wire::Proposal::from).ok_or_else(missing)
        };
        let deltas = || {
            let item = |(id, delta): (&String, _)| (id.clone(), wire::Delta::from(delta));
            parsed.deltas.iter().map(item).collect()
        };
        Ok(wire::ChangeFound {
            change_id: parsed.id.clone(),
            title: section.is_none().then(|| parsed.title.clone()),
            proposal: wants(Section::Proposal).then(proposal).transpose()?,
            tasks: wants(Section::Tasks).then(|| wire::Tasks::from(&parsed.tasks)),
            design: parsed.design.clone().filter(|_| wants(Section::Design)),
            deltas: wants(Section::Deltas).then(deltas),
        })
    }
}

impl From<&spox_core::Proposal> for wire::Proposal {
    fn from(proposal: &spox_core::Proposal) -> Self {
        Self {
            why: proposal.why.clone(),
            what_changes: proposal.what_changes.clone(),
            impact: proposal.impact.clone(),
        }
    }
}

impl From<&spox_core::Tasks> for wire::Tasks {
    fn from(tasks: &spox_core::Tasks) -> Self {
        let content = tasks.content.clone();
        Self { content, completed: tasks.completed, total: tasks.total }
    }
}

impl From<&spox_core::Delta> for wire::Delta {
    fn from(delta: &spox_core::Delta) -> Self {
        let item = |item: &spox_core::DeltaItem| wire::DeltaItem {
            operation: item.operation.into(),
            name: item.name.clone(),
            text: item.text.clone(),
            scenarios: item.scenarios.clone(),
            from: item.from.clone(),
            to: item.to.clone(),
        };
        let items = delta.items.iter().map(item).collect();
        Self { capability: delta.capability.clone(), items }
    }
}
