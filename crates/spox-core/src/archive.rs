//! Archiving a change: it is applied, and its folder moves to where finished changes lie.
//!
//! [`archive`] is the plan; the caller writes the files and moves the folder, or does neither.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;

use crate::{Allow, Applied, ChangeFiles, Refusal, Refused, apply, check_change_id};

/// What archiving a change comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Archive {
    /// The name of the folder in the archive: `2026-11-17-add-login`.
    pub folder: String,
    pub applied: Applied,
}

/// Applies `change` and says where it goes. `today` is written `YYYY-MM-DD`; `is_taken` knows the folders that the archive has.
pub fn archive(
    change: &ChangeFiles,
    main: &BTreeMap<String, Arc<str>>,
    allow: Allow,
    today: &str,
    is_taken: impl FnOnce(&str) -> bool,
) -> Result<Archive, Refused> {
    let folder = archive_folder(&change.id, today, is_taken);
    match (folder, apply(change, main, allow)) {
        (Ok(folder), Ok(applied)) => Ok(Archive { folder, applied }),
        (Err(reason), Ok(_)) => Err(reason.into()),
        (Ok(_), Err(refused)) => Err(refused),
        (Err(reason), Err(mut refused)) => {
            refused.reasons.insert(0, reason);
            Err(refused)
        }
    }
}

/// The folder of a change in the archive: the day and the id. An id that begins with a day keeps that one.
pub fn archive_folder(
    change: &str,
    today: &str,
    is_taken: impl FnOnce(&str) -> bool,
) -> Result<String, Refusal> {
    let change = change.to_owned();
    if check_change_id(&change).is_err() {
        return Err(Refusal::BadId { change });
    }
    let folder = if has_day(&change) { change.clone() } else { format!("{today}-{change}") };
    if is_taken(&folder) { Err(Refusal::Archived { change, folder }) } else { Ok(folder) }
}

/// `YYYY-MM-DD-` and something after it.
fn has_day(id: &str) -> bool {
    let Some((day, rest)) = id.split_at_checked(10) else { return false };
    rest.len() > 1 && rest.starts_with('-') && is_day(day)
}

/// A day of the calendar as `YYYY-MM-DD`.
fn is_day(text: &str) -> bool {
    let number = |part: &str, digits: usize| {
        let plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u32>().ok().filter(|_| plain)
    };
    let mut parts = text.splitn(3, '-');
    let mut next = |digits| parts.next().and_then(|part| number(part, digits));
    let (Some(year), Some(month), Some(day)) = (next(4), next(2), next(2)) else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}
