//! `ui …`: what a server at work knows, from a terminal.
//!
//! The commands find the server by the folder that it serves, or by its address, and ask its routes as any program may.
//! Start at [`run`].

mod reach;

use std::{fmt, path::PathBuf};

use anyhow::Context as _;
use clap::{ArgMatches, Args, FromArgMatches, Subcommand};
use http::Method;
use kit_cli::{Outcome, Ui, client::Ask};
use serde::Serialize;
use serde_json::{Value, json};

use self::reach::Reach;
use crate::tools;

/// What is typed after `ui`, beside `serve` and `mcp`.
#[derive(Debug, Subcommand)]
pub enum Command {
    Run(RunArgs),
    Status(StatusArgs),
    State(OfSession),
    Variables(VariablesArgs),
    Look(LookArgs),
    Wait(WaitArgs),
    Upload(UploadArgs),
}

/// Which server is meant.
#[derive(Debug, Clone, Args)]
pub struct Which {
    /// The server's address (default: of the one that serves this folder, or that of `--dir`)
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// The token that the server wants, if it does
    #[arg(long, env = "TANDEM_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

/// Run Lua in a session and print what it returns
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The program; `-` reads it from standard input
    code: String,
    /// The session
    #[arg(long, default_value = "1")]
    session: String,
    #[command(flatten)]
    which: Which,
}

/// Tell what the server does
#[derive(Debug, Args)]
pub struct StatusArgs {
    #[command(flatten)]
    which: Which,
}

/// Print the state of a session
#[derive(Debug, Args)]
pub struct OfSession {
    /// The session
    #[arg(default_value = "1")]
    session: String,
    #[command(flatten)]
    which: Which,
}

/// Print what is bound on the pages of a session, and what failed
#[derive(Debug, Args)]
pub struct VariablesArgs {
    #[command(flatten)]
    of: OfSession,
}

/// Tell in text what a person sees
#[derive(Debug, Args)]
pub struct LookArgs {
    #[command(flatten)]
    of: OfSession,
}

/// Wait for what happens in a session, and print it
#[derive(Debug, Args)]
pub struct WaitArgs {
    #[command(flatten)]
    of: OfSession,
    /// Seconds, 1 to 120
    #[arg(long, default_value_t = 30)]
    timeout: u64,
}

/// Add or replace a view definition
#[derive(Debug, Args)]
pub struct UploadArgs {
    /// Its file, named `TYPE.NAMESPACE.html`
    file: PathBuf,
    #[command(flatten)]
    which: Which,
}

/// Does what was asked.
pub fn run(ui: &mut Ui, matches: &ArgMatches) -> anyhow::Result<Outcome> {
    let dir = matches.get_one::<String>("dir").map(PathBuf::from);
    let command = Command::from_arg_matches(matches)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(carry_out(ui, dir, command))
}

async fn carry_out(ui: &mut Ui, dir: Option<PathBuf>, command: Command) -> anyhow::Result<Outcome> {
    let reach =
        |which: &Which| Reach::find(which.url.as_deref(), dir.as_deref(), which.token.as_deref());
    match command {
        Command::Run(args) => {
            let code = match args.code.as_str() {
                "-" => {
                    std::io::read_to_string(std::io::stdin()).context("cannot read the program")?
                }
                code => code.to_owned(),
            };
            let given = json!({"code": code, "sessionId": args.session});
            shown(ui, reach(&args.which)?.tool("ui_run", &given).await?)
        }
        Command::Status(args) => {
            shown(ui, reach(&args.which)?.tool("ui_status", &json!({})).await?)
        }
        Command::State(args) => {
            let given = json!({"sessionId": args.session});
            shown(ui, reach(&args.which)?.tool(tools::STATE, &given).await?)
        }
        Command::Variables(VariablesArgs { of }) => {
            let path = format!("/{}/variables.json", of.session);
            let ask = Ask { method: Method::GET, path: &path, headers: &[], body: None };
            shown(ui, reach(&of.which)?.ask(ask).await?)
        }
        Command::Look(LookArgs { of }) => {
            let given = json!({"sessionId": of.session});
            shown(ui, reach(&of.which)?.tool("ui_look", &given).await?)
        }
        Command::Wait(WaitArgs { of, timeout }) => {
            let given = json!({"sessionId": of.session, "timeout": timeout});
            let events = reach(&of.which)?.tool("ui_wait", &given).await?;
            let none = events.as_array().is_none_or(Vec::is_empty);
            shown(ui, events)?;
            Ok(if none { Outcome::Negative } else { Outcome::Success })
        }
        Command::Upload(args) => {
            let name = args.file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let key = ui_core::Key::from_file_name(name)?;
            let content = std::fs::read_to_string(&args.file)
                .with_context(|| format!("cannot read `{}`", args.file.display()))?;
            let (kind, namespace) = (key.type_name(), key.namespace());
            let given = json!({"type": kind, "namespace": namespace, "content": content});
            let answer = reach(&args.which)?.answer("ui_upload_viewdef", &given).await?;
            for note in answer["notes"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                ui.warn(note);
            }
            shown(ui, answer["result"].clone())
        }
    }
}

fn shown(ui: &mut Ui, value: Value) -> anyhow::Result<Outcome> {
    ui.result(&Shown(value))?;
    Ok(Outcome::Success)
}

/// Text as it is, anything else as JSON.
#[derive(Serialize)]
#[serde(transparent)]
struct Shown(Value);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Value::String(text) => f.write_str(text),
            value => write!(f, "{value:#}"),
        }
    }
}
