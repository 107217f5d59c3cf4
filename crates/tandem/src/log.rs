//! The log: on standard error, text for people and JSON for programs.

use std::io::{self, IsTerminal};

use anyhow::Context;
use kit_cli::{ColorWhen, Global};
use tracing_subscriber::{EnvFilter, fmt};

use crate::config::{Log, LogFormat};

/// Starts the log. Flags win over `RUST_LOG`, which wins over the configuration.
pub(crate) fn start(global: &Global, log: &Log) -> anyhow::Result<()> {
    let on_terminal = io::stderr().is_terminal();
    let text = match log.format {
        LogFormat::Auto => on_terminal,
        LogFormat::Text => true,
        LogFormat::Json => false,
    };
    let subscriber = fmt().with_env_filter(filter(global, log)?).with_writer(io::stderr);
    let started = if text {
        subscriber.with_ansi(colors(global, on_terminal)).try_init()
    } else {
        subscriber.json().flatten_event(true).try_init()
    };
    started.map_err(|error| anyhow::anyhow!(error)).context("cannot start the log")
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
