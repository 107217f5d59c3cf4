//! Clauses: `- **WHEN** …`, `- **THEN** …` and the ways in which people write them.
//!
//! Bold in any case, or plain in capitals, after any bullet or none. [`Clauses`] is fed the lines of a scenario in order.

use std::borrow::Cow;

use memchr::memchr_iter;

use super::heading::strip_prefix_any_case;
use crate::{
    lines::{Line, after_bullet},
    model::ParsedScenario,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keyword {
    Given,
    When,
    Then,
    And,
    Or,
}

impl Keyword {
    const ALL: [(Self, &'static str); 5] = [
        (Self::When, "WHEN"),
        (Self::Then, "THEN"),
        (Self::And, "AND"),
        (Self::Given, "GIVEN"),
        (Self::Or, "OR"),
    ];
}

/// How a keyword without stars must be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    /// `WHEN`: anything else may be prose.
    Capitals,
    /// `When`, for a scenario that has no clauses otherwise.
    AnyCase,
}

/// What becomes of what the clauses say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Texts {
    Kept,
    /// A check wants to know that they are there. Half a million of them in a thousand specs.
    Counted,
}

/// Collects the clauses of a scenario; what they say lies in the file until somebody wants to keep it.
#[derive(Debug)]
pub(super) struct Clauses<'a> {
    plain: Plain,
    conditions: Vec<Cow<'a, str>>,
    /// Which of the conditions is the `WHEN`.
    when: Option<usize>,
    outcomes: Vec<Cow<'a, str>>,
    /// Which list an `AND` belongs to.
    after_then: bool,
    /// The indentation of the clause that may go on in the next line.
    open: Option<usize>,
}

impl<'a> Clauses<'a> {
    pub(super) fn new(plain: Plain) -> Self {
        Self {
            plain,
            conditions: Vec::new(),
            when: None,
            outcomes: Vec::new(),
            after_then: false,
            open: None,
        }
    }

    pub(super) fn feed(&mut self, line: &Line<'a>) {
        if line.fenced {
            return;
        }
        if line.is_blank() {
            self.open = None;
            return;
        }
        let found = match &line.text {
            Cow::Borrowed(text) => clause(text, self.plain),
            Cow::Owned(text) => {
                clause(text, self.plain).map(|(keyword, text)| (keyword, text.into_owned().into()))
            }
        };
        let Some((keyword, clause)) = found else {
            self.go_on(line);
            return;
        };
        if self.is_detail(keyword, line) {
            self.go_on(line);
            return;
        }
        self.open = Some(line.indent());
        // `- **WHEN** x **THEN** y` on one line.
        match split_then(keyword, &clause) {
            Some((condition, outcome)) => {
                self.add(keyword, condition.trim().to_owned().into());
                self.add(Keyword::Then, outcome.to_owned().into());
            }
            None => self.add(keyword, clause),
        }
    }

    /// Whether there is something for both sides.
    pub(super) fn are_complete(&self) -> bool {
        self.has_when() && self.outcomes.iter().any(|outcome| !outcome.is_empty())
    }

    pub(super) fn len(&self) -> usize {
        self.conditions.len() + self.outcomes.len()
    }

