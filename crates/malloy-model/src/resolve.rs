//! Names and paths: what `a.b.c` stands for, and which joins it brings in.

use std::sync::Arc;

use malloy_syntax::tree::{AccessLabel, FieldPath, Name};
use malloy_syntax::{Diagnostic, Span};

use crate::analyser::{Analyser, nearest};
use crate::build::{Build, JoinBuild, Reach, Role, Scope};
use crate::ir::{Expr, JoinId, JoinKind, Relation, Relationship, Type};
use crate::source::{Entry, FieldDef, FieldKind, Source, Step};
use crate::typed::{Kind, Space, Ty, Typed};

/// What a path leads to.
pub(crate) enum Place {
    /// A join, or a list whose elements are meant.
    Join(JoinId),
    /// A value: of a column, dimension, measure, parameter or output.
    Value(Box<Found>),
    /// A view, of the source at this join.
    View(Arc<FieldDef>, JoinId),
    /// Nothing; it was reported.
    Error,
}

pub(crate) struct Found {
    pub(crate) value: Typed,
    /// Annotations of the field.
    pub(crate) notes: Vec<Arc<str>>,
    /// The join at which the last step was taken.
    pub(crate) at: JoinId,
    /// How to unnest it, should it be a list.
    step: Step,
    name: Arc<str>,
}

