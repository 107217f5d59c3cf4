//! Documents and their statements.

use super::Parser;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Clause, Keyword, TokenKind};
use crate::tree::{
    Annotation, Document, GivenDefinition, Import, ImportItem, Name, QueryDefinition, Run,
    SourceDefinition, Statement, StatementKind, StringLiteral, TypeDefinition,
};

/// What a statement of a document begins with, `import` and `export` apart.
const CLAUSES: &[Clause] =
    &[Clause::Source, Clause::Query, Clause::Run, Clause::Given, Clause::Type];

impl Parser<'_> {
    pub(super) fn document(&mut self) -> Document {
        let mut statements = Vec::new();
        loop {
            while self.eat(TokenKind::Semicolon) {}
            if self.is_at(TokenKind::End) {
                break;
            }
            let before = self.at;
            statements.extend(self.statement());
            if self.at == before {
                // A stray brace, or whatever else stands between statements: said already.
                self.bump();
            }
        }
        let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        Document { statements, span: Span::new(0, end) }
    }

    /// One statement; `None` for something that was skipped altogether.
    fn statement(&mut self) -> Option<Statement> {
        let start = self.start();
        if self.kind().is_model_note() {
            return Some(self.model_notes(start));
        }
        let notes = self.notes();
        let keyword = self.span();
        let kind = match self.kind() {
            TokenKind::Clause(clause) if CLAUSES.contains(&clause) => self.clause_statement(clause),
            // Nothing after the notes takes any.
            _ if !notes.is_empty() => {
                self.orphaned(&notes);
                return Some(self.finish(start, keyword, notes, StatementKind::LooseNotes));
            }
            TokenKind::Keyword(Keyword::Import) => StatementKind::Import(self.import()),
            TokenKind::Keyword(Keyword::Export) => StatementKind::Export(self.export()),
            _ => return self.no_statement(start),
        };
        Some(self.finish(start, keyword, notes, kind))
    }

    fn finish(
        &self,
        start: u32,
        keyword: Span,
        notes: Vec<Annotation>,
        kind: StatementKind,
    ) -> Statement {
        let span = self.span_from(start);
        let keyword = if keyword.start < span.end { keyword } else { Span::at(span.end) };
        Statement { notes, kind, keyword, span }
    }

    fn model_notes(&mut self, start: u32) -> Statement {
        let mut notes = Vec::new();
        while self.kind().is_model_note() {
            notes.push(self.note());
        }
        self.finish(start, Span::at(start), notes, StatementKind::ModelNotes)
    }

    /// `# …` lines that are about nothing. A block that was never closed has its own error.
    fn orphaned(&mut self, notes: &[Annotation]) {
        let first = notes.first().map_or(self.span(), |note| note.span);
        let unclosed = notes.last().is_some_and(|note| note.block && self.is_at(TokenKind::End));
        if !unclosed {
            let message = "this annotation is about nothing; no definition follows it";
            self.report(Diagnostic::error("orphaned-object-annotation", first, message));
        }
    }

    fn clause_statement(&mut self, clause: Clause) -> StatementKind {
        self.bump();
        self.clause_items(clause)
    }

    /// What comes after the colon.
    fn clause_items(&mut self, clause: Clause) -> StatementKind {
        match clause {
            Clause::Source => {
                StatementKind::Source(self.items(TokenKind::is_name, Self::source_definition))
            }
            Clause::Query => {
                StatementKind::Query(self.items(TokenKind::is_name, Self::query_definition))
            }
            Clause::Run => {
                let notes = self.notes();
                let query = self.source_expr();
                StatementKind::Run(Run { notes, query })
            }
            Clause::Given => {
                StatementKind::Given(self.items(TokenKind::is_name, Self::given_definition))
            }
            _ => StatementKind::Type(self.items(TokenKind::is_name, Self::type_definition)),
        }
    }

    /// Something that begins no statement: reported, and skipped up to one.
    fn no_statement(&mut self, start: u32) -> Option<Statement> {
        match self.kind() {
            TokenKind::BraceClose => {
                self.error("this `}` closes nothing");
                self.bump();
                return None;
            }
            TokenKind::Clause(clause) => {
                let message = format!("`{clause}:` belongs in a block, not here");
                let help = if is_query_clause(clause) {
                    "a query is `run: source -> { … }`"
                } else {
                    "a source is `source: name is … extend { … }`"
                };
                self.error_with_help(message, help);
                self.bump();
            }
            TokenKind::BraceOpen if self.at > 0 => {
                self.error_with_help(
                    "expected a statement, found `{`",
                    "after a source comes `extend { … }`, `include { … }`, `-> { … }` or `+ { … }`",
                );
            }
            _ => {
                let known = self.bad_statement("a statement", CLAUSES);
                if let Some(clause) = known {
                    let kind = self.clause_items(clause);
                    return Some(self.finish(start, Span::at(start), Vec::new(), kind));
                }
            }
        }
        if !self.is_at(TokenKind::BraceClose) {
            self.skip_to_statement();
        }
        Some(self.finish(start, Span::at(start), Vec::new(), StatementKind::Error))
    }

    fn source_definition(&mut self) -> SourceDefinition {
        let start = self.start();
        let mut notes = self.notes();
        let name = self.name("a name for the source");
        let parameters = self.is_at(TokenKind::ParenOpen).then(|| self.parameters());
        self.is_define(&mut notes);
        let source = self.source_expr();
        SourceDefinition { notes, name, parameters, source, span: self.span_from(start) }
    }

    fn query_definition(&mut self) -> QueryDefinition {
        let start = self.start();
        let mut notes = self.notes();
        let name = self.name("a name for the query");
        self.is_define(&mut notes);
        let query = self.source_expr();
        QueryDefinition { notes, name, query, span: self.span_from(start) }
    }

    fn given_definition(&mut self) -> GivenDefinition {
        let start = self.start();
        let mut notes = self.notes();
        let modifier =
            (self.kind().is_name() && self.kind_at(1).is_name()).then(|| self.take_name());
        let name = self.name("a name for the given");
        self.expect(TokenKind::DoubleColon);
        let ty = self.given_type();
        let define = self.kind_past_notes() == TokenKind::Keyword(Keyword::Is);
        let default = define.then(|| {
            self.is_define(&mut notes);
            self.expr()
        });
        GivenDefinition { notes, modifier, name, ty, default, span: self.span_from(start) }
    }

    fn type_definition(&mut self) -> TypeDefinition {
        let start = self.start();
        let mut notes = self.notes();
        let name = self.name("a name for the type");
        self.is_define(&mut notes);
        let base = (!self.is_at(TokenKind::BraceOpen)).then(|| self.name("a type or `{`"));
        let extends = base.is_none() || self.eat_keyword(Keyword::Extend);
        let fields = extends.then(|| self.type_shape());
        TypeDefinition { notes, name, base, fields, span: self.span_from(start) }
    }

    fn import(&mut self) -> Import {
        self.bump();
        let open = self.span();
        let items = self.eat(TokenKind::BraceOpen).then(|| {
            let items = self.comma_items(TokenKind::BraceClose, Self::import_item);
            if items.is_empty() {
                self.expected("a name to import");
            }
            self.expect_close(TokenKind::BraceClose, open);
            self.expect_keyword(Keyword::From);
            items
        });
        let path = self.import_path();
        Import { items, path }
    }

    fn import_path(&mut self) -> StringLiteral {
        self.string_literal("the path of a file, in quotes")
    }

    fn import_item(&mut self) -> ImportItem {
        let start = self.start();
        let name = self.name("a name to import");
        let original =
            self.eat_keyword(Keyword::Is).then(|| self.name("the name in the other file"));
        ImportItem { name, original, span: self.span_from(start) }
    }

    fn export(&mut self) -> Vec<Name> {
        self.bump();
        let open = self.span();
        if !self.expect(TokenKind::BraceOpen) {
            return Vec::new();
        }
        let names = self.comma_items(TokenKind::BraceClose, |p| p.name("a name to export"));
        if names.is_empty() {
            self.expected("a name to export");
        }
        self.expect_close(TokenKind::BraceClose, open);
        names
    }
}

fn is_query_clause(clause: Clause) -> bool {
    super::query::CLAUSES.contains(&clause) && !super::blocks::CLAUSES.contains(&clause)
}
