//! `include { … }` blocks and wildcards.

use super::Parser;
use crate::diagnostic::Diagnostic;
use crate::token::{Clause, TokenKind};
use crate::tree::{
    Access, AccessLabel, FieldPath, IncludeBlock, IncludeField, IncludeItem, IncludeKind,
    IncludeWhat, Name, Star,
};

impl Parser<'_> {
    pub(super) fn include_block(&mut self) -> IncludeBlock {
        let open = self.span();
        let mut items = Vec::new();
        if !self.expect(TokenKind::BraceOpen) {
            return IncludeBlock { items, span: self.span_from(open.start) };
        }
        loop {
            while self.eat(TokenKind::Semicolon) {}
            if self.block_ends(false) {
                break;
            }
            let before = self.at;
            items.push(self.include_item());
            if self.at == before {
                self.bump();
            }
        }
        self.expect_close(TokenKind::BraceClose, open);
        IncludeBlock { items, span: self.span_from(open.start) }
    }

    fn include_item(&mut self) -> IncludeItem {
        let start = self.start();
        let past = self.kind_past_notes();
        // The notes of a list without a label are those of its first field.
        if begins_field(past) {
            let fields = self.include_fields();
            let kind = IncludeKind::Fields { access: None, fields };
            return IncludeItem { notes: Vec::new(), kind, span: self.span_from(start) };
        }
        let notes = self.notes();
        let kind = match self.kind() {
            TokenKind::Clause(Clause::Public) => self.labelled(AccessLabel::Public),
            TokenKind::Clause(Clause::Private) => self.labelled(AccessLabel::Private),
            TokenKind::Clause(Clause::Internal) => self.labelled(AccessLabel::Internal),
            TokenKind::Clause(Clause::Except) => {
                self.bump();
                IncludeKind::Except(self.include_fields())
            }
            _ if !notes.is_empty() => {
                let message = "this annotation is about nothing";
                let warning =
                    Diagnostic::warning("orphaned-object-annotation", notes[0].span, message);
                self.report(warning);
                IncludeKind::LooseNotes
            }
            _ => {
                self.expected("a field, `*`, `public:`, `internal:`, `private:` or `except:`");
                self.bump();
                self.skip_to_statement();
                IncludeKind::Error
            }
        };
        IncludeItem { notes, kind, span: self.span_from(start) }
    }

    fn labelled(&mut self, label: AccessLabel) -> IncludeKind {
        let access = Some(Access { label, span: self.bump().span });
        IncludeKind::Fields { access, fields: self.include_fields() }
    }

    fn include_fields(&mut self) -> Vec<IncludeField> {
        self.items(begins_field, Self::include_field)
    }

    /// `field`, `new is field`, `path.*`, `*`
    fn include_field(&mut self) -> IncludeField {
        let start = self.start();
        let mut notes = self.notes();
        if self.is_at(TokenKind::Star) {
            let what = IncludeWhat::Star(self.star(None, start));
            return IncludeField { notes, name: None, what, span: self.span_from(start) };
        }
        if !self.kind().is_name() {
            let name = self.name("a field");
            let path = FieldPath { span: name.span, names: vec![name] };
            let what = IncludeWhat::Field(path);
            return IncludeField { notes, name: None, what, span: self.span_from(start) };
        }
        let mut path = self.path();
        let past = self.kind_past_notes();
        let renames =
            past == TokenKind::Keyword(crate::token::Keyword::Is) && path.names.len() == 1;
        let mut name: Option<Name> = None;
        if renames {
            self.is_define(&mut notes);
            name = path.names.pop();
            path = self.path_or_missing("a field");
        }
        let what = if self.at_dot_star() {
            self.bump();
            IncludeWhat::Star(self.star(Some(path), start))
        } else {
            IncludeWhat::Field(path)
        };
        IncludeField { notes, name, what, span: self.span_from(start) }
    }

    pub(super) fn path_or_missing(&mut self, what: &str) -> FieldPath {
        if self.kind().is_name() {
            return self.path();
        }
        let name = self.name(what);
        FieldPath { span: name.span, names: vec![name] }
    }

    pub(super) fn at_dot_star(&self) -> bool {
        self.is_at(TokenKind::Dot) && self.kind_at(1) == TokenKind::Star
    }

    /// `*`, which the cursor is on, and perhaps `{ except: a, b }`.
    pub(super) fn star(&mut self, path: Option<FieldPath>, start: u32) -> Star {
        self.bump();
        let mut except = Vec::new();
        let open = self.span();
        if self.eat(TokenKind::BraceOpen) {
            if !self.is_at(TokenKind::Clause(Clause::Except)) {
                self.expected("`except:`");
            }
            while self.eat(TokenKind::Clause(Clause::Except)) {
                except.extend(self.names("the name of a field"));
                while self.eat(TokenKind::Comma) {}
            }
            self.expect_close(TokenKind::BraceClose, open);
        }
        Star { path, except, span: self.span_from(start) }
    }
}

fn begins_field(kind: TokenKind) -> bool {
    kind.is_name() || kind == TokenKind::Star
}
