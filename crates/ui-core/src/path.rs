//! Paths: how a binding says what it shows.
//!
//! ```text
//! path   = { step "." } last [ "?" param { "&" param } ]
//! step   = name | index | name "()" | ".." | "@app" (first only)
//! last   = step | name "(_)"
//! param  = key [ "=" text ]
//! ```
//!
//! [`Path::parse`] reads one; it takes `items[0]` for `items.0` and `../name` for `...name`. [`Path`] prints in one form, which
//! parses to the same path. Paths have no operators, literals or arguments: what is needed beyond stands in a method.

use std::fmt;

/// The most steps that a path has.
pub const MAX_STEPS: usize = 64;
/// The longest text that is read as a path, in bytes.
pub const MAX_LENGTH: usize = 4096;

/// A parsed path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Path {
    steps: Box<[Step]>,
    params: Box<[Param]>,
}

/// One step of a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// `name`: a field, inherited ones included.
    Field(Box<str>),
    /// `0`: an element of an array, counted from 0.
    Index(u32),
    /// `name()`: a method, called with the object as self.
    Call(Box<str>),
    /// `name(_)`: a method, called with the value that is written. Last only.
    CallWith(Box<str>),
    /// `..`: to the object of the next enclosing variable, whatever step stood before.
    Up,
    /// `@app`: to the root object. First only.
    App,
}

/// What follows `?`: `key=text`, or a key alone, which means `true`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// The name.
    pub key: Box<str>,
    /// The text, as written.
    pub value: Box<str>,
}

/// How a path ends, which decides what access it allows and what a write does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// `name` or an index: read and assigned.
    Place,
    /// `name()`.
    Call,
    /// `name(_)`.
    CallWith,
    /// `..` or `@app`: read only.
    Fixed,
}

impl Path {
    /// Reads a path.
    pub fn parse(text: &str) -> Result<Self, BadPath> {
        let start = text.len() - text.trim_start().len();
        let trimmed = text.trim();
        if text.len() > MAX_LENGTH {
            return Err(BadPath { at: MAX_LENGTH, why: Why::Long });
        }
        let (steps, params) = trimmed.split_once('?').unwrap_or((trimmed, ""));
        let steps = Steps { text: steps, at: 0 }
            .read()
            .map_err(|bad| BadPath { at: bad.at + start, ..bad })?;
        Ok(Self { steps: steps.into(), params: read_params(params) })
    }

    /// The steps; at least one.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The parameters, in the order they were written.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// The value of the parameter `key`; the last one counts.
    pub fn param(&self, key: &str) -> Option<&str> {
        self.params.iter().rev().find(|param| &*param.key == key).map(|param| &*param.value)
    }

    /// The steps but for the last, and the last.
    pub fn split_last(&self) -> (&[Step], &Step) {
        // Parsing gives at least one step.
        self.steps.split_last().map_or((&[], &Step::Up), |(last, before)| (before, last))
    }

    /// How it ends.
    pub fn ending(&self) -> Ending {
        match self.split_last().1 {
            Step::Field(_) | Step::Index(_) => Ending::Place,
            Step::Call(_) => Ending::Call,
            Step::CallWith(_) => Ending::CallWith,
            Step::Up | Step::App => Ending::Fixed,
        }
    }
}

/// The steps alone, without the parameters.
pub fn display_steps(steps: &[Step]) -> impl fmt::Display {
    struct Shown<'a>(&'a [Step]);
    impl fmt::Display for Shown<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for (at, step) in self.0.iter().enumerate() {
                match at.checked_sub(1).map(|before| &self.0[before]) {
                    None => {}
                    Some(Step::Up) => f.write_str("/")?,
                    Some(_) => f.write_str(".")?,
                }
                step.fmt(f)?;
            }
            Ok(())
        }
    }
    Shown(steps)
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        display_steps(&self.steps).fmt(f)?;
        for (at, param) in self.params.iter().enumerate() {
            f.write_str(if at == 0 { "?" } else { "&" })?;
            write!(f, "{}={}", param.key, param.value)?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => f.write_str(name),
            Self::Index(index) => index.fmt(f),
            Self::Call(name) => write!(f, "{name}()"),
            Self::CallWith(name) => write!(f, "{name}(_)"),
            Self::Up => f.write_str(".."),
            Self::App => f.write_str("@app"),
        }
    }
}

/// Why a text is no path, and where in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}, at character {}", at + 1)]
pub struct BadPath {
    /// The byte at which it goes wrong.
    pub at: usize,
    /// What is wrong there.
    pub why: Why,
}

impl kit_core::Fault for BadPath {
    fn kind(&self) -> kit_core::Kind {
        kit_core::Kind::Invalid
    }
}

