//! Checks of attributes: unknown ones, those of other frameworks, keys, events.

use super::Audit;
use crate::binding::{Binding, bindings, nearest_attribute};
use crate::finding::Finding;
use crate::html::{Attribute, Element};
use crate::known;

/// Events that are often written with the `on` of the handler's attribute.
const HTML_EVENTS: [&str; 7] = ["click", "dblclick", "change", "input", "focus", "blur", "submit"];

impl Audit<'_> {
    pub(super) fn attributes(&mut self, element: &Element) {
        for attribute in &element.attributes {
            if attribute.name.starts_with("ui-") {
                continue;
            }
            self.foreign(attribute);
            self.markup_in_value(attribute);
        }
        for (attribute, binding) in bindings(element) {
            match &binding {
                Binding::Unknown => self.unknown(attribute),
                Binding::App => {
                    let message = "`ui-app` belongs to the page around all views, once";
                    self.add(
                        Finding::error("app-in-view", attribute.at, message).fix(
                            "leave it out; to show the root object's field write `@app.field`",
                        ),
                    );
                }
                Binding::Key(keys) => self.keys(attribute, keys),
                Binding::Event(event) => self.event(element, attribute, event),
                Binding::Class(_) | Binding::Attr(_) | Binding::Style(_) => self.case(attribute),
                Binding::Namespace => {
                    self.plain(
                        attribute,
                        ui_core::viewdef::check_namespace(&attribute.value).err(),
                    );
                }
                Binding::ItemWrapper => {
                    self.plain(attribute, ui_core::viewdef::check_type(&attribute.value).err());
                }
                _ => {}
            }
            if binding.has_path() {
                self.path(element, attribute, &binding);
            }
        }
        if let Some(attribute) = element.attributes.iter().find(|a| a.name == "ui-item-wrapper")
            && !element.has("ui-viewlist")
        {
            let finding = Finding::error(
                "item-wrapper-alone",
                attribute.at,
                "`ui-item-wrapper` works beside `ui-viewlist` alone",
            );
            self.add(finding.fix("put it on the element with `ui-viewlist`, or write `?wrapper=lua.ViewList&itemWrapper=TYPE`"));
        }
    }

    fn unknown(&mut self, attribute: &Attribute) {
        let name = &*attribute.name;
        if known::WRITTEN_BY_PAGE.contains(&name) {
            let finding = Finding::warning(
                "page-attribute",
                attribute.at,
                format!("`{name}` is written by the page and ignored in a view"),
            );
            self.add(finding.fix("leave it out"));
            return;
        }
        let (message, fix) = match name {
            "ui-class" => (
                "`ui-class` has no name of a class: there are no expressions in attributes"
                    .to_owned(),
                class_fix(&attribute.value),
            ),
            "ui-attr" | "ui-style" | "ui-event" => {
                (format!("`{name}` needs a name after it"), format!("write `{name}-NAME=\"path\"`"))
            }
            "ui-if" | "ui-show" | "ui-hide" | "ui-visible" => (
                format!("there is no `{name}`"),
                "write `ui-attr-hidden=\"isHidden()\"` with a method that says when it is hidden"
                    .to_owned(),
            ),
            "ui-for" | "ui-each" | "ui-repeat" | "ui-foreach" => (
                format!("there is no `{name}`"),
                "write `<div ui-viewlist=\"list\"></div>` and a view for the type of its elements"
                    .to_owned(),
            ),
            "ui-click" | "ui-onclick" | "ui-on-click" => (
                format!("there is no `{name}`"),
                format!("write `ui-action=\"{}\"`", attribute.value),
            ),
            "ui-model" | "ui-bind" | "ui-input" => (
                format!("there is no `{name}`"),
                format!("write `ui-value=\"{}\"`", attribute.value),
            ),
            _ => {
                let near = nearest_attribute(name);
                let fix = near.map_or_else(
                    || {
                        format!(
                            "known are {} and {}…",
                            known::ATTRIBUTES.join(", "),
                            known::PREFIXES.join("…, ")
                        )
                    },
                    |near| format!("did you mean `{near}`?"),
                );
                (format!("there is no attribute `{name}`"), fix)
            }
        };
        let code = if name == "ui-class" { "class-expression" } else { "unknown-attribute" };
        self.add(Finding::error(code, attribute.at, message).fix(fix));
    }

    fn keys(&mut self, attribute: &Attribute, keys: &str) {
        let parts: Vec<&str> = keys.split('-').collect();
        let (key, modifiers) = parts.split_last().unwrap_or((&"", &[]));
        if let Some(bad) = modifiers.iter().find(|m| !known::MODIFIERS.contains(m)) {
            let fix = known::nearest(bad, known::MODIFIERS).or(alias(bad)).map_or_else(
                || format!("modifiers are {}", known::MODIFIERS.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            self.add(
                Finding::error("bad-key", attribute.at, format!("`{bad}` is no modifier")).fix(fix),
            );
        }
        if !known::is_key(key) {
            let fix = alias(key).or_else(|| known::nearest(key, known::KEYS)).map_or_else(
                || format!("keys are letters, digits, f1 to f12, {}", known::KEYS.join(", ")),
                |near| format!("did you mean `ui-event-keypress-{near}`?"),
            );
            self.add(
                Finding::error("bad-key", attribute.at, format!("`{key}` is no key")).fix(fix),
            );
        }
    }

    fn event(&mut self, element: &Element, attribute: &Attribute, event: &str) {
        if matches!(event, "keypress" | "keypress-") {
            let finding =
                Finding::error("bad-key", attribute.at, "`ui-event-keypress` needs a key after it");
            self.add(finding.fix("write `ui-event-keypress-enter=\"method()\"`"));
        }
        if let Some(bare) = event.strip_prefix("on").filter(|bare| HTML_EVENTS.contains(bare)) {
            let finding = Finding::error(
                "bad-event",
                attribute.at,
                format!("the event is called `{bare}`, without `on`"),
            );
            self.add(finding.fix(format!("write `ui-event-{bare}`")));
        }
        if element.name.starts_with("sl-") && known::COMPONENT_EVENTS.contains(&event) {
            let finding = Finding::error(
                "component-event",
                attribute.at,
                format!("`<{}>` sends no `{event}`", element.name),
            );
            self.add(finding.fix(format!("write `ui-event-sl-{event}`")));
        }
    }

    fn case(&mut self, attribute: &Attribute) {
        if attribute.written == attribute.name {
            return;
        }
        let finding = Finding::warning(
            "case-lost",
            attribute.at,
            format!("HTML makes `{}` lower case, `{}`", attribute.written, attribute.name),
        );
        self.add(
            finding
                .fix(format!("write `{}`, and the same in the style", dashed(&attribute.written))),
        );
    }

    fn plain(&mut self, attribute: &Attribute, problem: Option<ui_core::viewdef::BadKey>) {
        if let Some(problem) = problem {
            let finding = Finding::error("bad-name", attribute.value_at, problem.to_string());
            self.add(finding.fix(format!("`{}` takes a plain name, not a path", attribute.name)));
        }
    }

    /// Attributes of frameworks that an author may be used to.
    fn foreign(&mut self, attribute: &Attribute) {
        let name = &*attribute.name;
        let framework = name.starts_with('@')
            || name.starts_with(':')
            || name.starts_with('(')
            || ["v-", "x-", "ng-", "hx-", "bind:", "on:", "*ng"]
                .iter()
                .any(|prefix| name.starts_with(prefix));
        if framework {
            let message = format!("`{name}` is of another framework and does nothing here");
            self.add(
                Finding::error("foreign-syntax", attribute.at, message)
                    .fix("see the attributes in `ui://viewdefs`"),
            );
        } else if name
            .strip_prefix("on")
            .is_some_and(|event| event.chars().all(char::is_alphabetic) && event.len() > 3)
        {
            let message =
                format!("`{name}` runs JavaScript in the page and reaches nothing in Lua");
            let event = &name[2..];
            let fix = if event == "click" {
                "write `ui-action=\"method()\"`".to_owned()
            } else {
                format!("write `ui-event-{event}=\"method()\"`")
            };
            self.add(Finding::warning("foreign-syntax", attribute.at, message).fix(fix));
        } else if attribute.value.contains("{{") && attribute.value.contains("}}") {
            let message = format!(
                "`{}` is taken as it stands: there are no expressions in attributes",
                attribute.value
            );
            let fix = format!("write `ui-attr-{name}=\"path\"`");
            self.add(Finding::error("foreign-syntax", attribute.at, message).fix(fix));
        }
    }

    /// `title='<b ui-view="x">'`: bindings inside a value are text.
    fn markup_in_value(&mut self, attribute: &Attribute) {
        let value = &attribute.value;
        let bound = ["ui-view", "ui-value", "ui-html", "ui-action", "ui-text"]
            .iter()
            .any(|name| value.contains(&format!("{name}=")));
        if bound {
            let message =
                format!("bindings inside the value of `{}` are text and never run", attribute.name);
            let fix = format!(
                "write `ui-attr-{}=\"path\"`, or put the element into the view itself",
                attribute.name
            );
            self.add(Finding::error("view-in-attribute", attribute.value_at, message).fix(fix));
        }
    }
}

/// `done:isDone` as it should be written.
fn class_fix(value: &str) -> String {
    match value.split_once(':') {
        Some((name, path)) if !name.trim().is_empty() => format!("write `ui-class-{}=\"{}\"`", name.trim(), path.trim()),
        _ => "write `ui-class-NAME=\"path\"` for each class; for a class by name `ui-attr-class=\"path\"`".to_owned(),
    }
}

fn alias(key: &str) -> Option<&'static str> {
    Some(match key {
        "return" => "enter",
        "esc" => "escape",
        "del" => "delete",
        "cmd" | "command" | "win" | "super" => "meta",
        "control" => "ctrl",
        "option" | "opt" => "alt",
        "arrowup" => "up",
        "arrowdown" => "down",
        "arrowleft" => "left",
        "arrowright" => "right",
        "spacebar" => "space",
        "pgup" => "pageup",
        "pgdn" => "pagedown",
        _ => return None,
    })
}

/// `ui-class-isDone` as `ui-class-is-done`.
fn dashed(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.ends_with('-') {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
