//! A server for agents, on standard input and output.

use std::{
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{ChildStdin, ChildStdout, Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, bail};
use bench_kit::{
    Launch, Process, median,
    table::{self, as_float},
};
use serde_json::{Value, json};

use crate::Args;

/// A running server and the way to talk to it.
struct Agent {
    process: Process,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    calls: u64,
    /// From starting the process to the answer to `initialize`.
    start: f64,
}

impl Agent {
    fn start(args: &Args, project: &Path) -> anyhow::Result<Self> {
        let begun = Instant::now();
        let words = [args.tandem.as_os_str(), "spox".as_ref(), "mcp".as_ref(), "--quiet".as_ref()];
        let mut process = Launch::new(words).within(project).start()?;
        let (to, from) = process.pipes()?;
        let mut agent = Self { process, to, from, calls: 0, start: 0.0 };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "spox-bench", "version": "1"},
        });
        let (answered, _) = agent.ask("initialize", &hello)?;
        agent.start = answered.duration_since(begun).as_secs_f64();
        agent.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(agent)
    }

    /// Calls a tool; how long that took, and what it answered.
    fn call(&mut self, tool: &str, arguments: &Value) -> anyhow::Result<(f64, Value)> {
        let start = Instant::now();
        let params = json!({"name": tool, "arguments": arguments});
        let (answered, answer) = self.ask("tools/call", &params)?;
        let seconds = answered.duration_since(start).as_secs_f64();
        if answer["isError"] == true {
            bail!("`{tool}` failed: {}", answer["content"][0]["text"]);
        }
        Ok((seconds, answer["structuredContent"].clone()))
    }

    /// When the answer was there to its end, and the answer. What the client does with it is not the server's time: a list
    /// of a thousand specs takes longer to be read than to be given.
    fn ask(&mut self, method: &str, params: &Value) -> anyhow::Result<(Instant, Value)> {
        self.calls += 1;
        let id = self.calls;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line)? == 0 {
                bail!("the server ended");
            }
            let read = Instant::now();
            let mut answer: Value = serde_json::from_str(&line)?;
            if answer["id"] == id {
                return Ok((read, answer["result"].take()));
            }
        }
    }

    fn say(&mut self, message: &Value) -> anyhow::Result<()> {
        self.to.write_all(format!("{message}\n").as_bytes())?;
        Ok(self.to.flush()?)
    }
}

/// Start, first and second answers, memory, on the large tree.
pub(crate) fn measure(args: &Args, tree: &Path) -> anyhow::Result<String> {
    let mut text = "\n### A server for agents on the same tree\n\n".to_owned();
    table::line(&mut text, "what", &["time"]);
    table::line(&mut text, "---", &["---:"]);
    let starts: anyhow::Result<Vec<_>> =
        (0..args.rounds).map(|_| Ok(Agent::start(args, tree)?.start)).collect();
    table::line(
        &mut text,
        "process start to the answer to `initialize`",
        &[table::time(median(starts?))],
    );
    let mut agent = Agent::start(args, tree)?;
    for (tool, arguments) in [("list_specs", json!({})), ("validate_spec", json!({}))] {
        let (first, answer) = agent.call(tool, &arguments)?;
        let specs = answer["specs"].as_array().map_or(args.specs, Vec::len);
        if specs != args.specs || answer["valid"] == false {
            bail!("`{tool}` did not see {} valid specs", args.specs);
        }
        table::line(&mut text, &format!("`{tool}`, first call"), &[table::time(first)]);
        let again: anyhow::Result<Vec<_>> =
            (0..args.rounds * 3).map(|_| Ok(agent.call(tool, &arguments)?.0)).collect();
        table::line(
            &mut text,
            &format!("`{tool}`, second and later calls"),
            &[table::time(median(again?))],
        );
    }
    let memory = table::size(as_float(agent.process.memory()?));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\nMemory of that server after these calls: {memory}.");
    Ok(text)
}

/// Indexing from nothing and searching, on a project of real specs.
pub(crate) fn search(args: &Args) -> anyhow::Result<String> {
    let dir = tempfile::Builder::new().prefix("tandem-spox-").tempdir()?;
    copy(&args.project.join(".spox"), &dir.path().join(".spox"))?;
    copy(&args.project.join("specs"), &dir.path().join("specs"))?;
    let index = dir.path().join(".spox/search_index.bin");
    drop(fs::remove_file(&index));

    let start = Instant::now();
    let built = Command::new(&args.tandem)
        .args(["spox", "index", "--json"])
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    if !built.status.success() {
        bail!("`spox index`: {}", String::from_utf8_lossy(&built.stderr));
    }
    let mut agent = Agent::start(args, dir.path())?;
    let question = json!({"query": "what happens when two people change the same thing at once"});
    let (first, answer) = agent.call("search_specs", &question)?;
    if answer["results"].as_array().is_none_or(Vec::is_empty) {
        bail!("the search found nothing");
    }
    let later: anyhow::Result<Vec<_>> =
        (0..args.rounds * 5).map(|_| Ok(agent.call("search_specs", &question)?.0)).collect();
    let texts = serde_json::from_slice::<Value>(&built.stdout)
        .ok()
        .and_then(|built| built["texts"].as_u64());
    let texts = as_float(texts.context("`spox index --json` does not tell how many texts")?);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);

    let mut text = "\n### Search in this repository's own specs\n\n".to_owned();
    table::line(&mut text, "what", &["figure"]);
    table::line(&mut text, "---", &["---:"]);
    let rate = format!(
        "{:.0} texts in {}, {:.0} a second on {cores} cores",
        texts,
        table::time(seconds),
        texts / seconds
    );
    table::line(&mut text, "index from nothing", &[rate]);
    table::line(&mut text, "first question, the model not yet loaded", &[table::time(first)]);
    table::line(&mut text, "later questions", &[table::time(median(later?))]);
    let memory = table::size(as_float(agent.process.memory()?));
    table::line(&mut text, "memory of the server then", &[memory]);
    Ok(text)
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
