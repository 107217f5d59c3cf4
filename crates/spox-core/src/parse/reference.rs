//! References from one spec to another: links to a `spec.md` and `spec:<capability>#<requirement>`.

use memchr::{memchr2, memmem};

use crate::{lines::Line, model::Remark};

/// Adds the references of a line.
pub(super) fn collect(line: &Line<'_>, found: &mut Vec<Remark>) {
    let text = line.text.as_ref();
    let Some(first) = next(text, 0) else { return };
    let mut column = Column { text, at: 0, value: line.column() };
    let mut reference = Some(first);
    while let Some((start, target)) = reference {
        let column = column.of(start);
        found.push(Remark { line: line.number, column, text: target.to_owned() });
        reference = next(text, start + target.len());
    }
}

/// The next reference from `at` on: where it begins and what it says, `spec:` included.
fn next(text: &str, mut at: usize) -> Option<(usize, &str)> {
    let bytes = text.as_bytes();
    loop {
        let found = at + memchr2(b':', b']', &bytes[at..])?;
        at = found + 1;
        if bytes[found] == b']' && bytes.get(at) == Some(&b'(') {
            let start = at + 1;
            let target = &text[start..];
            // A bracket ends it too, so that `](](](` is not searched for its end again and again.
            let end = target.find([')', ' ', ']']).unwrap_or(target.len());
            let target = &target[..end];
            if is_link_to_spec(target) {
                return Some((start, target));
            }
        } else if bytes[found] == b':' && bytes[..found].ends_with(b"spec") {
            let start = found - "spec".len();
            let is_word = text[..start].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
            let target = id_and_anchor(&text[at..]);
            if is_word && !target.is_empty() {
                return Some((start, &text[start..at + target.len()]));
            }
        }
    }
}

fn is_link_to_spec(target: &str) -> bool {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    if path.is_empty() {
        return anchor.starts_with("requirement-") || anchor.starts_with("scenario-");
    }
    let is_spec = path == "spec.md" || path.ends_with("/spec.md");
    is_spec && memmem::find(path.as_bytes(), b"://").is_none()
}

/// The part of `text` that can be `<capability>#<requirement>`, without a full stop at its end.
fn id_and_anchor(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '/' | '.' | '#'))
        .unwrap_or(text.len());
    text[..end].trim_end_matches(['.', '/', '#']).trim_start_matches('/')
}

/// Counts characters once, however many columns of the line are asked for, in rising order.
struct Column<'a> {
    text: &'a str,
    at: usize,
    /// That of `at`.
    value: u32,
}

impl Column<'_> {
    fn of(&mut self, position: usize) -> u32 {
        let more = self.text[self.at..position].chars().count();
        self.at = position;
        self.value = self.value.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
        self.value
    }
}
