//! The rules of HTML that decide the shape of the tree.

/// Elements that have no content and no end tag.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Start tags before which an open `<p>` ends.
const ENDS_PARAGRAPH: [&str; 33] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "ul",
];

/// Whether an element has neither content nor end tag.
pub fn is_void(name: &str) -> bool {
    VOID.contains(&name)
}

/// Whether what is inside is text for something else than a reader.
pub fn is_raw(name: &str) -> bool {
    matches!(name, "script" | "style")
}

/// Whether the end tag of `name` may be left out.
pub(super) fn end_is_optional(name: &str) -> bool {
    matches!(
        name,
        "p" | "li"
            | "dt"
            | "dd"
            | "option"
            | "optgroup"
            | "tr"
            | "td"
            | "th"
            | "thead"
            | "tbody"
            | "tfoot"
            | "caption"
            | "colgroup"
            | "rt"
            | "rp"
    )
}

/// Whether the open element `open` ends where `next` begins.
pub(super) fn ends_before(open: &str, next: &str) -> bool {
    match open {
        "p" => ENDS_PARAGRAPH.contains(&next),
        "li" => next == "li",
        "dt" | "dd" => matches!(next, "dt" | "dd"),
        "option" => matches!(next, "option" | "optgroup"),
        "optgroup" => next == "optgroup",
        "td" | "th" => matches!(next, "td" | "th" | "tr" | "tbody" | "thead" | "tfoot"),
        "tr" => matches!(next, "tr" | "tbody" | "thead" | "tfoot"),
        "thead" | "tbody" | "tfoot" | "caption" | "colgroup" => {
            matches!(next, "thead" | "tbody" | "tfoot")
                || (matches!(open, "caption" | "colgroup") && next == "tr")
        }
        "rt" | "rp" => matches!(next, "rt" | "rp"),
        _ => false,
    }
}

/// Whether an element is a wall: what is open around it cannot be ended from inside.
pub(super) fn is_wall(name: &str) -> bool {
    matches!(
        name,
        "template" | "table" | "td" | "th" | "caption" | "svg" | "math" | "button" | "select"
    )
}

/// Whether `child` may stand directly inside `parent`, where `parent` is a part of a table.
pub(super) fn fits_table(parent: &str, child: &str) -> bool {
    if matches!(child, "template" | "script" | "style") {
        return true;
    }
    match parent {
        "table" => {
            matches!(child, "caption" | "colgroup" | "col" | "thead" | "tbody" | "tfoot" | "tr")
        }
        "thead" | "tbody" | "tfoot" => child == "tr",
        "tr" => matches!(child, "td" | "th"),
        _ => true,
    }
}

/// Elements of a page, which a fragment drops.
pub(super) fn is_page(name: &str) -> bool {
    matches!(name, "html" | "head" | "body")
}
