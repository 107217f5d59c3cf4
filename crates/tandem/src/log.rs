//! The log: on standard error, text for people and JSON for programs.

use std::{
    io::{self, IsTerminal},
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
    let colors = colors(global, on_terminal);
    let line = match log.format {
        LogFormat::Auto if on_terminal => Line::Text { colors },
        LogFormat::Text => Line::Text { colors },
        LogFormat::Auto | LogFormat::Json => Line::Json,
    };
    let lines = Lines::to(io::stderr()).context("cannot start the log")?;
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

fn filter(global: &Global, log: &Log) -> anyhow::Result<EnvFilter> {
    let asked = match (global.quiet, global.verbose) {
        (true, _) => Some("warn,rmcp=error".to_owned()),
        (false, 0) => std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty()),
        (false, 1) => Some("debug,rmcp=error,hyper=info,h2=info".to_owned()),
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
