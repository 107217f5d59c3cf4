//! What follows from a command.

use crate::{Command, Event, Log, Rejection};

/// Decides what follows from `command`. Reads the state, changes nothing.
pub fn decide(_log: &Log, command: Command) -> Result<Vec<Event>, Rejection> {
    match command {
        Command::Add { text } => add(&text),
    }
}

fn add(text: &str) -> Result<Vec<Event>, Rejection> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Rejection::EmptyText);
    }
    Ok(vec![Event::Added { text: text.to_owned() }])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(text: &str) -> Result<Log, Rejection> {
        let mut log = Log::default();
        for event in decide(&log, Command::Add { text: text.into() })? {
            log.apply(&event);
        }
        Ok(log)
    }

    #[test]
    fn what_was_added_is_in_the_log() {
        assert_eq!(ask(" high water ").unwrap().entries, ["high water"]);
    }

    #[test]
    fn nothing_is_refused() {
        assert_eq!(ask("  "), Err(Rejection::EmptyText));
    }
}
