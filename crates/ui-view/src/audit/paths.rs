//! Checks of paths: syntax, parameters, access.

use ui_core::path::{BadPath, Ending, Why};
use ui_core::{Access, Path};

use super::Audit;
use crate::binding::{Binding, value_kind};
use crate::finding::Finding;
use crate::html::{Attribute, Element, Place};
use crate::known::{self, ValueKind};

impl Audit<'_> {
    pub(super) fn path(&mut self, element: &Element, attribute: &Attribute, binding: &Binding<'_>) {
        let path = match Path::parse(&attribute.value) {
            Ok(path) => path,
            Err(bad) => return self.bad_path(attribute, bad),
        };
        self.parameters(attribute, &path);
        if !self.access(element, attribute, binding, &path) {
            return;
        }
        match binding {
            Binding::Action => self.action(attribute, &path),
            Binding::List => self.list(attribute, &path),
            _ => {}
        }
        self.fields(attribute, &path, binding);
    }

    fn bad_path(&mut self, attribute: &Attribute, bad: BadPath) {
        let at = attribute.place_in_value(bad.at);
        let text = attribute.value.trim();
        if text.is_empty() {
            let finding = Finding::error(
                "bad-path",
                attribute.at,
                format!("`{}` has no path", attribute.name),
            );
            self.add(finding.fix("write a field, `method()` or a longer path"));
            return;
        }
        if let Some(operator) = operator(text) {
            let message =
                format!("`{operator}` in `{text}`: paths have no operators and no literals");
            self.add(
                Finding::error("operator-in-path", at, message)
                    .fix("write a method that computes it, and `name()` here"),
            );
            return;
        }
        let fix = match bad.why {
            Why::Arguments => {
                Some("what a row's method needs to know belongs into the row's object".to_owned())
            }
            Why::Stray(':') => Some("write a dot: paths call with `object.method()`".to_owned()),
            Why::Missing if text.ends_with('.') => Some("end it in a name".to_owned()),
            Why::UnknownAt => Some("write `@app` for the application object".to_owned()),
            Why::Bracket => Some(
                "write an index from 0, as in `items.0`; for one chosen at run time write a method"
                    .to_owned(),
            ),
            Why::Stray('/') => {
                Some("`/` follows `..` alone, as in `../name`; elsewhere write a dot".to_owned())
            }
            _ => None,
        };
        self.add(
            Finding::error("bad-path", at, format!("`{text}` is no path: {}", bad.why))
                .maybe_fix(fix),
        );
    }

    fn parameters(&mut self, attribute: &Attribute, path: &Path) {
        for param in path.params() {
            let key = &*param.key;
            if known::PARAMETERS.contains(&key) {
                continue;
            }
            // Others become properties of the variable, which is allowed; only what is nearly ours is told.
            if let Some(near) = known::nearest(key, known::PARAMETERS) {
                let finding = Finding::warning(
                    "unknown-parameter",
                    parameter_place(attribute, key),
                    format!("`{key}` means nothing to the platform"),
                );
                self.add(finding.fix(format!("did you mean `{near}`?")));
            }
        }
        if let Some(priority) = path.param("priority").filter(|p| !known::PRIORITIES.contains(p)) {
            let finding = Finding::error(
                "bad-priority",
                parameter_place(attribute, "priority"),
                format!("there is no priority `{priority}`"),
            );
            self.add(finding.fix("priorities are `high`, `med` and `low`"));
        }
        for key in ["wrapper", "itemWrapper", "item", "create"] {
            if let Some(problem) =
                path.param(key).and_then(|name| ui_core::viewdef::check_type(name).err())
            {
                self.add(Finding::error(
                    "bad-name",
                    parameter_place(attribute, key),
                    problem.to_string(),
                ));
            }
        }
    }

    /// Whether the access fits.
    fn access(
        &mut self,
        element: &Element,
        attribute: &Attribute,
        binding: &Binding<'_>,
        path: &Path,
    ) -> bool {
        let written = path.param("access");
        let at = written.map_or(attribute.value_at, |_| parameter_place(attribute, "access"));
        let access = match written.map(Access::parse) {
            None => binding.default_access(element, path),
            Some(Ok(access)) => access,
            Some(Err(failure)) => {
                self.add(
                    Finding::error("bad-access", at, failure.text.to_string())
                        .maybe_fix(written.and_then(nearest_access)),
                );
                return false;
            }
        };
        if let Err(failure) = access.check(path) {
            let fix = match (path.ending(), binding) {
                (Ending::CallWith, Binding::Value) if written.is_none() => {
                    "a field that is shown and written by methods is `name()?access=rw`; one that is only written is `name(_)?access=w`"
                }
                (Ending::CallWith, _) if written.is_none() => {
                    "`(_)` is for writing: write `name()`, or a field, to read"
                }
                (Ending::CallWith, _) => "with `(_)` write `access=w` or `access=action`",
                _ => "with `()` write `access=r`, `access=rw` or `access=action`",
            };
            self.add(Finding::error("bad-access", at, failure.text.to_string()).fix(fix));
            return false;
        }
        let two_way = written.is_some() && access.writes() && access != Access::Action;
        if matches!(binding, Binding::Value | Binding::Text) && two_way {
            self.never_sends(element, binding, at);
        }
        true
    }

    fn never_sends(&mut self, element: &Element, binding: &Binding<'_>, at: Place) {
        let kind = value_kind(element);
        let name = &element.name;
        if matches!(binding, Binding::Text) {
            self.add(
                Finding::warning("never-sends", at, "`ui-text` only shows").fix("write `ui-value`"),
            );
        } else if !kind.sends() && (kind == ValueKind::Shown || !name.contains('-')) {
            // Elements of other libraries may send `ui-value-change`, which only their author knows.
            let finding = Finding::warning(
                "never-sends",
                at,
                format!("`<{name}>` shows its value and never sends one"),
            );
            self.add(finding.fix("use an input, or leave `access` out"));
        }
    }

    fn action(&mut self, attribute: &Attribute, path: &Path) {
        if matches!(path.ending(), Ending::Call | Ending::CallWith) {
            return;
        }
        let text = ui_core::path::display_steps(path.steps()).to_string();
        let finding = Finding::error(
            "action-without-call",
            attribute.value_at,
            format!("`{text}` is a field, and a click would set it to nil"),
        );
        self.add(finding.fix(format!("write `{text}()`")));
    }

    fn list(&mut self, attribute: &Attribute, path: &Path) {
        if path.param("wrapper").is_some() {
            let finding = Finding::warning(
                "list-with-wrapper",
                parameter_place(attribute, "wrapper"),
                "`wrapper` makes an object of the list, which `ui-viewlist` cannot repeat",
            );
            self.add(
                finding.fix("write `ui-view` instead of `ui-viewlist`, or leave `wrapper` out"),
            );
        }
        if path.steps() == [ui_core::Step::App] {
            let finding = Finding::error(
                "list-path",
                attribute.value_at,
                "`ui-viewlist` needs a list, and `@app` is an object",
            );
            self.add(finding.fix("name a field that holds a list, or a method that returns one"));
        }
    }
}

