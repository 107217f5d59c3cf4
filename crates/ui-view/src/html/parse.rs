//! From tokens to the tree, noting what a browser would have had to guess.

use std::borrow::Cow;

use html5gum::Error;

use super::tokens::{Start, Token, tokens};
use super::{Attribute, Element, Fault, FaultKind, Lines, Node, Place, Text, rules};

/// Longer texts are not looked at: a view of this size is a mistake.
pub const MAX_BYTES: usize = 1024 * 1024;

/// Elements nested deeper than this are laid side by side, so that nothing that walks the tree runs out of stack.
pub const MAX_DEPTH: usize = 128;

/// A view definition as it was read.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// What stands inside the template.
    pub nodes: Vec<Node>,
    pub root: Root,
    /// What is wrong with the text, in the order of its places.
    pub faults: Vec<Fault>,
}

/// Whether the text had a `<template>` around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    Written,
    /// It had none, which is as good as if it had.
    Assumed,
}

/// Reads a view definition. Never fails: what is wrong stands in [`Parsed::faults`].
pub fn parse(source: &str) -> Parsed {
    if source.len() > MAX_BYTES {
        let fault = Fault { kind: FaultKind::TooLong(MAX_BYTES), at: Place::START };
        return Parsed { nodes: Vec::new(), root: Root::Assumed, faults: vec![fault] };
    }
    // The tokenizer counts a pair of carriage return and line feed as one byte.
    let source: Cow<'_, str> = if source.contains('\r') {
        source.replace("\r\n", "\n").replace('\r', "\n").into()
    } else {
        source.into()
    };
    let mut builder = Builder::new(&source);
    for token in tokens(&source) {
        builder.token(token);
    }
    builder.finish()
}

/// The text of a view definition with one `<template>` around it, as pages want it.
pub fn with_template(source: &str) -> Cow<'_, str> {
    match parse(source).root {
        Root::Written => source.into(),
        Root::Assumed => format!("<template>{source}</template>").into(),
    }
}

struct Builder<'a> {
    source: &'a str,
    lines: Lines<'a>,
    roots: Vec<Node>,
    open: Vec<Open>,
    faults: Vec<Fault>,
}

/// An element whose end was not seen yet.
struct Open {
    element: Element,
    /// Written `<name/>`, which was reported already.
    self_closed: bool,
}

impl<'a> Builder<'a> {
    fn new(source: &'a str) -> Self {
        Self {
            source,
            lines: Lines::new(source),
            roots: Vec::new(),
            open: Vec::new(),
            faults: Vec::new(),
        }
    }

    fn token(&mut self, token: Token) {
        match token {
            Token::Start(start) => self.start(start),
            Token::End { name, at } => self.end(&name, at),
            Token::Text { value, at } => {
                let at = self.lines.place(at);
                if !value.trim().is_empty() {
                    self.check_table("text", at);
                }
                self.add(Node::Text(Text { value, at }));
            }
            Token::Error { error, at } => self.broken(error, at),
        }
    }

    fn start(&mut self, start: Start) {
        let at = self.lines.place(start.at);
        if rules::is_page(&start.name) {
            self.fault(FaultKind::PageElement(start.name), at);
            return;
        }
        while self
            .open
            .last()
            .is_some_and(|open| rules::ends_before(&open.element.name, &start.name))
        {
            self.close();
        }
        self.check_table(&start.name, at);
        let attributes = self.attributes(&start);
        let element = Element { name: start.name, attributes, children: Vec::new(), at };
        let foreign = self.open.iter().any(|open| matches!(&*open.element.name, "svg" | "math"));
        let is_foreign = foreign || matches!(&*element.name, "svg" | "math");
        if rules::is_void(&element.name) || (is_foreign && start.self_closing) {
            self.add(Node::Element(element));
            return;
        }
        if start.self_closing {
            self.fault(FaultKind::SelfClosing(element.name.clone()), at);
        }
        if self.open.len() >= MAX_DEPTH {
            if !self.faults.iter().any(|fault| matches!(fault.kind, FaultKind::TooDeep(_))) {
                self.fault(FaultKind::TooDeep(MAX_DEPTH), at);
            }
            self.close();
        }
        self.open.push(Open { element, self_closed: start.self_closing });
    }

    fn attributes(&mut self, start: &Start) -> Vec<Attribute> {
        let mut attributes: Vec<Attribute> = Vec::with_capacity(start.attributes.len());
        for raw in &start.attributes {
            let at = self.lines.place(raw.at);
            if attributes.iter().any(|a| a.name == raw.name) {
                self.fault(FaultKind::DuplicateAttribute(raw.name.clone()), at);
                continue;
            }
            let written = self.source.get(raw.at..raw.at + raw.name.len()).unwrap_or(&raw.name);
            let written = if written.eq_ignore_ascii_case(&raw.name) { written } else { &raw.name };
            attributes.push(Attribute {
                name: raw.name.clone(),
                written: written.to_owned(),
                value: raw.value.clone(),
                at,
                value_at: raw
                    .value_at
                    .map_or(at, |offset| self.lines.place(self.value_start(offset))),
            });
        }
        attributes
    }

