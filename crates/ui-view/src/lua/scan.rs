//! What a Lua file says about the platform: prototypes, calls on the globals, the blocks these stand in.

use std::collections::BTreeMap;

use super::lexer::{Kind, Token};
use crate::html::Place;

/// A call `object.name(` or `object:name(` on one of the platform's globals.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) object: &'a str,
    pub(super) separator: char,
    pub(super) name: &'a str,
    pub(super) at: Place,
    /// Index of the token after the opening parenthesis.
    pub(super) arguments: usize,
    /// How many blocks (`function`, `if`, loops) are open around it.
    pub(super) depth: usize,
}

/// `session:prototype("Name", { … }, base)`
#[derive(Debug)]
pub(super) struct Prototype<'a> {
    pub(super) name: &'a str,
    pub(super) at: Place,
    /// The Lua variable that holds it, when assigned plainly.
    pub(super) variable: Option<&'a str>,
    /// Declared fields that hold a table which is written there.
    pub(super) tables: Vec<(&'a str, Place)>,
}

/// `function Name.method(…)` with the parameters, and whether `self` occurs inside.
#[derive(Debug)]
pub(super) struct Definition<'a> {
    pub(super) object: &'a str,
    pub(super) separator: char,
    pub(super) name: &'a str,
    pub(super) first_parameter: Option<&'a str>,
    pub(super) uses_self: bool,
    pub(super) at: Place,
}

#[derive(Debug, Default)]
pub(super) struct Scan<'a> {
    pub(super) calls: Vec<Call<'a>>,
    pub(super) prototypes: Vec<Prototype<'a>>,
    pub(super) definitions: Vec<Definition<'a>>,
    /// Lua variables and the prototype variable they were made from: `app = App:new()`.
    pub(super) instances: BTreeMap<&'a str, &'a str>,
    /// Names assigned as a field anywhere: `self.items = …`, `x.items = …`.
    pub(super) assigned_fields: Vec<&'a str>,
    pub(super) mentions_reloading: bool,
}

const GLOBALS: [&str; 6] = ["session", "mcp", "ui", "os", "io", "debug"];

pub(super) fn scan<'a>(tokens: &[Token<'a>]) -> Scan<'a> {
    let mut scan = Scan::default();
    let mut blocks = Blocks::default();
    for (i, token) in tokens.iter().enumerate() {
        let Some(word) = token.word() else { continue };
        blocks.word(word, i, tokens);
        if word == "function" {
            scan.definitions.extend(definition(tokens, i));
        }
        // The same word after a dot is a field of something else.
        let is_field = i > 0 && (tokens[i - 1].is('.') || tokens[i - 1].is(':'));
        if word == "reloading" && is_field {
            scan.mentions_reloading = true;
        }
        if is_field {
            if tokens.get(i + 1).is_some_and(|t| t.is('='))
                && !tokens.get(i + 2).is_some_and(|t| t.is('='))
            {
                scan.assigned_fields.push(word);
            }
            continue;
        }
        if GLOBALS.contains(&word)
            && let Some(call) = call(tokens, i, blocks.depth())
        {
            if call.object == "session" && call.name == "prototype" {
                scan.prototypes.extend(prototype(tokens, i, &call));
            }
            scan.calls.push(call);
        }
        if let Some(made_from) = instance(tokens, i) {
            scan.instances.insert(word, made_from);
        }
    }
    scan
}

/// `object SEP name (`, or the call without parentheses on a string or a table.
fn call<'a>(tokens: &[Token<'a>], i: usize, depth: usize) -> Option<Call<'a>> {
    let Kind::Symbol(separator @ ('.' | ':')) = tokens.get(i + 1)?.kind else { return None };
    let name = tokens.get(i + 2)?.word()?;
    let open = tokens.get(i + 3)?;
    let arguments = match &open.kind {
        Kind::Symbol('(') => i + 4,
        Kind::String(_) | Kind::Symbol('{') => i + 3,
        _ => return None,
    };
    Some(Call { object: tokens[i].word()?, separator, name, at: tokens[i].at, arguments, depth })
}

