//! Checks of an element as a whole, and of texts.

use super::Audit;
use crate::finding::Finding;
use crate::html::{Element, Node, Text, is_void};
use crate::known;

impl Audit<'_> {
    pub(super) fn element(&mut self, element: &Element) {
        self.id(element);
        self.component(element);
        self.view(element);
    }

    fn component(&mut self, element: &Element) {
        let name = &element.name;
        if !name.starts_with("sl-") || known::is_component(name) {
            return;
        }
        let short = &name["sl-".len()..];
        let near = known::nearest(short, known::COMPONENTS)
            .map(|near| format!("did you mean `<sl-{near}>`?"));
        let finding = Finding::error(
            "unknown-component",
            element.at,
            format!("Shoelace has no element `<{name}>`"),
        );
        self.add(finding.maybe_fix(near));
    }

    /// An element with `ui-view` is replaced; one with `ui-viewlist` has a pattern inside at most.
    fn view(&mut self, element: &Element) {
        let content = element.children.iter().find(|node| !node.is_blank());
        if element.has("ui-view") {
            if let Some(node) = content {
                let at = place(node);
                let finding = Finding::warning(
                    "view-content",
                    at,
                    "what stands inside an element with `ui-view` is replaced by the view",
                );
                self.add(finding.fix("put it before or after the element"));
            }
            for other in
                ["ui-value", "ui-text", "ui-html", "ui-content", "ui-viewlist", "ui-action"]
            {
                if let Some(attribute) = element.attributes.iter().find(|a| a.name == other) {
                    let message =
                        format!("`{other}` has no effect here: `ui-view` replaces the element");
                    let finding = Finding::error("view-with-binding", attribute.at, message);
                    self.add(finding.fix(format!(
                        "put `{other}` on an element around it, or into the view of the object"
                    )));
                }
            }
        }
        if (element.has("ui-view") || element.has("ui-viewlist")) && is_void(&element.name) {
            let message = format!("`<{}>` has no content that could be replaced", element.name);
            self.add(Finding::error("view-in-void", element.at, message).fix("use a `<div>`"));
        }
    }

    pub(super) fn text(&mut self, text: &Text) {
        let Some(open) = text.value.find("{{").filter(|open| text.value[*open..].contains("}}"))
        else {
            return;
        };
        let inner = &text.value[open + 2..];
        let path = inner[..inner.find("}}").unwrap_or(0)].trim();
        let finding = Finding::error(
            "foreign-syntax",
            text.at,
            format!("`{{{{{path}}}}}` is shown as it stands: there are no expressions in texts"),
        );
        self.add(finding.fix(format!("write `<span ui-value=\"{path}\"></span>`")));
    }
}

fn place(node: &Node) -> crate::html::Place {
    match node {
        Node::Element(element) => element.at,
        Node::Text(text) => text.at,
    }
}
