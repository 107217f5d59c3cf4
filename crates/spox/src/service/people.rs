//! The same specs and changes as pages show them: whole, with what validation says of them.

use serde::Serialize;
use serde_json::{Map, Value, json};
use spox_core::{Operation, ParsedRequirement, ParsedScenario, Report};

use kit_core::Fault as _;

use super::Service;
use crate::{
    Error,
    project::{Change, Snapshot},
    wire::Finding,
};

impl Service {
    /// The project as a whole; a folder that is none yet says how to make one.
    pub fn overview(&self) -> Value {
        let version = env!("CARGO_PKG_VERSION");
        match self.snapshot() {
            Ok(snapshot) => json!({
                "name": snapshot.project.name(),
                "configured": true,
                "specs": snapshot.specs.len(),
                "changes": snapshot.changes.len(),
                "index": self.index_state(&snapshot),
                "revision": snapshot.revision,
                "version": version,
            }),
            Err(error) => {
                let folder = self.place().folder().file_name().unwrap_or_default();
                json!({
                    "name": folder.to_string_lossy(),
                    "configured": false,
                    "problem": error.report(),
                    "specs": 0,
                    "changes": 0,
                    "index": {"state": "none"},
                    "revision": 0,
                    "version": version,
                })
            }
        }
    }

    /// All specs, with how many findings each has.
    pub fn specs_for_people(&self) -> Result<Value, Error> {
        let snapshot = self.snapshot()?;
        let spec = |spec: &std::sync::Arc<crate::project::Spec>| {
            let parsed = spec.parsed();
            let (errors, warnings) = counts(snapshot.spec_report(&parsed.id));
            json!({
                "id": parsed.id, "title": parsed.title, "purpose": parsed.purpose,
                "requirement_count": parsed.requirements.len(),
                "scenario_count": parsed.scenario_count(),
                "errors": errors, "warnings": warnings,
            })
        };
        Ok(json!({"specs": snapshot.specs.iter().map(spec).collect::<Vec<_>>()}))
    }

    /// One spec, whole.
    pub fn spec_for_people(&self, id: &str) -> Result<Value, Error> {
        let snapshot = self.snapshot()?;
        let spec = snapshot.named_spec(id)?;
        let parsed = spec.parsed();
        let checked = self.check_specs(Some(&spec.file.id))?;
        Ok(json!({
            "id": parsed.id, "title": parsed.title, "purpose": parsed.purpose, "path": spec.file.path,
            "requirements": parsed.requirements.iter().map(requirement).collect::<Vec<_>>(),
            "issues": findings(checked.first().map(|checked| &checked.report)),
            "text": spec.file.source.text().unwrap_or_default(),
        }))
    }

    /// All active changes, with what they touch and how many findings each has.
    pub fn changes_for_people(&self) -> Result<Value, Error> {
        let snapshot = self.snapshot()?;
        let change = |change: &std::sync::Arc<Change>| {
            let parsed = &change.parsed;
            let (errors, warnings) = counts(snapshot.change_report(&parsed.id));
            json!({
                "id": parsed.id, "title": parsed.title, "task_progress": change.progress(),
                "breaking": parsed.breaking(), "approved": change.approval.is_some(),
                "deltas": deltas(change), "errors": errors, "warnings": warnings,
            })
        };
        Ok(json!({"changes": snapshot.changes.iter().map(change).collect::<Vec<_>>()}))
    }

    /// One change, whole.
    pub fn change_for_people(&self, id: &str) -> Result<Value, Error> {
        let snapshot = self.snapshot()?;
        let change = snapshot.named_change(id)?;
        let parsed = &change.parsed;
        let mut whole = json!({
            "change_id": parsed.id, "title": parsed.title, "breaking": parsed.breaking(),
            "proposal": parsed.proposal.clone().unwrap_or_default(), "tasks": parsed.tasks, "deltas": parsed.deltas,
            "issues": findings(snapshot.change_report(&parsed.id)),
        });
        let parts =
            [("design", json_of(&parsed.design)), ("verification", json_of(&parsed.verification))];
        let parts = parts.into_iter().chain([("approved", json_of(&change.approved()))]);
        for (name, value) in parts.filter(|(_, value)| !value.is_null()) {
            whole[name] = value;
        }
        Ok(whole)
    }
}

fn json_of(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn requirement(requirement: &ParsedRequirement) -> Value {
    let scenario = |scenario: &ParsedScenario| {
        json!({
            "name": scenario.name, "when": scenario.when_clause, "conditions": scenario.conditions,
            "then": scenario.then_clauses, "line": scenario.line,
        })
    };
    json!({
        "name": requirement.name, "description": requirement.description, "line": requirement.line,
        "scenarios": requirement.scenarios.iter().map(scenario).collect::<Vec<_>>(),
    })
}

/// How many requirements a change adds, modifies, removes and renames, by capability.
fn deltas(change: &Change) -> Map<String, Value> {
    let delta = |(id, delta): (&String, &spox_core::Delta)| {
        let count = |operation| delta.of(operation).count();
        let counts = json!({
            "added": count(Operation::Added), "modified": count(Operation::Modified),
            "removed": count(Operation::Removed), "renamed": count(Operation::Renamed),
        });
        (id.clone(), counts)
    };
    change.parsed.deltas.iter().map(delta).collect()
}

fn counts(report: Option<&Report>) -> (usize, usize) {
    report.map_or((0, 0), |report| (report.errors().count(), report.warnings().count()))
}

fn findings(report: Option<&Report>) -> Vec<Finding> {
    report.into_iter().flat_map(|report| &report.issues).map(Finding::from).collect()
}

impl Snapshot {
    /// Where the mission of the project is written down, if it is.
    pub fn mission(&self) -> std::path::PathBuf {
        self.project.specs().join("mission.md")
    }
}
