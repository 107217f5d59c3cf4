//! The log: on standard error, text for people and JSON for programs.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, IsTerminal, Write},
    path::Path,
    sync::OnceLock,
};

use anyhow::Context;
use kit_cli::{
    ColorWhen, Global,
    log::{Line, Lines},
};
use tracing_subscriber::{EnvFilter, fmt};

use crate::config::{Log, LogFormat};

static LINES: OnceLock<Lines> = OnceLock::new();

/// Starts the log. Flags win over `RUST_LOG`, which wins over the configuration.
pub(crate) fn start(global: &Global, log: &Log) -> anyhow::Result<()> {
    let on_terminal = io::stderr().is_terminal();
    // One line goes to both places, and a file keeps no colours.
    let colors = log.file.is_none() && colors(global, on_terminal);
    let line = match log.format {
        LogFormat::Auto if on_terminal => Line::Text { colors },
        LogFormat::Text => Line::Text { colors },
        LogFormat::Auto | LogFormat::Json => Line::Json,
    };
    let file = log.file.as_deref().map(open).transpose()?;
    let lines = Lines::to(Tee { file }).context("cannot start the log")?;
    let started = fmt()
        .with_env_filter(filter(global, log)?)
        .with_ansi(false)
        .event_format(line)
        .with_writer(LINES.get_or_init(|| lines.clone()).clone())
        .try_init();
    started.map_err(|error| anyhow::anyhow!(error)).context("cannot start the log")
}

/// Waits until everything logged so far is written; called before the process ends.
pub(crate) fn flush() {
    if let Some(lines) = LINES.get() {
        lines.flush();
    }
}

fn open(path: &Path) -> anyhow::Result<File> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    let file = made.and_then(|()| OpenOptions::new().create(true).append(true).open(path));
    file.with_context(|| format!("cannot log to `{}`", path.display()))
}

/// Standard error, and a file if there is one.
struct Tee {
    file: Option<File>,
}

impl Write for Tee {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A full disk must not silence the other place.
        let kept = self.file.as_mut().map_or(Ok(()), |file| file.write_all(bytes));
        io::stderr().write_all(bytes)?;
        kept.map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)?;
        io::stderr().flush()
    }
}

fn filter(global: &Global, log: &Log) -> anyhow::Result<EnvFilter> {
    let asked = match (global.quiet, global.verbose) {
        (true, _) => Some("warn,rmcp=off".to_owned()),
        (false, 0) => std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty()),
        (false, 1) => Some("debug,rmcp=off,hyper=info,h2=info".to_owned()),
        (false, _) => Some("trace".to_owned()),
    };
    let text = asked.as_ref().unwrap_or(&log.filter);
    EnvFilter::try_new(text).with_context(|| format!("`{text}` is not a log filter"))
}

fn colors(global: &Global, on_terminal: bool) -> bool {
    match global.color {
        Some(ColorWhen::Always) => true,
        Some(ColorWhen::Never) => false,
        Some(ColorWhen::Auto) | None => {
            on_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}
