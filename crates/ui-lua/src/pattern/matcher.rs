//! One attempt to match a Lua pattern at one place of a text.
//!
//! Same answers as Lua's own matcher (a property test compares the two), with one difference: it counts its
//! steps and asks a [`Meter`] now and then whether it may go on. Lua's own cannot be interrupted, so that
//! `("a"):rep(30):find(("a?"):rep(30) .. ("a"):rep(30))` would hold its thread for as long as it likes.
//!
//! Start at [`Matcher::at`]; the pattern is interpreted as it stands, there is nothing to compile.

use super::class::{in_class, in_set};
use crate::limits::Meter;

/// How many captures a pattern may have, as in Lua.
pub(crate) const MAX_CAPTURES: usize = 32;
/// How deeply the parts of a pattern may nest while they are tried, as in Lua.
const MAX_DEPTH: u32 = 200;
/// How many characters are compared between two looks at the clock.
const STEPS_PER_LOOK: u32 = 4096;

const ESCAPE: u8 = b'%';

/// Why a pattern gives no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PatternError {
    #[error("malformed pattern (ends with '%')")]
    EndsWithEscape,
    #[error("malformed pattern (missing ']')")]
    MissingBracket,
    #[error("malformed pattern (missing arguments to '%b')")]
    MissingBalance,
    #[error("missing '[' after '%f' in pattern")]
    MissingFrontierSet,
    #[error("invalid pattern capture")]
    InvalidCapture,
    #[error("invalid capture index %{0}")]
    CaptureIndex(i32),
    #[error("unfinished capture")]
    Unfinished,
    #[error("too many captures")]
    TooManyCaptures,
    #[error("pattern too complex")]
    TooComplex,
    #[error("invalid use of '%' in replacement string")]
    BadReplacement,
    /// The entry's time is over, or the result is larger than the VM may be. The meter knows which.
    #[error("limit exceeded")]
    Limit,
}

/// What a capture holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capture {
    /// Opened, not closed yet.
    Open {
        start: usize,
    },
    /// `()`: a place, not a text.
    Place {
        start: usize,
    },
    Text {
        start: usize,
        end: usize,
    },
}

/// A pattern, a text, and the captures of the attempt under way.
pub(crate) struct Matcher<'a> {
    text: &'a [u8],
    pattern: &'a [u8],
    meter: &'a Meter,
    captures: [Capture; MAX_CAPTURES],
    level: usize,
    depth: u32,
    steps: u32,
}

type Tried = Result<Option<usize>, PatternError>;

impl<'a> Matcher<'a> {
    pub(crate) fn new(text: &'a [u8], pattern: &'a [u8], meter: &'a Meter) -> Self {
        let captures = [Capture::Open { start: 0 }; MAX_CAPTURES];
        Self { text, pattern, meter, captures, level: 0, depth: 0, steps: STEPS_PER_LOOK }
    }

    /// Tries the whole pattern at `start`. The end of the match, if there is one.
    pub(crate) fn at(&mut self, start: usize) -> Tried {
        self.level = 0;
        self.depth = 0;
        self.step()?;
        self.run(start, 0)
    }

    /// The captures of the last attempt that matched.
    pub(crate) fn captures(&self) -> &[Capture] {
        &self.captures[..self.level]
    }

    /// A byte of the pattern; past its end a zero, which no construct begins with.
    fn pat(&self, index: usize) -> u8 {
        self.pattern.get(index).copied().unwrap_or(0)
    }

    fn step(&mut self) -> Result<(), PatternError> {
        self.steps -= 1;
        if self.steps == 0 {
            self.steps = STEPS_PER_LOOK;
            if self.meter.is_over() {
                return Err(PatternError::Limit);
            }
        }
        Ok(())
    }

    /// Matches the pattern from `p` against the text from `s`, one level deeper than its caller.
    fn run(&mut self, s: usize, p: usize) -> Tried {
        if self.depth == MAX_DEPTH {
            return Err(PatternError::TooComplex);
        }
        self.depth += 1;
        let end = self.follow(s, p);
        self.depth -= 1;
        end
    }

    /// The body of [`run`](Self::run): a loop as long as nothing has to be tried twice.
    fn follow(&mut self, mut s: usize, mut p: usize) -> Tried {
        while p < self.pattern.len() {
            match (self.pat(p), self.pat(p + 1)) {
                (b'(', b')') => return self.open(s, p + 2, Capture::Place { start: s }),
                (b'(', _) => return self.open(s, p + 1, Capture::Open { start: s }),
                (b')', _) => return self.close(s, p + 1),
                (b'$', _) if p + 1 == self.pattern.len() => {
                    return Ok((s == self.text.len()).then_some(s));
                }
                (ESCAPE, b'b') => match self.balanced(s, p + 2)? {
                    Some(end) => (s, p) = (end, p + 4),
                    None => return Ok(None),
                },
                (ESCAPE, b'f') => match self.frontier(s, p + 2)? {
                    Some(after) => p = after,
                    None => return Ok(None),
                },
                (ESCAPE, digit @ b'0'..=b'9') => match self.again(s, digit)? {
                    Some(end) => (s, p) = (end, p + 2),
                    None => return Ok(None),
                },
                _ => {
                    let after = self.single_end(p)?;
                    let fits = self.single(s, p, after)?;
                    match (self.pat(after), fits) {
                        (b'?', true) => match self.run(s + 1, after + 1)? {
                            Some(end) => return Ok(Some(end)),
                            None => p = after + 1,
                        },
                        (b'+', true) => return self.most(s + 1, p, after),
                        (b'*', true) => return self.most(s, p, after),
                        (b'-', true) => return self.least(s, p, after),
                        (b'*' | b'?' | b'-', false) => p = after + 1,
                        (_, true) => (s, p) = (s + 1, after),
                        (_, false) => return Ok(None),
                    }
                }
            }
        }
        Ok(Some(s))
    }

