//! Source and query expressions, parameters and arguments.

use super::Parser;
use crate::span::Span;
use crate::token::{Keyword, TokenKind};
use crate::tree::{
    Argument, Arguments, Name, Parameter, Parameters, SourceBase, SourceExpr, SourceStep,
    SourceStepKind, SqlPart, SqlText,
};

impl Parser<'_> {
    /// Something to begin with, and what is done to it.
    pub(super) fn source_expr(&mut self) -> SourceExpr {
        let start = self.start();
        if !self.enter() {
            self.leave();
            return SourceExpr {
                base: SourceBase::Error(self.span()),
                steps: Vec::new(),
                span: self.span(),
            };
        }
        let base = self.source_base();
        let mut steps = Vec::new();
        while let Some(step) = self.source_step() {
            steps.push(step);
        }
        self.leave();
        SourceExpr { base, steps, span: self.span_from(start) }
    }

    fn source_base(&mut self) -> SourceBase {
        let start = self.start();
        match self.kind() {
            TokenKind::ParenOpen => {
                let open = self.bump().span;
                let inner = Box::new(self.source_expr());
                self.expect_close(TokenKind::ParenClose, open);
                SourceBase::Paren { inner, span: self.span_from(start) }
            }
            TokenKind::Keyword(Keyword::Compose) => self.compose(start),
            kind if kind.is_name() && self.kind_at(1) == TokenKind::Dot => self.connection(start),
            kind if kind.is_name() => {
                let name = self.take_name();
                let arguments = self.is_at(TokenKind::ParenOpen).then(|| self.arguments());
                SourceBase::Named { name, arguments }
            }
            TokenKind::Keyword(_) if !self.at_expression_keyword() => {
                let name = self.name("a source or a query");
                SourceBase::Named { name, arguments: None }
            }
            _ => {
                self.expected("a source or a query");
                SourceBase::Error(Span::at(self.end()))
            }
        }
    }

    /// Words that go on with what surrounds a source, so that the source itself is what is missing.
    fn at_expression_keyword(&self) -> bool {
        matches!(
            self.kind(),
            TokenKind::Keyword(
                Keyword::With
                    | Keyword::On
                    | Keyword::Extend
                    | Keyword::Include
                    | Keyword::Is
                    | Keyword::Import
                    | Keyword::Export
                    | Keyword::Left
                    | Keyword::Right
                    | Keyword::Full
                    | Keyword::Inner
            )
        )
    }

    fn compose(&mut self, start: u32) -> SourceBase {
        self.bump();
        let open = self.span();
        if !self.expect(TokenKind::ParenOpen) {
            return SourceBase::Error(self.span_from(start));
        }
        let inputs = self.comma_items(TokenKind::ParenClose, Self::source_expr);
        self.expect_close(TokenKind::ParenClose, open);
        SourceBase::Compose { inputs, span: self.span_from(start) }
    }

    /// `connection.table('path')` and its siblings, the cursor being on a name with a dot after it.
    fn connection(&mut self, start: u32) -> SourceBase {
        let connection = self.take_name();
        self.bump();
        let TokenKind::Keyword(what @ (Keyword::Table | Keyword::Sql | Keyword::Virtual)) =
            self.kind()
        else {
            self.expected("`table`, `sql` or `virtual`");
            if self.kind().is_name() && self.kind_at(1) == TokenKind::ParenOpen {
                self.bump();
                self.arguments();
            }
            return SourceBase::Error(self.span_from(start));
        };
        self.bump();
        let open = self.span();
        if !self.expect(TokenKind::ParenOpen) {
            return SourceBase::Error(self.span_from(start));
        }
        match what {
            Keyword::Table => {
                let path = self.string_literal("the path of a table, in quotes");
                self.expect_close(TokenKind::ParenClose, open);
                SourceBase::Table { connection, path, span: self.span_from(start) }
            }
            Keyword::Sql => self.sql_source(connection, open, start),
            _ => {
                let name = self.string_literal("the name of a virtual source, in quotes");
                self.expect_close(TokenKind::ParenClose, open);
                SourceBase::Virtual { connection, name, span: self.span_from(start) }
            }
        }
    }

    fn sql_source(&mut self, connection: Name, open: Span, start: u32) -> SourceBase {
        let sql = if self.is_at(TokenKind::SqlOpen) {
            self.sql_text()
        } else {
            let literal = self.string_literal("SQL, in quotes");
            let Span { start, end } = literal.span;
            let inner = if end - start < 2 { literal.span } else { Span::new(start + 1, end - 1) };
            let part = SqlPart::Text { text: literal.value, span: inner };
            SqlText { parts: vec![part], span: literal.span }
        };
        self.expect_close(TokenKind::ParenClose, open);
        SourceBase::Sql { connection, sql, span: self.span_from(start) }
    }

    fn source_step(&mut self) -> Option<SourceStep> {
        let operator = self.span();
        let kind = match self.kind() {
            TokenKind::Arrow => {
                self.bump();
                SourceStepKind::Arrow(self.segment())
            }
            TokenKind::Plus => {
                self.bump();
                SourceStepKind::Refine(self.segment())
            }
            TokenKind::Keyword(Keyword::Extend) => {
                self.bump();
                SourceStepKind::Extend(self.source_block())
            }
            TokenKind::Keyword(Keyword::Include) => {
                self.bump();
                SourceStepKind::Include(self.include_block())
            }
            TokenKind::DoubleColon => {
                self.bump();
                SourceStepKind::Typed(self.type_names())
            }
            _ => return None,
        };
        Some(SourceStep { kind, operator, span: self.span_from(operator.start) })
    }

    /// `Type` or `(A, B)`
    fn type_names(&mut self) -> Vec<Name> {
        let open = self.span();
        if !self.eat(TokenKind::ParenOpen) {
            return vec![self.name("a type")];
        }
        let names = self.comma_items(TokenKind::ParenClose, |p| p.name("a type"));
        self.expect_close(TokenKind::ParenClose, open);
        names
    }

    pub(super) fn parameters(&mut self) -> Parameters {
        let open = self.bump().span;
        let items = self.comma_items(TokenKind::ParenClose, Self::parameter);
        self.expect_close(TokenKind::ParenClose, open);
        Parameters { items, span: self.span_from(open.start) }
    }

    fn parameter(&mut self) -> Parameter {
        let start = self.start();
        let name = self.name("a name for the parameter");
        let ty = self.eat(TokenKind::DoubleColon).then(|| self.parameter_type());
        let default = self.eat_keyword(Keyword::Is).then(|| self.expr());
        Parameter { name, ty, default, span: self.span_from(start) }
    }

    pub(super) fn arguments(&mut self) -> Arguments {
        let open = self.bump().span;
        let items = self.comma_items(TokenKind::ParenClose, Self::argument);
        self.expect_close(TokenKind::ParenClose, open);
        Arguments { items, span: self.span_from(open.start) }
    }

    fn argument(&mut self) -> Argument {
        let start = self.start();
        let named = self.kind().is_name() && self.names_value();
        let name = named.then(|| {
            let name = self.take_name();
            self.bump();
            name
        });
        let value = self.expr();
        Argument { name, value, span: self.span_from(start) }
    }

    /// Whether the name here has an `is` after it that defines it, and does not test for null.
    pub(super) fn names_value(&self) -> bool {
        let tests_null = match self.kind_at(2) {
            TokenKind::Keyword(Keyword::Null) => true,
            TokenKind::Keyword(Keyword::Not) => {
                self.kind_at(3) == TokenKind::Keyword(Keyword::Null)
            }
            _ => false,
        };
        self.kind_at(1) == TokenKind::Keyword(Keyword::Is) && !tests_null
    }
}
