//! Fields, boxes and buttons, and what is hidden.

use ui_core::{Value, WireId};

use super::live::{Live, LiveElement};
use super::write::{Writer, is_true, plain};
use super::{Control, ControlKind};
use crate::binding::{Binding, value_kind};
use crate::known::ValueKind;

/// Longer values are cut.
const MAX_VALUE: usize = 200;
/// More choices are not named.
const MAX_CHOICES: usize = 12;

impl Writer<'_> {
    /// Writes an element that is a field, a box, a button or the like; whether it was one.
    pub(super) fn control(&mut self, live: &LiveElement) -> bool {
        let name = &*live.element().name;
        match name {
            "input" => match &*self.attribute(live, "type").unwrap_or_default() {
                "hidden" => {}
                "button" | "submit" | "reset" => {
                    let label = self.attribute(live, "value").unwrap_or_default();
                    self.button(live, label);
                }
                "checkbox" | "radio" => self.tick(live),
                _ => self.field(live),
            },
            "textarea" | "sl-input" | "sl-textarea" | "sl-color-picker" | "sl-range"
            | "sl-rating" => self.field(live),
            "sl-checkbox" | "sl-switch" => self.tick(live),
            "select" | "sl-select" | "sl-radio-group" => self.choice(live),
            "button" | "sl-button" | "sl-radio-button" | "sl-tab" | "sl-icon-button" => {
                let text = self.silent(|writer| writer.content_only(live));
                self.button(live, text);
            }
            "sl-progress-bar" | "sl-progress-ring" | "progress" | "meter" => self.progress(live),
            "sl-icon" | "img" | "sl-avatar" | "svg" => self.image(live),
            "sl-spinner" => self.flow.piece("{busy}"),
            "a" => self.link(live),
            "label" => return self.label(live),
            "details" | "sl-details" => self.details(live),
            "sl-dialog" | "sl-drawer" | "sl-alert" => self.overlay(live),
            _ => return false,
        }
        true
    }

    fn field(&mut self, live: &LiveElement) {
        let id = live.variable("ui-value");
        let mut value = self.value(live);
        if self.attribute(live, "type").as_deref() == Some("password") && !value.is_empty() {
            "•••".clone_into(&mut value);
        }
        if live.element().name == "sl-rating" {
            let max = self.attribute(live, "max").unwrap_or_else(|| "5".to_owned());
            value = format!("{}/{max}", if value.is_empty() { "0" } else { &value });
        }
        let label = self.label_of(live);
        let own_line = !matches!(&*live.element().name, "input" | "sl-rating" | "sl-color-picker");
        if own_line {
            self.flow.end_line();
        }
        self.flow.piece(&format!("[{label}: {}]", short(&value)));
        self.after(live, id, ControlKind::Field, label);
        if own_line {
            self.flow.end_line();
        }
    }

    fn tick(&mut self, live: &LiveElement) {
        let id = live.variable("ui-value");
        let kind = value_kind(live.element());
        let ticked = match (id.and_then(|id| self.screen.variables.get(&id)), kind) {
            (Some(variable), ValueKind::Radio) => {
                Some(plain(&variable.value)) == self.attribute(live, "value")
            }
            (Some(variable), _) => is_true(&variable.value),
            (None, _) => self.attribute(live, "checked").is_some(),
        };
        let text = self.silent(|writer| writer.nodes(&live.children));
        let label = if text.is_empty() { self.label_of(live) } else { text };
        let mark = match (kind, ticked) {
            (ValueKind::Radio, true) => "(•)",
            (ValueKind::Radio, false) => "( )",
            (_, true) => "[x]",
            (_, false) => "[ ]",
        };
        self.flow.piece(&format!("{mark} {label}"));
        self.after(live, id, ControlKind::Field, label);
    }

    /// `[Size: Large (Small|Large)]`
    fn choice(&mut self, live: &LiveElement) {
        let id = live.variable("ui-value");
        let mut options = Vec::new();
        self.options(&live.children, &mut options);
        let chosen: Vec<String> =
            match id.and_then(|id| self.screen.variables.get(&id)).map(|v| &v.value) {
                Some(Value::Array(items)) => items.iter().map(plain).collect(),
                Some(value) => vec![plain(value)],
                None => self.attribute(live, "value").into_iter().collect(),
            };
        let named = |value: &String| {
            options.iter().find(|(v, _)| v == value).map_or(value, |(_, text)| text).clone()
        };
        let shown = chosen.iter().map(named).collect::<Vec<_>>().join(", ");
        let mut texts: Vec<&str> =
            options.iter().take(MAX_CHOICES).map(|(_, text)| &**text).collect();
        if options.len() > MAX_CHOICES {
            texts.push("…");
        }
        let label = self.label_of(live);
        let choices =
            if texts.is_empty() { String::new() } else { format!(" ({})", texts.join("|")) };
        self.flow.end_line();
        self.flow
            .piece(&format!("[{label}: {}]", format!("{}{choices}", short(&shown)).trim_start()));
        self.after(live, id, ControlKind::Field, label);
        self.flow.end_line();
    }

    /// Values and texts of the options inside, also those that views show.
    fn options(&mut self, nodes: &[Live], found: &mut Vec<(String, String)>) {
        for node in nodes {
            let Live::Element(live) = node else { continue };
            match &*live.element().name {
                "option" | "sl-option" | "sl-radio" | "sl-radio-button" => {
                    let text = self.silent(|writer| writer.content_only(live));
                    let bound = live
                        .variable("ui-value")
                        .filter(|_| live.element().name == "sl-option")
                        .map(|id| self.text_of(id));
                    let value = bound
                        .or_else(|| self.attribute(live, "value"))
                        .unwrap_or_else(|| text.clone());
                    found.push((value, text));
                }
                _ => {
                    self.options(&live.children, found);
                    let items = live.list.iter().flat_map(|list| &list.items);
                    for view in live.view.iter().map(|view| &**view).chain(items) {
                        self.options(view.nodes(), found);
                    }
                }
            }
        }
    }

    fn button(&mut self, live: &LiveElement, text: String) {
        let label = [
            Some(text),
            self.attribute(live, "label"),
            self.attribute(live, "aria-label"),
            self.attribute(live, "title"),
            self.attribute(live, "name"),
        ]
        .into_iter()
        .flatten()
        .find(|label| !label.trim().is_empty())
        .unwrap_or_else(|| "?".to_owned());
        let id = live.bound.iter().find_map(|(index, id)| {
            let binding = Binding::of(&live.element().attributes[*index].name);
            matches!(binding, Some(Binding::Action | Binding::Event(_))).then_some(*id)
        });
        self.flow.piece(&format!("({})", short(&label)));
        self.after(live, id, ControlKind::Button, label);
    }

    /// What stands behind every control: its reference, its states, its errors.
    fn after(&mut self, live: &LiveElement, id: Option<WireId>, kind: ControlKind, label: String) {
        let disabled = self.attribute(live, "disabled").is_some();
        if let Some(id) = id {
            let reference = self.reference(id);
            self.flow.suffix(&reference);
            let path = self.screen.variables.get(&id).map(|v| v.path.clone()).unwrap_or_default();
            self.controls.push(Control { kind, label, path, id, disabled });
        }
        for state in ["disabled", "readonly", "loading", "active", "invalid"] {
            if self.attribute(live, state).is_some() {
                self.flow.suffix(&format!("{{{state}}}"));
            }
        }
        for (index, id) in &live.bound {
            let Some(variable) = self.screen.variables.get(id) else { continue };
            if let Some(error) = &variable.error {
                self.flow.suffix(&format!("{{error: {error}}}"));
            }
            if let Some(Binding::Class(class)) =
                Binding::of(&live.element().attributes[*index].name)
                && is_true(&variable.value)
            {
                self.flow.suffix(&format!("{{.{class}}}"));
            }
        }
        if let Some(help) = self.attribute(live, "help-text").filter(|help| !help.is_empty()) {
            self.flow.note(&format!("{{{}}}", short(&help)));
        }
    }

    /// A click on an element that is no button does something.
    pub(super) fn clickable(&mut self, live: &LiveElement, id: WireId, start: usize) {
        let reference = self.reference(id);
        let space = if reference.is_empty() { "" } else { " " };
        self.flow.note_on(start, &format!("{{clickable{space}{reference}}}"));
        let label = self.silent(|writer| writer.content_only(live));
        let path = self.screen.variables.get(&id).map(|v| v.path.clone()).unwrap_or_default();
        let disabled = self.attribute(live, "disabled").is_some();
        self.controls.push(Control {
            kind: ControlKind::Button,
            label: short(&label),
            path,
            id,
            disabled,
        });
    }

    fn progress(&mut self, live: &LiveElement) {
        if self.attribute(live, "indeterminate").is_some() {
            self.flow.piece("{progress: busy}");
            return;
        }
        let value = self.value(live);
        let percent = if live.element().name.starts_with("sl-") { "%" } else { "" };
        let label =
            self.attribute(live, "label").map(|label| format!(" {label}")).unwrap_or_default();
        self.flow.piece(&format!(
            "{{progress{label}: {}{percent}}}",
            if value.is_empty() { "0" } else { &value }
        ));
    }

    fn image(&mut self, live: &LiveElement) {
        let name = if live.element().name == "img" { "alt" } else { "label" };
        if let Some(text) = self.attribute(live, name).filter(|text| !text.trim().is_empty()) {
            self.flow.piece(&format!("{{image: {text}}}"));
        }
    }

    fn link(&mut self, live: &LiveElement) {
        let action = live.variable("ui-action");
        if action.is_some() {
            let text = self.silent(|writer| writer.content_only(live));
            self.button(live, text);
            return;
        }
        self.content(live);
        if let Some(address) = self.attribute(live, "href").filter(|address| !address.is_empty()) {
            self.flow.note(&format!("<{address}>"));
        }
    }

    /// A label is written with its field. Whether this one has one.
    fn label(&mut self, live: &LiveElement) -> bool {
        if live.element().has("for") {
            return true;
        }
        if !has_field(&live.children) {
            return false;
        }
        let text = self.silent(|writer| writer.words(&live.children));
        let outer = self.label.replace(text);
        self.fields(&live.children);
        self.label = outer;
        true
    }

    /// Texts alone, fields left out.
    fn words(&mut self, nodes: &[Live]) {
        for node in nodes {
            match node {
                Live::Text(text) => self.flow.text(text),
                Live::Element(live) if is_field(live) => {}
                Live::Element(live) if live.bound.is_empty() => self.words(&live.children),
                Live::Element(live) => self.content_only(live),
            }
        }
    }

    /// Fields alone, texts left out.
    fn fields(&mut self, nodes: &[Live]) {
        for node in nodes {
            match node {
                Live::Text(_) => {}
                Live::Element(live) if is_field(live) => {
                    self.control(live);
                }
                Live::Element(live) => self.fields(&live.children),
            }
        }
    }

    fn details(&mut self, live: &LiveElement) {
        let own = live.children.iter().find_map(|node| match node {
            Live::Element(child) if child.element().name == "summary" => Some(child),
            _ => None,
        });
        let summary = match own {
            Some(summary) => self.inline(|writer| writer.content(summary)),
            None => self.attribute(live, "summary").unwrap_or_default(),
        };
        self.flow.end_line();
        if self.attribute(live, "open").is_some() {
            self.flow.whole_line(&format!("▾ {summary}"));
        } else {
            self.flow.whole_line(&format!("▸ {summary} {{closed}}"));
            if !self.screen.options.hidden {
                return;
            }
        }
        for node in &live.children {
            if !matches!(node, Live::Element(child) if child.element().name == "summary") {
                self.nodes(std::slice::from_ref(node));
            }
        }
        self.flow.end_line();
    }

    fn overlay(&mut self, live: &LiveElement) {
        let kind = live.element().name.trim_start_matches("sl-");
        let label =
            self.attribute(live, "label").map(|label| format!(" {label}")).unwrap_or_default();
        self.flow.whole_line(&format!("{{{kind}{label}}}"));
        self.content(live);
        self.flow.end_line();
    }

    /// The content, without marks for classes and clicks.
    fn content_only(&mut self, live: &LiveElement) {
        match live
            .variable("ui-value")
            .or_else(|| live.variable("ui-text"))
            .filter(|_| !value_kind(live.element()).sends())
        {
            Some(id) if live.element().name != "sl-option" => {
                let text = self.text_of(id);
                self.flow.text(&text);
            }
            _ => self.nodes(&live.children),
        }
    }

    fn value(&self, live: &LiveElement) -> String {
        match live.variable("ui-value") {
            Some(id) => self.text_of(id),
            None => self.attribute(live, "value").unwrap_or_default(),
        }
    }

    fn label_of(&mut self, live: &LiveElement) -> String {
        let own = live.element();
        let by_id = own.attribute("id").and_then(|id| self.labels.get(id).cloned());
        let slot = live.children.iter().find_map(|node| match node {
            Live::Element(child) if child.element().attribute("slot") == Some("label") => {
                Some(child)
            }
            _ => None,
        });
        let slot = slot.map(|child| self.silent(|writer| writer.content(child)));
        let path = live
            .variable("ui-value")
            .and_then(|id| self.screen.variables.get(&id))
            .map(|v| last_step(&v.path));
        [
            self.attribute(live, "label"),
            slot,
            by_id,
            self.label.clone(),
            self.attribute(live, "aria-label"),
            self.attribute(live, "placeholder"),
            self.attribute(live, "name"),
            path,
        ]
        .into_iter()
        .flatten()
        .map(|label| label.trim().trim_end_matches(':').to_owned())
        .find(|label| !label.is_empty())
        .unwrap_or_else(|| "?".to_owned())
    }

    pub(super) fn collect_labels(&mut self, nodes: &[Live]) {
        for node in nodes {
            let Live::Element(live) = node else { continue };
            if live.element().name == "label"
                && let Some(target) = live.element().attribute("for")
            {
                let text = self.silent(|writer| writer.content_only(live));
                self.labels.insert(target.to_owned(), text);
            }
            self.collect_labels(&live.children);
        }
    }

    /// An attribute as it is now: what is bound to it, else what is written.
    pub(super) fn attribute(&self, live: &LiveElement, name: &str) -> Option<String> {
        let bound = live.bound.iter().find(|(index, _)| {
            live.element().attributes[*index].name.strip_prefix("ui-attr-") == Some(name)
        });
        match bound.and_then(|(_, id)| self.screen.variables.get(id)) {
            Some(variable) if matches!(variable.value, Value::Null | Value::Bool(false)) => None,
            Some(variable) => Some(plain(&variable.value)),
            None => live.element().attribute(name).map(str::to_owned),
        }
    }

    pub(super) fn is_hidden(&self, live: &LiveElement) -> bool {
        let name = &*live.element().name;
        let display = live.variable("ui-style-display").map(|id| self.text_of(id));
        let styled = || {
            live.element()
                .attribute("style")
                .is_some_and(|style| style.replace(' ', "").contains("display:none"))
        };
        let closed = matches!(name, "sl-dialog" | "sl-drawer" | "sl-alert" | "dialog")
            && self.attribute(live, "open").is_none();
        let unseen = live
            .variable("ui-style-visibility")
            .is_some_and(|id| self.text_of(id).trim() == "hidden");
        closed
            || unseen
            || self.attribute(live, "hidden").is_some()
            || display.map_or_else(styled, |display| display.trim() == "none")
    }
}

fn is_field(live: &LiveElement) -> bool {
    value_kind(live.element()).sends()
}

fn has_field(nodes: &[Live]) -> bool {
    nodes.iter().any(
        |node| matches!(node, Live::Element(live) if is_field(live) || has_field(&live.children)),
    )
}

/// In one line, and no longer than a reader wants.
fn short(text: &str) -> String {
    let one_line = text.trim().replace("\r\n", "\n").replace('\n', " ⏎ ");
    if one_line.chars().count() <= MAX_VALUE {
        return one_line;
    }
    one_line.chars().take(MAX_VALUE - 1).chain(['…']).collect()
}

fn last_step(path: &str) -> String {
    path.rsplit(['.', '/']).next().unwrap_or(path).to_owned()
}
