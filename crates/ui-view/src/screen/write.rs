//! From live views to text.

use std::collections::BTreeMap;

use ui_core::{Value, WireId};

use super::flow::Flow;
use super::live::{List, Live, LiveElement, State, View};
use super::{Control, Refs, Screen, Shown, Variable};
use crate::binding::Binding;
use crate::html::{Node, is_raw, parse};

/// The screen as text.
pub(super) fn write(screen: &Screen) -> Shown {
    let mut writer = Writer::new(screen);
    writer.view(&screen.root, "the application");
    for error in &screen.errors {
        writer.flow.whole_line(&format!("{{error: {error}}}"));
    }
    let cut = writer.full || screen.cut;
    let mut text = writer.flow.finish();
    if text.is_empty() {
        "{nothing is shown}\n".clone_into(&mut text);
    }
    if cut {
        text.push_str("{the rest is left out}\n");
    }
    Shown { text, controls: writer.controls, cut }
}

/// Writes one screen, or one cell of a table in it.
pub(super) struct Writer<'a> {
    pub(super) screen: &'a Screen,
    pub(super) flow: Flow,
    pub(super) controls: Vec<Control>,
    /// Texts of `<label for="…">`.
    pub(super) labels: BTreeMap<String, String>,
    /// Text of the `<label>` around what is being written.
    pub(super) label: Option<String>,
    /// Counts the items of the innermost ordered list.
    ordinal: Option<usize>,
    full: bool,
}

impl<'a> Writer<'a> {
    fn new(screen: &'a Screen) -> Self {
        Self {
            screen,
            flow: Flow::default(),
            controls: Vec::new(),
            labels: BTreeMap::new(),
            label: None,
            ordinal: None,
            full: false,
        }
    }

