//! Expressions: what stands between operators.

use super::Parser;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Keyword, TokenKind};
use crate::tree::{
    AggregateFunction, AggregateOver, Call, CaseArm, Expr, ExprKind, FieldPath, Name, PickArm,
    RawCall, RecordItem, Ungroup,
};

impl Parser<'_> {
    /// Whether an expression can begin with this token.
    pub(super) fn begins_expr(&self) -> bool {
        use TokenKind as K;
        match self.kind() {
            K::Keyword(keyword) => !matches!(
                keyword,
                Keyword::And
                    | Keyword::As
                    | Keyword::Asc
                    | Keyword::By
                    | Keyword::Desc
                    | Keyword::Else
                    | Keyword::End
                    | Keyword::Export
                    | Keyword::Extend
                    | Keyword::For
                    | Keyword::From
                    | Keyword::Import
                    | Keyword::In
                    | Keyword::Include
                    | Keyword::Is
                    | Keyword::Like
                    | Keyword::On
                    | Keyword::Or
                    | Keyword::Then
                    | Keyword::To
                    | Keyword::When
                    | Keyword::With
            ),
            K::Identifier
            | K::Quoted
            | K::Given
            | K::String
            | K::RawString
            | K::Regex
            | K::Filter
            | K::Integer
            | K::Decimal
            | K::Percent
            | K::Time(_)
            | K::SqlOpen
            | K::ParenOpen
            | K::BracketOpen
            | K::BraceOpen
            | K::Minus
            | K::Error => true,
            _ => false,
        }
    }

    /// A literal, a path, a call, or something in brackets. Sets the height.
    pub(super) fn primary(&mut self) -> Expr {
        let start = self.start();
        self.height = 1;
        let kind = match self.kind() {
            TokenKind::Identifier | TokenKind::Quoted => self.path_or_call(),
            TokenKind::Given => ExprKind::Given(self.take_name()),
            TokenKind::ParenOpen => {
                let open = self.bump().span;
                let inner = Box::new(self.expr());
                self.expect_close(TokenKind::ParenClose, open);
                self.height += 1;
                ExprKind::Paren(inner)
            }
            TokenKind::BracketOpen => self.array(),
            TokenKind::BraceOpen => self.record(),
            TokenKind::Keyword(keyword) => self.keyword_primary(keyword),
            TokenKind::Error => {
                self.bump();
                ExprKind::Error
            }
            _ => self.literal(),
        };
        Expr { kind, span: self.span_from(start) }
    }

    fn keyword_primary(&mut self, keyword: Keyword) -> ExprKind {
        let call = self.kind_at(1) == TokenKind::ParenOpen;
        match keyword {
            Keyword::Pick => self.pick(),
            Keyword::Case => self.case(),
            Keyword::Cast if call => self.cast_call(),
            Keyword::All if call => self.ungroup(Ungroup::All),
            Keyword::Exclude if call => self.ungroup(Ungroup::Exclude),
            Keyword::Source if self.kind_at(1) == TokenKind::Dot => self.source_aggregate(),
            Keyword::Null | Keyword::True | Keyword::False | Keyword::Now => self.constant(keyword),
            _ if call && keyword.unit().is_some() => self.call(None),
            _ => match aggregate_function(keyword).filter(|_| call) {
                Some(function) => {
                    self.bump();
                    self.aggregate(AggregateOver::Nothing, function)
                }
                None => self.not_an_expression(),
            },
        }
    }

    fn constant(&mut self, keyword: Keyword) -> ExprKind {
        self.bump();
        match keyword {
            Keyword::Null => ExprKind::Null,
            Keyword::True => ExprKind::Boolean(true),
            Keyword::False => ExprKind::Boolean(false),
            _ => {
                let called =
                    self.is_at(TokenKind::ParenOpen) && self.kind_at(1) == TokenKind::ParenClose;
                if called {
                    let span = self.bump().span.to(self.bump().span);
                    let message = "`now` is a value, not a function; leave out the parentheses";
                    self.report(Diagnostic::warning("now-is-not-a-function", span, message));
                }
                ExprKind::Now
            }
        }
    }

    /// A reserved word that is no value: one that wants quotes, or the end of what there is.
    fn not_an_expression(&mut self) -> ExprKind {
        if let TokenKind::Keyword(keyword) = self.kind()
            && is_function(keyword)
        {
            return self.not_called(keyword);
        }
        if self.begins_expr() && self.kind_at(1) != TokenKind::ParenOpen {
            self.reserved_word();
            let name = self.take_name();
            return ExprKind::Path(FieldPath { span: name.span, names: vec![name] });
        }
        self.expected("an expression");
        if self.begins_expr() && self.kind_at(1) == TokenKind::ParenOpen {
            self.call(None);
        }
        ExprKind::Error
    }

    /// The name of a function without its parentheses, or of a field without its quotes.
    fn not_called(&mut self, keyword: Keyword) -> ExprKind {
        let word = self.bump().span.of(self.text);
        let message = format!("expected `(` after `{word}`, found {}", self.found());
        let help = format!("to use `{keyword}` as a name, quote it: `` `{keyword}` ``");
        self.error_with_help(message, help);
        ExprKind::Error
    }

    /// `a.b.c`, `a.b.sum(x)`, `a.b.name(x)`, `name(x)`, `name!(x)`, the cursor being on a name.
    fn path_or_call(&mut self) -> ExprKind {
        if matches!(self.kind_at(1), TokenKind::ParenOpen | TokenKind::Bang) {
            return self.call(None);
        }
        let mut path = self.path();
        if self.is_at(TokenKind::ParenOpen)
            && let Some(name) = path.names.pop()
        {
            path.span = path.names.iter().fold(path.names[0].span, |span, part| span.to(part.span));
            return self.call_named(Some(path), name);
        }
        let aggregate = match (self.kind(), self.kind_at(1)) {
            (TokenKind::Dot, TokenKind::Keyword(keyword)) => aggregate_function(keyword),
            _ => None,
        };
        if let Some(function) = aggregate {
            self.bump();
            self.bump();
            return self.aggregate(AggregateOver::Path(path), function);
        }
        ExprKind::Path(path)
    }

    fn source_aggregate(&mut self) -> ExprKind {
        let source = self.bump().span;
        self.bump();
        let function = match self.kind() {
            TokenKind::Keyword(keyword) => aggregate_function(keyword),
            _ => None,
        };
        let Some(function) = function else {
            self.expected("`sum`, `avg`, `count`, `min` or `max`");
            return ExprKind::Error;
        };
        self.bump();
        self.aggregate(AggregateOver::Source(source), function)
    }

    /// `(x)` after the name of an aggregate.
    fn aggregate(&mut self, over: AggregateOver, function: AggregateFunction) -> ExprKind {
        let open = self.span();
        let mut argument = None;
        if self.expect(TokenKind::ParenOpen) {
            if self.at_keyword(Keyword::Distinct) && function == AggregateFunction::Count {
                self.error_with_help(
                    "`distinct` is not needed",
                    "`count(x)` counts distinct values of x",
                );
                self.bump();
            }
            if !self.is_at(TokenKind::ParenClose) {
                argument = Some(Box::new(self.expr()));
            }
            self.expect_close(TokenKind::ParenClose, open);
        }
        self.height += 1;
        ExprKind::Aggregate { over, function, argument }
    }

    /// The cursor being on the name.
    fn call(&mut self, path: Option<FieldPath>) -> ExprKind {
        let unit = match self.kind() {
            TokenKind::Keyword(keyword) => keyword.unit(),
            _ => None,
        };
        let name = self.take_name();
        let mut kind = self.call_named(path, name);
        if let ExprKind::Call(call) = &mut kind {
            call.unit = unit;
        }
        kind
    }

    /// What comes after the name of a function.
    fn call_named(&mut self, path: Option<FieldPath>, name: Name) -> ExprKind {
        let start = self.start();
        let raw = self.eat(TokenKind::Bang).then(|| {
            let ty = (!self.is_at(TokenKind::ParenOpen)).then(|| self.malloy_type());
            RawCall { ty, span: self.span_from(start) }
        });
        let open = self.span();
        let mut arguments = Vec::new();
        let mut height = 0;
        if self.expect(TokenKind::ParenOpen) {
            arguments = self.comma_items(TokenKind::ParenClose, |p| {
                let argument = p.expr();
                height = height.max(p.height);
                argument
            });
            self.expect_close(TokenKind::ParenClose, open);
        }
        self.height = height + 1;
        ExprKind::Call(Call { path, name, unit: None, raw, arguments })
    }

    fn array(&mut self) -> ExprKind {
        let open = self.bump().span;
        let mut height = 0;
        let items = self.comma_items(TokenKind::BracketClose, |p| {
            let item = p.expr();
            height = height.max(p.height);
            item
        });
        if items.is_empty() {
            self.expected("a value; an array has at least one");
        }
        self.expect_close(TokenKind::BracketClose, open);
        self.height = height + 1;
        ExprKind::Array(items)
    }

    fn record(&mut self) -> ExprKind {
        let open = self.bump().span;
        let mut height = 0;
        let items = self.comma_items(TokenKind::BraceClose, |p| {
            let item = p.record_item();
            height = height.max(p.height);
            item
        });
        if items.is_empty() {
            self.expected("a field of a record: `name is value`");
        }
        if !self.expect_close(TokenKind::BraceClose, open) {
            self.skip_to_statement();
            self.eat(TokenKind::BraceClose);
        }
        self.height = height + 1;
        ExprKind::Record(items)
    }

    fn record_item(&mut self) -> RecordItem {
        let start = self.start();
        // A field of a record has a name, so `x is null` names a null here.
        let named = self.kind().is_name() && self.kind_at(1) == TokenKind::Keyword(Keyword::Is);
        let name = named.then(|| {
            let name = self.take_name();
            self.bump();
            name
        });
        let value = self.expr();
        RecordItem { name, value, span: self.span_from(start) }
    }

    /// `cast(x as type)`
    fn cast_call(&mut self) -> ExprKind {
        self.bump();
        let open = self.bump().span;
        let value = Box::new(self.expr());
        self.height += 1;
        self.expect_keyword(Keyword::As);
        let ty = self.cast_type();
        self.expect_close(TokenKind::ParenClose, open);
        ExprKind::Cast { value, ty, safe: false }
    }

    /// `all(m, d, e)`, `exclude(m, d)`
    fn ungroup(&mut self, kind: Ungroup) -> ExprKind {
        self.bump();
        let open = self.bump().span;
        let value = Box::new(self.expr());
        self.height += 1;
        let mut fields = Vec::new();
        while self.eat(TokenKind::Comma) {
            fields.push(self.name("the name of a field"));
        }
        self.expect_close(TokenKind::ParenClose, open);
        ExprKind::Ungroup { kind, value, fields }
    }

    fn pick(&mut self) -> ExprKind {
        let mut arms = Vec::new();
        let mut height = 0;
        while self.at_keyword(Keyword::Pick) {
            let start = self.bump().span.start;
            let value =
                (!self.at_keyword(Keyword::When)).then(|| self.inner(&mut height, Self::expr));
            let when = if self.expect_keyword(Keyword::When) {
                self.inner(&mut height, |p| {
                    let unit_ends = std::mem::replace(&mut p.unit_ends, false);
                    let when = p.partial(None);
                    p.unit_ends = unit_ends;
                    when
                })
            } else {
                Expr { kind: ExprKind::Error, span: Span::at(self.end()) }
            };
            arms.push(PickArm { value, when, span: self.span_from(start) });
        }
        let otherwise = self.otherwise(&mut height);
        self.height = height + 1;
        ExprKind::Pick { arms, otherwise }
    }

    fn case(&mut self) -> ExprKind {
        self.bump();
        let mut height = 0;
        let subject = (!self.at_keyword(Keyword::When))
            .then(|| Box::new(self.inner(&mut height, Self::expr)));
        let mut arms = Vec::new();
        while self.at_keyword(Keyword::When) {
            let start = self.bump().span.start;
            let when = self.inner(&mut height, Self::expr);
            self.expect_keyword(Keyword::Then);
            let then = self.inner(&mut height, Self::expr);
            arms.push(CaseArm { when, then, span: self.span_from(start) });
        }
        if arms.is_empty() {
            self.expected("`when`");
        }
        let otherwise = self.otherwise(&mut height);
        self.expect_keyword(Keyword::End);
        self.height = height + 1;
        ExprKind::Case { subject, arms, otherwise }
    }

    fn otherwise(&mut self, height: &mut u32) -> Option<Box<Expr>> {
        self.eat_keyword(Keyword::Else).then(|| Box::new(self.inner(height, Self::expr)))
    }

    /// Parses a part, noting how tall it is.
    fn inner(&mut self, height: &mut u32, part: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let expr = part(self);
        *height = (*height).max(self.height);
        expr
    }
}

/// Words that are functions and nothing else.
fn is_function(keyword: Keyword) -> bool {
    let ungroups = matches!(keyword, Keyword::All | Keyword::Exclude | Keyword::Cast);
    ungroups || aggregate_function(keyword).is_some() || keyword.unit().is_some()
}

pub(super) fn aggregate_function(keyword: Keyword) -> Option<AggregateFunction> {
    Some(match keyword {
        Keyword::Avg => AggregateFunction::Avg,
        Keyword::Count => AggregateFunction::Count,
        Keyword::Max => AggregateFunction::Max,
        Keyword::Min => AggregateFunction::Min,
        Keyword::Sum => AggregateFunction::Sum,
        _ => return None,
    })
}
