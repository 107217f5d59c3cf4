//! The tree that HTML is read into: elements, texts, and where each stands.

use super::Place;

/// A piece of a view: an element or a text. Comments are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    Element(Element),
    Text(Text),
}

impl Node {
    pub fn as_element(&self) -> Option<&Element> {
        match self {
            Self::Element(element) => Some(element),
            Self::Text(_) => None,
        }
    }

    /// Whether it is a text of white space alone.
    pub fn is_blank(&self) -> bool {
        matches!(self, Self::Text(text) if text.value.trim().is_empty())
    }
}

/// Characters, with references such as `&amp;` resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub value: String,
    pub at: Place,
}

/// An element with its attributes in the order they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// In lower case, as HTML has it.
    pub name: String,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Node>,
    /// The place of its `<`.
    pub at: Place,
}

impl Element {
    /// The value of an attribute, empty where it was written without one.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|a| a.name == name).map(|a| a.value.as_str())
    }

    pub fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    pub fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(Node::as_element)
    }

    /// The text of it and of all inside, as written.
    pub fn text(&self) -> String {
        let mut all = String::new();
        collect_text(&self.children, &mut all);
        all
    }
}

/// An attribute of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// In lower case, as HTML has it.
    pub name: String,
    /// As its author wrote it.
    pub written: String,
    pub value: String,
    /// The place of the name.
    pub at: Place,
    /// The place of the value's first character, after the quote; that of the name if there is none.
    pub value_at: Place,
}

impl Attribute {
    /// The place `bytes` into the value. Exact as long as nothing before it is a character reference.
    pub fn place_in_value(&self, bytes: usize) -> Place {
        let before = self.value.get(..bytes).unwrap_or(&self.value);
        match before.rsplit_once('\n') {
            None => Place { column: self.value_at.column + count(before), ..self.value_at },
            Some((lines, rest)) => Place {
                line: self.value_at.line + 1 + count_breaks(lines),
                column: count(rest) + 1,
            },
        }
    }
}

fn count(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

fn count_breaks(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}

fn collect_text(nodes: &[Node], all: &mut String) {
    for node in nodes {
        match node {
            Node::Text(text) => all.push_str(&text.value),
            Node::Element(element) => collect_text(&element.children, all),
        }
    }
}
