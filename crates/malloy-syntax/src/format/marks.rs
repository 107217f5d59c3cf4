//! Tree to marks: where a text may break, and what is indented.
//!
//! Marks are kept by token. Before a token come what is indented from it on, then the separator, then the groups that
//! begin with it; after a token the groups and indentations that end with it. An outer rule comes first and wins.

use crate::span::Span;
use crate::token::Token;
use crate::tree::{
    Arguments, Document, IncludeBlock, IncludeKind, Join, JoinCondition, QueryBlock,
    QueryStatement, QueryStatementKind, Segment, SegmentKind, SourceBase, SourceBlock, SourceExpr,
    SourceStatement, SourceStatementKind, SourceStepKind, Statement, StatementKind, Type,
    TypeField, TypeKind, View,
};

mod expr;

/// What stands before a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    None,
    Space,
    /// A line break where the group breaks, a space otherwise.
    Line,
    /// A line break where the group breaks, nothing otherwise.
    Soft,
    Hard,
}

pub(super) struct Marks {
    pub(super) separators: Vec<Option<Separator>>,
    pub(super) indents: Vec<usize>,
    pub(super) opens: Vec<usize>,
    pub(super) closes: Vec<usize>,
    pub(super) dedents: Vec<usize>,
}

pub(super) fn marks(text: &str, tokens: &[Token], document: &Document) -> Marks {
    let none = || vec![0; tokens.len()];
    let marks = Marks {
        separators: vec![None; tokens.len()],
        indents: none(),
        opens: none(),
        closes: none(),
        dedents: none(),
    };
    let mut marker = Marker { text, tokens, marks };
    for statement in &document.statements {
        marker.separate(statement.span.start, Separator::Hard);
        marker.statement(statement);
    }
    marker.marks
}

struct Marker<'a> {
    text: &'a str,
    tokens: &'a [Token],
    marks: Marks,
}

