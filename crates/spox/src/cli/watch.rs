//! Drawing again when files change.

use std::{thread, time::Duration};

use kit_cli::{Answer, Outcome, Ui};
use serde_json::Value;

use super::Desk;

/// How often to look. A look is cheap: files that seem the same are not read.
const PAUSE: Duration = Duration::from_millis(250);

/// Everything that was on the screen goes.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// What a command would print.
pub(super) struct Drawn {
    pub(super) json: Value,
    pub(super) text: String,
    pub(super) outcome: Outcome,
}

/// Prints what `draw` gives; with `watch`, again and again until somebody ends it.
pub(super) fn draw(
    ui: &mut Ui,
    desk: &Desk,
    watch: bool,
    draw: impl Fn() -> anyhow::Result<Drawn>,
) -> anyhow::Result<Outcome> {
    if watch {
        return keep_drawing(ui, desk, draw);
    }
    let Drawn { json, text, outcome } = draw()?;
    // Nothing to say is not an empty line.
    if ui.global().json || !text.is_empty() {
        ui.result(&Answer { json, text })?;
    }
    Ok(outcome)
}

fn keep_drawing(
    ui: &mut Ui,
    desk: &Desk,
    draw: impl Fn() -> anyhow::Result<Drawn>,
) -> anyhow::Result<Outcome> {
    // Before the drawing, so that what changes meanwhile is drawn, too.
    let mut seen = revision(desk);
    show(ui, desk, &draw()?, true)?;
    loop {
        thread::sleep(PAUSE);
        let now = revision(desk);
        if now == seen {
            continue;
        }
        seen = now;
        match draw() {
            Ok(drawn) => show(ui, desk, &drawn, false)?,
            // A file half written is whole again a moment later.
            Err(error) => drop(ui.negative(error)?),
        }
    }
}

fn revision(desk: &Desk) -> Option<u64> {
    desk.service().snapshot().ok().map(|snapshot| snapshot.revision)
}

/// A screen of its own on a terminal, a line of JSON with `--json`, else one after the other with a blank line between.
fn show(ui: &mut Ui, desk: &Desk, drawn: &Drawn, first: bool) -> anyhow::Result<()> {
    if ui.global().json {
        return ui.event(&drawn.json);
    }
    let before = match desk.canvas().columns {
        Some(_) => CLEAR,
        None if first => "",
        None => "\n",
    };
    ui.print(&format!("{before}{}", drawn.text))
}
