//! Types.

use super::Parser;
use crate::span::Span;
use crate::token::{Keyword, TokenKind};
use crate::tree::{BasicType, Type, TypeField, TypeKind};

impl Parser<'_> {
    /// After `::` or `as`: a type, or the name of one in the database, in quotes.
    pub(super) fn cast_type(&mut self) -> Type {
        let start = self.start();
        if matches!(self.kind(), TokenKind::String | TokenKind::SqlOpen) {
            let literal = self.string_literal("a type");
            return Type { kind: TypeKind::Sql(literal.value), span: self.span_from(start) };
        }
        self.malloy_type()
    }

    /// Of a parameter: a basic type or a filter.
    pub(super) fn parameter_type(&mut self) -> Type {
        let start = self.start();
        match self.filter_type() {
            Some(kind) => Type { kind, span: self.span_from(start) },
            None => self.simple_type(),
        }
    }

    /// Of a given: any type or a filter.
    pub(super) fn given_type(&mut self) -> Type {
        let start = self.start();
        match self.filter_type() {
            Some(kind) => Type { kind, span: self.span_from(start) },
            None => self.malloy_type(),
        }
    }

    /// `filter<string>`
    fn filter_type(&mut self) -> Option<TypeKind> {
        if !self.eat_keyword(Keyword::Filter) {
            return None;
        }
        let open = self.span();
        if !self.expect(TokenKind::Less) {
            return Some(TypeKind::Error);
        }
        let of = self.simple_type();
        self.expect_close(TokenKind::Greater, open);
        Some(match of.kind {
            TypeKind::Basic(basic) => TypeKind::Filter(basic),
            _ => TypeKind::Error,
        })
    }

    /// A basic type, a record, or an array of these.
    pub(super) fn malloy_type(&mut self) -> Type {
        self.array_of(|p| {
            if p.is_at(TokenKind::BraceOpen) {
                let start = p.start();
                let fields = p.type_fields(Self::malloy_type, false);
                Type { kind: TypeKind::Record(fields), span: p.span_from(start) }
            } else {
                p.simple_type()
            }
        })
    }

    /// Of a field of a `type:` statement.
    fn user_type(&mut self) -> Type {
        self.array_of(|p| {
            let start = p.start();
            let kind = match p.kind() {
                TokenKind::BraceOpen => TypeKind::Record(p.type_shape()),
                TokenKind::String => TypeKind::Sql(p.string_literal("a type").value),
                kind if kind.is_name() => TypeKind::Named(p.take_name()),
                _ => return p.simple_type(),
            };
            Type { kind, span: p.span_from(start) }
        })
    }

    /// A type with any number of `[]` after it.
    fn array_of(&mut self, element: impl FnOnce(&mut Self) -> Type) -> Type {
        let start = self.start();
        if !self.enter() {
            self.leave();
            return Type { kind: TypeKind::Error, span: self.span() };
        }
        let mut ty = element(self);
        let mut arrays = 0;
        while self.is_at(TokenKind::BracketOpen) && self.kind_at(1) == TokenKind::BracketClose {
            self.bump();
            self.bump();
            arrays += 1;
            if self.depth + arrays > crate::tree::MAX_DEPTH {
                self.too_deep();
            }
            ty = Type { kind: TypeKind::Array(Box::new(ty)), span: self.span_from(start) };
        }
        self.leave();
        ty
    }

    fn simple_type(&mut self) -> Type {
        let basic = match self.kind() {
            TokenKind::Keyword(Keyword::String) => BasicType::String,
            TokenKind::Keyword(Keyword::Number) => BasicType::Number,
            TokenKind::Keyword(Keyword::Boolean) => BasicType::Boolean,
            TokenKind::Keyword(Keyword::Date) => BasicType::Date,
            TokenKind::Keyword(Keyword::Timestamp) => BasicType::Timestamp,
            TokenKind::Keyword(Keyword::Timestamptz) => BasicType::Timestamptz,
            _ => return self.no_type(),
        };
        Type { kind: TypeKind::Basic(basic), span: self.bump().span }
    }

    /// Says what was expected, and what the types of other languages are called here.
    fn no_type(&mut self) -> Type {
        let word = self.span().of(self.text).to_lowercase();
        let meant = match &*word {
            "int" | "integer" | "float" | "double" | "decimal" | "bigint" | "numeric" => "number",
            "text" | "varchar" | "char" => "string",
            "bool" => "boolean",
            "datetime" | "time" => "timestamp",
            _ => "",
        };
        if meant.is_empty() {
            self.expected("a type, such as `string` or `number`");
            return Type { kind: TypeKind::Error, span: Span::at(self.end()) };
        }
        let help =
            format!("did you mean `{meant}`? A type of the database is in quotes: `'{word}'`");
        self.error_with_help(format!("`{word}` is not a type"), help);
        Type { kind: TypeKind::Error, span: self.bump().span }
    }

    /// `{ field :: type, … }`, of a `type:` statement.
    pub(super) fn type_shape(&mut self) -> Vec<TypeField> {
        if !self.is_at(TokenKind::BraceOpen) {
            self.expected("`{`");
            return Vec::new();
        }
        self.type_fields(Self::user_type, true)
    }

    /// The cursor being on the brace.
    fn type_fields(&mut self, ty: impl Fn(&mut Self) -> Type, notes: bool) -> Vec<TypeField> {
        let open = self.bump().span;
        let mut fields = Vec::new();
        while self.kind_past_notes().is_name() && (notes || !self.kind().is_note()) {
            let start = self.start();
            let notes = self.notes();
            let name = self.name("a name for the field");
            self.expect(TokenKind::DoubleColon);
            let ty = ty(self);
            fields.push(TypeField { notes, name, ty, span: self.span_from(start) });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if fields.is_empty() {
            self.expected("a field: `name :: type`");
        }
        self.expect_close(TokenKind::BraceClose, open);
        fields
    }
}