impl Marker<'_> {
    /// The token that begins at or after an offset.
    fn token(&self, offset: u32) -> usize {
        let at = self.tokens.partition_point(|token| token.span.start < offset);
        at.min(self.tokens.len() - 1)
    }

    /// The last token that ends at or before an offset.
    fn token_ending(&self, offset: u32) -> usize {
        // The last token of all, the end of the text, is empty and no part of anything.
        let tokens = &self.tokens[..self.tokens.len() - 1];
        tokens.partition_point(|token| token.span.end <= offset).saturating_sub(1)
    }

    fn separate(&mut self, offset: u32, separator: Separator) {
        let at = self.token(offset);
        self.separate_token(at, separator);
    }

    fn separate_token(&mut self, at: usize, separator: Separator) {
        self.marks.separators[at].get_or_insert(separator);
    }

    fn group(&mut self, from: usize, to: usize) {
        if from <= to {
            self.marks.opens[from] += 1;
            self.marks.closes[to] += 1;
        }
    }

    fn indent(&mut self, from: usize, to: usize) {
        if from <= to {
            self.marks.indents[from] += 1;
            self.marks.dedents[to] += 1;
        }
    }

    /// Whether the text breaks between a token and the one before it.
    fn broken_before(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let gap = Span::new(self.tokens[before].span.end, self.tokens[at].span.start);
        gap.of(self.text).contains('\n')
    }

    /// The items of a clause, whose keyword is the token before the first of them: on its line if they fit.
    fn list(&mut self, spans: &[Span]) {
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return };
        let (from, to) = (self.token(first.start), self.token_ending(last.end));
        let broken = self.broken_before(from);
        let separator = match spans.len() {
            _ if broken => Separator::Hard,
            1 => Separator::Space,
            _ => Separator::Line,
        };
        if from > 0 {
            self.group(from - 1, to);
        }
        // A single item goes on where its keyword stands.
        if separator != Separator::Space {
            self.indent(from, to);
        }
        for span in spans {
            self.separate(span.start, separator);
        }
    }

    /// A block with braces: on one line if it fits and the author had it so.
    fn block(&mut self, span: Span, statements: &[Span]) {
        let (open, close) = (self.token(span.start), self.token_ending(span.end));
        let (Some(first), Some(_)) = (statements.first(), statements.last()) else { return };
        let separator = if self.broken_before(self.token(first.start)) {
            Separator::Hard
        } else {
            Separator::Line
        };
        self.group(open, close);
        self.indent(open + 1, close.saturating_sub(1));
        for span in statements {
            self.separate(span.start, separator);
        }
        self.separate_token(close, separator);
    }

    /// Items in parentheses or brackets, from the token `open` to the token `close`.
    fn bracketed(&mut self, open: usize, close: usize, items: &[Span]) {
        let Some(first) = items.first() else { return };
        self.group(open, close);
        self.indent(open + 1, close.saturating_sub(1));
        self.separate(first.start, Separator::Soft);
        for item in &items[1..] {
            self.separate(item.start, Separator::Line);
        }
        self.separate_token(close, Separator::Soft);
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Source(items) => {
                self.list(&spans(items, |item| item.span));
                for item in items {
                    if let Some(parameters) = &item.parameters {
                        let (open, close) = self.ends(parameters.span);
                        self.bracketed(open, close, &spans(&parameters.items, |item| item.span));
                        for parameter in &parameters.items {
                            if let Some(expr) = &parameter.default {
                                self.expr(expr);
                            }
                        }
                    }
                    self.source_expr(&item.source);
                }
            }
            StatementKind::Query(items) => {
                self.list(&spans(items, |item| item.span));
                for item in items {
                    self.source_expr(&item.query);
                }
            }
            StatementKind::Run(run) => self.source_expr(&run.query),
            StatementKind::Given(items) => {
                self.list(&spans(items, |item| item.span));
                for item in items {
                    self.spaced_colons(item.ty.span);
                    self.ty(&item.ty);
                    if let Some(expr) = &item.default {
                        self.expr(expr);
                    }
                }
            }
            StatementKind::Type(items) => {
                self.list(&spans(items, |item| item.span));
                for item in items {
                    let Some(fields) = &item.fields else { continue };
                    let close = self.token_ending(item.span.end);
                    let Some(first) = fields.first() else { continue };
                    let open = self.token(first.span.start).saturating_sub(1);
                    let span = Span::new(self.tokens[open].span.start, self.tokens[close].span.end);
                    self.type_fields(span, fields);
                }
            }
            _ => {}
        }
    }

    /// The first and the last token of a span.
    fn ends(&self, span: Span) -> (usize, usize) {
        (self.token(span.start), self.token_ending(span.end))
    }

    /// ` :: ` before a type in a definition.
    fn spaced_colons(&mut self, ty: Span) {
        let at = self.token(ty.start);
        self.separate_token(at, Separator::Space);
        self.separate_token(at.saturating_sub(1), Separator::Space);
    }

    fn type_fields(&mut self, span: Span, fields: &[TypeField]) {
        self.block(span, &spans(fields, |field| field.span));
        for field in fields {
            self.spaced_colons(field.ty.span);
            self.ty(&field.ty);
        }
    }

    fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Record(fields) => self.type_fields(ty.span, fields),
            TypeKind::Array(of) => self.ty(of),
            _ => {}
        }
    }

    fn source_expr(&mut self, expr: &SourceExpr) {
        match &expr.base {
            SourceBase::Named { arguments: Some(arguments), .. } => self.arguments(arguments),
            SourceBase::Compose { inputs, span } => {
                let (start, close) = self.ends(*span);
                self.bracketed(start + 1, close, &spans(inputs, |input| input.span));
                for input in inputs {
                    self.source_expr(input);
                }
            }
            SourceBase::Paren { inner, .. } => self.source_expr(inner),
            _ => {}
        }
        for step in &expr.steps {
            match &step.kind {
                SourceStepKind::Arrow(segment) | SourceStepKind::Refine(segment) => {
                    self.segment(segment);
                }
                SourceStepKind::Extend(block) => self.source_block(block),
                SourceStepKind::Include(block) => self.include(block),
                SourceStepKind::Typed(_) => {
                    let at = self.token(step.operator.start);
                    self.separate_token(at, Separator::Space);
                    self.separate_token(at + 1, Separator::Space);
                }
            }
        }
    }

    fn arguments(&mut self, arguments: &Arguments) {
        let (open, close) = self.ends(arguments.span);
        self.bracketed(open, close, &spans(&arguments.items, |item| item.span));
        for argument in &arguments.items {
            self.expr(&argument.value);
        }
    }

    fn source_block(&mut self, block: &SourceBlock) {
        self.block(block.span, &spans(&block.statements, |statement| statement.span));
        for statement in &block.statements {
            self.source_statement(statement);
        }
    }

    fn source_statement(&mut self, statement: &SourceStatement) {
        use SourceStatementKind as S;
        match &statement.kind {
            S::Dimension(items) | S::Measure(items) => {
                self.list(&spans(items, |item| item.span));
                for item in items {
                    self.expr(&item.expr);
                }
            }
            S::Join { items, .. } => self.joins(items),
            S::View(items) => {
                self.list(&spans(items, |item| item.span));
                for item in items {
                    self.view(&item.view);
                }
            }
            S::Where(items) => {
                self.list(&spans(items, |item| item.span));
                for item in items {
                    self.expr(item);
                }
            }
            S::Rename(items) => self.list(&spans(items, |item| item.span)),
            S::Accept(names) | S::Except(names) => self.list(&spans(names, |name| name.span)),
            _ => {}
        }
    }

    fn joins(&mut self, joins: &[Join]) {
        self.list(&spans(joins, |join| join.span));
        for join in joins {
            if let Some(arguments) = &join.arguments {
                self.arguments(arguments);
            }
            if let Some(source) = &join.source {
                self.source_expr(source);
            }
            match &join.condition {
                JoinCondition::With(expr) | JoinCondition::On(expr) => self.expr(expr),
                JoinCondition::None => {}
            }
        }
    }

    fn include(&mut self, block: &IncludeBlock) {
        self.block(block.span, &spans(&block.items, |item| item.span));
        for item in &block.items {
            match &item.kind {
                IncludeKind::Fields { access: Some(_), fields } | IncludeKind::Except(fields) => {
                    self.list(&spans(fields, |field| field.span));
                }
                _ => {}
            }
        }
    }

    fn view(&mut self, view: &View) {
        for stage in &view.stages {
            self.segment(stage);
        }
    }

    fn segment(&mut self, segment: &Segment) {
        match &segment.kind {
            SegmentKind::Block(block) => self.query_block(block),
            SegmentKind::Paren(view) => self.view(view),
            SegmentKind::Refine(parts) => parts.iter().for_each(|part| self.segment(part)),
            SegmentKind::Path(_) | SegmentKind::Error => {}
        }
    }

    fn query_block(&mut self, block: &QueryBlock) {
        self.block(block.span, &spans(&block.statements, |statement| statement.span));
        for statement in &block.statements {
            self.query_statement(statement);
        }
    }

    fn query_statement(&mut self, statement: &QueryStatement) {
        use QueryStatementKind as Q;
        match &statement.kind {
            Q::GroupBy(items) | Q::Aggregate(items) | Q::Calculate(items) | Q::Select(items) => {
                self.list(&spans(items, |item| item.span));
                for item in items {
                    self.field_item(item);
                }
            }
            Q::Nest(items) => {
                self.list(&spans(items, |item| item.span));
                for item in items {
                    self.view(&item.view);
                }
            }
            Q::Where(items) | Q::Having(items) | Q::Drill(items) => {
                self.list(&spans(items, |item| item.span));
                for item in items {
                    self.expr(item);
                }
            }
            Q::OrderBy(items) => self.list(&spans(items, |item| item.span)),
            Q::Index { fields, .. } => self.list(&spans(fields, |field| field.span)),
            Q::Extend(block) => self.source_block(block),
            Q::Join { items, .. } => self.joins(items),
            Q::Declare(items) => {
                self.list(&spans(items, |item| item.span));
                for item in items {
                    self.expr(&item.expr);
                }
            }
            _ => {}
        }
    }
}

fn spans<T>(items: &[T], span: impl Fn(&T) -> Span) -> Vec<Span> {
    items.iter().map(span).collect()
}