    /// What `write` writes, in one line.
    pub(super) fn inline(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let outer = std::mem::take(&mut self.flow);
        write(self);
        let inner = std::mem::replace(&mut self.flow, outer).finish();
        inner.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" / ")
    }

    /// The same, without noting the fields and buttons in it.
    pub(super) fn silent(&mut self, write: impl FnOnce(&mut Self)) -> String {
        let controls = self.controls.len();
        let text = self.inline(write);
        self.controls.truncate(controls);
        text
    }

    pub(super) fn view(&mut self, view: &View, name: &str) {
        let variable = self.screen.variables.get(&view.variable);
        if let Some(error) = variable.and_then(|v| v.error.as_ref()) {
            self.flow.note(&format!("{{error: {error}}}"));
        }
        match (&view.state, variable) {
            (State::Rendered { nodes, .. }, _) => {
                self.collect_labels(nodes);
                self.nodes(nodes);
            }
            (State::Refused, _) => self.flow.note("{…}"),
            (State::Waiting, Some(variable)) => self.waiting(variable, name),
            (State::Waiting, None) => {}
        }
    }

    /// Why a view is empty, unless it is because there is nothing to show.
    fn waiting(&mut self, variable: &Variable, name: &str) {
        let path = if variable.path.is_empty() { name } else { &variable.path };
        match (variable.property(ui_core::props::names::TYPE), &variable.value) {
            (_, Value::Null) => {}
            (Some(type_name), Value::Object(_)) => {
                let wanted =
                    variable.property(ui_core::props::names::NAMESPACE).unwrap_or("DEFAULT");
                self.flow.note(&format!("{{no view {type_name}.{wanted} for {path}}}"));
            }
            (None, Value::Object(_)) => {
                self.flow.note(&format!("{{{path} has no type, so no view shows it}}"));
            }
            (_, value) => {
                self.flow
                    .note(&format!("{{{path} is {value} and no object, so no view shows it}}"));
            }
        }
    }

    pub(super) fn nodes(&mut self, nodes: &[Live]) {
        for node in nodes {
            if self.flow.len() > self.screen.options.bytes {
                self.full = true;
                return;
            }
            match node {
                Live::Text(text) => self.flow.text(text),
                Live::Element(element) => self.element(element),
            }
        }
    }

    fn element(&mut self, live: &LiveElement) {
        let name = &*live.element().name;
        if is_raw(name) || name == "template" {
            return;
        }
        if self.is_hidden(live) {
            if !self.screen.options.hidden {
                return;
            }
            self.flow.note("{hidden}");
        }
        if let Some(view) = &live.view {
            self.block(live, |writer| writer.view(view, "the view"));
            return;
        }
        if self.control(live) {
            return;
        }
        match name {
            "br" => self.flow.end_line(),
            "hr" | "sl-divider" => self.flow.whole_line("---"),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = usize::from(name.as_bytes()[1] - b'0');
                self.marked(&format!("{} ", "#".repeat(level)), live);
            }
            "ul" | "menu" | "sl-menu" | "sl-tree" => self.list_of_items(live, None),
            "ol" => self.list_of_items(live, Some(0)),
            "li" | "sl-menu-item" | "sl-tree-item" => {
                let mark = match &mut self.ordinal {
                    Some(count) => {
                        *count += 1;
                        format!("{count}. ")
                    }
                    None => "- ".to_owned(),
                };
                self.marked(&mark, live);
            }
            "table" => self.table(live),
            "pre" => self.preformatted(live),
            _ => self.block(live, |writer| writer.content(live)),
        }
    }

    /// What is inside an element: the value bound to it, its list, or its children; then its marks.
    pub(super) fn content(&mut self, live: &LiveElement) {
        let start = self.flow.position();
        if let Some(list) = &live.list {
            self.list(list);
        } else if let Some(id) = live.variable("ui-html").or_else(|| live.variable("ui-content")) {
            let html = self.text_of(id);
            self.markup(&parse(&html).nodes);
        } else if let Some(id) = live.variable("ui-value").or_else(|| live.variable("ui-text")) {
            let text = self.text_of(id);
            self.flow.text(&text);
        } else {
            self.nodes(&live.children);
        }
        self.marks(live, start);
    }

    fn marked(&mut self, mark: &str, live: &LiveElement) {
        self.flow.end_line();
        let flow = std::mem::take(&mut self.flow);
        // The flow is lent to the item while the writer writes into it.
        let mut outer = flow;
        outer.item(mark, |flow| {
            std::mem::swap(&mut self.flow, flow);
            self.content(live);
            std::mem::swap(&mut self.flow, flow);
        });
        self.flow = outer;
    }

    fn list_of_items(&mut self, live: &LiveElement, ordinal: Option<usize>) {
        let outer = std::mem::replace(&mut self.ordinal, ordinal);
        self.flow.end_line();
        self.content(live);
        self.flow.end_line();
        self.ordinal = outer;
    }

    /// The rows of `ui-viewlist`. A view that makes no list item of itself gets a mark, so that rows can be told apart.
    fn list(&mut self, list: &List) {
        if let Some(error) = self.screen.variables.get(&list.variable).and_then(|v| v.error.clone())
        {
            self.flow.note(&format!("{{error: {error}}}"));
        }
        for item in &list.items {
            if self.flow.len() > self.screen.options.bytes {
                self.full = true;
                return;
            }
            if starts_with_item(item) {
                self.view(item, "an item");
            } else {
                let mut outer = std::mem::take(&mut self.flow);
                outer.item("- ", |flow| {
                    std::mem::swap(&mut self.flow, flow);
                    self.view(item, "an item");
                    std::mem::swap(&mut self.flow, flow);
                });
                self.flow = outer;
            }
        }
        if list.more > 0 {
            self.flow.whole_line(&format!("{{… {} more}}", list.more));
        }
    }

    /// HTML that came as a value: its text, without its forms.
    fn markup(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Text(text) => self.flow.text(&text.value),
                Node::Element(element) if is_raw(&element.name) => {}
                Node::Element(element) => {
                    if is_block(&element.name) {
                        self.flow.end_line();
                    }
                    self.markup(&element.children);
                    if is_block(&element.name) || element.name == "br" {
                        self.flow.end_line();
                    }
                }
            }
        }
    }

    fn preformatted(&mut self, live: &LiveElement) {
        let text = match live.variable("ui-value").or_else(|| live.variable("ui-text")) {
            Some(id) => self.text_of(id),
            None => return self.block(live, |writer| writer.content(live)),
        };
        self.flow.end_line();
        let start = self.flow.position();
        text.lines().for_each(|line| self.flow.whole_line(&format!("    {line}")));
        self.marks(live, start);
        self.flow.end_line();
    }

    fn block(&mut self, live: &LiveElement, write: impl FnOnce(&mut Self)) {
        let block = is_block(&live.element().name);
        if block {
            self.flow.end_line();
        }
        write(self);
        if block {
            self.flow.end_line();
        }
    }

    fn table(&mut self, live: &LiveElement) {
        self.flow.end_line();
        self.rows(std::slice::from_ref(&live.children), live.list.as_ref());
    }

    /// Rows inside a table or a part of it; views stand for what they show.
    fn rows(&mut self, groups: &[Vec<Live>], list: Option<&List>) {
        for item in list.iter().flat_map(|list| &list.items) {
            if let State::Rendered { nodes, .. } = &item.state {
                self.rows_of(nodes);
            } else {
                self.view(item, "a row");
                self.flow.end_line();
            }
        }
        if let Some(list) = list.filter(|list| list.more > 0) {
            self.flow.whole_line(&format!("{{… {} more}}", list.more));
        }
        for nodes in groups {
            self.rows_of(nodes);
        }
    }

    fn rows_of(&mut self, nodes: &[Live]) {
        for node in nodes {
            let Live::Element(live) = node else { continue };
            if self.flow.len() > self.screen.options.bytes {
                self.full = true;
                return;
            }
            if self.is_hidden(live) {
                continue;
            }
            match (&live.view, &*live.element().name) {
                (Some(view), _) => match &view.state {
                    State::Rendered { nodes, .. } => self.rows_of(nodes),
                    _ => self.view(view, "a row"),
                },
                (None, "tr") => self.row(live),
                (None, "thead" | "tbody" | "tfoot") => {
                    self.rows(std::slice::from_ref(&live.children), live.list.as_ref());
                    if live.element().name == "thead" {
                        self.flow.whole_line("|---");
                    }
                }
                (None, _) => self.element(live),
            }
        }
    }

    fn row(&mut self, live: &LiveElement) {
        let mut cells = String::from("|");
        let parts = live.children.iter().filter_map(|node| match node {
            Live::Element(cell) => Some(cell),
            Live::Text(_) => None,
        });
        for cell in parts {
            let text = self.inline(|writer| match &cell.view {
                Some(view) => writer.view(view, "a cell"),
                None => writer.content(cell),
            });
            cells.push(' ');
            cells.push_str(&text);
            cells.push_str(" |");
        }
        let start = self.flow.position();
        self.flow.whole_line(&cells);
        self.marks(live, start);
    }

    /// Classes that are on, errors of bindings, and whether a click does something.
    fn marks(&mut self, live: &LiveElement, start: usize) {
        for (index, id) in &live.bound {
            let attribute = &live.element().attributes[*index];
            let Some(variable) = self.screen.variables.get(id) else { continue };
            if let Some(error) = &variable.error {
                self.flow.note(&format!("{{error: {error}}}"));
            }
            match Binding::of(&attribute.name) {
                Some(Binding::Class(class)) if is_true(&variable.value) => {
                    self.flow.note_on(start, &format!("{{.{class}}}"));
                }
                Some(Binding::Action | Binding::Event("click")) => self.clickable(live, *id, start),
                _ => {}
            }
        }
    }

    /// The text of what a variable holds.
    pub(super) fn text_of(&self, id: WireId) -> String {
        self.screen.variables.get(&id).map(|variable| plain(&variable.value)).unwrap_or_default()
    }

    /// `@path` or `#id`, as the options have it.
    pub(super) fn reference(&self, id: WireId) -> String {
        match (self.screen.options.refs, self.screen.variables.get(&id)) {
            (Refs::Paths, Some(variable)) => format!("@{}", variable.path),
            (Refs::Ids, _) => format!("#{id}"),
            _ => String::new(),
        }
    }
}

