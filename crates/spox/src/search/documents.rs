//! What can be found in a snapshot.

use spox_core::{Operation, ParsedRequirement};
use spox_search::{Content, Document, Requirement, Scenario};

use crate::project::Snapshot;

/// A document and where its heading stands.
pub(super) struct Placed {
    pub(super) document: Document,
    pub(super) line: Option<u32>,
}

/// The specs in their order, each with its purpose before its requirements; then what the active changes propose.
pub(super) fn of(snapshot: &Snapshot) -> Vec<Placed> {
    let mut all = Vec::new();
    for spec in &snapshot.specs {
        let (parsed, spec_id) = (spec.parsed(), &spec.file.id);
        let content =
            Content::Purpose { title: parsed.title.clone(), purpose: parsed.purpose.clone() };
        let document = Document { spec_id: spec_id.clone(), change_id: None, content };
        all.push(Placed { document, line: None });
        all.extend(parsed.requirements.iter().map(|found| placed(spec_id, None, found)));
    }
    for change in &snapshot.changes {
        for (spec_id, delta) in &change.parsed.deltas {
            let written = [Operation::Added, Operation::Modified];
            let items = delta.items.iter().filter(|item| written.contains(&item.operation));
            all.extend(
                items.map(|item| placed(spec_id, Some(&change.parsed.id), &item.requirement)),
            );
        }
    }
    all
}

fn placed(spec_id: &str, change_id: Option<&String>, found: &ParsedRequirement) -> Placed {
    let scenarios = found.scenarios.iter().map(|scenario| Scenario {
        name: scenario.name.clone(),
        clauses: scenario.conditions.iter().chain(&scenario.then_clauses).cloned().collect(),
    });
    let content = Content::Requirement(Requirement {
        name: found.name.clone(),
        description: found.description.clone(),
        scenarios: scenarios.collect(),
    });
    let document = Document { spec_id: spec_id.to_owned(), change_id: change_id.cloned(), content };
    Placed { document, line: Some(found.line) }
}
