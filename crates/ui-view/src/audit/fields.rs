//! Checks of paths against what is known of the type.

use ui_core::{Path, Step};

use super::Audit;
use crate::binding::Binding;
use crate::finding::Finding;
use crate::html::Attribute;
use crate::known::nearest;
use crate::types::{Shape, TypeFacts};

impl Audit<'_> {
    /// Follows the path as far as the types are known, and tells the first step that leads nowhere.
    pub(super) fn fields(&mut self, attribute: &Attribute, path: &Path, binding: &Binding<'_>) {
        let (Some(types), Some(start)) = (self.context.types, self.context.type_name) else {
            return;
        };
        let Some(mut facts) = types.get(start) else { return };
        let mut type_name = start;
        // A wrapper or a created object stands in for the value; the path up to it is the object's own.
        for (index, step) in path.steps().iter().enumerate() {
            let is_last = index + 1 == path.steps().len();
            let shape = match step {
                Step::Field(name) => match facts.fields.get(&**name) {
                    Some(shape) => shape,
                    // Names with an underscore are private and not told.
                    None if &**name == "type" || name.starts_with('_') => return,
                    None if facts.open && !facts.methods.contains(&**name) => return,
                    None => {
                        self.missing_field(attribute, type_name, facts, name);
                        return;
                    }
                },
                Step::Call(name) | Step::CallWith(name) => {
                    if !facts.methods.contains(&**name) {
                        self.missing_method(attribute, type_name, facts, name);
                    }
                    return;
                }
                Step::Index(_) | Step::Up | Step::App => return,
            };
            if is_last {
                self.shape(attribute, binding, path, shape);
                return;
            }
            // Through a list the next step is an index, after which the type of the elements counts.
            match shape {
                Shape::Object(Some(next)) => {
                    let Some(known) = types.get(next) else { return };
                    (facts, type_name) = (known, next);
                }
                _ => return,
            }
        }
    }

    fn missing_field(
        &mut self,
        attribute: &Attribute,
        type_name: &str,
        facts: &TypeFacts,
        name: &str,
    ) {
        let at = attribute.place_in_value(attribute.value.find(name).unwrap_or(0));
        if facts.methods.contains(name) {
            let finding = Finding::error(
                "method-as-field",
                at,
                format!("`{name}` is a method of `{type_name}`"),
            );
            self.add(finding.fix(format!("write `{name}()`")));
            return;
        }
        let names = facts.fields.keys().map(String::as_str);
        let near = nearest(name, names).map(|near| format!("`{near}`"));
        let near = near.or_else(|| {
            nearest(name, facts.methods.iter().map(String::as_str))
                .map(|near| format!("`{near}()`"))
        });
        let fix = near.map_or_else(
            || format!("declare it in `session:prototype(\"{type_name}\", {{ {name} = EMPTY }})` if it is set later"),
            |near| format!("did you mean {near}?"),
        );
        self.add(
            Finding::warning("unknown-field", at, format!("`{type_name}` has no field `{name}`"))
                .fix(fix),
        );
    }

    fn missing_method(
        &mut self,
        attribute: &Attribute,
        type_name: &str,
        facts: &TypeFacts,
        name: &str,
    ) {
        let at = attribute.place_in_value(attribute.value.find(name).unwrap_or(0));
        if facts.fields.contains_key(name) {
            let finding = Finding::error(
                "field-as-method",
                at,
                format!("`{name}` is a field of `{type_name}`, not a method"),
            );
            self.add(finding.fix(format!("write `{name}` to read it, or define `function {type_name}:{name}()` under another name")));
            return;
        }
        let near = nearest(name, facts.methods.iter().map(String::as_str));
        let fix = near.map_or_else(
            || {
                format!(
                    "define `function {}:{name}() … end`",
                    type_name.rsplit('.').next().unwrap_or(type_name)
                )
            },
            |near| format!("did you mean `{near}()`?"),
        );
        self.add(
            Finding::error("missing-method", at, format!("`{type_name}` has no method `{name}`"))
                .fix(fix),
        );
    }

    fn shape(&mut self, attribute: &Attribute, binding: &Binding<'_>, path: &Path, shape: &Shape) {
        let wrapped = path.param("wrapper").is_some() || path.param("create").is_some();
        match (binding, shape) {
            (Binding::List, Shape::Plain | Shape::Object(Some(_))) => {
                let finding = Finding::error(
                    "list-path",
                    attribute.value_at,
                    format!("`{}` holds no list", attribute.value),
                );
                self.add(
                    finding
                        .fix("name a field that holds a list, or write `ui-view` for one object"),
                );
            }
            (Binding::View, Shape::Plain) if !wrapped => {
                let finding = Finding::error(
                    "view-path",
                    attribute.value_at,
                    format!(
                        "`{}` holds a plain value, and `ui-view` shows objects",
                        attribute.value
                    ),
                );
                self.add(finding.fix("write `ui-value`"));
            }
            (Binding::View, Shape::List(_)) if !wrapped => {
                let finding = Finding::error(
                    "view-path",
                    attribute.value_at,
                    format!("`{}` holds a list, and `ui-view` shows one object", attribute.value),
                );
                self.add(finding.fix("write `ui-viewlist`, or add `?wrapper=lua.ViewList`"));
            }
            _ => {}
        }
    }
}
