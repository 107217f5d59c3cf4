//! Schedules: `# schedule <cron or alias> <materialize|report> <connection>` on a view or query.

/// When something is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// A cron expression or an alias, as written.
    pub schedule: String,
    /// `materialize` or `report`.
    pub action: String,
    pub connection: String,
}

const ALIASES: &[&str] = &[
    "@yearly",
    "@annually",
    "@anually",
    "@monthly",
    "@weekly",
    "@daily",
    "@midnight",
    "@hourly",
    "@minutely",
];

/// Reads an annotation: nothing if it is about something else, an error in words if it is a bad schedule.
pub fn parse(annotation: &str) -> Option<Result<Schedule, String>> {
    let rest = annotation.trim_start().strip_prefix('#')?.trim();
    let rest = rest.strip_prefix("schedule")?;
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return None;
    }
    Some(read(rest.trim()))
}

fn read(text: &str) -> Result<Schedule, String> {
    const FORM: &str = "`# schedule <cron or alias> <materialize|report> <connection>`";
    let mut words = words(text)?;
    // A cron string that is not quoted takes all but the last two words.
    let (Some(connection), Some(action)) = (words.pop(), words.pop()) else {
        return Err(format!("a schedule is written {FORM}"));
    };
    if !matches!(&*action, "materialize" | "report") {
        return Err(format!(
            "the action of a schedule is `materialize` or `report`, not `{action}`"
        ));
    }
    let schedule = words.join(" ");
    let fields = schedule.split_whitespace().count();
    let known = ALIASES.contains(&schedule.as_str());
    if !known && schedule.starts_with('@') {
        return Err(format!("no alias `{schedule}`: there are {}", ALIASES.join(", ")));
    }
    if !known && !(5..=6).contains(&fields) {
        return Err(format!(
            "`{schedule}` is no cron expression: it has {fields} fields, not 5 or 6"
        ));
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || "*/,-?#LW ".contains(c);
    if !known && !schedule.chars().all(fits) {
        return Err(format!("`{schedule}` is no cron expression"));
    }
    Ok(Schedule { schedule, action, connection })
}

/// Words separated by blanks; quotes hold words together.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (word, after) = if matches!(first, '"' | '\'') {
            let inside = &rest[1..];
            let end = inside.find(first).ok_or("a quote in a schedule is not closed")?;
            (&inside[..end], &inside[end + 1..])
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            rest.split_at(end)
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> (String, String, String) {
        let Schedule { schedule, action, connection } = parse(text).unwrap().unwrap();
        (schedule, action, connection)
    }

    #[test]
    fn aliases_and_cron_strings_quoted_or_not() {
        let wanted = |when: &str| (when.to_owned(), "materialize".to_owned(), "duckdb".to_owned());
        for alias in ALIASES {
            assert_eq!(found(&format!("# schedule {alias} materialize duckdb\n")), wanted(alias));
        }
        assert_eq!(found("# schedule \"0 4 * * 1\" materialize duckdb"), wanted("0 4 * * 1"));
        assert_eq!(found("# schedule 0 4 * * 1 materialize duckdb"), wanted("0 4 * * 1"));
    }

    #[test]
    fn other_annotations_are_none_and_bad_ones_say_why() {
        assert_eq!(parse("# bar_chart"), None);
        assert_eq!(parse("# scheduled x"), None);
        assert_eq!(parse("#(schedule) x"), None);
        for (text, wanted) in [
            ("# schedule", "is written"),
            ("# schedule @daily", "is written"),
            ("# schedule @dayly report pg", "no alias `@dayly`"),
            ("# schedule 4 report pg", "it has 1 fields"),
            ("# schedule @daily delete pg", "not `delete`"),
            ("# schedule \"0 4 report pg", "not closed"),
        ] {
            let error = parse(text).unwrap().unwrap_err();
            assert!(error.contains(wanted), "{text}: {error}");
        }
    }
}
