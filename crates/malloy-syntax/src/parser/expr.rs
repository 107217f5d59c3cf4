//! Expressions: operators, by precedence.
//!
//! A level is how tightly an operator binds; a frame of [`Parser::operators`] takes those that bind at least as tightly as
//! its minimum. The right operand of `?`, `|`, `&` and of a partial comparison starts a new frame that takes
//! everything, which is why those reach as far as they can (see [`ExprKind`]).

use super::Parser;
use crate::token::{Keyword, TokenKind};
use crate::tree::{AlternationOp, ArithmeticOp, CompareOp, Expr, ExprKind, MAX_DEPTH, TimeUnit};

/// How tightly things bind, loosest first.
mod level {
    pub(super) const ANY: u8 = 0;
    pub(super) const COALESCE: u8 = 10;
    pub(super) const OR: u8 = 11;
    pub(super) const AND: u8 = 12;
    pub(super) const NOT: u8 = 13;
    pub(super) const APPLY: u8 = 14;
    pub(super) const IN: u8 = 16;
    pub(super) const IS_NULL: u8 = 17;
    pub(super) const LIKE: u8 = 18;
    pub(super) const COMPARE: u8 = 19;
    pub(super) const ANY_OF: u8 = 20;
    pub(super) const ALL_OF: u8 = 21;
    pub(super) const FOR: u8 = 22;
    pub(super) const TO: u8 = 23;
    pub(super) const ADD: u8 = 24;
    pub(super) const MULTIPLY: u8 = 25;
    pub(super) const NEGATE: u8 = 26;
}

/// An expression under way: what there is of it, and how tall that is.
struct Left {
    expr: Expr,
    height: u32,
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Expr {
        let unit_ends = std::mem::replace(&mut self.unit_ends, false);
        let expr = self.frame(level::ANY, None);
        self.unit_ends = unit_ends;
        expr
    }

    /// An expression of operators that bind at least as tightly as `least`. In a chain of alternatives (`a | b | c`) the
    /// operator of the chain ends each of them.
    fn frame(&mut self, least: u8, chain: Option<AlternationOp>) -> Expr {
        if !self.enter() {
            self.leave();
            self.height = 1;
            return Expr { kind: ExprKind::Error, span: self.span() };
        }
        let expr = self.prefix();
        let mut left = Left { expr, height: self.height };
        while self.operator(&mut left, least, chain) {
            if left.height > MAX_DEPTH {
                self.too_deep();
            }
        }
        self.height = left.height;
        self.leave();
        left.expr
    }

    fn prefix(&mut self) -> Expr {
        let start = self.start();
        let (wrap, level): (fn(Box<Expr>) -> ExprKind, u8) = match self.kind() {
            TokenKind::Minus => (ExprKind::Negate, level::NEGATE),
            TokenKind::Keyword(Keyword::Not) => (ExprKind::Not, level::NOT),
            _ => {
                let expr = self.primary();
                return expr;
            }
        };
        self.bump();
        let operand = self.frame(level, None);
        self.height += 1;
        Expr { kind: wrap(Box::new(operand)), span: self.span_from(start) }
    }

    /// Takes one operator and what it needs, if here is one that binds tightly enough.
    fn operator(&mut self, left: &mut Left, least: u8, chain: Option<AlternationOp>) -> bool {
        use TokenKind as K;
        match self.kind() {
            K::BraceOpen => self.properties(left),
            K::Dot => return self.truncate(left),
            K::DoubleColon => self.cast(left, false),
            K::TripleColon => self.cast(left, true),
            K::Star if level::MULTIPLY >= least => self.arithmetic(left, ArithmeticOp::Multiply),
            K::Slash if level::MULTIPLY >= least => self.arithmetic(left, ArithmeticOp::Divide),
            K::Percentage if level::MULTIPLY >= least => {
                self.arithmetic(left, ArithmeticOp::Modulo);
            }
            K::Plus if level::ADD >= least => self.arithmetic(left, ArithmeticOp::Add),
            K::Minus if level::ADD >= least => self.arithmetic(left, ArithmeticOp::Subtract),
            K::Ampersand if level::ALL_OF >= least && chain != Some(AlternationOp::All) => {
                self.alternation(left, AlternationOp::All);
            }
            K::Bar if level::ANY_OF >= least && chain != Some(AlternationOp::Any) => {
                self.alternation(left, AlternationOp::Any);
            }
            K::Question if level::APPLY >= least => {
                self.bump();
                let test = Box::new(self.partial(None));
                self.wrap(left, self.height, |value| ExprKind::Apply { value, test });
            }
            K::DoubleQuestion if level::COALESCE >= least => self.coalesce(left),
            K::Keyword(keyword) => return self.word_operator(left, keyword, least),
            kind => match compare_op(kind).filter(|_| level::COMPARE >= least) {
                Some(op) => {
                    self.bump();
                    let right = Box::new(self.frame(level::COMPARE + 1, None));
                    self.wrap(left, self.height, |left| ExprKind::Compare { op, left, right });
                }
                None => return false,
            },
        }
        true
    }