    /// As many as there are, then fewer until the rest fits.
    fn most(&mut self, s: usize, p: usize, after: usize) -> Tried {
        let mut end = s;
        while self.single(end, p, after)? {
            end += 1;
        }
        loop {
            if let Some(found) = self.run(end, after + 1)? {
                return Ok(Some(found));
            }
            if end == s {
                return Ok(None);
            }
            self.step()?;
            end -= 1;
        }
    }

    /// None, then more until the rest fits.
    fn least(&mut self, mut s: usize, p: usize, after: usize) -> Tried {
        loop {
            if let Some(found) = self.run(s, after + 1)? {
                return Ok(Some(found));
            }
            if !self.single(s, p, after)? {
                return Ok(None);
            }
            s += 1;
        }
    }

    fn open(&mut self, s: usize, p: usize, capture: Capture) -> Tried {
        if self.level == MAX_CAPTURES {
            return Err(PatternError::TooManyCaptures);
        }
        self.captures[self.level] = capture;
        self.level += 1;
        let end = self.run(s, p)?;
        if end.is_none() {
            self.level -= 1;
        }
        Ok(end)
    }

    fn close(&mut self, s: usize, p: usize) -> Tried {
        let open = self.captures[..self.level]
            .iter()
            .rposition(|capture| matches!(capture, Capture::Open { .. }))
            .ok_or(PatternError::InvalidCapture)?;
        let before = self.captures[open];
        if let Capture::Open { start } = before {
            self.captures[open] = Capture::Text { start, end: s };
        }
        let end = self.run(s, p)?;
        if end.is_none() {
            self.captures[open] = before;
        }
        Ok(end)
    }

    /// `%1`: the text of an earlier capture once more.
    fn again(&mut self, s: usize, digit: u8) -> Tried {
        let index = i32::from(digit) - i32::from(b'0');
        let wrong = PatternError::CaptureIndex(index);
        let earlier = usize::try_from(index - 1).ok().filter(|&at| at < self.level);
        match self.captures[earlier.ok_or(wrong.clone())?] {
            Capture::Open { .. } => Err(wrong),
            Capture::Place { .. } => Ok(None),
            Capture::Text { start, end } => {
                self.step()?;
                let fits = self.text[s..].starts_with(&self.text[start..end]);
                Ok(fits.then_some(s + (end - start)))
            }
        }
    }

    /// `%bxy`: from an `x` to its `y`.
    fn balanced(&mut self, s: usize, p: usize) -> Tried {
        let [open, close] = *self.pattern.get(p..p + 2).ok_or(PatternError::MissingBalance)? else {
            return Err(PatternError::MissingBalance);
        };
        if self.text.get(s) != Some(&open) {
            return Ok(None);
        }
        let mut depth = 1_usize;
        for at in s + 1..self.text.len() {
            self.step()?;
            let byte = self.text[at];
            if byte == close {
                depth -= 1;
                if depth == 0 {
                    return Ok(Some(at + 1));
                }
            } else if byte == open {
                depth += 1;
            }
        }
        Ok(None)
    }

    /// `%f[set]`: where the set begins to hold. The place in the pattern after it, if it fits.
    fn frontier(&mut self, s: usize, p: usize) -> Tried {
        if self.pat(p) != b'[' {
            return Err(PatternError::MissingFrontierSet);
        }
        let after = self.single_end(p)?;
        let set = &self.pattern[p..after];
        let before = if s == 0 { 0 } else { self.text[s - 1] };
        let here = self.text.get(s).copied().unwrap_or(0);
        Ok((!in_set(before, set) && in_set(here, set)).then_some(after))
    }

    /// Where the single character class that begins at `p` ends.
    fn single_end(&self, p: usize) -> Result<usize, PatternError> {
        let length = self.pattern.len();
        match self.pattern[p] {
            ESCAPE if p + 1 == length => Err(PatternError::EndsWithEscape),
            ESCAPE => Ok(p + 2),
            b'[' => {
                let mut at = if self.pat(p + 1) == b'^' { p + 2 } else { p + 1 };
                // The first character belongs to the set, also if it is a `]`.
                loop {
                    if at >= length {
                        return Err(PatternError::MissingBracket);
                    }
                    at += if self.pattern[at] == ESCAPE && at + 1 < length { 2 } else { 1 };
                    if self.pat(at) == b']' {
                        return Ok(at + 1);
                    }
                }
            }
            _ => Ok(p + 1),
        }
    }

    /// Whether the character at `s` is of the class that stands at `p..after`.
    fn single(&mut self, s: usize, p: usize, after: usize) -> Result<bool, PatternError> {
        self.step()?;
        let Some(&byte) = self.text.get(s) else { return Ok(false) };
        Ok(match self.pattern[p] {
            b'.' => true,
            ESCAPE => in_class(byte, self.pat(p + 1)),
            b'[' => {
                // A set costs its length.
                let set = &self.pattern[p..after];
                self.steps =
                    self.steps.saturating_sub(u32::try_from(set.len() / 8).unwrap_or(1)).max(1);
                in_set(byte, set)
            }
            literal => literal == byte,
        })
    }
}
