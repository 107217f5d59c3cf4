//! Words and marks of the filters that have them: numbers and times.

use super::{Filter, FilterError, Joint, MAX_DEPTH, Result};
use crate::span::{Span, offset};

pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: u32,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    pub(super) fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.skip_space();
        self.at == self.text.len()
    }

    /// The word here in lower case, if it is one.
    pub(super) fn peek_word(&mut self) -> String {
        self.skip_space();
        let end = self.rest().find(|c: char| !c.is_alphabetic() && c != '_');
        self.rest()[..end.unwrap_or(self.rest().len())].to_lowercase()
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    pub(super) fn eat_mark(&mut self, mark: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(mark);
        if found {
            self.at += mark.len();
        }
        found
    }

    pub(super) fn expect_mark(&mut self, mark: &str) -> Result<()> {
        if self.eat_mark(mark) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    pub(super) fn expected(&mut self, what: &str) -> FilterError {
        self.skip_space();
        let found: String =
            self.rest().split_whitespace().next().unwrap_or("").chars().take(20).collect();
        let span = Span::new(offset(self.at), offset(self.at + found.len()));
        let found = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
        FilterError::new(span, format!("expected {what}, found {found}"))
    }

    /// A number as written: `-1.5e3`.
    pub(super) fn number(&mut self) -> Option<&'a str> {
        self.skip_space();
        let bytes = self.rest().as_bytes();
        let digits = |from: usize| {
            from + bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count()
        };
        let sign = usize::from(bytes.first() == Some(&b'-'));
        let mut end = digits(sign);
        let mut any = end > sign;
        if bytes.get(end) == Some(&b'.') && digits(end + 1) > end + 1 {
            end = digits(end + 1);
            any = true;
        }
        if !any {
            return None;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let signed = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let past = digits(end + 1 + signed);
            if past > end + 1 + signed {
                end = past;
            }
        }
        let number = &self.rest()[..end];
        self.at += end;
        Some(number)
    }

    /// Clauses with `and` and `or` between them, grouping to the left.
    pub(super) fn chain<C>(
        &mut self,
        clause: &mut dyn FnMut(&mut Self) -> Result<Filter<C>>,
    ) -> Result<Filter<C>> {
        let mut filter = self.negatable(clause)?;
        loop {
            let joint = match &*self.peek_word() {
                "and" => Joint::And,
                "or" => Joint::Or,
                _ => return Ok(filter),
            };
            let word = self.peek_word();
            self.eat_word(&word);
            filter = filter.join(joint, self.negatable(clause)?);
        }
    }

    fn negatable<C>(
        &mut self,
        clause: &mut dyn FnMut(&mut Self) -> Result<Filter<C>>,
    ) -> Result<Filter<C>> {
        let negated = self.eat_word("not");
        let filter = match &*self.peek_word() {
            word @ ("null" | "none") => {
                let null = word == "null";
                self.at += word.len();
                if null {
                    Filter::Null { negated: false }
                } else {
                    Filter::Nothing { negated: false }
                }
            }
            _ => clause(self)?,
        };
        Ok(if negated { filter.negate() } else { filter })
    }

    /// The inside of parentheses, the opening one being taken already.
    pub(super) fn group<C>(
        &mut self,
        clause: &mut dyn FnMut(&mut Self) -> Result<Filter<C>>,
    ) -> Result<Filter<C>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.expected("fewer parentheses"));
        }
        let inner = Box::new(self.chain(clause)?);
        self.expect_mark(")")?;
        self.depth -= 1;
        Ok(Filter::Group { inner, negated: false })
    }

    /// A whole text: nothing at all, or a chain up to the end.
    pub(super) fn whole<C>(
        mut self,
        clause: &mut dyn FnMut(&mut Self) -> Result<Filter<C>>,
    ) -> Result<Filter<C>> {
        if self.at_end() {
            return Ok(Filter::Everything);
        }
        let filter = self.chain(clause)?;
        if self.at_end() { Ok(filter) } else { Err(self.expected("`and`, `or` or the end")) }
    }
}
