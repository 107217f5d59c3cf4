//! Filters of dates and timestamps: `2021-05`, `last 3 days`, `before 2 weeks ago`, `2021 to 2023 or null`.

use super::scan::Scanner;
use super::{Filter, Result, TemporalFilter};
use crate::lexer::scan_time;
use crate::parser::{time_exists, time_literal};
use crate::token::Keyword;
use crate::tree::{TimeLiteral, TimeUnit};

#[derive(Debug, Clone, PartialEq)]
pub enum TemporalClause {
    /// Within it: `today`, `2021-05`.
    In(Moment),
    /// Before its start. `starting M` is the negation.
    Before(Moment),
    /// From its end on. `through M` is the negation.
    After(Moment),
    /// From the start of one up to the start of the other.
    To { from: Moment, to: Moment },
    /// That long from its start.
    For { from: Moment, count: u32, unit: TimeUnit },
    /// `3 days`: up to and including the current one.
    InLast { count: u32, unit: TimeUnit },
    /// `last 3 days`: complete ones, before the current one.
    Last { count: u32, unit: TimeUnit },
    /// `next 3 days`: complete ones, after the current one.
    Next { count: u32, unit: TimeUnit },
}

#[derive(Debug, Clone, PartialEq)]
pub enum Moment {
    Now,
    Today,
    Yesterday,
    Tomorrow,
    /// `this month`
    This(TimeUnit),
    /// `last month`
    Last(TimeUnit),
    /// `next month`
    Next(TimeUnit),
    /// `last monday`, which `monday` alone is too.
    LastWeekday(Weekday),
    /// `next monday`
    NextWeekday(Weekday),
    /// `3 days ago`
    Ago {
        count: u32,
        unit: TimeUnit,
    },
    /// `3 days from now`
    FromNow {
        count: u32,
        unit: TimeUnit,
    },
    /// `2021-05`, as after an `@`, though a week may be given by any of its days.
    Literal(TimeLiteral),
}

/// Counted from Sunday, as weeks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Weekday {
    Sunday,
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
}

impl Weekday {
    fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "sunday" => Self::Sunday,
            "monday" => Self::Monday,
            "tuesday" => Self::Tuesday,
            "wednesday" => Self::Wednesday,
            "thursday" => Self::Thursday,
            "friday" => Self::Friday,
            "saturday" => Self::Saturday,
            _ => return None,
        })
    }
}

/// Parses a filter of dates or timestamps.
pub fn parse_temporal(text: &str) -> Result<TemporalFilter> {
    Scanner::new(text).whole(&mut clause)
}

fn clause(scan: &mut Scanner<'_>) -> Result<TemporalFilter> {
    use TemporalClause as T;
    if scan.eat_mark("(") {
        return scan.group(&mut clause);
    }
    let word = scan.peek_word();
    let (clause, negated) = match &*word {
        "before" | "starting" => {
            scan.eat_word(&word);
            (T::Before(moment(scan)?), word == "starting")
        }
        "after" | "through" => {
            scan.eat_word(&word);
            (T::After(moment(scan)?), word == "through")
        }
        "last" | "next" => (last_or_next(scan, &word)?, false),
        _ => (unnamed(scan)?, false),
    };
    Ok(Filter::Clause { clause, negated })
}

/// A clause without a word of its own: a duration, a moment, or what begins with one.
fn unnamed(scan: &mut Scanner<'_>) -> Result<TemporalClause> {
    if let Some((count, unit)) = duration(scan) {
        return after_duration(scan, count, unit);
    }
    let from = moment(scan)?;
    after_moment(scan, from)
}

/// `last 3 days`, or a moment such as `last week`.
fn last_or_next(scan: &mut Scanner<'_>, word: &str) -> Result<TemporalClause> {
    let start = scan.at;
    scan.eat_word(word);
    if let Some((count, unit)) = duration(scan) {
        return Ok(match word {
            "last" => TemporalClause::Last { count, unit },
            _ => TemporalClause::Next { count, unit },
        });
    }
    scan.at = start;
    let from = moment(scan)?;
    after_moment(scan, from)
}

