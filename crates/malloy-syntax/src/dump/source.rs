//! Sources as text.

use super::Dumper;
use crate::tree::{
    Arguments, IncludeBlock, IncludeField, IncludeKind, IncludeWhat, Join, JoinCondition,
    SourceBase, SourceBlock, SourceDefinition, SourceExpr, SourceStatement, SourceStatementKind,
    SourceStep, SourceStepKind, SqlPart, Star,
};

impl Dumper {
    pub(super) fn source_definition(&mut self, item: &SourceDefinition) {
        self.node(item.span, format!("define {:?}", item.name.text), |d| {
            d.notes(&item.notes);
            if let Some(parameters) = &item.parameters {
                d.node(parameters.span, "parameters", |d| {
                    for parameter in &parameters.items {
                        d.node(
                            parameter.span,
                            format!("parameter {:?}", parameter.name.text),
                            |d| {
                                if let Some(ty) = &parameter.ty {
                                    d.ty(ty);
                                }
                                if let Some(expr) = &parameter.default {
                                    d.expr(expr);
                                }
                            },
                        );
                    }
                });
            }
            d.source_expr(&item.source);
        });
    }

    pub(super) fn source_expr(&mut self, expr: &SourceExpr) {
        self.node(expr.span, "from", |d| {
            d.source_base(&expr.base);
            for step in &expr.steps {
                d.source_step(step);
            }
        });
    }

    fn source_base(&mut self, base: &SourceBase) {
        match base {
            SourceBase::Named { name, arguments } => {
                self.name("named", name);
                if let Some(arguments) = arguments {
                    self.arguments(arguments);
                }
            }
            SourceBase::Table { connection, path, span } => {
                self.leaf(*span, format!("table {:?} {:?}", connection.text, path.value));
            }
            SourceBase::Virtual { connection, name, span } => {
                self.leaf(*span, format!("virtual {:?} {:?}", connection.text, name.value));
            }
            SourceBase::Sql { connection, sql, span } => {
                self.node(*span, format!("sql {:?}", connection.text), |d| {
                    for part in &sql.parts {
                        match part {
                            SqlPart::Text { text, span } => d.leaf(*span, format!("text {text:?}")),
                            SqlPart::Query { query, .. } => d.source_expr(query),
                        }
                    }
                });
            }
            SourceBase::Compose { inputs, span } => self.node(*span, "compose", |d| {
                for input in inputs {
                    d.source_expr(input);
                }
            }),
            SourceBase::Paren { inner, span } => {
                self.node(*span, "paren", |d| d.source_expr(inner));
            }
            SourceBase::Error(span) => self.leaf(*span, "error"),
        }
    }

    fn source_step(&mut self, step: &SourceStep) {
        match &step.kind {
            SourceStepKind::Arrow(segment) => self.node(step.span, "->", |d| d.segment(segment)),
            SourceStepKind::Refine(segment) => self.node(step.span, "+", |d| d.segment(segment)),
            SourceStepKind::Extend(block) => {
                self.node(step.span, "extend", |d| d.source_block(block));
            }
            SourceStepKind::Include(block) => self.node(step.span, "include", |d| d.include(block)),
            SourceStepKind::Typed(names) => self.node(step.span, "::", |d| d.names("type", names)),
        }
    }

    fn arguments(&mut self, arguments: &Arguments) {
        self.node(arguments.span, "arguments", |d| {
            for argument in &arguments.items {
                d.names("name", argument.name.as_slice());
                d.expr(&argument.value);
            }
        });
    }

    pub(super) fn source_block(&mut self, block: &SourceBlock) {
        for statement in &block.statements {
            self.source_statement(statement);
        }
    }

