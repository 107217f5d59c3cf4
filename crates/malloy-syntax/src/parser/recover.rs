//! Finding one's feet after an error: skipping to the next statement, guessing what was meant.

use super::Parser;
use crate::token::{Clause, Keyword, TokenKind};

impl Parser<'_> {
    /// Skips to where a statement can begin or a block ends. What is in brackets is skipped with them, if they close.
    pub(super) fn skip_to_statement(&mut self) {
        while !self.at_boundary() {
            self.skip_group();
        }
    }

    /// Whether a statement may begin here, or the block or the text ends.
    pub(super) fn at_boundary(&self) -> bool {
        match self.kind() {
            TokenKind::Clause(_)
            | TokenKind::Keyword(Keyword::Import | Keyword::Export)
            | TokenKind::BraceClose
            | TokenKind::HoleClose
            | TokenKind::SqlClose
            | TokenKind::Semicolon
            | TokenKind::End => true,
            kind => kind.is_note() || kind.is_model_note(),
        }
    }

    /// Skips a token, or a whole bracket if it closes.
    fn skip_group(&mut self) {
        let close = self.closer_of(self.at);
        match close {
            Some(close) => self.at = close + 1,
            None => {
                self.bump();
            }
        }
    }

    /// Where the bracket at `open` closes.
    fn closer_of(&mut self, open: usize) -> Option<usize> {
        let tokens = self.tokens;
        let closers = self.closers.get_or_insert_with(|| match_brackets(tokens));
        closers.get(open).map(|close| *close as usize).filter(|close| *close > open)
    }

    /// A statement of a block that is none: says so, with what was probably meant. Gives that clause if what follows is
    /// to be read as its items, the cursor then being on them.
    pub(super) fn bad_statement(&mut self, place: &str, clauses: &[Clause]) -> Option<Clause> {
        if let Some(clause) = self.clause_taken_for_item(place, clauses) {
            return Some(clause);
        }
        let word = self.span().of(self.text).to_lowercase();
        let colon = self.kind_at(1) == TokenKind::Colon;
        let is_word =
            self.kind() == TokenKind::Identifier || matches!(self.kind(), TokenKind::Keyword(_));
        let same = clauses.iter().find(|clause| clause.as_str() == word && is_word);
        if let Some(clause) = same {
            let message = format!("`{clause}` needs a colon");
            self.error_with_help(message, format!("write `{clause}:`"));
            self.bump();
            self.eat(TokenKind::Colon);
            return Some(*clause);
        }
        let joined = self.joined_words(&word);
        let near = joined.and_then(|joined| nearest(&joined, clauses)).filter(|_| is_word);
        let Some(clause) = near else {
            self.expected(place);
            return None;
        };
        let shown = if colon { format!("{word}:") } else { word };
        let message = format!("expected {place}, but `{shown}` is none");
        self.error_with_help(message, format!("did you mean `{clause}:`?"));
        let words = if colon { 1 } else { 2 };
        if self.kind_at(words) != TokenKind::Colon {
            return None;
        }
        self.at += words + 1;
        Some(clause)
    }

    /// `aggregate: n order by: x`: what was meant as a clause was read as one more item, and the error is behind it.
    fn clause_taken_for_item(&mut self, place: &str, clauses: &[Clause]) -> Option<Clause> {
        let by = self.at_keyword(Keyword::By);
        if self.kind_at(usize::from(by)) != TokenKind::Colon {
            return None;
        }
        let before = self.tokens[self.at.checked_sub(1)?];
        let mut word = before.span.of(self.text).to_lowercase();
        if by {
            word.push_str("_by");
        }
        let clause = nearest(&word, clauses).filter(|_| before.kind == TokenKind::Identifier)?;
        let message = format!("expected {place}, found {}", self.found());
        self.error_with_help(message, format!("did you mean `{clause}:`?"));
        self.at += usize::from(by) + 1;
        Some(clause)
    }

    /// The word with the one after it, where they would be one clause: `group by:`; or the word alone, if a colon
    /// follows or it looks like the clauses, which have an underscore.
    fn joined_words(&self, word: &str) -> Option<String> {
        let next = self.tokens.get(self.at + 1)?;
        let is_word = matches!(next.kind, TokenKind::Identifier | TokenKind::Keyword(_));
        if is_word {
            let second = next.span.of(self.text).to_lowercase();
            if matches!(&*second, "by" | "key" | "one" | "many" | "cross") {
                return Some(format!("{word}_{second}"));
            }
        }
        (next.kind == TokenKind::Colon || word.contains('_') || word.len() > 4)
            .then(|| word.to_owned())
    }
}