/// `3 days` alone, or as the start of a moment.
fn after_duration(scan: &mut Scanner<'_>, count: u32, unit: TimeUnit) -> Result<TemporalClause> {
    match moment_of(scan, count, unit)? {
        Some(from) => after_moment(scan, from),
        None => Ok(TemporalClause::InLast { count, unit }),
    }
}

fn after_moment(scan: &mut Scanner<'_>, from: Moment) -> Result<TemporalClause> {
    if scan.eat_word("to") {
        return Ok(TemporalClause::To { from, to: moment(scan)? });
    }
    if scan.eat_word("for") {
        let Some((count, unit)) = duration(scan) else {
            return Err(scan.expected("how long, such as `3 days`"));
        };
        return Ok(TemporalClause::For { from, count, unit });
    }
    Ok(TemporalClause::In(from))
}

fn moment(scan: &mut Scanner<'_>) -> Result<Moment> {
    if let Some((count, unit)) = duration(scan) {
        return match moment_of(scan, count, unit)? {
            Some(moment) => Ok(moment),
            None => Err(scan.expected("`ago` or `from now`")),
        };
    }
    let word = scan.peek_word();
    if word.is_empty() {
        return literal(scan);
    }
    let start = scan.at;
    scan.eat_word(&word);
    let named = match &*word {
        "now" => Some(Moment::Now),
        "today" => Some(Moment::Today),
        "yesterday" => Some(Moment::Yesterday),
        "tomorrow" => Some(Moment::Tomorrow),
        "this" => Some(Moment::This(unit(scan)?)),
        "last" | "next" => Some(which(scan, word == "last")?),
        word => Weekday::from_word(word).map(Moment::LastWeekday),
    };
    named.ok_or_else(|| {
        scan.at = start;
        scan.expected("a time, such as `2021-05`, `today` or `last week`")
    })
}

/// What comes after `last` or `next` in a moment.
fn which(scan: &mut Scanner<'_>, last: bool) -> Result<Moment> {
    let word = scan.peek_word();
    if let Some(day) = Weekday::from_word(&word) {
        scan.eat_word(&word);
        return Ok(if last { Moment::LastWeekday(day) } else { Moment::NextWeekday(day) });
    }
    let unit = unit(scan)?;
    Ok(if last { Moment::Last(unit) } else { Moment::Next(unit) })
}

/// `ago` or `from now` after a duration.
fn moment_of(scan: &mut Scanner<'_>, count: u32, unit: TimeUnit) -> Result<Option<Moment>> {
    if scan.eat_word("ago") {
        return Ok(Some(Moment::Ago { count, unit }));
    }
    if !scan.eat_word("from") {
        return Ok(None);
    }
    if scan.eat_word("now") {
        return Ok(Some(Moment::FromNow { count, unit }));
    }
    Err(scan.expected("`now`"))
}

/// `3 days`; nothing is taken if it is something else.
fn duration(scan: &mut Scanner<'_>) -> Option<(u32, TimeUnit)> {
    let start = scan.at;
    let found = scan.number().and_then(|number| number.parse().ok()).zip(unit(scan).ok());
    if found.is_none() {
        scan.at = start;
    }
    found
}

fn unit(scan: &mut Scanner<'_>) -> Result<TimeUnit> {
    let word = scan.peek_word();
    match Keyword::from_word(&word).and_then(Keyword::unit) {
        Some(unit) => {
            scan.at += word.len();
            Ok(unit)
        }
        None => Err(scan.expected("a unit of time, such as `days`")),
    }
}

fn literal(scan: &mut Scanner<'_>) -> Result<Moment> {
    scan.skip_space();
    let what = "a time, such as `2021-05`, `today` or `last week`";
    let written = format!("@{}", scan.rest());
    let Some((shape, length)) = scan_time(&written) else { return Err(scan.expected(what)) };
    let literal = time_literal(&written[..length], shape);
    if !time_exists(&literal) {
        return Err(scan.expected("a time that exists"));
    }
    scan.at += length - 1;
    let goes_on =
        scan.rest().starts_with(|next: char| next.is_alphanumeric() || next == '-' || next == ':');
    if goes_on {
        return Err(scan.expected("the end of the time"));
    }
    Ok(Moment::Literal(literal))
}
