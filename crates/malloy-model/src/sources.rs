//! Source and query expressions: `flights`, `duckdb.table('…')`, `flights -> { … } extend { … }`.

use std::sync::Arc;

use malloy_syntax::tree::{
    self, AccessLabel, Arguments, Name, Segment, SourceBase, SourceExpr, SourceStepKind, TypeKind,
};
use malloy_syntax::{Diagnostic, Span};

use crate::analyser::{Analyser, nearest};
use crate::build::{Build, QueryBuild, Scope};
use crate::expr::{basic_type, written_type};
use crate::model::Entry;
use crate::query::QueryDef;
use crate::source::{Argument, DefId, FieldKind, Origin, ParameterDef, Source, ValueType};
use crate::typed::{Kind, Ty, alike};

/// Where a source expression stands.
#[derive(Default)]
pub(crate) struct Context {
    /// The source around it, whose parameters arguments may name.
    pub(crate) scope: Option<Scope>,
    /// Whether a source is wanted, and not a query.
    pub(crate) source: bool,
}

/// A version that stands for the one in which the parameters of the source being defined are visible.
const PENDING: u32 = u32::MAX - 1;

/// What an expression has come to so far.
pub(crate) enum Made {
    Source(Arc<Source>),
    Query {
        name: Option<Arc<str>>,
        base: Arc<Source>,
        arrows: Vec<Vec<Arc<Segment>>>,
        notes: Vec<Arc<str>>,
    },
    Error,
}

