//! Making views of what the server has told so far, as a page does.

use std::rc::Rc;

use ui_core::message::{Create, Properties, Target};
use ui_core::props::names;
use ui_core::viewdef::{LIST_ITEM_NAMESPACE, lookup};
use ui_core::{Message, Path, Step, Value, WireId};

use super::live::{List, Live, LiveElement, Source, State, View};
use super::{Screen, Variable};
use crate::binding::{Binding, bindings, stays_in_page};
use crate::html::{Element, Node};

impl Screen {
    /// Renders what can be rendered; the variables needed for it go out, and their answers let the next level grow.
    pub(super) fn grow(&mut self) {
        let mut root = std::mem::replace(&mut self.root, View::new(WireId::ROOT));
        self.grow_view(&mut root, 0);
        self.root = root;
    }

    fn grow_view(&mut self, view: &mut View, depth: usize) {
        let key = self.key_of(view.variable);
        match (&mut view.state, key) {
            (State::Refused, _) => {}
            (State::Rendered { key, nodes }, Some(wanted)) if *key == wanted => {
                self.grow_nodes(nodes, depth);
            }
            (state, Some(_)) if depth >= self.options.depth => {
                self.cut = true;
                *state = State::Refused;
            }
            (state, wanted) => {
                if let State::Rendered { nodes, .. } = state {
                    let mut old = Vec::new();
                    for node in nodes.iter() {
                        node.variables(&mut old);
                    }
                    self.destroy(old);
                }
                *state = match wanted {
                    Some(key) => self.render(view.variable, key),
                    None => State::Waiting,
                };
            }
        }
    }

    /// The definition that shows a variable: none while it holds no object, or nothing fits.
    fn key_of(&self, variable: WireId) -> Option<String> {
        let variable = self.variables.get(&variable)?;
        variable.value.as_object()?;
        let type_name = variable.property(names::TYPE)?;
        lookup(
            type_name,
            variable.property(names::NAMESPACE),
            variable.property(names::FALLBACK_NAMESPACE),
        )
        .find(|key| self.definitions.contains_key(key))
    }

    fn grow_nodes(&mut self, nodes: &mut [Live], depth: usize) {
        for node in nodes {
            let Live::Element(element) = node else { continue };
            self.grow_nodes(&mut element.children, depth);
            if let Some(view) = &mut element.view {
                self.grow_view(view, depth + 1);
            }
            if let Some(list) = &mut element.list {
                self.grow_list(list, depth);
            }
        }
    }

    fn grow_list(&mut self, list: &mut List, depth: usize) {
        let length = match self.variables.get(&list.variable).map(|v| &v.value) {
            Some(Value::Array(items)) => items.len(),
            _ => 0,
        };
        let wanted = length.min(self.options.rows);
        list.more = length - wanted;
        for item in list.items.drain(wanted.min(list.items.len())..).collect::<Vec<_>>() {
            let mut old = Vec::new();
            item.variables(&mut old);
            self.destroy(old);
        }
        for index in list.items.len()..wanted {
            let properties = vec![
                (names::PATH.to_owned(), index.to_string()),
                (names::ACCESS.to_owned(), "r".to_owned()),
                (names::FALLBACK_NAMESPACE.to_owned(), LIST_ITEM_NAMESPACE.to_owned()),
            ];
            let Some(id) = self.create(list.variable, properties, list.namespace.clone()) else {
                list.more = length - index;
                break;
            };
            list.items.push(View::new(id));
        }
        for item in &mut list.items {
            self.grow_view(item, depth + 1);
        }
    }

    fn render(&mut self, variable: WireId, key: String) -> State {
        let Some(template) = self.definitions.get(&key).map(Rc::clone) else {
            return State::Waiting;
        };
        let mut nodes = Vec::new();
        for index in 0..template.len() {
            nodes.push(self.instantiate(
                variable,
                &template,
                &template[index],
                &mut vec![index],
                None,
            ));
        }
        State::Rendered { key, nodes }
    }

