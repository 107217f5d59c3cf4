//! What a command says, and where.

use std::{
    fmt::Display,
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use anyhow::Context;
use serde::Serialize;

use crate::{ColorWhen, Global, Outcome, Progress, failure::Failure, outcome::COULD_NOT_RUN};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// The voice of a command: results to standard output, everything else to standard error.
pub struct Ui {
    global: Global,
    out: Box<dyn Write>,
    err: Box<dyn Write>,
    on_terminal: bool,
}

impl Ui {
    /// On this process's standard streams.
    pub fn new(global: &Global) -> Self {
        let choice = color_choice(global);
        Self {
            out: Box::new(AutoStream::new(io::stdout(), choice)),
            err: Box::new(AutoStream::new(io::stderr(), choice)),
            on_terminal: io::stderr().is_terminal(),
            global: global.clone(),
        }
    }

    /// On any pair of streams, without colours.
    pub fn on(
        global: &Global,
        out: impl Write + Send + 'static,
        err: impl Write + Send + 'static,
    ) -> Self {
        Self { global: global.clone(), out: Box::new(out), err: Box::new(err), on_terminal: false }
    }

    /// How the command was asked to talk.
    pub fn global(&self) -> &Global {
        &self.global
    }

    /// The result: JSON with `--json`, else as it displays itself.
    pub fn result(&mut self, result: &(impl Display + Serialize)) -> anyhow::Result<()> {
        if self.global.json {
            let text = serde_json::to_string_pretty(result).context("cannot write JSON")?;
            return self.print(&text);
        }
        self.print(&result.to_string())
    }

    /// One line of JSON now, for a command that goes on; nothing without `--json`.
    pub fn event(&mut self, event: &impl Serialize) -> anyhow::Result<()> {
        if !self.global.json {
            return Ok(());
        }
        let text = serde_json::to_string(event).context("cannot write JSON")?;
        self.print(&text)
    }

    /// Text as the result, whatever the format: scripts, completions.
    pub fn print(&mut self, text: &str) -> anyhow::Result<()> {
        let newline = if text.ends_with('\n') { "" } else { "\n" };
        let written = write!(self.out, "{text}{newline}").and_then(|()| self.out.flush());
        written.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => anyhow::Error::new(ClosedPipe),
            _ => anyhow::Error::new(error).context("cannot write the result"),
        })
    }

    /// Something worth knowing beside the result; not with `--quiet`.
    pub fn note(&mut self, text: &str) {
        if !self.global.quiet {
            self.say(&format!("{text}\n"));
        }
    }

    /// Something that may be wrong.
    pub fn warn(&mut self, text: &str) {
        self.say(&format!("{WARNING}warning{WARNING:#}: {text}\n"));
    }

    /// A bar for work of `total` steps; only where somebody looks.
    pub fn progress(&self, total: u64, what: &str) -> Progress {
        let plain = !self.global.json && !self.global.quiet && self.global.verbose == 0;
        Progress::new(self.on_terminal && plain, total, what)
    }

    /// The exit code for what came of a command; says what went wrong.
    pub fn exit(&mut self, result: anyhow::Result<Outcome>) -> ExitCode {
        match result {
            Ok(outcome) => outcome.into(),
            // Whoever read our output has seen enough; that is no failure.
            Err(error) if error.is::<ClosedPipe>() => ExitCode::SUCCESS,
            Err(error) => {
                self.failed(&Failure::of(&error));
                ExitCode::from(COULD_NOT_RUN)
            }
        }
    }

    /// Says what went wrong, for a command that exits with 1 whatever the reason: existing scripts rely on it.
    pub fn negative(&mut self, error: anyhow::Error) -> anyhow::Result<Outcome> {
        if error.is::<ClosedPipe>() {
            return Err(error);
        }
        self.failed(&Failure::of(&error));
        Ok(Outcome::Negative)
    }

    fn failed(&mut self, failure: &Failure) {
        if self.global.json {
            let text = serde_json::to_string(failure).unwrap_or_default();
            return self.say(&format!("{text}\n"));
        }
        let mut lines = vec![format!("{ERROR}error{ERROR:#}: {}", failure.error)];
        lines.extend(failure.causes.iter().map(|cause| format!("  because: {cause}")));
        if !failure.suggestions.is_empty() {
            let names = failure.suggestions.join("`, `");
            lines.push(format!("  {HINT}near{HINT:#}: `{names}`"));
        }
        if let Some(hint) = &failure.hint {
            lines.push(format!("  {HINT}hint{HINT:#}: {hint}"));
        }
        self.say(&format!("{}\n", lines.join("\n")));
    }

    /// Standard error is for people; if it is gone, there is nobody to tell.
    fn say(&mut self, text: &str) {
        drop(self.err.write_all(text.as_bytes()).and_then(|()| self.err.flush()));
    }
}

