//! What annotations say: a route, and for most of them properties.
//!
//! The characters up to the first blank select who an annotation is for ([`Route`]). Renderers and the compiler (`##!`)
//! read the rest as properties: `name`, `name=value`, `name { inner=1 }`, `a.b=c`, `-name`, `name=[x, y]`, which
//! [`parse`] makes a [`Tag`] of. Annotations of one route add to one another, so a tag can be parsed into.

use std::sync::Arc;

use crate::span::{Span, offset};

/// Who an annotation is for, and where its content begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route<'a> {
    /// Empty for renderers, `!` for the compiler, `@` for persistence, `"` for descriptions, a name for an application:
    /// `doc` in `#(doc)`.
    pub name: &'a str,
    pub content: &'a str,
    /// Where the content begins, counted from the start of the annotation's text.
    pub offset: u32,
    /// What is wrong with the characters of the route.
    pub problem: Option<RouteProblem>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteProblem {
    /// A bare word, or brackets that do not close at its end: `#doc x`, `#(doc`.
    Malformed,
    /// Marks that the language keeps for itself: `#% x`.
    Reserved,
}

/// Splits the text of an annotation, its marks included, into route and content.
pub fn route(text: &str) -> Route<'_> {
    let marks = text.len() - text.trim_start_matches('#').len();
    let marks = marks.min(2);
    let marks = marks + usize::from(text[marks..].starts_with('|'));
    let boundary = text.find([' ', '\t', '\r', '\n']).unwrap_or(text.len()).max(marks);
    let (routing, rest) = (&text[marks..boundary], &text[boundary..]);
    let content = rest.get(1..).unwrap_or("");
    let (name, problem) = route_name(routing);
    Route { name, content, offset: offset(text.len() - content.len()), problem }
}

fn route_name(routing: &str) -> (&str, Option<RouteProblem>) {
    const PAIRS: [(char, char); 4] = [('(', ')'), ('<', '>'), ('[', ']'), ('{', '}')];
    if matches!(routing, "" | "!" | "@" | "\"" | ":") {
        return (routing, None);
    }
    let close = PAIRS.iter().find(|(open, _)| routing.starts_with(*open)).map(|(_, close)| *close);
    if let Some(close) = close {
        return match routing[1..].split_once(close) {
            Some((name, "")) if !name.is_empty() => (name, None),
            _ => (routing, Some(RouteProblem::Malformed)),
        };
    }
    let is_mark = |c: char| {
        let bracket = PAIRS.iter().any(|(open, close)| c == *open || c == *close);
        !c.is_alphanumeric() && c != '_' && !bracket
    };
    let problem =
        if routing.chars().all(is_mark) { RouteProblem::Reserved } else { RouteProblem::Malformed };
    (routing, Some(problem))
}

/// Properties, in the order in which they were first written; perhaps a value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tag {
    pub value: Option<Value>,
    pub properties: Vec<(Arc<str>, Tag)>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Text(Arc<str>),
    List(Vec<Tag>),
}

/// Why some of a content was passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagError {
    pub message: String,
    /// Within the content.
    pub span: Span,
}

impl Tag {
    /// The property at a path: `tag.get(&["experimental", "givens"])`.
    pub fn get(&self, path: &[&str]) -> Option<&Self> {
        let [first, rest @ ..] = path else { return Some(self) };
        let (_, tag) = self.properties.iter().find(|(name, _)| &**name == *first)?;
        tag.get(rest)
    }

    pub fn has(&self, path: &[&str]) -> bool {
        self.get(path).is_some()
    }

    /// The text of the property at a path.
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        match self.get(path)?.value.as_ref()? {
            Value::Text(text) => Some(text),
            Value::List(_) => None,
        }
    }

    fn entry(&mut self, name: &str) -> &mut Self {
        let known = self.properties.iter().position(|(known, _)| &**known == name);
        let at = known.unwrap_or_else(|| {
            self.properties.push((Arc::from(name), Self::default()));
            self.properties.len() - 1
        });
        &mut self.properties[at].1
    }

    fn remove(&mut self, path: &[Arc<str>]) {
        let [inner @ .., last] = path else { return };
        let mut tag = self;
        for name in inner {
            tag = tag.entry(name);
        }
        tag.properties.retain(|(name, _)| name != last);
    }
}

