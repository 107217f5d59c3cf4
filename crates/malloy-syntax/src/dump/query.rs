//! Queries as text.

use super::Dumper;
use crate::tree::{
    FieldItem, FieldItemKind, OrderKey, QueryStatement, QueryStatementKind, ReferenceSuffix,
    Sample, Segment, SegmentKind, View,
};

impl Dumper {
    pub(super) fn view(&mut self, view: &View) {
        for stage in &view.stages {
            self.segment(stage);
        }
    }

    pub(super) fn segment(&mut self, segment: &Segment) {
        match &segment.kind {
            SegmentKind::Path(path) => self.path("view", path),
            SegmentKind::Block(block) => self.node(segment.span, "block", |d| {
                for statement in &block.statements {
                    d.query_statement(statement);
                }
            }),
            SegmentKind::Paren(view) => self.node(segment.span, "paren", |d| d.view(view)),
            SegmentKind::Refine(parts) => self.node(segment.span, "refine", |d| {
                for part in parts {
                    d.segment(part);
                }
            }),
            SegmentKind::Error => self.leaf(segment.span, "error"),
        }
    }

    fn query_statement(&mut self, statement: &QueryStatement) {
        use QueryStatementKind as Q;
        let label = match &statement.kind {
            Q::GroupBy(_) => "group_by:".to_owned(),
            Q::Aggregate(_) => "aggregate:".to_owned(),
            Q::Calculate(_) => "calculate:".to_owned(),
            Q::Select(_) => "select:".to_owned(),
            Q::Nest(_) => "nest:".to_owned(),
            Q::Where(_) => "where:".to_owned(),
            Q::Having(_) => "having:".to_owned(),
            Q::Drill(_) => "drill:".to_owned(),
            Q::OrderBy(_) => "order_by:".to_owned(),
            Q::Limit(count) => format!("limit: {}", count.value),
            Q::Top(count) => format!("top: {}", count.value),
            Q::Index { .. } => "index:".to_owned(),
            Q::Sample(Sample::Rows(count)) => format!("sample: {}", count.value),
            Q::Sample(Sample::Percent(count)) => format!("sample: {}%", count.value),
            Q::Sample(Sample::Flag { on, .. }) => format!("sample: {on}"),
            Q::Timezone(zone) => format!("timezone: {:?}", zone.value),
            Q::Extend(_) => "extend:".to_owned(),
            Q::Join { relation, .. } => format!("join {relation:?}:"),
            Q::Declare(_) => "declare:".to_owned(),
            Q::LooseNotes => "loose notes".to_owned(),
            Q::Sample(Sample::Error(_)) | Q::Error => "error".to_owned(),
        };
        self.node(statement.span, label, |d| {
            d.notes(&statement.notes);
            d.query_statement_kind(&statement.kind);
        });
    }

    fn query_statement_kind(&mut self, kind: &QueryStatementKind) {
        use QueryStatementKind as Q;
        match kind {
            Q::GroupBy(items) | Q::Aggregate(items) | Q::Calculate(items) | Q::Select(items) => {
                for item in items {
                    self.field_item(item);
                }
            }
            Q::Nest(items) => {
                for item in items {
                    let name = item.name.as_ref().map(|name| &*name.text);
                    self.node(item.span, format!("nest {name:?}"), |d| {
                        d.notes(&item.notes);
                        d.view(&item.view);
                    });
                }
            }
            Q::Where(items) | Q::Having(items) | Q::Drill(items) => {
                for expr in items {
                    self.expr(expr);
                }
            }
            Q::OrderBy(items) => {
                for item in items {
                    let key = match &item.key {
                        OrderKey::Name(name) => format!("{:?}", name.text),
                        OrderKey::Position(count) => count.value.to_string(),
                        OrderKey::Error(_) => "error".to_owned(),
                    };
                    self.leaf(item.span, format!("by {key} {:?}", item.direction));
                }
            }
            Q::Index { fields, by } => {
                for field in fields {
                    self.node(field.span, format!("index star={}", field.star), |d| {
                        if let Some(path) = &field.path {
                            d.path("path", path);
                        }
                    });
                }
                self.names("by", by.as_slice());
            }
            Q::Extend(block) => self.source_block(block),
            Q::Join { items, .. } => items.iter().for_each(|join| self.join(join)),
            Q::Declare(items) => items.iter().for_each(|item| self.field_definition(item)),
            Q::Limit(_) | Q::Top(_) | Q::Sample(_) | Q::Timezone(_) | Q::LooseNotes | Q::Error => {}
        }
    }

    fn field_item(&mut self, item: &FieldItem) {
        match &item.kind {
            FieldItemKind::Reference { path, suffix } => {
                self.node(item.span, "reference", |d| {
                    d.notes(&item.notes);
                    d.path("field", path);
                    match suffix {
                        Some(ReferenceSuffix::Truncate { unit, span }) => {
                            d.leaf(*span, format!(".{}", unit.as_str()));
                        }
                        Some(ReferenceSuffix::Aggregate { function, span }) => {
                            d.leaf(*span, format!(".{}()", function.as_str()));
                        }
                        None => {}
                    }
                });
            }
            FieldItemKind::Define { name, expr } => {
                self.node(item.span, format!("define {:?}", name.text), |d| {
                    d.notes(&item.notes);
                    d.expr(expr);
                });
            }
            FieldItemKind::Star(star) => self.node(item.span, "all", |d| {
                d.notes(&item.notes);
                d.star(star);
            }),
            FieldItemKind::Error => self.leaf(item.span, "error"),
        }
    }
}
