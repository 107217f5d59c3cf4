//! What follows from a command.

use crate::{Command, Event, Log, Rejection};

/// Decides what follows from `command` on a log that may hold `most` entries. Reads the state, changes nothing.
pub fn decide(log: &Log, most: usize, command: Command) -> Result<Vec<Event>, Rejection> {
    match command {
        Command::Add { text } => add(log, most, &text),
    }
}

fn add(log: &Log, most: usize, text: &str) -> Result<Vec<Event>, Rejection> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Rejection::EmptyText);
    }
    if log.entries.len() >= most {
        return Err(Rejection::Full { most });
    }
    Ok(vec![Event::Added { text: text.to_owned() }])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds each text in turn to a log of at most two.
    fn added(texts: &[&str]) -> Result<Vec<String>, Rejection> {
        let mut log = Log::default();
        for text in texts {
            for event in decide(&log, 2, Command::Add { text: (*text).into() })? {
                log.apply(&event);
            }
        }
        Ok(log.entries)
    }

    #[test]
    fn what_was_added_is_in_the_log_in_order() {
        assert_eq!(added(&[" high ", "low"]).unwrap(), ["high", "low"]);
    }

    #[test]
    fn nothing_is_refused() {
        assert_eq!(added(&["  "]), Err(Rejection::EmptyText));
    }

    #[test]
    fn a_full_log_takes_no_more() {
        assert_eq!(added(&["a", "b", "c"]), Err(Rejection::Full { most: 2 }));
    }
}