/// What is wrong with a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Why {
    /// Nothing where a step is due.
    #[error("a step is missing: write a name, an index, `name()` or `..`")]
    Missing,
    /// An operator, a literal, a space.
    #[error("`{0}` has no place in a path: compute it in a method, `name()`")]
    Stray(char),
    /// `01`.
    #[error("an index has no leading zeros")]
    LeadingZero,
    /// An index past any array.
    #[error("the index is too large")]
    LargeIndex,
    /// `name(x)`.
    #[error("a method takes no arguments here: write `name()`, or `name(_)` for the written value")]
    Arguments,
    /// `name(_)` before the end.
    #[error("`(_)` ends a path")]
    CallWithNotLast,
    /// `@name` other than `@app`.
    #[error("`@` is known as `@app` only")]
    UnknownAt,
    /// `@app` past the beginning.
    #[error("`@app` begins a path")]
    AppNotFirst,
    /// `items[x]`.
    #[error("brackets hold an index, as in `items[0]`")]
    Bracket,
    /// More than [`MAX_STEPS`].
    #[error("a path has at most {MAX_STEPS} steps")]
    Deep,
    /// More than [`MAX_LENGTH`].
    #[error("a path has at most {MAX_LENGTH} characters")]
    Long,
}

/// Reads steps, the cursor being at byte `at`.
struct Steps<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Steps<'a> {
    fn read(mut self) -> Result<Vec<Step>, BadPath> {
        let mut steps = Vec::new();
        loop {
            if steps.len() >= MAX_STEPS {
                return Err(self.bad(Why::Deep));
            }
            steps.push(self.step(steps.is_empty())?);
            while self.rest().starts_with('[') {
                if steps.len() >= MAX_STEPS {
                    return Err(self.bad(Why::Deep));
                }
                steps.push(self.bracket()?);
            }
            let after_up = matches!(steps.last(), Some(Step::Up));
            match self.rest().chars().next() {
                None => return Ok(steps),
                Some(_) if matches!(steps.last(), Some(Step::CallWith(_))) => {
                    return Err(self.bad(Why::CallWithNotLast));
                }
                Some('.') => self.at += 1,
                Some('/') if after_up => self.at += 1,
                Some(stray) => return Err(self.bad(Why::Stray(stray))),
            }
        }
    }

    fn step(&mut self, first: bool) -> Result<Step, BadPath> {
        let rest = self.rest();
        if rest.starts_with("..") {
            self.at += 2;
            return Ok(Step::Up);
        }
        if rest.starts_with('@') {
            return self.app(first);
        }
        match rest.chars().next() {
            Some(c) if c.is_ascii_digit() => self.index().map(Step::Index),
            Some(c) if starts_name(c) => self.named(),
            None | Some('.') => Err(self.bad(Why::Missing)),
            Some(stray) => Err(self.bad(Why::Stray(stray))),
        }
    }

    /// `@app`.
    fn app(&mut self, first: bool) -> Result<Step, BadPath> {
        if !first {
            return Err(self.bad(Why::AppNotFirst));
        }
        let start = self.at;
        self.at += 1;
        if self.name() == "app" {
            return Ok(Step::App);
        }
        self.at = start;
        Err(self.bad(Why::UnknownAt))
    }

    /// `name`, `name()` or `name(_)`.
    fn named(&mut self) -> Result<Step, BadPath> {
        let name = self.name().into();
        let rest = self.rest();
        if rest.starts_with("()") {
            self.at += 2;
            Ok(Step::Call(name))
        } else if rest.starts_with("(_)") {
            self.at += 3;
            Ok(Step::CallWith(name))
        } else if rest.starts_with('(') {
            Err(self.bad(Why::Arguments))
        } else {
            Ok(Step::Field(name))
        }
    }

    /// `[0]`.
    fn bracket(&mut self) -> Result<Step, BadPath> {
        let start = self.at;
        self.at += 1;
        if !self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            self.at = start;
            return Err(self.bad(Why::Bracket));
        }
        let index = self.index()?;
        if !self.rest().starts_with(']') {
            self.at = start;
            return Err(self.bad(Why::Bracket));
        }
        self.at += 1;
        Ok(Step::Index(index))
    }

    fn index(&mut self) -> Result<u32, BadPath> {
        let rest = self.rest();
        let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
        if digits.len() > 1 && digits.starts_with('0') {
            return Err(self.bad(Why::LeadingZero));
        }
        // One less than the most, since Lua counts from 1.
        match digits.parse::<u32>() {
            Ok(index) if index < u32::MAX => {
                self.at += digits.len();
                Ok(index)
            }
            _ => Err(self.bad(Why::LargeIndex)),
        }
    }

    fn name(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !continues_name(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn bad(&self, why: Why) -> BadPath {
        BadPath { at: self.at, why }
    }
}

fn read_params(text: &str) -> Box<[Param]> {
    let param = |param: &str| {
        let (key, value) = param.split_once('=').unwrap_or((param, "true"));
        Param { key: key.trim().into(), value: value.trim().into() }
    };
    text.split('&').map(param).filter(|param| !param.key.is_empty()).collect()
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