/// Parses the content of an annotation into properties, on top of those that are there.
pub fn parse(content: &str, tag: &mut Tag) -> Vec<TagError> {
    let mut parser = Parser { text: content, at: 0, depth: 0, errors: Vec::new() };
    parser.properties(tag, None);
    parser.errors
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    errors: Vec<TagError>,
}

const MAX_DEPTH: u32 = 50;

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at +=
            rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(mark);
        if found {
            self.at += mark.len_utf8();
        }
        found
    }

    /// A brace that belongs to what stands before it: no comma between them.
    fn eat_brace(&mut self) -> bool {
        let found = self.text[self.at..].trim_start().starts_with('{');
        found && self.eat('{')
    }

    fn error(&mut self, message: impl Into<String>) {
        let end = self.text[self.at..].chars().next().map_or(self.at, |c| self.at + c.len_utf8());
        let span = Span::new(offset(self.at), offset(end));
        self.errors.push(TagError { message: message.into(), span });
    }

    /// Properties up to `close`, which is taken, or to the end.
    fn properties(&mut self, tag: &mut Tag, close: Option<char>) {
        self.depth += 1;
        while let Some(next) = self.peek() {
            if Some(next) == close {
                self.at += next.len_utf8();
                self.depth -= 1;
                return;
            }
            if self.depth > MAX_DEPTH {
                self.error("nested too deeply");
                self.at = self.text.len();
                break;
            }
            let before = self.at;
            self.property(tag);
            if self.at == before {
                self.error(format!("expected a name, found `{next}`"));
                self.at += next.len_utf8();
            }
        }
        if let Some(close) = close {
            self.error(format!("expected `{close}`"));
        }
        self.depth -= 1;
    }

    fn property(&mut self, tag: &mut Tag) {
        let removes = self.eat('-');
        let Some(path) = self.path() else { return };
        if removes {
            return tag.remove(&path);
        }
        let mut target = tag;
        for name in &path {
            target = target.entry(name);
        }
        if self.eat('=') {
            self.value(target);
        }
        if self.eat_brace() {
            let kept = self.text[self.at..].trim_start().starts_with("...");
            if kept {
                self.peek();
                self.at += 3;
            } else {
                target.properties.clear();
            }
            self.properties(target, Some('}'));
        }
    }

    fn path(&mut self) -> Option<Vec<Arc<str>>> {
        let mut path = vec![self.word()?];
        while self.text[self.at..].starts_with('.') && !self.text[self.at..].starts_with("...") {
            self.at += 1;
            match self.word() {
                Some(name) => path.push(name),
                None => self.error("expected a name after the dot"),
            }
        }
        Some(path)
    }

    /// A bare word or one in quotes of any kind.
    fn word(&mut self) -> Option<Arc<str>> {
        let first = self.peek()?;
        if matches!(first, '"' | '\'' | '`') {
            return Some(self.quoted(first));
        }
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| Arc::from(&rest[..end]))
    }

    fn quoted(&mut self, quote: char) -> Arc<str> {
        let start = self.at;
        let inner = &self.text[start + 1..];
        let mut escaped = false;
        let end = inner.find(|c: char| {
            let ends = c == quote && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let length = end.unwrap_or(inner.len());
        if end.is_none() {
            self.error(format!("this {quote} is not closed"));
        }
        self.at = start + 1 + length + usize::from(end.is_some());
        Arc::from(crate::lexer::unescape(&inner[..length]))
    }

    fn value(&mut self, tag: &mut Tag) {
        match self.peek() {
            Some('[') => {
                self.at += 1;
                tag.value = Some(Value::List(self.list()));
            }
            Some('{') => {}
            _ => match self.scalar() {
                Some(text) => tag.value = Some(Value::Text(text)),
                None => self.error("expected a value after `=`"),
            },
        }
    }

    /// A word, a number with its sign and point, or something in quotes.
    fn scalar(&mut self) -> Option<Arc<str>> {
        let first = self.peek()?;
        if matches!(first, '"' | '\'' | '`') {
            return Some(self.quoted(first));
        }
        let rest = &self.text[self.at..];
        let part = |c: char| {
            c.is_alphanumeric()
                || matches!(c, '_' | '.' | '-' | '+' | '@' | '$' | ':' | '/' | '#' | '%')
        };
        let end = rest.find(|c: char| !part(c)).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| Arc::from(&rest[..end]))
    }

    fn list(&mut self) -> Vec<Tag> {
        let mut items = Vec::new();
        self.depth += 1;
        loop {
            match self.peek() {
                Some(']') => {
                    self.at += 1;
                    break;
                }
                None => {
                    self.error("expected `]`");
                    break;
                }
                Some(_) if self.depth > MAX_DEPTH => {
                    self.error("nested too deeply");
                    self.at = self.text.len();
                }
                Some(next) => {
                    let before = self.at;
                    let mut item = Tag::default();
                    self.value(&mut item);
                    if self.eat_brace() {
                        self.properties(&mut item, Some('}'));
                    }
                    if self.at == before {
                        self.at += next.len_utf8();
                    } else {
                        items.push(item);
                    }
                }
            }
        }
        self.depth -= 1;
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(content: &str) -> Tag {
        let mut tag = Tag::default();
        assert_eq!(parse(content, &mut tag), [], "{content}");
        tag
    }

    #[test]
    fn a_route_is_what_stands_before_the_first_blank() {
        let of = |text| {
            let route = route(text);
            (route.name, route.content, route.problem)
        };
        assert_eq!(of("# bar_chart"), ("", "bar_chart", None));
        assert_eq!(of("##! experimental.givens"), ("!", "experimental.givens", None));
        assert_eq!(of("#(doc) how many"), ("doc", "how many", None));
        assert_eq!(of("#\" a doc string"), ("\"", "a doc string", None));
        assert_eq!(of("##|(doc) one\ntwo"), ("doc", "one\ntwo", None));
        assert_eq!(of("#doc x"), ("doc", "x", Some(RouteProblem::Malformed)));
        assert_eq!(of("#(doc x"), ("(doc", "x", Some(RouteProblem::Malformed)));
        assert_eq!(of("#% x"), ("%", "x", Some(RouteProblem::Reserved)));
        assert_eq!(of("#"), ("", "", None));
    }

    #[test]
    fn flags_are_properties() {
        let tag = parsed("experimental { parameters givens } experimental.join_types");
        assert!(tag.has(&["experimental", "givens"]));
        assert!(tag.has(&["experimental", "join_types"]));
        assert!(!tag.has(&["experimental", "persistence"]));
    }

    #[test]
    fn values_lists_and_removal() {
        let tag = parsed(r#"label="Flights \"all\"" size=12.5 a.b=c x=[1, two, {k=v}] gone -gone"#);
        assert_eq!(tag.text(&["label"]), Some("Flights \"all\""));
        assert_eq!(tag.text(&["size"]), Some("12.5"));
        assert_eq!(tag.text(&["a", "b"]), Some("c"));
        assert!(!tag.has(&["gone"]));
        let Some(Value::List(items)) = &tag.get(&["x"]).unwrap().value else { panic!("a list") };
        assert_eq!(items.len(), 3);
        assert_eq!(items[2].text(&["k"]), Some("v"));
    }

    #[test]
    fn annotations_add_up() {
        let mut tag = parsed("a=1 b { c d }");
        parse("a=2 b.e", &mut tag);
        assert_eq!(tag.text(&["a"]), Some("2"));
        assert!(tag.has(&["b", "c"]) && tag.has(&["b", "e"]));
    }

    #[test]
    fn what_makes_no_sense_is_said_and_passed_over() {
        let mut tag = Tag::default();
        let errors = parse("a = ) b=\"open", &mut tag);
        assert_eq!(errors.len(), 3, "{errors:?}");
        assert!(tag.has(&["a"]) && tag.has(&["b"]));
        let deep = "a {".repeat(10_000);
        assert!(!parse(&deep, &mut Tag::default()).is_empty());
    }
}