    fn source_statement(&mut self, statement: &SourceStatement) {
        use SourceStatementKind as S;
        let label = match &statement.kind {
            S::Dimension(_) => "dimension:".to_owned(),
            S::Measure(_) => "measure:".to_owned(),
            S::Join { relation, .. } => format!("join {relation:?}:"),
            S::View(_) => "view:".to_owned(),
            S::Where(_) => "where:".to_owned(),
            S::PrimaryKey(_) => "primary_key:".to_owned(),
            S::Rename(_) => "rename:".to_owned(),
            S::Accept(_) => "accept:".to_owned(),
            S::Except(_) => "except:".to_owned(),
            S::Timezone(zone) => format!("timezone: {:?}", zone.value),
            S::LooseNotes => "loose notes".to_owned(),
            S::Error => "error".to_owned(),
        };
        self.node(statement.span, label, |d| {
            d.notes(&statement.notes);
            if let Some(access) = statement.access {
                d.leaf(access.span, format!("{:?}", access.label));
            }
            d.source_statement_kind(&statement.kind);
        });
    }

    fn source_statement_kind(&mut self, kind: &SourceStatementKind) {
        use SourceStatementKind as S;
        match kind {
            S::Dimension(items) | S::Measure(items) => {
                for item in items {
                    self.field_definition(item);
                }
            }
            S::Join { items, .. } => items.iter().for_each(|join| self.join(join)),
            S::View(items) => {
                for item in items {
                    self.node(item.span, format!("define {:?}", item.name.text), |d| {
                        d.notes(&item.notes);
                        d.view(&item.view);
                    });
                }
            }
            S::Where(conditions) => conditions.iter().for_each(|expr| self.expr(expr)),
            S::PrimaryKey(name) => self.name("name", name),
            S::Rename(items) => {
                for item in items {
                    let label = format!("rename {:?} is {:?}", item.new.text, item.old.text);
                    self.node(item.span, label, |d| d.notes(&item.notes));
                }
            }
            S::Accept(names) | S::Except(names) => self.names("name", names),
            S::Timezone(_) | S::LooseNotes | S::Error => {}
        }
    }

    pub(super) fn field_definition(&mut self, item: &crate::tree::FieldDefinition) {
        self.node(item.span, format!("define {:?}", item.name.text), |d| {
            d.notes(&item.notes);
            d.expr(&item.expr);
        });
    }

    pub(super) fn join(&mut self, join: &Join) {
        self.node(join.span, format!("join {:?}", join.name.text), |d| {
            d.notes(&join.notes);
            if let Some(arguments) = &join.arguments {
                d.arguments(arguments);
            }
            if let Some(source) = &join.source {
                d.source_expr(source);
            }
            if let Some(kind) = join.kind {
                d.leaf(kind.span, format!("{:?}", kind.matrix));
            }
            match &join.condition {
                JoinCondition::None => {}
                JoinCondition::With(expr) => d.node(expr.span, "with", |d| d.expr(expr)),
                JoinCondition::On(expr) => d.node(expr.span, "on", |d| d.expr(expr)),
            }
        });
    }

    fn include(&mut self, block: &IncludeBlock) {
        for item in &block.items {
            let (label, fields): (_, &[IncludeField]) = match &item.kind {
                IncludeKind::Fields { access, fields } => {
                    (format!("{:?}", access.map(|access| access.label)), fields)
                }
                IncludeKind::Except(fields) => ("except:".to_owned(), fields),
                IncludeKind::LooseNotes => ("loose notes".to_owned(), &[]),
                IncludeKind::Error => ("error".to_owned(), &[]),
            };
            self.node(item.span, label, |d| {
                d.notes(&item.notes);
                for field in fields {
                    d.include_field(field);
                }
            });
        }
    }

    fn include_field(&mut self, field: &IncludeField) {
        self.node(field.span, "field", |d| {
            d.notes(&field.notes);
            d.names("as", field.name.as_slice());
            match &field.what {
                IncludeWhat::Field(path) => d.path("path", path),
                IncludeWhat::Star(star) => d.star(star),
            }
        });
    }

    pub(super) fn star(&mut self, star: &Star) {
        self.node(star.span, "*", |d| {
            if let Some(path) = &star.path {
                d.path("of", path);
            }
            d.names("except", &star.except);
        });
    }
}
