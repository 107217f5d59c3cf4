//! Segments, views and the statements of a query.

use super::Parser;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Clause, Keyword, TokenKind};
use crate::tree::{
    Direction, Expr, FieldItem, FieldItemKind, IndexField, JoinRelation, NestItem, OrderItem,
    OrderKey, QueryBlock, QueryStatement, QueryStatementKind, ReferenceSuffix, Sample, Segment,
    SegmentKind, View,
};

/// What a statement of a query begins with.
pub(super) const CLAUSES: &[Clause] = &[
    Clause::GroupBy,
    Clause::Aggregate,
    Clause::Select,
    Clause::Nest,
    Clause::Calculate,
    Clause::Where,
    Clause::Having,
    Clause::OrderBy,
    Clause::Limit,
    Clause::Top,
    Clause::Index,
    Clause::Sample,
    Clause::Extend,
    Clause::Timezone,
    Clause::Drill,
    Clause::JoinOne,
    Clause::JoinMany,
    Clause::JoinCross,
    Clause::Declare,
];

impl Parser<'_> {
    /// `segment -> segment -> …`
    pub(super) fn view(&mut self) -> View {
        let start = self.start();
        let mut stages = vec![self.segment()];
        while self.eat(TokenKind::Arrow) {
            stages.push(self.segment());
        }
        View { stages, span: self.span_from(start) }
    }

    /// `a + b + c`
    pub(super) fn segment(&mut self) -> Segment {
        let start = self.start();
        let first = self.plain_segment();
        if !self.is_at(TokenKind::Plus) {
            return first;
        }
        let mut parts = vec![first];
        while self.eat(TokenKind::Plus) {
            parts.push(self.plain_segment());
        }
        Segment { kind: SegmentKind::Refine(parts), span: self.span_from(start) }
    }

    fn plain_segment(&mut self) -> Segment {
        let start = self.start();
        let kind = match self.kind() {
            TokenKind::BraceOpen => SegmentKind::Block(self.query_block()),
            TokenKind::ParenOpen => {
                let open = self.bump().span;
                if !self.enter() {
                    return Segment { kind: SegmentKind::Error, span: self.span() };
                }
                let view = Box::new(self.view());
                self.leave();
                self.expect_close(TokenKind::ParenClose, open);
                SegmentKind::Paren(view)
            }
            kind if kind.is_name() => SegmentKind::Path(self.path()),
            TokenKind::Keyword(_) => {
                let path = self.path_or_missing("a view or `{`");
                SegmentKind::Path(path)
            }
            _ => {
                self.expected("a view or `{`");
                return Segment { kind: SegmentKind::Error, span: Span::at(self.end()) };
            }
        };
        Segment { kind, span: self.span_from(start) }
    }

    fn query_block(&mut self) -> QueryBlock {
        let open = self.bump().span;
        let mut statements = Vec::new();
        if !self.enter() {
            return QueryBlock { statements, span: self.span_from(open.start) };
        }
        loop {
            while self.eat(TokenKind::Semicolon) {}
            if self.block_ends(true) {
                break;
            }
            let before = self.at;
            statements.push(self.query_statement());
            if self.at == before {
                self.bump();
            }
        }
        self.expect_close(TokenKind::BraceClose, open);
        self.leave();
        QueryBlock { statements, span: self.span_from(open.start) }
    }

    fn query_statement(&mut self) -> QueryStatement {
        let start = self.start();
        if self.kind().is_model_note() {
            self.misplaced_model_notes();
            return self.finish_query(start, Span::at(start), QueryStatementKind::Error);
        }
        let takes_notes =
            matches!(self.kind_past_notes(), TokenKind::Clause(clause) if has_items(clause));
        let notes = self.notes();
        let keyword = self.span();
        let kind = if !notes.is_empty() && !takes_notes {
            QueryStatementKind::LooseNotes
        } else {
            self.query_statement_kind()
        };
        let mut statement = self.finish_query(start, keyword, kind);
        statement.notes = notes;
        statement
    }

    fn finish_query(&self, start: u32, keyword: Span, kind: QueryStatementKind) -> QueryStatement {
        let span = self.span_from(start);
        let keyword = if keyword.start < span.end { keyword } else { Span::at(span.end) };
        QueryStatement { notes: Vec::new(), kind, keyword, span }
    }

    fn query_statement_kind(&mut self) -> QueryStatementKind {
        let TokenKind::Clause(clause) = self.kind() else {
            if let Some(clause) = self.bad_statement("a statement of a query", CLAUSES) {
                return self.query_clause(clause);
            }
            self.hint_at_clause_before();
            self.skip_to_statement();
            return QueryStatementKind::Error;
        };
        if !CLAUSES.contains(&clause) {
            let help = if super::blocks::CLAUSES.contains(&clause) {
                "it belongs in a source: `extend { … }`, or here in `extend: { … }`"
            } else {
                "it belongs after an expression: `expression { … }`"
            };
            self.error_with_help(format!("`{clause}:` is no statement of a query"), help);
            self.bump();
            self.skip_to_statement();
            return QueryStatementKind::Error;
        }
        self.bump();
        self.query_clause(clause)
    }

    /// `limit 5` after a list of fields reads as a field called `limit`; the error is at the 5.
    fn hint_at_clause_before(&mut self) {
        let Some(before) = self.at.checked_sub(1).map(|at| self.tokens[at]) else { return };
        let word = before.span.of(self.text).to_lowercase();
        let clause = CLAUSES.iter().find(|clause| clause.as_str() == word);
        let (Some(clause), TokenKind::Identifier) = (clause, before.kind) else { return };
        let here = self.start();
        if let Some(error) = self.diagnostics.last_mut().filter(|last| last.span.start == here) {
            error.help = Some(format!("did you mean `{clause}:` before it?"));
        }
    }

    fn query_clause(&mut self, clause: Clause) -> QueryStatementKind {
        use QueryStatementKind as Q;
        match clause {
            Clause::GroupBy => Q::GroupBy(self.field_items(clause)),
            Clause::Aggregate => Q::Aggregate(self.field_items(clause)),
            Clause::Calculate => Q::Calculate(self.field_items(clause)),
            Clause::Select => Q::Select(self.field_items(clause)),
            Clause::Nest => Q::Nest(self.items(begins_nest, Self::nest_item)),
            Clause::Where => Q::Where(self.conditions()),
            Clause::Having => Q::Having(self.conditions()),
            Clause::Drill => Q::Drill(self.conditions()),
            Clause::OrderBy => Q::OrderBy(self.items(begins_order, Self::order_item)),
            Clause::Limit => Q::Limit(self.count("a whole number")),
            Clause::Top => Q::Top(self.count("a whole number")),
            Clause::Index => self.index(),
            Clause::Sample => Q::Sample(self.sample()),
            Clause::Timezone => Q::Timezone(self.string_literal("the name of a zone, in quotes")),
            Clause::Extend => Q::Extend(self.source_block()),
            Clause::JoinOne => Q::Join { relation: JoinRelation::One, items: self.joins() },
            Clause::JoinMany => Q::Join { relation: JoinRelation::Many, items: self.joins() },
            Clause::JoinCross => Q::Join { relation: JoinRelation::Cross, items: self.joins() },
            Clause::Declare => Q::Declare(self.field_definitions()),
            _ => Q::Error,
        }
    }

    /// Expressions with commas between them, and perhaps one after the last.
    pub(super) fn conditions(&mut self) -> Vec<Expr> {
        let mut conditions = vec![self.expr()];
        loop {
            let comma = self.eat(TokenKind::Comma);
            if self.at_boundary() || !self.begins_expr() {
                return conditions;
            }
            if !comma {
                self.expected("`,` or a statement");
            }
            let before = self.at;
            conditions.push(self.expr());
            if self.at == before {
                return conditions;
            }
        }
    }

    fn field_items(&mut self, clause: Clause) -> Vec<FieldItem> {
        let star = clause == Clause::Select;
        let mut items = Vec::new();
        loop {
            let before = self.at;
            items.push(self.field_item(clause));
            self.eat(TokenKind::Comma);
            let next = self.kind_past_notes();
            let comma = self.tokens[self.at.saturating_sub(1)].kind == TokenKind::Comma;
            let reserved = matches!(next, TokenKind::Keyword(word) if word != Keyword::By)
                && !self.at_boundary()
                && (comma || self.unnamed_definition(&items));
            let more = next.is_name() || (star && next == TokenKind::Star) || reserved;
            if !more || self.at == before {
                return items;
            }
        }
    }

    /// `x count()`: a name, and then something that would define it if there were an `is`. Reported here.
    fn unnamed_definition(&mut self, items: &[FieldItem]) -> bool {
        let Some(FieldItem { kind: FieldItemKind::Reference { path, suffix: None }, .. }) =
            items.last()
        else {
            return false;
        };
        let name = path.dotted();
        let message = format!("expected `,` or a statement after `{name}`, found {}", self.found());
        let shown = self.span().of(self.text);
        self.error_with_help(message, format!("to define `{name}`, write `{name} is {shown} …`"));
        true
    }

    /// `path`, `path.month`, `path.sum()`, `name is expr`; in `select:` also `*` and `path.*`.
    fn field_item(&mut self, clause: Clause) -> FieldItem {
        let start = self.start();
        let mut notes = self.notes();
        let kind = match self.kind() {
            TokenKind::Star if clause == Clause::Select => {
                FieldItemKind::Star(self.star(None, start))
            }
            TokenKind::Keyword(_) if self.kind_at(1) == TokenKind::ParenOpen => {
                self.nameless(clause)
            }
            TokenKind::Keyword(_) if self.kind_at(1) == TokenKind::Keyword(Keyword::Is) => {
                let name = self.name("a name");
                self.is_define(&mut notes);
                let expr = self.expr();
                FieldItemKind::Define { name, expr }
            }
            kind if kind.is_name() => self.named_item(clause, &mut notes, start),
            TokenKind::Keyword(_) if self.begins_expr() => {
                let path = self.path_or_missing("a field");
                FieldItemKind::Reference { path, suffix: None }
            }
            _ if self.begins_expr() => self.nameless(clause),
            _ => {
                self.expected("a field");
                FieldItemKind::Error
            }
        };
        FieldItem { notes, kind, span: self.span_from(start) }
    }

    /// An expression where a field or a definition is due: the name is missing.
    fn nameless(&mut self, clause: Clause) -> FieldItemKind {
        let message = format!("`{clause}:` takes a field or a definition, found {}", self.found());
        let shown = self.span().of(self.text).lines().next().unwrap_or("");
        self.error_with_help(message, format!("give it a name: `some_name is {shown} …`"));
        self.expr();
        FieldItemKind::Error
    }

    /// `round(x)` where a field is due. The error is at the parenthesis: a name alone would have done.
    fn nameless_call(&mut self, clause: Clause) -> FieldItemKind {
        let name = self.span().of(self.text);
        let place = self.tokens[self.at + 1].span;
        let message = format!("`{clause}:` takes a field or a definition, not a call of `{name}`");
        let help = format!("give it a name: `some_name is {name}(…)`");
        self.report(Diagnostic::error("syntax-error", place, message).with_help(help));
        self.expr();
        FieldItemKind::Error
    }

    /// The cursor being on a name.
    fn named_item(
        &mut self,
        clause: Clause,
        notes: &mut Vec<crate::tree::Annotation>,
        start: u32,
    ) -> FieldItemKind {
        if matches!(self.kind_at(1), TokenKind::ParenOpen | TokenKind::Bang) {
            return self.nameless_call(clause);
        }
        let mut path = self.path();
        if self.at_dot_star() && clause == Clause::Select {
            self.bump();
            return FieldItemKind::Star(self.star(Some(path), start));
        }
        let past = self.kind_past_notes();
        let defines = matches!(past, TokenKind::Keyword(Keyword::Is | Keyword::As));
        if defines
            && path.names.len() == 1
            && let Some(name) = path.names.pop()
        {
            self.is_define(notes);
            let expr = self.expr();
            return FieldItemKind::Define { name, expr };
        }
        let suffix = self.reference_suffix();
        FieldItemKind::Reference { path, suffix }
    }

    /// `.month`, `.sum()`
    fn reference_suffix(&mut self) -> Option<ReferenceSuffix> {
        if !self.is_at(TokenKind::Dot) {
            return None;
        }
        let TokenKind::Keyword(keyword) = self.kind_at(1) else {
            self.bump();
            self.expected("a name, a unit of time or an aggregate after the dot");
            return None;
        };
        if let Some(unit) = keyword.unit() {
            self.bump();
            return Some(ReferenceSuffix::Truncate { unit, span: self.bump().span });
        }
        let Some(function) = super::primary::aggregate_function(keyword) else {
            self.bump();
            self.reserved_word();
            self.bump();
            return None;
        };
        self.bump();
        let start = self.start();
        self.bump();
        let open = self.span();
        if self.expect(TokenKind::ParenOpen) {
            self.expect_close(TokenKind::ParenClose, open);
        }
        Some(ReferenceSuffix::Aggregate { function, span: self.span_from(start) })
    }

    fn nest_item(&mut self) -> NestItem {
        let start = self.start();
        let mut notes = self.notes();
        let named = (self.kind().is_name() || matches!(self.kind(), TokenKind::Keyword(_))) && {
            let ahead = self.tokens[self.at + 1..].iter();
            let past = ahead.map(|token| token.kind).find(|kind| !kind.is_note());
            matches!(past, Some(TokenKind::Keyword(Keyword::Is | Keyword::As)))
        };
        let name = named.then(|| {
            let name = self.name("a name");
            self.is_define(&mut notes);
            name
        });
        let view = self.view();
        NestItem { notes, name, view, span: self.span_from(start) }
    }

    /// `name desc`, `2`. A path and a reserved word are read, and refused with a word on what to do.
    fn order_item(&mut self) -> OrderItem {
        let start = self.start();
        let key = match self.kind() {
            TokenKind::Integer => OrderKey::Position(self.count("a whole number")),
            TokenKind::Identifier | TokenKind::Quoted if self.kind_at(1) != TokenKind::Dot => {
                OrderKey::Name(self.take_name())
            }
            kind if begins_order(kind) => self.bad_order(start),
            _ => {
                self.expected("the name of a field in the output, or its position");
                OrderKey::Error(Span::at(self.end()))
            }
        };
        let direction = self.direction();
        OrderItem { key, direction, span: self.span_from(start) }
    }

    fn bad_order(&mut self, start: u32) -> OrderKey {
        let mut last = self.bump();
        let mut path = false;
        while self.is_at(TokenKind::Dot) && begins_order(self.kind_at(1)) {
            self.bump();
            last = self.bump();
            path = true;
        }
        let span = self.span_from(start);
        let word = last.span.of(self.text);
        let quoted = if last.kind.is_name() { word.to_owned() } else { format!("`{word}`") };
        let (message, help) = if path {
            let message = format!(
                "`order_by:` takes a field of the output, not the path `{}`",
                span.of(self.text)
            );
            (message, format!("make it a field of the output and order by that: {quoted}"))
        } else {
            (format!("`{word}` is a reserved word"), format!("to order by it, quote it: {quoted}"))
        };
        self.report(Diagnostic::error("order-by-bad-reference", span, message).with_help(help));
        OrderKey::Error(span)
    }

    pub(super) fn direction(&mut self) -> Option<Direction> {
        if self.eat_keyword(Keyword::Asc) {
            Some(Direction::Ascending)
        } else if self.eat_keyword(Keyword::Desc) {
            Some(Direction::Descending)
        } else {
            None
        }
    }

    fn index(&mut self) -> QueryStatementKind {
        let begins = |kind: TokenKind| kind.is_name() || kind == TokenKind::Star;
        let fields = self.items(begins, Self::index_field);
        let by = self.eat_keyword(Keyword::By).then(|| self.name("the name of a measure"));
        QueryStatementKind::Index { fields, by }
    }

    fn index_field(&mut self) -> IndexField {
        let start = self.start();
        if self.eat(TokenKind::Star) {
            return IndexField { path: None, star: true, span: self.span_from(start) };
        }
        let path = self.path_or_missing("a field or `*`");
        let star = self.at_dot_star();
        if star {
            self.bump();
            self.bump();
        }
        IndexField { path: Some(path), star, span: self.span_from(start) }
    }

    fn sample(&mut self) -> Sample {
        let span = self.span();
        match self.kind() {
            TokenKind::Integer => Sample::Rows(self.count("a number of rows")),
            TokenKind::Percent => Sample::Percent(self.count("a percentage")),
            TokenKind::Keyword(Keyword::True) => {
                self.bump();
                Sample::Flag { on: true, span }
            }
            TokenKind::Keyword(Keyword::False) => {
                self.bump();
                Sample::Flag { on: false, span }
            }
            _ => {
                self.expected("a number of rows, a percentage, `true` or `false`");
                Sample::Error(Span::at(self.end()))
            }
        }
    }
}

/// Whether the items of a clause may have annotations, and so the clause itself.
fn has_items(clause: Clause) -> bool {
    matches!(
        clause,
        Clause::GroupBy
            | Clause::Aggregate
            | Clause::Calculate
            | Clause::Select
            | Clause::Nest
            | Clause::JoinOne
            | Clause::JoinMany
            | Clause::JoinCross
    )
}

fn begins_nest(kind: TokenKind) -> bool {
    kind.is_name() || matches!(kind, TokenKind::BraceOpen | TokenKind::ParenOpen)
}

fn begins_order(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Keyword(keyword) => {
            !matches!(keyword, Keyword::Asc | Keyword::Desc | Keyword::Import | Keyword::Export)
        }
        kind => kind.is_name() || kind == TokenKind::Integer,
    }
}
