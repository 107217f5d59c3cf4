//! Lists. Most take commas or leave them out; a few insist.

use super::Parser;
use crate::token::TokenKind;
use crate::tree::Name;

impl Parser<'_> {
    /// Items with or without commas between them, the first being due here. `more` says whether a kind of token,
    /// annotations skipped, begins another item.
    pub(super) fn items<T>(
        &mut self,
        more: impl Fn(TokenKind) -> bool,
        mut item: impl FnMut(&mut Self) -> T,
    ) -> Vec<T> {
        let mut items = vec![item(self)];
        loop {
            let comma = self.eat(TokenKind::Comma);
            let next = self.kind_past_notes();
            let reserved = comma && matches!(next, TokenKind::Keyword(_));
            if !(more(next) || reserved) {
                return items;
            }
            let before = self.at;
            items.push(item(self));
            if self.at == before {
                return items;
            }
        }
    }

    /// Items with commas between them, perhaps one after the last, up to `close`, which is not taken. None at all if
    /// `close` is here.
    pub(super) fn comma_items<T>(
        &mut self,
        close: TokenKind,
        mut item: impl FnMut(&mut Self) -> T,
    ) -> Vec<T> {
        let mut items = Vec::new();
        while !self.is_at(close) && !self.at_boundary() {
            let before = self.at;
            items.push(item(self));
            if !self.eat(TokenKind::Comma) {
                break;
            }
            if self.at == before {
                break;
            }
        }
        items
    }

    /// Names with or without commas: `accept: a, b c`.
    pub(super) fn names(&mut self, what: &str) -> Vec<Name> {
        self.items(TokenKind::is_name, |p| p.name(what))
    }
}
