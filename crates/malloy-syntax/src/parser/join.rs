//! Joins.

use super::Parser;
use crate::token::{Keyword, TokenKind};
use crate::tree::{Join, JoinCondition, JoinKind, JoinMatrix};

impl Parser<'_> {
    pub(super) fn joins(&mut self) -> Vec<Join> {
        self.items(TokenKind::is_name, Self::join)
    }

    /// `name`, `name(arguments)` or `name is source`, then `with key` or `on condition`.
    fn join(&mut self) -> Join {
        let start = self.start();
        let mut notes = self.notes();
        let name = self.name("a name for the join");
        let arguments = self.is_at(TokenKind::ParenOpen).then(|| self.arguments());
        let defines =
            matches!(self.kind_past_notes(), TokenKind::Keyword(Keyword::Is | Keyword::As));
        let source = defines.then(|| {
            self.is_define(&mut notes);
            self.source_expr()
        });
        let kind = self.join_kind();
        let condition = self.join_condition(kind.is_some());
        Join { notes, name, arguments, source, kind, condition, span: self.span_from(start) }
    }

    fn join_kind(&mut self) -> Option<JoinKind> {
        let matrix = match self.kind() {
            TokenKind::Keyword(Keyword::Left) => JoinMatrix::Left,
            TokenKind::Keyword(Keyword::Right) => JoinMatrix::Right,
            TokenKind::Keyword(Keyword::Full) => JoinMatrix::Full,
            TokenKind::Keyword(Keyword::Inner) => JoinMatrix::Inner,
            _ => return None,
        };
        Some(JoinKind { matrix, span: self.bump().span })
    }

    fn join_condition(&mut self, due: bool) -> JoinCondition {
        if self.eat_keyword(Keyword::With) {
            return JoinCondition::With(self.expr());
        }
        if self.eat_keyword(Keyword::On) {
            return JoinCondition::On(self.expr());
        }
        if due {
            self.expected("`on` or `with`");
        }
        JoinCondition::None
    }
}
