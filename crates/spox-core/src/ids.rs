//! Ids: they become paths, so they are checked before anybody reads a file.
//!
//! A spec's id is its folder below the spec folder (`auth`, `platform/auth`), a change's id is the name of its folder. Every
//! surface checks an id first and answers a bad one as it answers an unknown one. Start at [`check_spec_id`].

/// Why an id names nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadId {
    #[error("it is empty")]
    Empty,
    #[error("it is a path from the root of the disk")]
    Absolute,
    #[error("it has an empty part, `.` or `..`")]
    Segment,
    #[error("it holds a NUL, a line break or a backslash")]
    Character,
    #[error("folders that begin with `_` or `.` are not specs")]
    Reserved,
    #[error("the id of a change has no `/`")]
    Nested,
}

/// Whether `id` may be looked for below the spec folder.
pub fn check_spec_id(id: &str) -> Result<(), BadId> {
    check_path(id)?;
    if id.split('/').any(|segment| segment.starts_with(['_', '.'])) {
        return Err(BadId::Reserved);
    }
    Ok(())
}

/// Whether `id` may be looked for below the changes folder.
pub fn check_change_id(id: &str) -> Result<(), BadId> {
    check_path(id)?;
    if id.contains('/') {
        return Err(BadId::Nested);
    }
    if id.starts_with('.') || matches!(id, "archive" | "_archive") {
        return Err(BadId::Reserved);
    }
    Ok(())
}

/// Whether `id` is what a new change may be called: `add-two-factor-auth`.
pub fn is_kebab_case(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

fn check_path(id: &str) -> Result<(), BadId> {
    let bytes = id.as_bytes();
    if id.is_empty() {
        return Err(BadId::Empty);
    }
    // `C:` is a drive where there are drives.
    if bytes[0] == b'/' || (bytes[0].is_ascii_alphabetic() && bytes.get(1) == Some(&b':')) {
        return Err(BadId::Absolute);
    }
    if id.chars().any(|c| c == '\\' || c.is_control()) {
        return Err(BadId::Character);
    }
    if id.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
        return Err(BadId::Segment);
    }
    Ok(())
}
