//! The words that views are made of: attributes, path parameters, keys, components, and how each element treats `ui-value`.

/// `ui-*` attributes that stand by themselves.
pub const ATTRIBUTES: [&str; 11] = [
    "ui-app",
    "ui-value",
    "ui-text",
    "ui-html",
    "ui-content",
    "ui-code",
    "ui-action",
    "ui-view",
    "ui-viewlist",
    "ui-namespace",
    "ui-item-wrapper",
];

/// `ui-*` attributes that go on with a name of the author's choice.
pub const PREFIXES: [&str; 4] = ["ui-attr-", "ui-class-", "ui-style-", "ui-event-"];

/// Written by the page itself into what it has rendered; of no use in a view definition.
pub const WRITTEN_BY_PAGE: [&str; 3] = ["ui-viewdef", "ui-error-code", "ui-error-description"];

/// Parameters of a path that mean something.
pub const PARAMETERS: [&str; 9] = [
    "access",
    "wrapper",
    "itemWrapper",
    "item",
    "create",
    "priority",
    "keypress",
    "replace",
    "scrollOnOutput",
];

pub const ACCESS: [&str; 4] = ["r", "w", "rw", "action"];

pub const PRIORITIES: [&str; 4] = ["high", "med", "medium", "low"];

/// Modifiers of `ui-event-keypress-MOD-KEY`.
pub const MODIFIERS: [&str; 4] = ["ctrl", "shift", "alt", "meta"];

/// Keys that have a name; letters and digits are keys, too, and so are `f1` to `f12`.
pub const KEYS: [&str; 14] = [
    "enter",
    "escape",
    "tab",
    "space",
    "left",
    "right",
    "up",
    "down",
    "backspace",
    "delete",
    "home",
    "end",
    "pageup",
    "pagedown",
];

/// Shoelace's elements, without their prefix.
pub const COMPONENTS: [&str; 57] = [
    "alert",
    "animated-image",
    "animation",
    "avatar",
    "badge",
    "breadcrumb",
    "breadcrumb-item",
    "button",
    "button-group",
    "card",
    "carousel",
    "carousel-item",
    "checkbox",
    "color-picker",
    "copy-button",
    "details",
    "dialog",
    "divider",
    "drawer",
    "dropdown",
    "format-bytes",
    "format-date",
    "format-number",
    "icon",
    "icon-button",
    "image-comparer",
    "include",
    "input",
    "menu",
    "menu-item",
    "menu-label",
    "mutation-observer",
    "option",
    "popup",
    "progress-bar",
    "progress-ring",
    "qr-code",
    "radio",
    "radio-button",
    "radio-group",
    "range",
    "rating",
    "relative-time",
    "resize-observer",
    "select",
    "skeleton",
    "spinner",
    "split-panel",
    "switch",
    "tab",
    "tab-group",
    "tab-panel",
    "tag",
    "textarea",
    "tooltip",
    "tree",
    "tree-item",
];

/// Events that Shoelace's elements send under a name of their own.
pub const COMPONENT_EVENTS: [&str; 6] = ["change", "clear", "show", "hide", "select", "invalid"];

pub fn is_key(name: &str) -> bool {
    let mut characters = name.chars();
    let single = matches!((characters.next(), characters.next()), (Some(c), None) if c.is_ascii_alphanumeric());
    let function = name
        .strip_prefix('f')
        .and_then(|n| n.parse::<u8>().ok())
        .is_some_and(|n| (1..=12).contains(&n));
    single || function || KEYS.contains(&name)
}

pub fn is_component(name: &str) -> bool {
    name.strip_prefix("sl-")
        .is_some_and(|rest| rest == "visually-hidden" || COMPONENTS.contains(&rest))
}

/// What `ui-value` does on an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// A line or area of text.
    Text,
    /// A box that is ticked or not.
    Check,
    /// One of several boxes, of which one is ticked.
    Radio,
    Number,
    /// One or several out of a list.
    Choice,
    /// Shows the value in its own way and never sends one.
    Shown,
    /// Its text content; never sends one by itself.
    Content,
}

impl ValueKind {
    /// How an element treats `ui-value`; `input_type` is the attribute `type` of an `input`.
    pub fn of(name: &str, input_type: Option<&str>) -> Self {
        match name {
            "input" => match input_type.unwrap_or("text") {
                "checkbox" => Self::Check,
                "radio" => Self::Radio,
                "number" | "range" => Self::Number,
                _ => Self::Text,
            },
            "sl-input" if input_type == Some("number") => Self::Number,
            "textarea" | "sl-input" | "sl-textarea" | "sl-color-picker" => Self::Text,
            "sl-checkbox" | "sl-switch" => Self::Check,
            "sl-range" | "sl-rating" => Self::Number,
            "select" | "sl-select" | "sl-radio-group" => Self::Choice,
            "sl-option" | "sl-progress-bar" | "sl-progress-ring" | "sl-qr-code"
            | "sl-copy-button" | "progress" | "meter" => Self::Shown,
            _ => Self::Content,
        }
    }

    /// Whether what a person enters is sent.
    pub fn sends(self) -> bool {
        !matches!(self, Self::Shown | Self::Content)
    }
}

/// The nearest of `candidates`, if it is near enough to be what was meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let allowed = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| {
            (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate)
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("ui-vlaue", ATTRIBUTES), Some("ui-value"));
        assert_eq!(nearest("ui-viewList", ATTRIBUTES), Some("ui-viewlist"));
        assert_eq!(nearest("ui-for", ATTRIBUTES), None);
        assert_eq!(nearest("firstname", ["firstName", "lastName"]), Some("firstName"));
        assert_eq!(nearest("id", ["name", "it"]), Some("it"));
    }

    #[test]
    fn keys_are_letters_digits_names_and_function_keys() {
        for key in ["enter", "a", "7", "f1", "f12", "pagedown"] {
            assert!(is_key(key), "{key}");
        }
        for key in ["return", "esc", "f13", "f0", "ab", "", "+"] {
            assert!(!is_key(key), "{key}");
        }
    }
}