/// For each opening bracket the index of its mate, 0 for every other token. Linear: a closing brace gives up on
/// parentheses left open in it, a closing parenthesis not on braces.
fn match_brackets(tokens: &[crate::token::Token]) -> Vec<u32> {
    use TokenKind as K;
    let mut closers = vec![0; tokens.len()];
    let mut open: Vec<(usize, TokenKind)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let mate = match token.kind {
            K::ParenOpen | K::BracketOpen | K::BraceOpen | K::HoleOpen | K::SqlOpen => {
                open.push((at, token.kind));
                continue;
            }
            K::ParenClose => K::ParenOpen,
            K::BracketClose => K::BracketOpen,
            K::BraceClose => K::BraceOpen,
            K::HoleClose => K::HoleOpen,
            K::SqlClose => K::SqlOpen,
            _ => continue,
        };
        let strong = !matches!(mate, K::ParenOpen | K::BracketOpen);
        while strong && matches!(open.last(), Some((_, K::ParenOpen | K::BracketOpen))) {
            open.pop();
        }
        if open.last().is_some_and(|(_, kind)| *kind == mate)
            && let Some((from, _)) = open.pop()
        {
            closers[from] = u32::try_from(at).unwrap_or(0);
        }
    }
    closers
}

/// The clause that a misspelt word most likely is.
pub(super) fn nearest(word: &str, clauses: &[Clause]) -> Option<Clause> {
    // What other languages call it.
    let other = match word {
        "groupby" | "group" => Some(Clause::GroupBy),
        "orderby" | "order" | "sort" | "sort_by" => Some(Clause::OrderBy),
        "project" | "column" | "columns" | "field" | "fields" => Some(Clause::Select),
        "filter" => Some(Clause::Where),
        "join" => Some(Clause::JoinOne),
        "primarykey" | "primary" => Some(Clause::PrimaryKey),
        "explore" | "model" => Some(Clause::Source),
        "calculation" => Some(Clause::Calculate),
        _ => None,
    };
    if let Some(clause) = other.filter(|clause| clauses.contains(clause)) {
        return Some(clause);
    }
    let distance = |clause: &Clause| edit_distance(word, clause.as_str());
    let best = clauses.iter().copied().min_by_key(distance)?;
    (distance(&best) <= word.chars().count().max(3) / 3).then_some(best)
}

/// How many letters have to be put in, left out, changed or swapped with their neighbour.
fn edit_distance(left: &str, right: &str) -> usize {
    const LONGEST: usize = 24;
    let left: Vec<char> = left.chars().take(LONGEST).collect();
    let right: Vec<char> = right.chars().take(LONGEST).collect();
    let mut rows = vec![vec![0; right.len() + 1]; left.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=left.len() {
        for j in 1..=right.len() {
            let change = usize::from(left[i - 1] != right[j - 1]);
            let mut best =
                (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            let swapped =
                i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if swapped {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_miss_is_found_and_a_far_one_is_not() {
        assert_eq!(nearest("agregate", Clause::ALL), Some(Clause::Aggregate));
        assert_eq!(nearest("gruop_by", Clause::ALL), Some(Clause::GroupBy));
        assert_eq!(nearest("groupby", Clause::ALL), Some(Clause::GroupBy));
        assert_eq!(nearest("wehre", Clause::ALL), Some(Clause::Where));
        assert_eq!(nearest("zebra", Clause::ALL), None);
        assert_eq!(nearest("x", Clause::ALL), None);
    }

    #[test]
    fn a_swap_is_one_step() {
        assert_eq!(edit_distance("wehre", "where"), 1);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