    /// An operator that is a word.
    fn word_operator(&mut self, left: &mut Left, keyword: Keyword, least: u8) -> bool {
        match keyword {
            Keyword::And if level::AND >= least => self.logical(left, level::AND + 1, true),
            Keyword::Or if level::OR >= least => self.logical(left, level::OR + 1, false),
            Keyword::To if level::TO >= least => {
                self.bump();
                let until = Box::new(self.frame(level::TO + 1, None));
                self.wrap(left, self.height, |from| ExprKind::Range { from, until });
            }
            Keyword::For if level::FOR >= least => self.range_for(left),
            Keyword::Like if level::LIKE >= least => self.like(left, false),
            Keyword::In if level::IN >= least => self.in_list(left, false),
            Keyword::Is if level::IS_NULL >= least => return self.is_null(left),
            Keyword::Not => match self.kind_at(1) {
                TokenKind::Keyword(Keyword::Like) if level::LIKE >= least => self.like(left, true),
                TokenKind::Keyword(Keyword::In) if level::IN >= least => self.in_list(left, true),
                _ => return false,
            },
            _ => match keyword.unit().filter(|_| !self.unit_ends) {
                Some(unit) => {
                    self.bump();
                    self.wrap(left, 0, |count| ExprKind::Duration { count, unit });
                }
                None => return false,
            },
        }
        true
    }

    /// Makes the expression so far a part of a larger one, whose other parts are `height` tall.
    fn wrap(&self, left: &mut Left, height: u32, make: impl FnOnce(Box<Expr>) -> ExprKind) {
        let span = self.span_from(left.expr.span.start);
        let hole = Expr { kind: ExprKind::Error, span };
        let inner = std::mem::replace(&mut left.expr, hole);
        left.expr.kind = make(Box::new(inner));
        left.height = left.height.max(height) + 1;
    }

    fn arithmetic(&mut self, left: &mut Left, op: ArithmeticOp) {
        let adds = matches!(op, ArithmeticOp::Add | ArithmeticOp::Subtract);
        let level = if adds { level::ADD } else { level::MULTIPLY };
        self.bump();
        let right = Box::new(self.frame(level + 1, None));
        self.wrap(left, self.height, |left| ExprKind::Arithmetic { op, left, right });
    }

    /// `and` or `or`: a run of the same is one list.
    fn logical(&mut self, left: &mut Left, level: u8, and: bool) {
        self.bump();
        let right = self.frame(level, None);
        self.join_list(
            left,
            right,
            |kind| match kind {
                ExprKind::And(items) if and => Some(items),
                ExprKind::Or(items) if !and => Some(items),
                _ => None,
            },
            if and { ExprKind::And } else { ExprKind::Or },
        );
    }

    fn coalesce(&mut self, left: &mut Left) {
        self.bump();
        let right = self.frame(level::COALESCE + 1, None);
        self.join_list(
            left,
            right,
            |kind| match kind {
                ExprKind::Coalesce(items) => Some(items),
                _ => None,
            },
            ExprKind::Coalesce,
        );
    }

    /// Appends to the list on the left, or makes a list of both.
    fn join_list(
        &self,
        left: &mut Left,
        right: Expr,
        list: impl FnOnce(&mut ExprKind) -> Option<&mut Vec<Expr>>,
        make: impl FnOnce(Vec<Expr>) -> ExprKind,
    ) {
        let span = self.span_from(left.expr.span.start);
        if let Some(items) = list(&mut left.expr.kind) {
            items.push(right);
            left.height = left.height.max(self.height + 1);
        } else {
            self.wrap(left, self.height, |first| make(vec![*first, right]));
        }
        left.expr.span = span;
    }

    /// `a | b | c`: all of one run, each alternative reaching up to the next.
    fn alternation(&mut self, left: &mut Left, op: AlternationOp) {
        let token = if op == AlternationOp::Any { TokenKind::Bar } else { TokenKind::Ampersand };
        let mut rest = Vec::new();
        let mut height = 0;
        while self.eat(token) {
            rest.push(self.partial(Some(op)));
            height = height.max(self.height);
        }
        match &mut left.expr.kind {
            // `a | (> 3) | b`: a partial in parentheses ends its frame, so the run goes on out here.
            ExprKind::Alternation { op: same, items } if *same == op => {
                items.append(&mut rest);
                left.height = left.height.max(height + 1);
                left.expr.span = self.span_from(left.expr.span.start);
            }
            _ => self.wrap(left, height, |first| {
                let items = std::iter::once(*first).chain(rest).collect();
                ExprKind::Alternation { op, items }
            }),
        }
    }

    /// What may stand right of `?`, `|`, `&` and `when`: a test without its left side, or any expression.
    pub(super) fn partial(&mut self, chain: Option<AlternationOp>) -> Expr {
        let start = self.start();
        if let Some(expr) = self.partial_test() {
            return expr;
        }
        let wrapped = self.is_at(TokenKind::ParenOpen)
            && (compare_op(self.kind_at(1)).is_some()
                || self.kind_at(1) == TokenKind::Keyword(Keyword::Is));
        if !wrapped {
            return self.frame(level::ANY, chain);
        }
        let open = self.bump().span;
        let unit_ends = std::mem::replace(&mut self.unit_ends, false);
        let test = self.partial_test();
        self.unit_ends = unit_ends;
        self.height += 1;
        self.expect_close(TokenKind::ParenClose, open);
        let span = self.span_from(start);
        let inner = test.unwrap_or(Expr { kind: ExprKind::Error, span });
        Expr { kind: ExprKind::Paren(Box::new(inner)), span }
    }