fn prototype<'a>(tokens: &[Token<'a>], i: usize, call: &Call<'a>) -> Option<Prototype<'a>> {
    let name = tokens.get(call.arguments)?.string()?;
    let assigned = i >= 2 && tokens[i - 1].is('=');
    let plain = i < 3 || !(tokens[i - 3].is('.') || tokens[i - 3].is(':'));
    let variable = if assigned && plain { tokens[i - 2].word() } else { None };
    let at = tokens[call.arguments].at;
    Some(Prototype { name, at, variable, tables: declared_tables(tokens, call.arguments + 1) })
}

/// Fields of the table that follows which are written as `name = {`.
fn declared_tables<'a>(tokens: &[Token<'a>], comma: usize) -> Vec<(&'a str, Place)> {
    let mut found = Vec::new();
    if !(tokens.get(comma).is_some_and(|t| t.is(','))
        && tokens.get(comma + 1).is_some_and(|t| t.is('{')))
    {
        return found;
    }
    let mut depth = 0_usize;
    for i in comma + 1..tokens.len() {
        match tokens[i].kind {
            Kind::Symbol('{' | '(') => depth += 1,
            Kind::Symbol('}' | ')') => depth = depth.saturating_sub(1),
            Kind::Word(name) if depth == 1 => {
                let opens = tokens.get(i + 1).is_some_and(|t| t.is('='))
                    && tokens.get(i + 2).is_some_and(|t| t.is('{'));
                if opens {
                    found.push((name, tokens[i].at));
                }
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// `name = Proto:new(`
fn instance<'a>(tokens: &[Token<'a>], i: usize) -> Option<&'a str> {
    let wanted = tokens.get(i + 1)?.is('=')
        && tokens.get(i + 3)?.is(':')
        && tokens.get(i + 4)?.is_word("new");
    if wanted { tokens[i + 2].word() } else { None }
}

fn definition<'a>(tokens: &[Token<'a>], i: usize) -> Option<Definition<'a>> {
    let object = tokens.get(i + 1)?.word()?;
    let Kind::Symbol(separator @ ('.' | ':')) = tokens.get(i + 2)?.kind else { return None };
    let name = tokens.get(i + 3)?.word()?;
    if !tokens.get(i + 4)?.is('(') {
        return None;
    }
    let mut blocks = Blocks::default();
    let mut uses_self = false;
    for (j, token) in tokens.iter().enumerate().skip(i) {
        let Some(word) = token.word() else { continue };
        blocks.word(word, j, tokens);
        if j > i && blocks.depth() == 0 {
            break;
        }
        uses_self |= word == "self" && !(tokens[j - 1].is('.') || tokens[j - 1].is(':'));
    }
    let first_parameter = tokens.get(i + 5).and_then(Token::word);
    Some(Definition { object, separator, name, first_parameter, uses_self, at: tokens[i + 1].at })
}

/// Counts the blocks that are open.
#[derive(Default)]
struct Blocks {
    depth: usize,
    /// `while … do` and `for … do` are one block: their `do` does not count.
    loops_before_do: usize,
}

impl Blocks {
    fn depth(&self) -> usize {
        self.depth
    }

    fn word(&mut self, word: &str, i: usize, tokens: &[Token<'_>]) {
        // `x.end` and `{ ["end"] = 1 }` are no blocks.
        if i > 0 && (tokens[i - 1].is('.') || tokens[i - 1].is(':')) {
            return;
        }
        match word {
            "while" | "for" => {
                self.depth += 1;
                self.loops_before_do += 1;
            }
            "do" if self.loops_before_do > 0 => self.loops_before_do -= 1,
            "function" | "if" | "repeat" | "do" => self.depth += 1,
            "end" | "until" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}
