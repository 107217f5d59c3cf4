//! Universes as a whole: `tandem universe create|export|import|fork|delete`

use std::{
    io::{IsTerminal, Read, Write},
    path::PathBuf,
};

use anyhow::{Context, bail};
use http::Method;
use kit_cli::{Answer, Client, Hint, Outcome, Ui, client::Ask};
use serde_json::{Value, json};

use super::{find, show::record_path};

/// Make an empty universe
#[derive(Debug, clap::Args)]
pub struct CreateArgs {
    /// Its name
    name: String,
}

/// Write a universe as JSON
#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    /// Its id, the beginning of its id, or its name
    universe: String,

    /// As it was after this change
    #[arg(long, value_name = "NUMBER")]
    revision: Option<u64>,

    /// Write to this file (default: standard output)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Make a universe from JSON, as `export` writes it
#[derive(Debug, clap::Args)]
pub struct ImportArgs {
    /// The file; `-` is standard input
    file: PathBuf,

    /// Its name (default: the one in the file)
    #[arg(long)]
    name: Option<String>,
}

/// Make a universe that goes its own way from here, or from an earlier change
#[derive(Debug, clap::Args)]
pub struct ForkArgs {
    /// Its id, the beginning of its id, or its name
    universe: String,

    /// From how it was after this change (default: how it is)
    #[arg(long, value_name = "NUMBER")]
    revision: Option<u64>,

    /// Name of the new one
    #[arg(long)]
    name: Option<String>,
}

/// Delete a universe for good
#[derive(Debug, clap::Args)]
pub struct DeleteArgs {
    /// Its id, the beginning of its id, or its name
    universe: String,

    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

pub(super) async fn create(
    ui: &mut Ui,
    client: &Client,
    args: &CreateArgs,
) -> anyhow::Result<Outcome> {
    let body = json!({"name": args.name, "state": {}});
    made(ui, client.ask(Ask::post("/universes?state=none", &body)).await?)
}

pub(super) async fn export(
    ui: &mut Ui,
    client: &Client,
    args: &ExportArgs,
) -> anyhow::Result<Outcome> {
    let id = find::id(client, &args.universe).await?;
    let text = client.text(Ask::get(&record_path(&id, args.revision))).await?;
    match &args.output {
        None => ui.print(&text)?,
        Some(file) => {
            std::fs::write(file, &text)
                .with_context(|| format!("cannot write `{}`", file.display()))?;
            ui.note(&format!("wrote {} bytes to `{}`", text.len(), file.display()));
        }
    }
    Ok(Outcome::Success)
}

pub(super) async fn import(
    ui: &mut Ui,
    client: &Client,
    args: &ImportArgs,
) -> anyhow::Result<Outcome> {
    let file = args.file.display();
    let text = read(&args.file).with_context(|| format!("cannot read `{file}`"))?;
    let mut record: Value =
        serde_json::from_str(&text).with_context(|| format!("`{file}` is not JSON"))?;
    // A state alone is fine, too: that is what agents read.
    let state = match record.get_mut("state").map(Value::take) {
        Some(state) => state,
        None => record.clone(),
    };
    let name = match (&args.name, record["name"].as_str()) {
        (Some(name), _) => name.clone(),
        (None, Some(name)) => name.to_owned(),
        (None, None) => {
            return Err(anyhow::anyhow!("`{file}` has no name in it"))
                .hint("give one with `--name`");
        }
    };
    let body = json!({"name": name, "state": state});
    made(ui, client.ask(Ask::post("/universes?state=none", &body)).await?)
}

fn read(file: &PathBuf) -> std::io::Result<String> {
    if file.as_os_str() != "-" {
        return std::fs::read_to_string(file);
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    Ok(text)
}

pub(super) async fn fork(ui: &mut Ui, client: &Client, args: &ForkArgs) -> anyhow::Result<Outcome> {
    let id = find::id(client, &args.universe).await?;
    let mut body = json!({});
    if let Some(revision) = args.revision {
        body["revision"] = revision.into();
    }
    if let Some(name) = &args.name {
        body["name"] = name.as_str().into();
    }
    let path = format!("/universes/{id}/fork?state=none");
    made(ui, client.ask(Ask::post(&path, &body)).await?)
}

fn made(ui: &mut Ui, json: Value) -> anyhow::Result<Outcome> {
    let word = |key: &str| json[key].as_str().unwrap_or_default();
    let text = format!("{}  {}", word("id"), word("name"));
    ui.result(&Answer { json, text })?;
    Ok(Outcome::Success)
}

pub(super) async fn delete(
    ui: &mut Ui,
    client: &Client,
    args: &DeleteArgs,
) -> anyhow::Result<Outcome> {
    let id = find::id(client, &args.universe).await?;
    if !args.yes && !confirmed(&args.universe)? {
        ui.note("nothing was deleted");
        return Ok(Outcome::Negative);
    }
    let path = format!("/universes/{id}");
    client.ask(Ask { method: Method::DELETE, path: &path, headers: &[], body: None }).await?;
    ui.result(&Answer { text: format!("deleted {id}"), json: json!({"deleted": id}) })?;
    Ok(Outcome::Success)
}

fn confirmed(universe: &str) -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        let error: anyhow::Result<bool> = Err(anyhow::anyhow!("nobody can be asked here"));
        return error.hint("say `--yes` to delete without asking");
    }
    let mut err = std::io::stderr();
    write!(err, "delete `{universe}` for good? [y/N] ").and_then(|()| err.flush())?;
    let mut answer = String::new();
    if std::io::stdin().read_line(&mut answer)? == 0 {
        bail!("no answer");
    }
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