fn starts_with_item(view: &View) -> bool {
    view.nodes()
        .iter()
        .find_map(|node| match node {
            Live::Element(element) => Some(element),
            Live::Text(_) => None,
        })
        .is_some_and(|element| {
            matches!(
                &*element.element().name,
                "li" | "sl-menu-item"
                    | "sl-tree-item"
                    | "option"
                    | "sl-option"
                    | "h1"
                    | "h2"
                    | "h3"
            )
        })
}

/// Truth as the page has it.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Int(value) => *value != 0,
        Value::Float(value) => *value != 0.0,
        Value::Text(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) | Value::Record(_) => true,
    }
}

/// A value as a page shows it as text.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Text(text) => text.to_string(),
        // A list or an object is shown as JSON, hardly what its author meant; so it is seen here as well.
        _ => value.to_string(),
    }
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "dd"
            | "details"
            | "dialog"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "li"
            | "main"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "section"
            | "summary"
            | "table"
            | "tr"
            | "ul"
            | "legend"
            | "sl-card"
            | "sl-alert"
            | "sl-dialog"
            | "sl-drawer"
            | "sl-details"
            | "sl-tab-group"
            | "sl-tab-panel"
            | "sl-menu"
            | "sl-menu-item"
            | "sl-menu-label"
            | "sl-tree"
            | "sl-tree-item"
            | "sl-split-panel"
            | "sl-carousel"
            | "sl-carousel-item"
            | "sl-radio-group"
    )
}
