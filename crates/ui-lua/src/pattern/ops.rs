//! What Lua's string library does with patterns: find, the places of `gmatch`, and the text of a replacement.

use super::matcher::{Capture, Matcher, PatternError};
use crate::limits::Meter;

/// Where a pattern was found, and what it caught.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) captures: Vec<Capture>,
}

/// A part of the text, or a place in it (from 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caught<'a> {
    Text(&'a [u8]),
    Place(usize),
}

impl Found {
    /// Capture `index` from 0; without captures the whole match is the first.
    pub(crate) fn capture<'a>(
        &self,
        text: &'a [u8],
        index: usize,
    ) -> Result<Caught<'a>, PatternError> {
        match self.captures.get(index) {
            Some(&Capture::Text { start, end }) => Ok(Caught::Text(&text[start..end])),
            Some(&Capture::Place { start }) => Ok(Caught::Place(start + 1)),
            Some(Capture::Open { .. }) => Err(PatternError::Unfinished),
            None if index == 0 => Ok(Caught::Text(&text[self.start..self.end])),
            None => Err(PatternError::CaptureIndex(i32::try_from(index + 1).unwrap_or(i32::MAX))),
        }
    }

    /// All captures, or the whole match if the pattern has none.
    pub(crate) fn all<'a>(
        &self,
        text: &'a [u8],
    ) -> impl Iterator<Item = Result<Caught<'a>, PatternError>> {
        (0..self.captures.len().max(1)).map(move |index| self.capture(text, index))
    }
}

/// The first match from `init` (0-based, at most the length), for `find` and `match`.
pub(crate) fn search(
    text: &[u8],
    pattern: &[u8],
    init: usize,
    meter: &Meter,
) -> Result<Option<Found>, PatternError> {
    let (pattern, anchored) = without_anchor(pattern);
    let mut matcher = Matcher::new(text, pattern, meter);
    for start in init..=text.len() {
        if let Some(end) = matcher.at(start)? {
            return Ok(Some(Found { start, end, captures: matcher.captures().to_vec() }));
        }
        if anchored {
            break;
        }
    }
    Ok(None)
}

/// The next match of `gmatch` from `from` on that does not end where the last one did.
pub(crate) fn next_match(
    text: &[u8],
    pattern: &[u8],
    from: usize,
    last_end: Option<usize>,
    meter: &Meter,
) -> Result<Option<Found>, PatternError> {
    let mut matcher = Matcher::new(text, pattern, meter);
    for start in from..=text.len() {
        if let Some(end) = matcher.at(start)?
            && Some(end) != last_end
        {
            return Ok(Some(Found { start, end, captures: matcher.captures().to_vec() }));
        }
    }
    Ok(None)
}

/// Walks the matches of `gsub`, at most `limit` of them, and copies what lies between them.
///
/// `replace` appends what a match becomes; it says whether that differs from what was there.
pub(crate) fn substitute<E: From<PatternError>>(
    text: &[u8],
    pattern: &[u8],
    limit: usize,
    meter: &Meter,
    mut replace: impl FnMut(&Found, &mut Vec<u8>) -> Result<bool, E>,
) -> Result<(Option<Vec<u8>>, usize), E> {
    let (pattern, anchored) = without_anchor(pattern);
    let mut matcher = Matcher::new(text, pattern, meter);
    let (mut out, mut at, mut count, mut last_end, mut changed) = (Vec::new(), 0, 0, None, false);
    while count < limit {
        let end = matcher.at(at)?;
        if let Some(end) = end
            && last_end != Some(end)
        {
            count += 1;
            let found = Found { start: at, end, captures: matcher.captures().to_vec() };
            changed |= replace(&found, &mut out)?;
            meter.check_size(out.len()).map_err(|()| PatternError::Limit)?;
            at = end;
            last_end = Some(end);
        } else if at < text.len() {
            out.push(text[at]);
            at += 1;
        } else {
            break;
        }
        if anchored {
            break;
        }
    }
    if !changed {
        return Ok((None, count));
    }
    out.extend_from_slice(text.get(at..).unwrap_or_default());
    meter.check_size(out.len()).map_err(|()| PatternError::Limit)?;
    Ok((Some(out), count))
}

/// Appends a replacement text, in which `%1` is a capture, `%0` the whole match and `%%` a percent sign.
pub(crate) fn expand(
    replacement: &[u8],
    text: &[u8],
    found: &Found,
    out: &mut Vec<u8>,
) -> Result<(), PatternError> {
    let mut rest = replacement;
    while let Some(at) = memchr::memchr(b'%', rest) {
        out.extend_from_slice(&rest[..at]);
        match rest.get(at + 1) {
            Some(b'%') => out.push(b'%'),
            Some(b'0') => out.extend_from_slice(&text[found.start..found.end]),
            Some(digit @ b'1'..=b'9') => {
                let index = usize::from(digit - b'1');
                match found.capture(text, index)? {
                    Caught::Text(part) => out.extend_from_slice(part),
                    Caught::Place(place) => out.extend_from_slice(place.to_string().as_bytes()),
                }
            }
            _ => return Err(PatternError::BadReplacement),
        }
        rest = &rest[at + 2..];
    }
    out.extend_from_slice(rest);
    Ok(())
}

/// Whether a pattern is a plain text.
pub(crate) fn is_plain(pattern: &[u8]) -> bool {
    !pattern.iter().any(|byte| b"^$*+?.([%-".contains(byte))
}

/// Where `init` of `find` and its like points to, 0-based; `None` if past the end.
pub(crate) fn start_at(init: i64, length: usize) -> Option<usize> {
    let signed = i64::try_from(length).unwrap_or(i64::MAX);
    let start = match init {
        1.. => init - 1,
        0 => 0,
        _ if init < -signed => 0,
        _ => signed + init,
    };
    usize::try_from(start).ok().filter(|&start| start <= length)
}

fn without_anchor(pattern: &[u8]) -> (&[u8], bool) {
    match pattern.strip_prefix(b"^") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    }
}