impl Analyser<'_> {
    /// What a path leads to from a scope. Reports what cannot be found.
    pub(crate) fn place(&mut self, b: &mut Build, s: &Scope, path: &FieldPath) -> Place {
        if path.names.iter().any(Name::is_missing) {
            return Place::Error;
        }
        if s.outputs
            && path.names.len() == 1
            && let Some(found) = Self::output(b, &path.names[0])
        {
            return Place::Value(Box::new(found));
        }
        let mut place = self.first_step(b, s, path);
        for name in &path.names[1..] {
            place = match place {
                Place::Join(at) => self.step_into_join(b, s, at, name, path),
                Place::Value(found) => self.step_into_value(b, *found, name, path),
                Place::View(def, _) => {
                    self.no_member(&def.name, name, path.span);
                    Place::Error
                }
                Place::Error => return Place::Error,
            };
        }
        place
    }

    fn first_step(&mut self, b: &mut Build, s: &Scope, path: &FieldPath) -> Place {
        let name = &path.names[0];
        let Some(entry) = s.source.names.get(&name.text, s.version).cloned() else {
            if !s.source.is_error() {
                self.not_found(&s.source, s.version, name, path.span);
            }
            return Place::Error;
        };
        if !self.may_use(s, &entry, true, path.span) {
            return Place::Error;
        }
        self.enter(b, &s.source, s, s.at, &entry)
    }

    fn step_into_join(
        &mut self,
        b: &mut Build,
        s: &Scope,
        at: JoinId,
        name: &Name,
        path: &FieldPath,
    ) -> Place {
        if let Some(element) = b.join(at).element.clone() {
            return self.step_into_element(b, at, &element, name, path);
        }
        let Some(source) = b.join(at).source.clone() else { return Place::Error };
        let version = source.names.version();
        let Some(entry) = source.names.get(&name.text, version).cloned() else {
            if !source.is_error() {
                self.not_found(&source, version, name, path.span);
            }
            return Place::Error;
        };
        if !self.may_use(s, &entry, false, path.span) {
            return Place::Error;
        }
        let inner = Scope { source: Arc::clone(&source), version, at, outputs: false, ..s.clone() };
        self.enter(b, &source, &inner, at, &entry)
    }

    /// A field of an element, or the element itself.
    fn step_into_element(
        &mut self,
        b: &mut Build,
        at: JoinId,
        element: &Type,
        name: &Name,
        path: &FieldPath,
    ) -> Place {
        let member = match element {
            Type::Record(fields) => {
                fields.iter().find(|field| field.name == *name.text).map(|field| field.ty.clone())
            }
            other if &*name.text == "each" || &*name.text == "value" => Some(other.clone()),
            _ => None,
        };
        let Some(ty) = member else {
            let list = b.join(at).name.clone();
            let mut diagnostic = Diagnostic::error(
                "field-not-found",
                path.span,
                format!("`{list}` has no field `{}`", name.text),
            );
            if !matches!(element, Type::Record(_)) {
                diagnostic =
                    diagnostic.with_help(format!("the elements of the list are `{list}.each`"));
            } else if let Type::Record(fields) = element
                && let Some(near) =
                    nearest(&name.text, fields.iter().map(|field| field.name.as_str()))
            {
                diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
            }
            self.report(diagnostic);
            return Place::Error;
        };
        let column = if matches!(element, Type::Record(_)) {
            name.text.to_string()
        } else {
            "value".to_owned()
        };
        let mut value = Typed::constant(Expr::Column { join: at, name: column }, Ty::Is(ty));
        (value.kind, value.space, value.uses) = (Kind::Scalar, Space::Input, vec![at]);
        let (step, name) = (Step::Inner(Arc::clone(&name.text)), Arc::clone(&name.text));
        Place::Value(Box::new(Found { value, notes: Vec::new(), at, step, name }))
    }

    /// A member of a value: of a record, or of the elements of a list.
    fn step_into_value(
        &mut self,
        b: &mut Build,
        found: Found,
        name: &Name,
        path: &FieldPath,
    ) -> Place {
        match found.value.value_type().cloned() {
            Some(Type::Array(element)) => {
                let at = Self::unnest(b, &found, &element);
                self.step_into_element(b, at, &element, name, path)
            }
            Some(Type::Record(fields)) => {
                let Some(field) = fields.iter().find(|field| field.name == *name.text) else {
                    let message = format!("`{}` has no field `{}`", found.name, name.text);
                    let mut diagnostic = Diagnostic::error("field-not-found", path.span, message);
                    if let Some(near) =
                        nearest(&name.text, fields.iter().map(|field| field.name.as_str()))
                    {
                        diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
                    }
                    self.report(diagnostic);
                    return Place::Error;
                };
                let value = found.value.map(Ty::Is(field.ty.clone()), |record| Expr::RecordField {
                    record,
                    name: field.name.clone(),
                });
                let outer = match &found.step {
                    Step::Def(id) => format!("#{}.{}", id.0, name.text),
                    Step::Inner(path) => format!("{path}.{}", name.text),
                };
                let step = Step::Inner(Arc::from(outer));
                Place::Value(Box::new(Found {
                    value,
                    notes: Vec::new(),
                    at: found.at,
                    step,
                    name: Arc::clone(&name.text),
                }))
            }
            _ if found.value.is_error() => Place::Error,
            _ => {
                self.no_member(&found.name, name, path.span);
                Place::Error
            }
        }
    }

    /// The join to the elements of a list.
    pub(crate) fn unnest(b: &mut Build, found: &Found, element: &Type) -> JoinId {
        if let Some(id) = b.find_join(found.at, &found.step) {
            return id;
        }
        b.push_join(JoinBuild {
            name: found.name.to_string(),
            parent: Some((found.at, found.step.clone())),
            source: None,
            element: Some(element.clone()),
            relation: Relation::Unnest {
                list: found.value.expr.clone(),
                of_records: matches!(element, Type::Record(_)),
            },
            relationship: Relationship::Many,
            kind: JoinKind::Left,
            on: None,
            after: found.value.uses.clone(),
        })
    }

    fn enter(
        &mut self,
        b: &mut Build,
        owner: &Arc<Source>,
        s: &Scope,
        at: JoinId,
        entry: &Entry,
    ) -> Place {
        let def = &entry.def;
        match &def.kind {
            FieldKind::Join(join) => Place::Join(self.join(b, owner, at, def, join)),
            FieldKind::View(_) => Place::View(Arc::clone(def), at),
            FieldKind::Composite(inner) => {
                let mut entry = entry.clone();
                entry.def = Arc::clone(inner);
                self.enter(b, owner, s, at, &entry)
            }
            FieldKind::Absent(composite) => {
                self.absent.insert(*composite, entry.name.to_string());
                Place::Error
            }
            FieldKind::Error => Place::Error,
            FieldKind::Column(_) | FieldKind::Expr(_) | FieldKind::Parameter(_) => {
                let value = self.field_value(b, owner, s, at, def);
                let mut notes = def.notes.clone();
                notes.extend(entry.notes.iter().cloned());
                let (step, name) = (Step::Def(def.id), Arc::clone(&entry.name));
                Place::Value(Box::new(Found { value, notes, at, step, name }))
            }
        }
    }

    /// An output of the level that is open.
    fn output(b: &Build, name: &Name) -> Option<Found> {
        let level = b.levels.last()?;
        let at = level.outputs.iter().position(|output| output.name == name.text)?;
        let output = &level.outputs[at];
        if output.role == Role::Nest {
            return None;
        }
        let ty = output.ty.clone().map_or(Ty::Error, Ty::Is);
        let mut value = Typed::constant(Expr::Output(u32::try_from(at).unwrap_or(u32::MAX)), ty);
        value.space = Space::Output;
        value.kind = match output.role {
            Role::Dimension => Kind::Scalar,
            Role::Aggregate => output.kind.unwrap_or(Kind::Aggregate),
            _ => Kind::Analytic,
        };
        let name = Arc::clone(&name.text);
        Some(Found {
            value,
            notes: Vec::new(),
            at: JoinId::ROOT,
            step: Step::Inner(Arc::clone(&name)),
            name,
        })
    }

    pub(crate) fn not_found(&mut self, source: &Source, version: u32, name: &Name, span: Span) {
        let mut diagnostic =
            Diagnostic::error("field-not-found", span, format!("`{}` is not defined", name.text));
        if self.undefined.contains(&name.text) {
            diagnostic = diagnostic
                .with_help("it is defined in the same block, and needs what is defined here");
        } else if let Some(near) =
            nearest(&name.text, source.names.at(version).map(|entry| &*entry.name))
        {
            diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic);
    }

    fn no_member(&mut self, of: &str, name: &Name, span: Span) {
        let message = format!("`{of}` has no fields, so no `{}`", name.text);
        self.error("invalid-property-access-in-field-reference", span, message);
    }

    /// Whether access labels allow it.
    fn may_use(&mut self, s: &Scope, entry: &Entry, first: bool, span: Span) -> bool {
        if self.quiet > 0 {
            return true;
        }
        let inside = first && s.reach == Reach::Definition;
        let allowed = match entry.access {
            AccessLabel::Public => true,
            AccessLabel::Internal => s.reach == Reach::Definition,
            AccessLabel::Private => inside && entry.own,
        };
        if !allowed {
            let label = if entry.access == AccessLabel::Private { "private" } else { "internal" };
            let message = format!("`{}` is {label} and cannot be used here", entry.name);
            self.error("field-not-accessible", span, message);
        }
        allowed
    }
}
