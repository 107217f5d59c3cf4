//! `extend { … }` blocks and their statements.

use super::Parser;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Clause, Keyword, TokenKind};
use crate::tree::{
    Access, AccessLabel, FieldDefinition, JoinRelation, Rename, SourceBlock, SourceStatement,
    SourceStatementKind, ViewDefinition,
};

/// What a statement of a source begins with.
pub(super) const CLAUSES: &[Clause] = &[
    Clause::Dimension,
    Clause::Measure,
    Clause::JoinOne,
    Clause::JoinMany,
    Clause::JoinCross,
    Clause::View,
    Clause::Where,
    Clause::PrimaryKey,
    Clause::Rename,
    Clause::Accept,
    Clause::Except,
    Clause::Timezone,
];

impl Parser<'_> {
    /// `{ statements }`, the brace being due here.
    pub(super) fn source_block(&mut self) -> SourceBlock {
        let open = self.span();
        let mut statements = Vec::new();
        if !self.expect(TokenKind::BraceOpen) || !self.enter() {
            return SourceBlock { statements, span: self.span_from(open.start) };
        }
        self.source_blocks += 1;
        loop {
            while self.eat(TokenKind::Semicolon) {}
            if self.block_ends(false) {
                break;
            }
            let before = self.at;
            statements.push(self.source_statement());
            if self.at == before {
                self.bump();
            }
        }
        self.source_blocks -= 1;
        self.expect_close(TokenKind::BraceClose, open);
        self.leave();
        SourceBlock { statements, span: self.span_from(open.start) }
    }

    /// Whether a block ends here, be it that its brace is missing. A statement of the document ends every block, one
    /// that only a source has ends a query in a source.
    pub(super) fn block_ends(&self, query: bool) -> bool {
        match self.kind_past_notes() {
            TokenKind::BraceClose | TokenKind::HoleClose | TokenKind::SqlClose | TokenKind::End => {
                !self.kind().is_note()
            }
            TokenKind::Clause(
                Clause::Source | Clause::Query | Clause::Run | Clause::Given | Clause::Type,
            )
            | TokenKind::Keyword(Keyword::Import | Keyword::Export) => true,
            TokenKind::Clause(clause) => {
                let of_source =
                    CLAUSES.contains(&clause) && !super::query::CLAUSES.contains(&clause);
                query && self.source_blocks > 0 && of_source
            }
            _ => false,
        }
    }

    fn source_statement(&mut self) -> SourceStatement {
        let start = self.start();
        if self.kind().is_model_note() {
            self.misplaced_model_notes();
            return self.finish_source(start, Span::at(start), SourceStatementKind::Error);
        }
        let past = self.kind_past_notes();
        let takes_notes = match past {
            TokenKind::Clause(clause) => has_definitions(clause),
            TokenKind::Keyword(_) => self.access_label(self.count_notes()).is_some(),
            _ => false,
        };
        let notes = self.notes();
        if !notes.is_empty() && !takes_notes {
            let mut loose =
                self.finish_source(start, Span::at(self.end()), SourceStatementKind::LooseNotes);
            loose.notes = notes;
            return loose;
        }
        let access = self.access_label(0).map(|label| {
            let token = self.bump();
            Access { label, span: token.span }
        });
        let keyword = self.span();
        let kind = self.source_statement_kind(access.is_some());
        let mut statement = self.finish_source(start, keyword, kind);
        statement.notes = notes;
        statement.access = access;
        statement
    }

    fn finish_source(
        &self,
        start: u32,
        keyword: Span,
        kind: SourceStatementKind,
    ) -> SourceStatement {
        let span = self.span_from(start);
        SourceStatement { notes: Vec::new(), access: None, kind, keyword, span }
    }

    /// `public`, `private` or `internal` with a definition after it.
    fn access_label(&self, ahead: usize) -> Option<AccessLabel> {
        let label = match self.kind_at(ahead) {
            TokenKind::Keyword(Keyword::Public) => AccessLabel::Public,
            TokenKind::Keyword(Keyword::Private) => AccessLabel::Private,
            TokenKind::Keyword(Keyword::Internal) => AccessLabel::Internal,
            _ => return None,
        };
        matches!(self.kind_at(ahead + 1), TokenKind::Clause(_)).then_some(label)
    }

    fn source_statement_kind(&mut self, labelled: bool) -> SourceStatementKind {
        let TokenKind::Clause(clause) = self.kind() else {
            if let Some(clause) = self.bad_statement("a statement of a source", CLAUSES) {
                return self.source_clause(clause);
            }
            self.skip_to_statement();
            return SourceStatementKind::Error;
        };
        if !CLAUSES.contains(&clause) {
            self.error_with_help(
                format!("`{clause}:` is no statement of a source"),
                misplaced_in_source(clause),
            );
            self.bump();
            self.skip_to_statement();
            return SourceStatementKind::Error;
        }
        if labelled && !has_definitions(clause) {
            self.error(format!("`{clause}:` takes no access label"));
        }
        self.bump();
        self.source_clause(clause)
    }

    /// What comes after the colon.
    pub(super) fn source_clause(&mut self, clause: Clause) -> SourceStatementKind {
        use SourceStatementKind as S;
        match clause {
            Clause::Dimension => S::Dimension(self.field_definitions()),
            Clause::Measure => S::Measure(self.field_definitions()),
            Clause::JoinOne => S::Join { relation: JoinRelation::One, items: self.joins() },
            Clause::JoinMany => S::Join { relation: JoinRelation::Many, items: self.joins() },
            Clause::JoinCross => S::Join { relation: JoinRelation::Cross, items: self.joins() },
            Clause::View => S::View(self.items(TokenKind::is_name, Self::view_definition)),
            Clause::Where => S::Where(self.conditions()),
            Clause::PrimaryKey => S::PrimaryKey(self.name("the name of a field")),
            Clause::Rename => S::Rename(self.items(TokenKind::is_name, Self::rename)),
            Clause::Accept => S::Accept(self.names("the name of a field")),
            Clause::Except => S::Except(self.names("the name of a field")),
            Clause::Timezone => S::Timezone(self.string_literal("the name of a zone, in quotes")),
            _ => S::Error,
        }
    }

    pub(super) fn misplaced_model_notes(&mut self) {
        let message =
            "`##` annotations are about the model and belong at the top, outside of blocks";
        self.report(Diagnostic::error("misplaced-model-annotation", self.span(), message));
        while self.kind().is_model_note() {
            self.bump();
        }
    }

    pub(super) fn field_definitions(&mut self) -> Vec<FieldDefinition> {
        self.items(TokenKind::is_name, Self::field_definition)
    }

    fn field_definition(&mut self) -> FieldDefinition {
        let start = self.start();
        let mut notes = self.notes();
        let name = self.name("a name for the field");
        self.is_define(&mut notes);
        let expr = self.expr();
        FieldDefinition { notes, name, expr, span: self.span_from(start) }
    }

    fn view_definition(&mut self) -> ViewDefinition {
        let start = self.start();
        let mut notes = self.notes();
        let name = self.name("a name for the view");
        self.is_define(&mut notes);
        let view = self.view();
        ViewDefinition { notes, name, view, span: self.span_from(start) }
    }

    fn rename(&mut self) -> Rename {
        let start = self.start();
        let mut notes = self.notes();
        let new = self.name("the new name");
        self.is_define(&mut notes);
        let old = self.name("the old name");
        Rename { notes, new, old, span: self.span_from(start) }
    }
}

/// Whether a clause defines things, which may have annotations and access labels.
fn has_definitions(clause: Clause) -> bool {
    matches!(
        clause,
        Clause::Dimension
            | Clause::Measure
            | Clause::JoinOne
            | Clause::JoinMany
            | Clause::JoinCross
            | Clause::View
            | Clause::Rename
    )
}

fn misplaced_in_source(clause: Clause) -> &'static str {
    match clause {
        Clause::Declare => "use `dimension:` or `measure:`",
        Clause::Extend => "a source block is itself an extension; leave `extend:` out",
        Clause::Public | Clause::Private | Clause::Internal => {
            "write the label without a colon before a definition: `private dimension: …`"
        }
        _ => "it belongs in a query: `view: name is { … }`",
    }
}
