//! What is wrong with the HTML itself, whatever its attributes say.

use super::Place;

/// A fault of the text, at the place where it is best mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub at: Place,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    #[error("`<{0}>` is never closed")]
    Unclosed(String),
    /// An element whose end tag is missing, noticed by the end tag of one around it.
    #[error("`<{name}>` is still open where `</{by}>` closes the element around it on line {}", .closed_at.line)]
    ClosedByOuter { name: String, by: String, closed_at: Place },
    #[error("`</{0}>` closes nothing that is open")]
    StrayEnd(String),
    #[error("`<{0}/>` does not close itself in HTML, so what follows becomes its content")]
    SelfClosing(String),
    #[error("attribute `{0}` is written twice, and the second is ignored")]
    DuplicateAttribute(String),
    #[error("`<template>` is never closed")]
    UnclosedTemplate,
    #[error("this stands outside the `<template>` and is not shown")]
    OutsideTemplate,
    #[error("`<{0}>` cannot stand here inside a table, so the browser moves it out")]
    MovedOutOfTable(String),
    #[error("a view is a piece of a page, `<{0}>` has no place in it")]
    PageElement(String),
    #[error("elements are nested more than {0} deep")]
    TooDeep(usize),
    #[error("the text has more than {0} bytes")]
    TooLong(usize),
    /// What the tokenizer of the HTML standard calls this fault.
    #[error("broken HTML: {0}")]
    Broken(&'static str),
}

impl FaultKind {
    /// Whether the browser shows something else than was written.
    pub fn is_error(&self) -> bool {
        !matches!(self, Self::DuplicateAttribute(_) | Self::PageElement(_))
    }

    pub fn code(&self) -> &'static str {
        match self {
            Self::Unclosed(_) | Self::ClosedByOuter { .. } => "unclosed-element",
            Self::StrayEnd(_) => "stray-end-tag",
            Self::SelfClosing(_) => "self-closing",
            Self::DuplicateAttribute(_) => "duplicate-attribute",
            Self::UnclosedTemplate => "unclosed-template",
            Self::OutsideTemplate => "outside-template",
            Self::MovedOutOfTable(_) => "moved-out-of-table",
            Self::PageElement(_) => "page-element",
            Self::TooDeep(_) => "too-deep",
            Self::TooLong(_) => "too-long",
            Self::Broken(_) => "broken-html",
        }
    }

    pub fn fix(&self) -> String {
        match self {
            Self::Unclosed(name) | Self::ClosedByOuter { name, .. } => format!("write `</{name}>` where its content ends"),
            Self::StrayEnd(name) => format!("remove `</{name}>`, or open `<{name}>` before it"),
            Self::SelfClosing(name) => format!("write `<{name} …></{name}>`"),
            Self::DuplicateAttribute(name) => format!("keep one `{name}`"),
            Self::UnclosedTemplate => "write `</template>` at the end".to_owned(),
            Self::OutsideTemplate => "move it into the one `<template>`".to_owned(),
            Self::MovedOutOfTable(_) => {
                "put it into a `<td>`; for one row per element write `<tbody ui-viewlist=\"…\">` with a `<tr>` as the item's view"
                    .to_owned()
            }
            Self::PageElement(_) => "write only the elements of this view".to_owned(),
            Self::TooDeep(_) => "give inner parts a type and a view of their own and show them with `ui-view`".to_owned(),
            Self::TooLong(_) => "split it into views of their own".to_owned(),
            Self::Broken(_) => "check quotes, `<` and `>` here; a `<` in text is `&lt;`".to_owned(),
        }
    }
}
