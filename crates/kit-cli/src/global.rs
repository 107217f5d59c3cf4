//! The options that every command has.

use clap::{ArgAction, Args, ValueEnum};

/// How to talk to whoever runs the command.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Print the result as JSON
    #[arg(long, global = true)]
    pub json: bool,

    /// Say only what is wrong
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Say more; twice for everything
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub verbose: u8,

    /// When to use colours; `auto` is on a terminal, unless `NO_COLOR` is set
    #[arg(long, global = true, value_name = "WHEN")]
    pub color: Option<ColorWhen>,

    /// The same as `--color never`
    #[arg(long, global = true, hide = true, conflicts_with = "color")]
    pub no_color: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    Auto,
    Always,
    Never,
}