/// The operator or literal that makes a text no path.
fn operator(text: &str) -> Option<&str> {
    // Parameters may hold anything.
    let steps = text.split('?').next().unwrap_or(text);
    let ternary = text.contains('?') && text.contains(':') && text.contains(' ');
    if let Some(word) = text.split_whitespace().find(|word| matches!(*word, "and" | "or" | "not")) {
        return Some(word);
    }
    let found = [
        "==", "~=", "!=", "<=", ">=", "&&", "||", "??", "=>", "..", "<", ">", "+", "*", "%", "!",
        "#", "=", "'", "\"", "`", "$", " - ",
    ]
    .into_iter()
    .filter(|operator| *operator != ".." || steps.contains(" .. "))
    .find(|operator| steps.contains(operator));
    found.or(if ternary { Some("?") } else { None })
}

fn nearest_access(written: &str) -> Option<String> {
    let meant = match written {
        "read" | "readonly" | "ro" => "r",
        "write" | "wo" => "w",
        "readwrite" | "read-write" | "wr" | "both" => "rw",
        _ => known::nearest(written, known::ACCESS)?,
    };
    Some(format!("write `access={meant}`"))
}

fn parameter_place(attribute: &Attribute, key: &str) -> Place {
    let query = attribute.value.find('?').unwrap_or(0);
    let offset = attribute.value[query..].find(key).map_or(query, |at| query + at);
    attribute.place_in_value(offset)
}
