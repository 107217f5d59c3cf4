//! Views as they stand on the screen: a template's elements, joined with the variables of their bindings.

use std::rc::Rc;

use ui_core::WireId;

use crate::html::{Element, Node};

/// The view of one variable.
#[derive(Debug)]
pub(super) struct View {
    pub(super) variable: WireId,
    pub(super) state: State,
}

#[derive(Debug)]
pub(super) enum State {
    /// Nothing to show, or nothing known to show it with.
    Waiting,
    /// Too many views, or too deep.
    Refused,
    Rendered {
        key: String,
        nodes: Vec<Live>,
    },
}

#[derive(Debug)]
pub(super) enum Live {
    Text(String),
    Element(LiveElement),
}

/// An element and what is bound to it. The template's own children are not used: `children` are.
#[derive(Debug)]
pub(super) struct LiveElement {
    pub(super) source: Source,
    /// Index into the element's attributes, and the variable of the binding.
    pub(super) bound: Vec<(usize, WireId)>,
    pub(super) view: Option<Box<View>>,
    pub(super) list: Option<List>,
    pub(super) children: Vec<Live>,
}

/// Where an element stands in its template; the template is shared by all views of it.
#[derive(Debug, Clone)]
pub(super) struct Source {
    template: Rc<[Node]>,
    /// Indexes of children, from the root down.
    route: Vec<usize>,
}

/// `ui-viewlist`.
#[derive(Debug)]
pub(super) struct List {
    pub(super) variable: WireId,
    pub(super) items: Vec<View>,
    /// Elements beyond those that are looked at.
    pub(super) more: usize,
    pub(super) namespace: Option<String>,
}

impl View {
    pub(super) fn new(variable: WireId) -> Self {
        Self { variable, state: State::Waiting }
    }

    pub(super) fn nodes(&self) -> &[Live] {
        match &self.state {
            State::Rendered { nodes, .. } => nodes,
            State::Waiting | State::Refused => &[],
        }
    }

    /// A definition is another now: views of it are rendered anew.
    pub(super) fn forget(&mut self, changed: &str) {
        if let State::Rendered { key, nodes } = &mut self.state {
            if key == changed {
                key.clear();
            }
            for node in nodes.iter_mut() {
                node.forget(changed);
            }
        }
    }

    /// Every variable of it and below, children first.
    pub(super) fn variables(&self, all: &mut Vec<WireId>) {
        self.nodes().iter().for_each(|node| node.variables(all));
        all.push(self.variable);
    }
}

impl Live {
    fn forget(&mut self, changed: &str) {
        let Self::Element(element) = self else { return };
        element.children.iter_mut().for_each(|child| child.forget(changed));
        let items = element.list.iter_mut().flat_map(|list| &mut list.items);
        element
            .view
            .iter_mut()
            .map(|view| &mut **view)
            .chain(items)
            .for_each(|view| view.forget(changed));
    }

    pub(super) fn variables(&self, all: &mut Vec<WireId>) {
        let Self::Element(element) = self else { return };
        element.children.iter().for_each(|child| child.variables(all));
        if let Some(view) = &element.view {
            view.variables(all);
        }
        if let Some(list) = &element.list {
            list.items.iter().for_each(|item| item.variables(all));
            all.push(list.variable);
        }
        all.extend(element.bound.iter().map(|(_, id)| *id));
    }
}

impl LiveElement {
    pub(super) fn element(&self) -> &Element {
        self.source.element()
    }

    /// The variable bound by the attribute `name`.
    pub(super) fn variable(&self, name: &str) -> Option<WireId> {
        let attributes = &self.element().attributes;
        self.bound.iter().find(|(index, _)| attributes[*index].name == name).map(|(_, id)| *id)
    }
}

impl Source {
    pub(super) fn new(template: &Rc<[Node]>, route: &[usize]) -> Self {
        Self { template: Rc::clone(template), route: route.to_vec() }
    }

    fn element(&self) -> &Element {
        let mut nodes: &[Node] = &self.template;
        let mut found = None;
        for index in &self.route {
            found = nodes[*index].as_element();
            nodes = found.map_or(&[], |element| &element.children);
        }
        found.expect("routes are made of indexes of elements")
    }
}