    /// Where a value begins, given what the tokenizer says: it has read the first character of one without quotes.
    fn value_start(&self, offset: usize) -> usize {
        let before = offset.checked_sub(1).and_then(|at| self.source.as_bytes().get(at));
        let quoted = matches!(before, Some(b'"' | b'\''));
        if quoted { offset } else { offset.saturating_sub(1) }
    }

    fn end(&mut self, name: &str, at: usize) {
        let at = self.lines.place(at);
        if rules::is_page(name) || rules::is_void(name) {
            return;
        }
        let mut found = None;
        for (index, open) in self.open.iter().enumerate().rev() {
            if open.element.name == name {
                found = Some(index);
                break;
            }
            if rules::is_wall(&open.element.name)
                && !rules::end_is_optional(&open.element.name)
                && name != "template"
            {
                break;
            }
        }
        let Some(index) = found else {
            self.fault(FaultKind::StrayEnd(name.to_owned()), at);
            return;
        };
        while self.open.len() > index + 1 {
            self.report_unclosed(Some((name, at)));
            self.close();
        }
        self.close();
    }

    /// Notes that the innermost open element was left open, unless that is allowed or known.
    fn report_unclosed(&mut self, closed: Option<(&str, Place)>) {
        let Some(Open { element, self_closed }) = self.open.last() else { return };
        if *self_closed || rules::end_is_optional(&element.name) {
            return;
        }
        let (name, at) = (element.name.clone(), element.at);
        let kind = match closed {
            _ if name == "template" => FaultKind::UnclosedTemplate,
            Some((by, closed_at)) => {
                FaultKind::ClosedByOuter { name, by: by.to_owned(), closed_at }
            }
            None => FaultKind::Unclosed(name),
        };
        self.fault(kind, at);
    }

    fn close(&mut self) {
        if let Some(Open { element, .. }) = self.open.pop() {
            self.add(Node::Element(element));
        }
    }

    fn add(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(open) => open.element.children.push(node),
            None => self.roots.push(node),
        }
    }

    fn check_table(&mut self, child: &str, at: Place) {
        let fits = self.open.last().is_none_or(|open| rules::fits_table(&open.element.name, child));
        if !fits {
            self.fault(FaultKind::MovedOutOfTable(child.to_owned()), at);
        }
    }

    fn broken(&mut self, error: Error, at: usize) {
        // The attribute list notices these itself, or they change nothing that is seen.
        let harmless = matches!(
            error,
            Error::DuplicateAttribute
                | Error::NestedComment
                | Error::AbruptClosingOfEmptyComment
                | Error::MissingSemicolonAfterCharacterReference
                | Error::UnknownNamedCharacterReference
                | Error::ControlCharacterInInputStream
                | Error::NoncharacterInInputStream
        );
        if !harmless {
            let at = self.lines.place(at.saturating_sub(1));
            self.fault(FaultKind::Broken(plain_words(error)), at);
        }
    }

    fn fault(&mut self, kind: FaultKind, at: Place) {
        self.faults.push(Fault { kind, at });
    }

    fn finish(mut self) -> Parsed {
        while !self.open.is_empty() {
            self.report_unclosed(None);
            self.close();
        }
        let (nodes, root) = self.unwrap_template();
        self.faults.sort_by_key(|fault| fault.at);
        Parsed { nodes, root, faults: self.faults }
    }

    /// The content of the template, and a fault for everything that stands beside it.
    fn unwrap_template(&mut self) -> (Vec<Node>, Root) {
        let roots = std::mem::take(&mut self.roots);
        let is_template = |node: &Node| node.as_element().is_some_and(|e| e.name == "template");
        let Some(index) = roots.iter().position(is_template) else { return (roots, Root::Assumed) };
        let mut nodes = Vec::new();
        for (i, node) in roots.into_iter().enumerate() {
            match node {
                Node::Element(element) if i == index => nodes = element.children,
                Node::Element(element) => self.fault(FaultKind::OutsideTemplate, element.at),
                Node::Text(text) if text.value.trim().is_empty() => {}
                Node::Text(text) => self.fault(FaultKind::OutsideTemplate, text.at),
            }
        }
        (nodes, Root::Written)
    }
}

/// The faults that authors make, in their terms; the others by the names of the standard.
fn plain_words(error: Error) -> &'static str {
    match error {
        Error::EofInTag => "this tag never ends: a quote or `>` is missing",
        Error::EofInComment => "a comment is never closed with `-->`",
        Error::MissingWhitespaceBetweenAttributes => "a space is missing between attributes",
        Error::InvalidFirstCharacterOfTagName => "`<` begins no tag here",
        Error::UnexpectedCharacterInAttributeName => {
            "a quote or `<` stands inside the name of an attribute"
        }
        Error::UnexpectedCharacterInUnquotedAttributeValue => {
            "the value of an attribute needs quotes"
        }
        Error::MissingAttributeValue => "the value of an attribute is missing",
        Error::UnexpectedSolidusInTag => "`/` stands inside a tag",
        other => other.as_str(),
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
