//! What is wrong with a view definition.
//!
//! [`audit_view`] reads the text once and asks each element and attribute in turn. Findings say what to write instead; where
//! something is only unusual, nothing is said. With [`Types`] it also knows which fields and methods there are.

mod attributes;
mod elements;
mod fields;
mod paths;

use std::collections::BTreeMap;

use crate::finding::{self, Finding};
use crate::html::{Element, Fault, Node, Place, parse};
use crate::types::Types;

/// What is known beside the text of the view.
#[derive(Debug, Clone, Copy, Default)]
pub struct ViewContext<'a> {
    /// The type it is for; with `types`, its paths are checked against the fields and methods of it.
    pub type_name: Option<&'a str>,
    pub types: Option<&'a Types>,
}

/// More than these are not told: whoever has so many mends the first and asks again.
pub const MAX_FINDINGS: usize = 100;

/// Checks the text of a view definition.
pub fn audit_view(source: &str, context: ViewContext<'_>) -> Vec<Finding> {
    let parsed = parse(source);
    let mut audit = Audit { context, findings: Vec::new(), ids: BTreeMap::new() };
    audit.findings.extend(parsed.faults.iter().map(of_fault));
    if parsed.nodes.iter().all(Node::is_blank) && audit.findings.is_empty() {
        audit.findings.push(Finding::warning("empty-view", Place::START, "the view shows nothing"));
    }
    audit.nodes(&parsed.nodes);
    let mut findings = audit.findings;
    finding::sort(&mut findings);
    findings.truncate(MAX_FINDINGS);
    findings
}

fn of_fault(fault: &Fault) -> Finding {
    let text = fault.kind.to_string();
    let finding = if fault.kind.is_error() {
        Finding::error(fault.kind.code(), fault.at, text)
    } else {
        Finding::warning(fault.kind.code(), fault.at, text)
    };
    finding.fix(fault.kind.fix())
}

struct Audit<'a> {
    context: ViewContext<'a>,
    findings: Vec<Finding>,
    /// Where each id was seen first.
    ids: BTreeMap<String, Place>,
}

impl Audit<'_> {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Text(text) => self.text(text),
                Node::Element(element) => {
                    self.element(element);
                    self.attributes(element);
                    if !crate::html::is_raw(&element.name) {
                        self.nodes(&element.children);
                    }
                }
            }
        }
    }

    fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    fn id(&mut self, element: &Element) {
        let Some(attribute) = element.attributes.iter().find(|a| a.name == "id") else { return };
        if let Some(first) = self.ids.get(&attribute.value) {
            let message =
                format!("id `{}` is taken by the element on line {}", attribute.value, first.line);
            let finding = Finding::warning("duplicate-id", attribute.value_at, message);
            self.add(
                finding.fix("use a class, or leave the id out: the page gives each element one"),
            );
        } else {
            self.ids.insert(attribute.value.clone(), attribute.value_at);
        }
    }
}

#[cfg(test)]
mod tests;
