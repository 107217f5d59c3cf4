//! Trees and tokens as text, for people who look into the compiler and for tests that compare.
//!
//! A tree is one line for each node, indented. Without spans, two texts that mean the same have the same dump.

mod expr;
mod query;
mod source;

use std::fmt::Write;

use crate::lexer::Lexed;
use crate::span::Span;
use crate::tree::{
    Annotation, Document, FieldPath, Name, Statement, StatementKind, Type, TypeKind,
};

/// The tokens, one on a line: where, what, and the text.
pub fn dump_tokens(text: &str, lexed: &Lexed) -> String {
    let mut out = String::new();
    for token in &lexed.tokens {
        let written = token.span.of(text);
        // Writing to a string does not fail.
        let _: std::fmt::Result = writeln!(out, "{:?} {:?} {written:?}", token.span, token.kind);
    }
    out
}

/// The tree, one node on a line.
pub fn dump(document: &Document, spans: Spans) -> String {
    let mut dumper = Dumper { out: String::new(), depth: 0, spans };
    for statement in &document.statements {
        dumper.statement(statement);
    }
    dumper.out
}

/// Whether a dump says where each node stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spans {
    Shown,
    Hidden,
}

struct Dumper {
    out: String,
    depth: usize,
    spans: Spans,
}

impl Dumper {
    /// A line, and what is below it.
    fn node(&mut self, span: Span, label: impl AsRef<str>, inside: impl FnOnce(&mut Self)) {
        self.out.extend(std::iter::repeat_n("  ", self.depth));
        self.out.push_str(label.as_ref());
        if self.spans == Spans::Shown {
            let _: std::fmt::Result = write!(self.out, " @{span:?}");
        }
        self.out.push('\n');
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }

    fn leaf(&mut self, span: Span, label: impl AsRef<str>) {
        self.node(span, label, |_| {});
    }

    fn name(&mut self, label: &str, name: &Name) {
        self.leaf(name.span, format!("{label} {:?}", name.text));
    }

    fn names(&mut self, label: &str, names: &[Name]) {
        for name in names {
            self.name(label, name);
        }
    }

    fn path(&mut self, label: &str, path: &FieldPath) {
        let names: Vec<String> = path.names.iter().map(|name| format!("{:?}", name.text)).collect();
        self.leaf(path.span, format!("{label} {}", names.join(".")));
    }

    fn notes(&mut self, notes: &[Annotation]) {
        for note in notes {
            self.leaf(
                note.span,
                format!("note {:?} block={} {:?}", note.scope, note.block, note.text),
            );
        }
    }

    fn statement(&mut self, statement: &Statement) {
        use StatementKind as S;
        let label = match &statement.kind {
            S::Source(_) => "source:",
            S::Query(_) => "query:",
            S::Run(_) => "run:",
            S::Import(_) => "import",
            S::Export(_) => "export",
            S::Given(_) => "given:",
            S::Type(_) => "type:",
            S::ModelNotes => "model notes",
            S::LooseNotes => "loose notes",
            S::Error => "error",
        };
        self.node(statement.span, label, |d| {
            d.notes(&statement.notes);
            d.statement_kind(&statement.kind);
        });
    }

    fn statement_kind(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Source(items) => {
                for item in items {
                    self.source_definition(item);
                }
            }
            StatementKind::Query(items) => {
                for item in items {
                    self.node(item.span, format!("define {:?}", item.name.text), |d| {
                        d.notes(&item.notes);
                        d.source_expr(&item.query);
                    });
                }
            }
            StatementKind::Run(run) => {
                self.notes(&run.notes);
                self.source_expr(&run.query);
            }
            StatementKind::Import(import) => {
                for item in import.items.iter().flatten() {
                    self.name("name", &item.name);
                    self.names("original", item.original.as_slice());
                }
                let all = if import.items.is_none() { "all from" } else { "from" };
                self.leaf(import.path.span, format!("{all} {:?}", import.path.value));
            }
            StatementKind::Export(names) => self.names("name", names),
            StatementKind::Given(items) => {
                for item in items {
                    self.node(item.span, format!("given {:?}", item.name.text), |d| {
                        d.notes(&item.notes);
                        d.names("modifier", item.modifier.as_slice());
                        d.ty(&item.ty);
                        if let Some(expr) = &item.default {
                            d.expr(expr);
                        }
                    });
                }
            }
            StatementKind::Type(items) => {
                for item in items {
                    self.node(item.span, format!("type {:?}", item.name.text), |d| {
                        d.notes(&item.notes);
                        d.names("base", item.base.as_slice());
                        if let Some(fields) = &item.fields {
                            d.type_fields(fields);
                        }
                    });
                }
            }
            StatementKind::ModelNotes | StatementKind::LooseNotes | StatementKind::Error => {}
        }
    }

    fn type_fields(&mut self, fields: &[crate::tree::TypeField]) {
        for field in fields {
            self.node(field.span, format!("field {:?}", field.name.text), |d| {
                d.notes(&field.notes);
                d.ty(&field.ty);
            });
        }
    }

    fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Basic(basic) => self.leaf(ty.span, basic.as_str()),
            TypeKind::Filter(basic) => self.leaf(ty.span, format!("filter<{}>", basic.as_str())),
            TypeKind::Array(of) => self.node(ty.span, "array of", |d| d.ty(of)),
            TypeKind::Record(fields) => self.node(ty.span, "record", |d| d.type_fields(fields)),
            TypeKind::Sql(name) => self.leaf(ty.span, format!("sql type {name:?}")),
            TypeKind::Named(name) => self.name("named type", name),
            TypeKind::Error => self.leaf(ty.span, "error"),
        }
    }
}