    /// `> 3`, `is null`, `is not null`
    fn partial_test(&mut self) -> Option<Expr> {
        let start = self.start();
        let kind = if let Some(op) = compare_op(self.kind()) {
            self.bump();
            let right = Box::new(self.frame(level::ANY, None));
            self.height += 1;
            ExprKind::PartialCompare { op, right }
        } else if self.at_keyword(Keyword::Is) {
            self.bump();
            let negated = self.eat_keyword(Keyword::Not);
            self.expect_keyword(Keyword::Null);
            self.height = 1;
            ExprKind::PartialNull { negated }
        } else {
            return None;
        };
        Some(Expr { kind, span: self.span_from(start) })
    }

    /// `from for 3 days`
    fn range_for(&mut self, left: &mut Left) {
        self.bump();
        let unit_ends = std::mem::replace(&mut self.unit_ends, true);
        let count = Box::new(self.frame(level::ANY, None));
        self.unit_ends = unit_ends;
        let height = self.height;
        let unit = match self.kind() {
            TokenKind::Keyword(keyword) => keyword.unit(),
            _ => None,
        };
        match unit {
            Some(_) => {
                self.bump();
            }
            None => self.expected("a unit of time, such as `days`"),
        }
        let unit = unit.unwrap_or(TimeUnit::Day);
        self.wrap(left, height, |from| ExprKind::For { from, count, unit });
    }

    fn like(&mut self, left: &mut Left, negated: bool) {
        if negated {
            self.bump();
        }
        self.bump();
        let pattern = Box::new(self.frame(level::LIKE + 1, None));
        self.wrap(left, self.height, |value| ExprKind::Like { value, pattern, negated });
    }

    /// `is null`, `is not null`. Any other `is` belongs to a definition.
    fn is_null(&mut self, left: &mut Left) -> bool {
        let null = TokenKind::Keyword(Keyword::Null);
        let negated = self.kind_at(1) == TokenKind::Keyword(Keyword::Not);
        if self.kind_at(1 + usize::from(negated)) != null {
            return false;
        }
        self.bump();
        self.bump();
        if negated {
            self.bump();
        }
        self.wrap(left, 0, |value| ExprKind::IsNull { value, negated });
        true
    }

    /// `in (a, b)`, `in $GIVEN`
    fn in_list(&mut self, left: &mut Left, negated: bool) {
        if negated {
            self.bump();
        }
        self.bump();
        if self.is_at(TokenKind::Given) {
            let given = self.take_name();
            return self.wrap(left, 0, |value| ExprKind::InGiven { value, given, negated });
        }
        let open = self.span();
        let mut height = 0;
        let mut items = Vec::new();
        if self.expect(TokenKind::ParenOpen) {
            items = self.comma_items(TokenKind::ParenClose, |p| {
                let item = p.expr();
                height = height.max(p.height);
                item
            });
            if items.is_empty() {
                self.expected("a value");
            }
            self.expect_close(TokenKind::ParenClose, open);
        }
        self.wrap(left, height, |value| ExprKind::In { value, items, negated });
    }

    /// `.month`
    fn truncate(&mut self, left: &mut Left) -> bool {
        let TokenKind::Keyword(keyword) = self.kind_at(1) else {
            self.bump();
            self.expected("a unit of time, such as `month`, after the dot");
            return true;
        };
        self.bump();
        if let Some(unit) = keyword.unit() {
            self.bump();
            self.wrap(left, 0, |value| ExprKind::Truncate { value, unit });
        } else {
            self.reserved_word();
            self.bump();
        }
        true
    }

    fn cast(&mut self, left: &mut Left, safe: bool) {
        self.bump();
        let ty = self.cast_type();
        self.wrap(left, 0, |value| ExprKind::Cast { value, ty, safe });
    }

    /// `{ where: … }`
    fn properties(&mut self, left: &mut Left) {
        let properties = self.property_block();
        self.wrap(left, self.height, |value| ExprKind::Properties { value, properties });
    }
}

pub(super) fn compare_op(kind: TokenKind) -> Option<CompareOp> {
    Some(match kind {
        TokenKind::Equal => CompareOp::Equal,
        TokenKind::NotEqual => CompareOp::NotEqual,
        TokenKind::Less => CompareOp::Less,
        TokenKind::LessOrEqual => CompareOp::LessOrEqual,
        TokenKind::Greater => CompareOp::Greater,
        TokenKind::GreaterOrEqual => CompareOp::GreaterOrEqual,
        TokenKind::Tilde => CompareOp::Match,
        TokenKind::NotTilde => CompareOp::NotMatch,
        _ => return None,
    })
}
