//! Rules about `tasks.md`: C06 to C08, and C21 about numbers.

use std::collections::HashMap;

use super::issue::Sheet;
use crate::model::{Task, Tasks};

const LONGEST_QUOTE: usize = 30;

pub(super) fn check(sheet: &mut Sheet<'_>, tasks: &Tasks) {
    if tasks.items.is_empty() {
        sheet
            .error("C06", "tasks.md must have at least one checkbox item")
            .at(1, 1)
            .fix("add `- [ ] 1.1 <what to do>`");
    }
    let (completed, total) = (tasks.completed, tasks.total);
    sheet.info("C08", format!("Tasks: {completed}/{total} completed ({}%)", tasks.percent()));
    if !tasks.groups.is_empty() {
        sheet.info("C08", "Tasks are organized with group headers");
    }
    let mut seen: HashMap<&str, u32> = HashMap::new();
    for task in &tasks.items {
        match &task.number {
            None => unnumbered(sheet, task),
            Some(number) => {
                let first = *seen.entry(number).or_insert(task.line);
                if first != task.line {
                    sheet
                        .warn(
                            "C21",
                            format!(
                                "Task number {number} is a duplicate: lines {first} and {}",
                                task.line
                            ),
                        )
                        .at(task.line, task.column)
                        .fix("give each task its own number");
                }
                misplaced(sheet, task, number);
            }
        }
    }
}

fn unnumbered(sheet: &mut Sheet<'_>, task: &Task) {
    let quote = match task.text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}...", &task.text[..end]),
        None => task.text.clone(),
    };
    sheet
        .warn("C07", format!("Task \"{quote}\" does not use numbered prefix (e.g., 1.1)"))
        .at(task.line, task.column)
        .fix("write its number after the checkbox: `- [ ] 1.1 <what to do>`");
}

/// `2.1` under `## 1. Storage`
fn misplaced(sheet: &mut Sheet<'_>, task: &Task, number: &str) {
    let Some(group) = &task.group else { return };
    let (of_task, of_group) = (first_part(number), first_part(group));
    if of_task != of_group {
        sheet
            .warn("C21", format!("Task number {number} is under the heading \"{group}\""))
            .at(task.line, task.column)
            .fix(format!("number it {of_group}.…, or move it below `## {of_task}.`"));
    }
}

fn first_part(number: &str) -> &str {
    number.split_once('.').map_or(number, |(first, _)| first).trim_start_matches('0')
}