/// Whoever read standard output is gone.
#[derive(Debug)]
struct ClosedPipe;

impl Display for ClosedPipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("standard output is closed")
    }
}

impl std::error::Error for ClosedPipe {}

fn color_choice(global: &Global) -> anstream::ColorChoice {
    if global.no_color {
        return anstream::ColorChoice::Never;
    }
    match global.color {
        Some(ColorWhen::Always) => anstream::ColorChoice::Always,
        Some(ColorWhen::Never) => anstream::ColorChoice::Never,
        // Looks at `NO_COLOR` and at the terminal.
        Some(ColorWhen::Auto) | None => anstream::ColorChoice::Auto,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use insta::assert_snapshot;

    use super::*;
    use crate::Hint;

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Paper {
        fn text(&self) -> String {
            let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
            anstream::adapter::strip_str(&text).to_string()
        }
    }

    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[derive(Serialize)]
    struct Count(u32);

    impl Display for Count {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{} specs", self.0)
        }
    }

    fn json() -> Global {
        Global { json: true, ..Global::default() }
    }

    fn printed(global: &Global) -> String {
        let out = Paper::default();
        Ui::on(global, out.clone(), io::sink()).result(&Count(3)).unwrap();
        out.text()
    }

    fn failed(global: &Global) -> String {
        let err = Paper::default();
        let mut ui = Ui::on(global, io::sink(), err.clone());
        let cause = io::Error::other("address in use");
        let error = Err::<Outcome, _>(cause).context("cannot listen").hint("stop the other one");
        assert_eq!(ui.exit(error), ExitCode::from(2));
        err.text()
    }

    #[test]
    fn a_result_is_text_or_json() {
        assert_eq!(printed(&Global::default()), "3 specs\n");
        assert_eq!(printed(&json()), "3\n");
    }

    #[test]
    fn a_failure_says_what_why_and_what_to_do() {
        assert_snapshot!(failed(&Global::default()), @r"
        error: cannot listen
          because: address in use
          hint: stop the other one
        ");
    }

    #[test]
    fn a_failure_is_json_when_results_are() {
        assert_snapshot!(failed(&json()), @r#"{"error":"cannot listen","causes":["address in use"],"hint":"stop the other one"}"#);
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let mut ui = Ui::on(&Global::default(), Closed, io::sink());
        let result = ui.result(&Count(3)).map(|()| Outcome::Success);
        assert_eq!(ui.exit(result), ExitCode::SUCCESS);
    }

    #[test]
    fn a_negative_answer_exits_with_one() {
        let mut ui = Ui::on(&Global::default(), io::sink(), io::sink());
        assert_eq!(ui.exit(Ok(Outcome::Negative)), ExitCode::from(1));
    }

    #[test]
    fn a_failure_may_be_a_negative_answer_but_a_closed_pipe_is_not() {
        let err = Paper::default();
        let mut ui = Ui::on(&Global::default(), Closed, err.clone());
        let outcome = ui.negative(anyhow::anyhow!("no such spec")).unwrap();
        assert_eq!((outcome, &*err.text()), (Outcome::Negative, "error: no such spec\n"));
        let closed = ui.result(&Count(3)).unwrap_err();
        let result = ui.negative(closed);
        assert_eq!(ui.exit(result), ExitCode::SUCCESS);
    }

    #[test]
    fn notes_are_silent_when_asked_to_be_quiet() {
        let (quiet, err) = (Global { quiet: true, ..Global::default() }, Paper::default());
        let mut ui = Ui::on(&quiet, io::sink(), err.clone());
        ui.note("made 3 specs");
        ui.warn("one is empty");
        assert_eq!(err.text(), "warning: one is empty\n");
    }
}
