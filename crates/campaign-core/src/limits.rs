//! How much is too much, and what is said then.

use crate::{Refusal, ids::required};

/// Characters of a name.
pub const NAME: usize = 1024;
/// Bytes of a theme prompt, of an actor's notes, of a note in the journal.
pub const TEXT: usize = 64 * 1024;
/// Entries in the list of dice of one call.
pub const DICE_SPECS: usize = 100;
/// Dice of one call.
pub const DICE: i64 = 10_000;
/// Sides of a die.
pub const SIDES: i64 = 1_000_000;
/// Modifiers of a roll, and actors that an outcome is applied to.
pub const LIST: usize = 100;
/// The latest rolls, whose outcomes can be applied and which can be undone. What a table keeps in memory must not grow
/// with its journal.
pub const ROLLS: usize = 4096;

/// A name that must be there, without the white space around it.
pub(crate) fn name<'a>(
    text: &'a str,
    field: &'static str,
    missing: &'static str,
) -> Result<&'a str, Refusal> {
    let text = required(text, field, missing)?;
    short(text, field)
}

/// A name that may be empty, without the white space around it.
pub(crate) fn short<'a>(text: &'a str, field: &'static str) -> Result<&'a str, Refusal> {
    let text = text.trim();
    if text.chars().nth(NAME).is_some() {
        let message = format!("`{field}` must be at most {NAME} characters");
        return Err(Refusal::exhausted(message).field(field));
    }
    without_nul(text, field)
}

/// A text that may be empty, as it is.
pub(crate) fn long<'a>(text: &'a str, field: &'static str) -> Result<&'a str, Refusal> {
    if text.len() > TEXT {
        let message = format!("`{field}` must be at most {TEXT} bytes, not {}", text.len());
        return Err(Refusal::exhausted(message).field(field));
    }
    without_nul(text, field)
}

/// PostgreSQL keeps no NUL, and no one can see one.
fn without_nul<'a>(text: &'a str, field: &'static str) -> Result<&'a str, Refusal> {
    match text.find('\0') {
        Some(place) => {
            let message = format!("`{field}` must not have a NUL character (byte {place} is one)");
            Err(Refusal::invalid(message).field(field))
        }
        None => Ok(text),
    }
}

/// A number from the wire, where every integer has 32 bits.
pub(crate) fn fits(number: i64, field: &'static str) -> Result<i64, Refusal> {
    within(number, i32::MIN.into(), i32::MAX.into(), field)
}

pub(crate) fn within(
    number: i64,
    least: i64,
    most: i64,
    field: &'static str,
) -> Result<i64, Refusal> {
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    let message = format!("`{field}` must be between {least} and {most}, not {number}");
    Err(Refusal::invalid(message).field(field))
}
