//! What an attribute binds: its kind, and the access it asks for where its path does not say.

use ui_core::path::Ending;
use ui_core::{Access, Path};

use crate::html::{Attribute, Element};
use crate::known::{self, ValueKind};

/// The kind of a `ui-*` attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Binding<'a> {
    /// `ui-app`: this element is where the page begins.
    App,
    /// `ui-value`.
    Value,
    /// `ui-text`: as `ui-value`, one way.
    Text,
    /// `ui-html`, `ui-content`.
    Html,
    /// `ui-code`.
    Code,
    /// `ui-attr-NAME`.
    Attr(&'a str),
    /// `ui-class-NAME`.
    Class(&'a str),
    /// `ui-style-PROP`.
    Style(&'a str),
    /// `ui-action`.
    Action,
    /// `ui-event-EVENT`.
    Event(&'a str),
    /// `ui-event-keypress-KEYS`.
    Key(&'a str),
    /// `ui-view`.
    View,
    /// `ui-viewlist`.
    List,
    /// `ui-namespace`: a plain text.
    Namespace,
    /// `ui-item-wrapper`: a type.
    ItemWrapper,
    /// Begins with `ui-` and is none of these.
    Unknown,
}

impl<'a> Binding<'a> {
    /// What an attribute is by its name; none if it does not begin with `ui-`.
    pub fn of(name: &'a str) -> Option<Self> {
        let rest = name.strip_prefix("ui-")?;
        Some(match rest {
            "app" => Self::App,
            "value" => Self::Value,
            "text" => Self::Text,
            "html" | "content" => Self::Html,
            "code" => Self::Code,
            "action" => Self::Action,
            "view" => Self::View,
            "viewlist" => Self::List,
            "namespace" => Self::Namespace,
            "item-wrapper" => Self::ItemWrapper,
            _ => Self::prefixed(rest),
        })
    }

    fn prefixed(rest: &'a str) -> Self {
        let named = |prefix: &str| rest.strip_prefix(prefix).filter(|name| !name.is_empty());
        if let Some(keys) = named("event-keypress-") {
            Self::Key(keys)
        } else if let Some(name) = named("event-") {
            Self::Event(name)
        } else if let Some(name) = named("attr-") {
            Self::Attr(name)
        } else if let Some(name) = named("class-") {
            Self::Class(name)
        } else if let Some(name) = named("style-") {
            Self::Style(name)
        } else {
            Self::Unknown
        }
    }

    /// Whether the attribute's value is a path.
    pub fn has_path(&self) -> bool {
        !matches!(self, Self::App | Self::Namespace | Self::ItemWrapper | Self::Unknown)
    }

    /// The access of the variable where the path does not name one.
    pub fn default_access(&self, element: &Element, path: &Path) -> Access {
        match self {
            Self::Key(_) if path.ending() == Ending::Place => Access::ReadWrite,
            Self::Action | Self::Event(_) | Self::Key(_) => Access::Action,
            Self::Value if path.ending() != Ending::Call && value_kind(element).sends() => {
                Access::ReadWrite
            }
            _ => Access::Read,
        }
    }
}

/// How an element treats `ui-value`.
pub fn value_kind(element: &Element) -> ValueKind {
    ValueKind::of(&element.name, element.attribute("type"))
}

/// The attributes of an element that bind something, with their kinds.
pub fn bindings(element: &Element) -> impl Iterator<Item = (&Attribute, Binding<'_>)> {
    element.attributes.iter().filter_map(|a| Binding::of(&a.name).map(|binding| (a, binding)))
}

/// Splits the parameters that stay in the page from those that the server gets as properties.
pub fn stays_in_page(parameter: &str) -> bool {
    matches!(parameter, "keypress" | "replace" | "scrollOnOutput")
}

/// The known attribute nearest to one that is not known.
pub fn nearest_attribute(name: &str) -> Option<String> {
    if let Some(known) = known::nearest(name, known::ATTRIBUTES) {
        return Some(known.to_owned());
    }
    // `ui-clas-done`: the part up to the second dash is what was misspelt.
    let (prefix, rest) = name.strip_prefix("ui-")?.split_once('-')?;
    let prefix = format!("ui-{prefix}-");
    known::nearest(&prefix, known::PREFIXES).map(|known| format!("{known}{rest}"))
}