    fn instantiate(
        &mut self,
        parent: WireId,
        template: &Rc<[Node]>,
        node: &Node,
        route: &mut Vec<usize>,
        namespace: Option<&str>,
    ) -> Live {
        let element = match node {
            Node::Text(text) => return Live::Text(text.value.clone()),
            Node::Element(element) => element,
        };
        let namespace = element.attribute("ui-namespace").or(namespace);
        let mut live = LiveElement {
            source: Source::new(template, route),
            bound: Vec::new(),
            view: None,
            list: None,
            children: Vec::new(),
        };
        for (attribute, binding) in bindings(element) {
            if !binding.has_path() {
                continue;
            }
            let Some(id) = self.bind(parent, element, &attribute.value, &binding, namespace) else {
                continue;
            };
            match binding {
                Binding::View => live.view = Some(Box::new(View::new(id))),
                Binding::List => {
                    let namespace = namespace.map(str::to_owned);
                    live.list = Some(List { variable: id, items: Vec::new(), more: 0, namespace });
                }
                _ => {
                    let index = element.attributes.iter().position(|a| a.name == attribute.name);
                    live.bound.extend(index.map(|index| (index, id)));
                }
            }
        }
        // A view takes the place of its element, a list that of the pattern inside.
        if live.view.is_none() && live.list.is_none() {
            for (index, child) in element.children.iter().enumerate() {
                route.push(index);
                live.children.push(self.instantiate(parent, template, child, route, namespace));
                route.pop();
            }
        }
        Live::Element(live)
    }

    /// The variable of one binding; none if its path cannot be read, which its author was told.
    fn bind(
        &mut self,
        parent: WireId,
        element: &Element,
        text: &str,
        binding: &Binding<'_>,
        namespace: Option<&str>,
    ) -> Option<WireId> {
        let path = Path::parse(text).ok()?;
        let steps = ui_core::path::display_steps(path.steps()).to_string();
        let mut properties = vec![(names::PATH.to_owned(), steps)];
        let parameters = path.params().iter().filter(|param| !stays_in_page(&param.key));
        properties.extend(parameters.map(|param| (param.key.to_string(), param.value.to_string())));
        if path.param(names::ACCESS).is_none() {
            let access = binding.default_access(element, &path);
            properties.push((names::ACCESS.to_owned(), access.as_str().to_owned()));
        }
        let is_view = matches!(binding, Binding::View | Binding::List);
        if *binding == Binding::List
            && let Some(wrapper) = element.attribute("ui-item-wrapper")
        {
            properties.push((names::ITEM_WRAPPER.to_owned(), wrapper.to_owned()));
        }
        if !is_view {
            return self.create_plain(parent, properties, &path);
        }
        let inherited = self
            .variables
            .get(&parent)
            .and_then(|v| v.property(names::FALLBACK_NAMESPACE))
            .map(str::to_owned);
        properties.extend(inherited.map(|name| (names::FALLBACK_NAMESPACE.to_owned(), name)));
        self.create(parent, properties, namespace.map(str::to_owned))
    }

    /// A variable that shows a view; its namespace is its own, or that of its parent.
    fn create(
        &mut self,
        parent: WireId,
        mut properties: Vec<(String, String)>,
        namespace: Option<String>,
    ) -> Option<WireId> {
        let inherited = || {
            self.variables
                .get(&parent)
                .and_then(|v| v.property(names::NAMESPACE))
                .map(str::to_owned)
        };
        properties
            .extend(namespace.or_else(inherited).map(|name| (names::NAMESPACE.to_owned(), name)));
        let path = properties.first().and_then(|(_, path)| Path::parse(path).ok())?;
        self.create_plain(parent, properties, &path)
    }

    fn create_plain(
        &mut self,
        parent: WireId,
        properties: Vec<(String, String)>,
        path: &Path,
    ) -> Option<WireId> {
        if self.variables.len() >= self.options.variables {
            self.cut = true;
            return None;
        }
        let id = WireId(self.next_id);
        self.next_id += 1;
        let variable = Variable {
            properties: properties.iter().cloned().collect(),
            path: self.absolute(parent, path),
            ..Variable::default()
        };
        self.variables.insert(id, variable);
        let create = Create {
            id,
            parent_id: parent,
            properties: Properties(properties),
            ..Create::default()
        };
        self.outgoing.push(Message::Create(create));
        Some(id)
    }

    /// The path from the application object, where `..` does not lead above what is known.
    fn absolute(&self, parent: WireId, path: &Path) -> String {
        let steps = ui_core::path::display_steps(path.steps()).to_string();
        match path.steps() {
            [Step::App] => String::new(),
            [Step::App, rest @ ..] => ui_core::path::display_steps(rest).to_string(),
            _ => match self.variables.get(&parent).map(|v| &*v.path) {
                None | Some("") => steps,
                Some(before) => format!("{before}.{steps}"),
            },
        }
    }

    fn destroy(&mut self, old: Vec<WireId>) {
        for id in old {
            if self.variables.remove(&id).is_some() {
                self.outgoing.push(Message::Destroy(Target { var_id: id }));
            }
        }
    }
}
