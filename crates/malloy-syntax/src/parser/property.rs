//! What stands in braces after an expression: `m { where: … }`.

use super::Parser;
use crate::token::{Clause, Keyword, TokenKind};
use crate::tree::{Expr, Name, Property, PropertyKind, PropertyOrder};

const CLAUSES: &[Clause] =
    &[Clause::Where, Clause::OrderBy, Clause::PartitionBy, Clause::GroupedBy, Clause::Limit];

impl Parser<'_> {
    /// The cursor being on the brace. Sets the height.
    pub(super) fn property_block(&mut self) -> Vec<Property> {
        let open = self.bump().span;
        let mut properties = Vec::new();
        let mut height = 0;
        if !self.enter() {
            return properties;
        }
        loop {
            while self.eat(TokenKind::Semicolon) {}
            if self.block_ends(false) {
                break;
            }
            let before = self.at;
            properties.push(self.property(&mut height));
            if self.at == before {
                self.bump();
            }
        }
        self.expect_close(TokenKind::BraceClose, open);
        self.leave();
        self.height = height;
        properties
    }

    fn property(&mut self, height: &mut u32) -> Property {
        let start = self.start();
        let clause = match self.kind() {
            TokenKind::Clause(clause) if CLAUSES.contains(&clause) => {
                self.bump();
                Some(clause)
            }
            TokenKind::Clause(clause) => {
                self.error_with_help(
                    format!("`{clause}:` does not go with an expression"),
                    "`where:`, `order_by:`, `partition_by:`, `grouped_by:` and `limit:` do",
                );
                self.bump();
                None
            }
            _ => self.bad_statement("`where:` or another property of the expression", CLAUSES),
        };
        let kind = if let Some(clause) = clause {
            self.property_clause(clause, height)
        } else {
            self.skip_to_statement();
            PropertyKind::Error
        };
        Property { kind, span: self.span_from(start) }
    }

    fn property_clause(&mut self, clause: Clause, height: &mut u32) -> PropertyKind {
        match clause {
            Clause::Where => {
                let conditions = self.conditions();
                *height = (*height).max(self.height);
                PropertyKind::Where(conditions)
            }
            Clause::OrderBy => {
                let items = self.comma_items(TokenKind::BraceClose, |p| {
                    let item = p.property_order();
                    *height = (*height).max(p.height);
                    item
                });
                if items.is_empty() {
                    self.expected("what to order by");
                }
                PropertyKind::OrderBy(items)
            }
            Clause::PartitionBy => PropertyKind::PartitionBy(self.field_names()),
            Clause::GroupedBy => PropertyKind::GroupedBy(self.field_names()),
            _ => PropertyKind::Limit(self.count("a whole number")),
        }
    }

    /// Names with commas between them, and perhaps one after the last.
    fn field_names(&mut self) -> Vec<Name> {
        let names = self.comma_items(TokenKind::BraceClose, |p| p.name("the name of a field"));
        if names.is_empty() {
            self.expected("the name of a field");
        }
        names
    }

    /// `expr desc`, `desc`
    fn property_order(&mut self) -> PropertyOrder {
        let start = self.start();
        let bare = self.at_keyword(Keyword::Asc) || self.at_keyword(Keyword::Desc);
        let expr: Option<Expr> = (!bare).then(|| self.expr());
        let direction = self.direction();
        PropertyOrder { expr, direction, span: self.span_from(start) }
    }
}