    pub(super) fn finish(mut self, scenario: &mut ParsedScenario, texts: Texts) {
        scenario.has_when = self.has_when();
        self.conditions.retain(|condition| !condition.is_empty());
        self.outcomes.retain(|outcome| !outcome.is_empty());
        match texts {
            Texts::Kept => {
                let owned = |clauses: Vec<Cow<'_, str>>| {
                    clauses.into_iter().map(Cow::into_owned).collect::<Vec<_>>()
                };
                scenario.when_clause = joined(&self.conditions);
                scenario.conditions = owned(self.conditions);
                scenario.then_clauses = owned(self.outcomes);
            }
            Texts::Counted => scenario.then_clauses = vec![String::new(); self.outcomes.len()],
        }
    }

    /// Whether a keyword below a clause, indented, only speaks about keywords: `- **WHEN** for conditions` as the second WHEN.
    fn is_detail(&self, keyword: Keyword, line: &Line<'_>) -> bool {
        let is_below = self.open.is_some_and(|indent| line.indent() > indent);
        is_below
            && match keyword {
                Keyword::When => self.when.is_some(),
                Keyword::Then => !self.outcomes.is_empty(),
                Keyword::Given => self.after_then,
                Keyword::And | Keyword::Or => false,
            }
    }

    fn has_when(&self) -> bool {
        self.when.is_some_and(|when| !self.conditions[when].is_empty())
    }

    fn add(&mut self, keyword: Keyword, text: Cow<'a, str>) {
        match keyword {
            Keyword::When => {
                // A later WHEN replaces the earlier one with all that belongs to it.
                self.conditions.truncate(self.when.unwrap_or(usize::MAX));
                self.when = Some(self.conditions.len());
                self.after_then = false;
                self.conditions.push(text);
            }
            Keyword::Given => {
                self.after_then = false;
                self.conditions.push(text);
            }
            Keyword::Then => {
                self.after_then = true;
                self.outcomes.push(text);
            }
            Keyword::And => self.list().push(text),
            Keyword::Or => self.list().push(format!("OR {text}").into()),
        }
    }

    /// Indented text belongs to the clause before it.
    fn go_on(&mut self, line: &Line<'_>) {
        if self.open.is_none_or(|indent| line.indent() <= indent) {
            self.open = None;
        } else if let Some(clause) = self.list().last_mut() {
            let clause = clause.to_mut();
            if !clause.is_empty() {
                clause.push(' ');
            }
            clause.push_str(&line.text);
        }
    }

    fn list(&mut self) -> &mut Vec<Cow<'a, str>> {
        if self.after_then { &mut self.outcomes } else { &mut self.conditions }
    }
}

/// The keyword of a line and what it says without bullet and keyword.
fn clause(text: &str, plain: Plain) -> Option<(Keyword, Cow<'_, str>)> {
    let body = after_bullet(text).unwrap_or(text);
    if let Some((keyword, rest)) = bold(body) {
        return Some((keyword, without_colon(rest).into()));
    }
    if let Some((keyword, rest)) = plain_keyword(body, plain) {
        return Some((keyword, without_colon(rest).into()));
    }
    stars(body).find_map(|at| {
        let (keyword, rest) = bold(&body[at..])?;
        // Inside a sentence these two are emphasis.
        let is_clause = !matches!(keyword, Keyword::Given | Keyword::Or);
        is_clause.then(|| {
            let before = body[..at].trim_end();
            (keyword, format!("{before} {}", without_colon(rest)).trim_end().to_owned().into())
        })
    })
}

/// `**WHEN** rest`, the stars being the first thing; `**WHEN:** rest` too.
fn bold(text: &str) -> Option<(Keyword, &str)> {
    let inner = text.strip_prefix("**")?;
    Keyword::ALL.into_iter().find_map(|(keyword, word)| {
        let rest = strip_prefix_any_case(inner, word)?;
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        Some((keyword, rest.strip_prefix("**")?.trim()))
    })
}

fn plain_keyword(text: &str, plain: Plain) -> Option<(Keyword, &str)> {
    if !matches!(text.as_bytes().first()?.to_ascii_uppercase(), b'W' | b'T' | b'A' | b'G' | b'O') {
        return None;
    }
    Keyword::ALL.into_iter().find_map(|(keyword, word)| {
        let rest = match plain {
            Plain::Capitals => text.strip_prefix(word),
            Plain::AnyCase => strip_prefix_any_case(text, word),
        }?;
        let ends =
            rest.is_empty() || rest.starts_with(':') || rest.starts_with(char::is_whitespace);
        ends.then(|| (keyword, rest.trim()))
    })
}

fn split_then(keyword: Keyword, text: &str) -> Option<(&str, &str)> {
    if keyword == Keyword::Then {
        return None;
    }
    stars(text).find_map(|at| match bold(&text[at..])? {
        (Keyword::Then, outcome) => Some((&text[..at], without_colon(outcome))),
        _ => None,
    })
}

/// Where `**` begins.
fn stars(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    memchr_iter(b'*', bytes).filter(|at| bytes.get(at + 1) == Some(&b'*'))
}

fn without_colon(text: &str) -> &str {
    text.strip_prefix(':').map_or(text, str::trim_start)
}

fn joined(conditions: &[Cow<'_, str>]) -> String {
    const AND: &str = " AND ";
    let mut all = String::with_capacity(conditions.iter().map(|one| one.len() + AND.len()).sum());
    for condition in conditions {
        if !all.is_empty() {
            all.push_str(if condition.starts_with("OR ") { " " } else { AND });
        }
        all.push_str(condition);
    }
    all
}