impl Analyser<'_> {
    /// A source, which a query becomes one where a source is wanted.
    pub(crate) fn source_expr(&mut self, e: &SourceExpr, context: &Context) -> Arc<Source> {
        let made = self.made(e, context, None);
        self.as_source(made, e.span)
    }

    /// A source of a definition, with its parameters.
    pub(crate) fn defined_source(&mut self, definition: &tree::SourceDefinition) -> Arc<Source> {
        let parameters = definition.parameters.as_ref().map(|written| {
            self.experiment("parameters", written.span);
            self.parameters(&written.items)
        });
        let context = Context { scope: None, source: true };
        let written = definition.parameters.as_ref().map_or(&[][..], |written| &written.items);
        let made = self.made(
            &definition.source,
            &context,
            parameters.as_deref().map(|made| (made, written)),
        );
        let mut source = self.as_source(made, definition.source.span);
        let changed = Arc::make_mut(&mut source);
        if let Some(parameters) = parameters {
            for parameter in &parameters {
                changed.names.remove(&parameter.name);
            }
            changed.parameters = parameters;
        } else {
            changed.parameters.clear();
        }
        source
    }

    /// A query of `run:` or `query:`.
    pub(crate) fn query_expr(
        &mut self,
        e: &SourceExpr,
        name: Option<Arc<str>>,
        mut notes: Vec<Arc<str>>,
    ) -> Option<Arc<QueryDef>> {
        let made = self.made(e, &Context::default(), None);
        let (base, arrows, inherited, from) = match made {
            Made::Query { base, arrows, notes, name } => (base, arrows, notes, name),
            Made::Source(source) if source.is_error() => return None,
            Made::Source(source)
                if matches!(source.origin, Origin::Sql { .. }) && e.steps.is_empty() =>
            {
                (source, Vec::new(), Vec::new(), None)
            }
            Made::Source(source) => {
                let message = format!("`{}` is a source, and a query is wanted here", source.name);
                let code = match &e.base {
                    SourceBase::Named { .. } => "cannot-use-as-query",
                    _ => "invalid-source-as-query",
                };
                self.report(
                    Diagnostic::error(code, e.span, message)
                        .with_help("say what to ask of it: `-> { … }`"),
                );
                return None;
            }
            Made::Error => return None,
        };
        let mut all = inherited;
        let from_base = all.len();
        all.append(&mut notes);
        self.checked_query(name.or(from), base, arrows, (all, from_base), e.span, true)
    }

    fn checked_query(
        &mut self,
        name: Option<Arc<str>>,
        base: Arc<Source>,
        arrows: Vec<Vec<Arc<Segment>>>,
        (notes, inherited_notes): (Vec<Arc<str>>, usize),
        span: Span,
        real: bool,
    ) -> Option<Arc<QueryDef>> {
        let mut def = QueryDef {
            name,
            base,
            arrows,
            file: self.file,
            notes,
            inherited_notes,
            span,
            shape: crate::query::Shape::default(),
        };
        let before = self.problems.len();
        def.shape = self.resolved(&def, |a| a.pipeline(real, QueryBuild::default(), &def, true).2);
        let failed = self.problems[before..].iter().any(crate::analyser::Problem::is_error);
        if def.shape.failed
            && !failed
            && self.needs.is_empty()
            && self.quiet == 0
            && !self.has_errors()
        {
            self.error(
                "internal-error",
                span,
                "this query could not be worked out, and nothing says why; please report it",
            );
            return None;
        }
        (!failed).then(|| Arc::new(def))
    }

    fn made(
        &mut self,
        e: &SourceExpr,
        context: &Context,
        parameters: Option<(&[Arc<crate::source::FieldDef>], &[tree::Parameter])>,
    ) -> Made {
        let mut made = self.base(&e.base, context);
        if let Some((parameters, written)) = parameters {
            let mut source = self.as_source(made, e.span);
            for parameter in written {
                if source.names.get(&parameter.name.text, source.names.version()).is_some() {
                    let message = format!("there is a field `{}` already", parameter.name.text);
                    self.report(
                        Diagnostic::error(
                            "parameter-shadowing-field",
                            parameter.name.span,
                            message,
                        )
                        .with_help("give the parameter another name"),
                    );
                }
            }
            add_parameters(&mut source, parameters);
            made = Made::Source(source);
        }
        for step in &e.steps {
            made = match (&step.kind, made) {
                (_, Made::Error) => return Made::Error,
                (SourceStepKind::Arrow(segment), Made::Source(base)) => Made::Query {
                    name: None,
                    base,
                    arrows: vec![vec![Arc::new(segment.clone())]],
                    notes: Vec::new(),
                },
                (SourceStepKind::Arrow(segment), Made::Query { base, mut arrows, notes, .. }) => {
                    arrows.push(vec![Arc::new(segment.clone())]);
                    Made::Query { name: None, base, arrows, notes }
                }
                (
                    SourceStepKind::Refine(segment),
                    Made::Query { name, base, mut arrows, notes },
                ) => {
                    match arrows.last_mut() {
                        Some(last) => last.push(Arc::new(segment.clone())),
                        None => arrows.push(vec![Arc::new(segment.clone())]),
                    }
                    Made::Query { name, base, arrows, notes }
                }
                (SourceStepKind::Refine(_), Made::Source(source)) => {
                    if !source.is_error() {
                        let message = "only a query can be refined with `+`";
                        self.report(
                            Diagnostic::error("illegal-refinement-of-source", e.span, message)
                                .with_help("use `->` for its first operation"),
                        );
                    }
                    Made::Error
                }
                (SourceStepKind::Extend(block), made) => {
                    let mut source = self.as_source(made, e.span);
                    // What is private to the source is out of reach from here on.
                    let own_parameters = parameters.is_some();
                    if !own_parameters {
                        Arc::make_mut(&mut source).names.close();
                    }
                    Made::Source(self.extended(source, block))
                }
                (SourceStepKind::Include(block), made) => {
                    self.experiment("access_modifiers", block.span);
                    let source = self.as_source(made, e.span);
                    Made::Source(self.included(source, block))
                }
                (SourceStepKind::Typed(names), made) => {
                    let source = self.as_source(made, e.span);
                    Made::Source(self.typed_source(source, names))
                }
            };
        }
        made
    }

    fn base(&mut self, base: &SourceBase, context: &Context) -> Made {
        match base {
            SourceBase::Named { name, arguments } => self.named(name, arguments.as_ref(), context),
            SourceBase::Table { connection, path, span } => {
                if !self.unrestricted("reading a table", *span) {
                    return Made::Error;
                }
                Made::Source(self.table(connection, path, *span))
            }
            SourceBase::Sql { connection, sql, span } => {
                if !self.unrestricted("SQL", *span) {
                    return Made::Error;
                }
                Made::Source(self.sql(connection, sql, *span))
            }
            SourceBase::Virtual { connection, name, span } => {
                if !self.experiment("virtual_source", *span) {
                    return Made::Error;
                }
                let mut source = Source::error();
                source.name = Arc::clone(&name.value);
                source.connection = Arc::clone(&connection.text);
                source.origin = Origin::Virtual { name: Arc::clone(&name.value) };
                Made::Source(Arc::new(source))
            }
            SourceBase::Compose { inputs, span } => {
                if !self.experiment("composite_sources", *span) {
                    return Made::Error;
                }
                if inputs.is_empty() {
                    let message = "`compose()` needs a source to choose from";
                    self.error("empty-composite-source", *span, message);
                    return Made::Error;
                }
                let inputs: Vec<Arc<Source>> =
                    inputs.iter().map(|input| self.source_expr(input, context)).collect();
                for pair in inputs.windows(2) {
                    if !self.same_connection(&pair[0].connection, &pair[1].connection, *span) {
                        return Made::Error;
                    }
                }
                Made::Source(self.composed(inputs))
            }
            SourceBase::Paren { inner, .. } => self.made(inner, context, None),
            SourceBase::Error(_) => Made::Error,
        }
    }

    fn named(&mut self, name: &Name, arguments: Option<&Arguments>, context: &Context) -> Made {
        if name.is_missing() {
            return Made::Error;
        }
        match self.lookup(&name.text).cloned() {
            Some(Entry::Source { source, .. }) => {
                Made::Source(self.instance(&source, arguments, name.span, context))
            }
            Some(Entry::Query { query, .. }) => Made::Query {
                name: query.name.clone(),
                base: Arc::clone(&query.base),
                arrows: query.arrows.clone(),
                notes: query.notes.clone(),
            },
            Some(Entry::Error) => Made::Error,
            Some(Entry::Given(_) | Entry::Type { .. }) => {
                self.error(
                    "invalid-source-reference",
                    name.span,
                    format!("`{}` is no source and no query", name.text),
                );
                Made::Error
            }
            None => {
                let code =
                    if context.source { "source-not-found" } else { "source-or-query-not-found" };
                let mut diagnostic = Diagnostic::error(
                    code,
                    name.span,
                    format!("there is no source or query `{}`", name.text),
                );
                let names: Vec<Arc<str>> =
                    self.file_scope(self.file).entries.keys().cloned().collect();
                if let Some(near) = nearest(&name.text, names.iter().map(|name| &**name)) {
                    diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
                }
                self.report(diagnostic);
                Made::Error
            }
        }
    }

    pub(crate) fn named_source(
        &mut self,
        name: &Name,
        arguments: Option<&Arguments>,
        context: &Context,
    ) -> Arc<Source> {
        let made = self.named(name, arguments, context);
        self.as_source(made, name.span)
    }

    fn as_source(&mut self, made: Made, span: Span) -> Arc<Source> {
        match made {
            Made::Source(source) => source,
            Made::Error => Arc::new(Source::error()),
            Made::Query { name, base, arrows, notes } => {
                let called = name.clone().unwrap_or_else(|| Arc::clone(&base.name));
                let connection = Arc::clone(&base.connection);
                let Some(def) = self.checked_query(name, base, arrows, (notes, 0), span, false)
                else {
                    return Arc::new(Source::error());
                };
                let mut source = self.source_of_fields(&def.shape.fields, def.shape.key.as_deref());
                source.name = called;
                source.connection = connection;
                source.notes.clone_from(&def.notes);
                source.origin = Origin::Query(def);
                Arc::new(source)
            }
        }
    }

    /// A named source with values for its parameters.
    fn instance(
        &mut self,
        source: &Arc<Source>,
        arguments: Option<&Arguments>,
        span: Span,
        context: &Context,
    ) -> Arc<Source> {
        let items = arguments.map_or(&[][..], |arguments| &arguments.items);
        if source.parameters.is_empty() && items.is_empty() {
            return Arc::clone(source);
        }
        let mut made = (**source).clone();
        let mut given = std::collections::BTreeSet::new();
        for item in items {
            let Some(name) = &item.name else {
                self.error(
                    "unnamed-source-argument",
                    item.span,
                    "an argument needs the name of its parameter: `name is value`",
                );
                continue;
            };
            let Some(parameter) =
                source.parameters.iter().find(|parameter| parameter.name == name.text)
            else {
                let mut diagnostic = Diagnostic::error(
                    "source-parameter-not-found",
                    name.span,
                    format!("`{}` has no parameter `{}`", source.name, name.text),
                );
                if let Some(near) =
                    nearest(&name.text, source.parameters.iter().map(|parameter| &*parameter.name))
                {
                    diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
                }
                self.report(diagnostic);
                continue;
            };
            if !given.insert(&name.text) {
                let message = format!("`{}` is given more than once", name.text);
                self.error("duplicate-source-argument", name.span, message);
                continue;
            }
            self.check_argument(parameter, &item.value, context);
            let version = context.scope.as_ref().map_or(PENDING, |scope| scope.version);
            let argument = Argument {
                expr: Arc::new(item.value.clone()),
                version,
                file: self.file,
                outer: context.scope.is_some(),
            };
            made.arguments.insert(parameter.id, argument);
        }
        for parameter in &source.parameters {
            let FieldKind::Parameter(def) = &parameter.kind else { continue };
            if def.default.is_none()
                && !items
                    .iter()
                    .any(|item| item.name.as_ref().is_some_and(|name| name.text == parameter.name))
            {
                let message = format!("`{}` needs a value for `{}`", source.name, parameter.name);
                self.report(
                    Diagnostic::error("missing-source-argument", span, message)
                        .with_help(format!("write `{}({} is …)`", source.name, parameter.name)),
                );
            }
        }
        made.parameters.clear();
        Arc::new(made)
    }

    fn check_argument(
        &mut self,
        parameter: &crate::source::FieldDef,
        value: &tree::Expr,
        context: &Context,
    ) {
        let FieldKind::Parameter(def) = &parameter.kind else { return };
        let scope = match &context.scope {
            Some(scope) => scope.clone(),
            None => match &self.parameter_scope {
                Some(source) => Scope::of(source),
                None => Scope::of(&Arc::new(Source { origin: Origin::Stage, ..Source::error() })),
            },
        };
        let mut check = Build::check(&scope.source);
        let made = self.expr(&mut check, &scope, value);
        if made.is_error() {
            return;
        }
        if made.kind != Kind::Constant {
            self.error(
                "parameter-illegal-expression",
                value.span,
                "an argument has to be a constant",
            );
            return;
        }
        let fits = match (&def.ty, &made.ty) {
            (ValueType::Filter(_), Ty::Filter) => true,
            (ValueType::Value(wanted), Ty::Is(ty)) => {
                alike(wanted, ty) || (wanted.is_time() && ty.is_time())
            }
            _ => false,
        };
        if !fits {
            let wanted = value_type_name(&def.ty);
            let message =
                format!("`{}` is a {wanted}, and this is a {}", parameter.name, made.ty.name());
            self.error("source-argument-type-mismatch", value.span, message);
        }
    }

    fn parameters(&mut self, items: &[tree::Parameter]) -> Vec<Arc<crate::source::FieldDef>> {
        let mut made: Vec<Arc<crate::source::FieldDef>> = Vec::new();
        for item in items {
            if item.name.is_missing() {
                continue;
            }
            if made.iter().any(|other| other.name == item.name.text) {
                self.error(
                    "parameter-name-conflict",
                    item.span,
                    format!("there is a parameter `{}` already", item.name.text),
                );
                continue;
            }
            let nowhere = Arc::new(Source { origin: Origin::Stage, ..Source::error() });
            let default = item.default.as_ref().map(|written| {
                let mut check = Build::check(&nowhere);
                let value = self.expr(&mut check, &Scope::of(&nowhere), written);
                (value, written)
            });
            let ty = match (&item.ty, &default) {
                (Some(written), _) => self.value_type(written),
                (None, Some((value, _))) => value.value_type().cloned().map(ValueType::Value),
                (None, None) => {
                    self.error(
                        "parameter-without-type",
                        item.span,
                        format!(
                            "`{}` needs a type: `{} :: string`",
                            item.name.text, item.name.text
                        ),
                    );
                    None
                }
            };
            let Some(ty) = ty else { continue };
            if let Some((value, written)) = &default {
                let fits = match (&ty, &value.ty) {
                    (_, Ty::Error) | (ValueType::Filter(_), Ty::Filter) => true,
                    (ValueType::Value(wanted), Ty::Is(ty)) => {
                        alike(wanted, ty) || (wanted.is_time() && ty.is_time())
                    }
                    _ => false,
                };
                if !fits {
                    let message = format!(
                        "the default of a {} cannot be a {}",
                        value_type_name(&ty),
                        value.ty.name()
                    );
                    self.error(
                        "parameter-default-does-not-match-declared-type",
                        written.span,
                        message,
                    );
                }
            }
            let default = item.default.clone().map(Arc::new);
            let kind = FieldKind::Parameter(ParameterDef { ty, default });
            made.push(self.new_def(&item.name.text, kind, Vec::new()));
        }
        if !made.is_empty() {
            let mut source = Source { origin: Origin::Stage, ..Source::error() };
            for parameter in &made {
                source.names.add(
                    Arc::clone(&parameter.name),
                    Arc::clone(parameter),
                    AccessLabel::Public,
                );
            }
            self.parameter_scope = Some(Arc::new(source));
        }
        made
    }

    /// The type of a parameter or given.
    pub(crate) fn value_type(&mut self, written: &tree::Type) -> Option<ValueType> {
        match &written.kind {
            TypeKind::Filter(basic) => Some(ValueType::Filter(basic_type(*basic))),
            TypeKind::Error => None,
            _ => {
                let ty = written_type(written).map(ValueType::Value);
                if ty.is_none() {
                    self.error(
                        "invalid-parameter-type",
                        written.span,
                        "this type cannot be used here",
                    );
                }
                ty
            }
        }
    }
}

/// Makes parameters visible to what is defined from here on, and to the arguments that were passed on before.
fn add_parameters(source: &mut Arc<Source>, parameters: &[Arc<crate::source::FieldDef>]) {
    let changed = Arc::make_mut(source);
    changed.names.close();
    for parameter in parameters {
        // A column of the same name is out of sight for the definitions of this source.
        changed.names.add(Arc::clone(&parameter.name), Arc::clone(parameter), AccessLabel::Private);
    }
    let version = changed.names.version();
    let pending: Vec<DefId> = changed
        .arguments
        .iter()
        .filter(|(_, argument)| argument.version == PENDING)
        .map(|(id, _)| *id)
        .collect();
    for id in pending {
        if let Some(argument) = changed.arguments.get_mut(&id) {
            argument.version = version;
        }
    }
}

/// The type of a parameter or given as it is called in messages.
pub(crate) fn value_type_name(ty: &ValueType) -> String {
    match ty {
        ValueType::Value(ty) => crate::typed::type_name(ty),
        ValueType::Filter(ty) => format!("filter<{}>", crate::typed::type_name(ty)),
    }
}
