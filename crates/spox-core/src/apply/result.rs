//! What would be written, read again before anybody writes it.

use std::collections::HashMap;

use crate::{ParsedSpec, Refusal, check_spec, draft::Draft, parse_spec};

/// Why `after` must not be written in the place of `before`.
pub(super) fn check(
    capability: &str,
    before: Option<&str>,
    after: &str,
    draft: &Draft<'_>,
) -> Vec<Refusal> {
    let spec = parse_spec(capability, after);
    let details = swallowed(&spec, after, draft).map_or_else(
        || new_errors(before.map(|text| parse_spec(capability, text)).as_ref(), &spec),
        |detail| vec![detail],
    );
    let broken = |detail| Refusal::Broken { capability: capability.to_owned(), detail };
    details.into_iter().map(broken).collect()
}

/// The file must hold the requirements of `draft`, word for word and no others. A block is right by itself and wrong in its
/// place if it opens a code block or a comment that it does not close: it swallows what follows.
fn swallowed(spec: &ParsedSpec, after: &str, draft: &Draft<'_>) -> Option<String> {
    let mut found = spec.requirements.iter();
    for (name, block) in draft.requirements() {
        let same = found.next().is_some_and(|one| {
            one.name == name && after[one.span.clone()].trim_end() == block.text.trim_end()
        });
        if !same {
            return Some(format!(
                "`{name}` cannot be told from what is around it; is a code block or comment left open?"
            ));
        }
    }
    let more = found.next()?;
    Some(format!("line {}: `{}` appears from nowhere", more.line, more.name))
}

/// Errors of validation that the spec does not have already.
fn new_errors(before: Option<&ParsedSpec>, after: &ParsedSpec) -> Vec<String> {
    let after = check_spec("", after, None);
    if after.valid() {
        return Vec::new();
    }
    let mut known: HashMap<(&str, String), usize> = HashMap::new();
    for issue in before.map(|spec| check_spec("", spec, None)).unwrap_or_default().errors() {
        *known.entry((issue.code, unnumbered(&issue.message))).or_default() += 1;
    }
    let mut is_new = |code, message: &str| match known.get_mut(&(code, unnumbered(message))) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    let new = after.errors().filter(|issue| is_new(issue.code, &issue.message));
    new.map(|issue| format!("{} ({})", issue.message, issue.code)).collect()
}

/// A message without the lines that it names, which move when something is inserted before them.
fn unnumbered(message: &str) -> String {
    message.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// What goes with a file that is retired, besides its requirements.
pub(super) fn lost_with(spec: &ParsedSpec) -> Option<String> {
    let others: Vec<String> = spec
        .sections
        .iter()
        .map(|section| section.name.as_str())
        .filter(|name| {
            !["purpose", "requirements"].iter().any(|known| name.eq_ignore_ascii_case(known))
        })
        .map(|name| format!("`{name}`"))
        .collect();
    (!others.is_empty())
        .then(|| format!("the retired spec also has {}, which goes with it", others.join(", ")))
}
