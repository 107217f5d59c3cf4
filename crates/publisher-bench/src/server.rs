//! A publisher as a process, spoken to on the port of its own.

use std::{
    ffi::OsString,
    net::SocketAddr,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use bench_kit::{
    Connection, FIRST_ID, HttpLoad, Launch, Limits, Loaded, MCP_INITIALIZE, Process, Request,
    Sample, mcp_headers, post,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// How the rows of every right answer begin: how many books the sample library has. Words of an error have no rows.
const MARK: &[u8] = br#"\"rows\":[{\"book_count\":"#;

/// A publisher that runs.
pub(crate) struct Server {
    process: Process,
    address: SocketAddr,
    _dir: TempDir,
}

/// How it began.
pub(crate) struct Begun {
    pub(crate) answered: Duration,
    pub(crate) usable: Duration,
    /// Bytes.
    pub(crate) idle: u64,
    pub(crate) loaded: u64,
}

impl Server {
    /// Starts one and asks it its first questions. `kept` is whether results are kept for the next who asks.
    pub(crate) fn start(
        tandem: &Path,
        samples: &Path,
        kept: bool,
    ) -> anyhow::Result<(Self, Begun)> {
        let dir = TempDir::new()?;
        let mut words: Vec<OsString> = vec![tandem.into()];
        words.extend(
            ["publisher", "serve", "--json", "--listen", "127.0.0.1:0"].map(OsString::from),
        );
        words.extend(
            ["--mcp_port", "0", "--set", "limits.requests_per_second=0"].map(OsString::from),
        );
        if !kept {
            words.extend(["--set", "publisher.cache_bytes=0"].map(OsString::from));
        }
        words.extend(["--server_root".into(), samples.into()]);
        words.extend(["--data-dir".into(), dir.path().join("data").into()]);
        let begun = Instant::now();
        let mut process = Launch::new(words).logging_to(dir.path().join("log")).pinned().start()?;
        let address = agents_address(&mut process)?;
        let mut connection = Connection::open(address)?;
        connection.post("", MCP_INITIALIZE)?;
        let answered = begun.elapsed();
        let idle = process.memory()?;
        connection.post(&mcp_headers(None), &call("rows"))?;
        let usable = begun.elapsed();
        let loaded = process.memory()?;
        let server = Self { process, address, _dir: dir };
        Ok((server, Begun { answered, usable, idle, loaded }))
    }

    /// The SQL that the question becomes.
    pub(crate) fn sql(&self) -> anyhow::Result<String> {
        let mut connection = Connection::open(self.address)?;
        let answer = connection.post(&mcp_headers(None), &call("result"))?;
        let text = String::from_utf8_lossy(answer.body);
        let data = text.lines().find_map(|line| line.strip_prefix("data: ")).context("no event")?;
        let answer: Value = serde_json::from_str(data)?;
        let block = answer["result"]["content"][0]["resource"]["text"].as_str();
        let result: Value = serde_json::from_str(block.with_context(|| format!("{answer}"))?)?;
        ensure!(result["result"][0]["book_count"].is_number(), "not a count: {result}");
        Ok(result["sql"].as_str().context("no SQL")?.to_owned())
    }

    /// The same, asked by `lanes` clients at once.
    pub(crate) fn loaded(self, lanes: usize) -> anyhow::Result<Asked> {
        let address = self.address;
        let load = HttpLoad::open(address, lanes, MARK, |_| {
            Request::new(post(address, &mcp_headers(None), &call("rows")))
        })?;
        Ok(Asked { server: self, load })
    }
}

/// A publisher with the clients that ask it.
pub(crate) struct Asked {
    server: Server,
    load: HttpLoad,
}

impl Loaded for Asked {
    fn process(&self) -> &Process {
        &self.server.process
    }

    fn run(&mut self, limits: Limits) -> anyhow::Result<Sample> {
        self.load.run(limits)
    }
}

/// The question, in one of the forms of an answer. The id comes first, where the load writes the next one over it.
fn call(answer: &str) -> String {
    let params = json!({"name": "malloy/executeQuery", "arguments": {
        "projectName": "home", "packageName": "library", "modelPath": "library.malloy",
        "query": "run: books -> { aggregate: book_count }", "answer": answer}});
    format!(r#"{{"jsonrpc":"2.0","id":{FIRST_ID},"method":"tools/call","params":{params}}}"#)
}

/// The address in `{"also_listening":"http://127.0.0.1:4001","for":"mcp"}`, which follows the one for people.
fn agents_address(process: &mut Process) -> anyhow::Result<SocketAddr> {
    let mut line = process.line()?;
    while !line.contains("also_listening") {
        line = process.line()?;
    }
    let mut parts = line.split('"').map(|part| part.trim_start_matches("http://"));
    let found = parts.find_map(|part| part.parse().ok());
    found.with_context(|| format!("not an address to listen on: `{line}`"))
}
