//! The servers, as processes of their own.

use std::{ffi::OsStr, net::SocketAddr, path::Path, time::Duration};

use anyhow::Context;
use bench_kit::{Launch, Process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::load::Lane;

/// A running server; ended when dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    process: Process,
    _dir: TempDir,
}

impl Server {
    /// `tandem universe serve` with its defaults, but for the limit that this load is there to exceed.
    pub(crate) fn tandem(program: &Path, database: Option<&str>) -> anyhow::Result<Self> {
        let mut words = ["universe", "serve", "--json", "--listen", "127.0.0.1:0"].to_vec();
        words.extend([
            "--set",
            "limits.requests_per_second=0",
            "--set",
            "limits.body_bytes=200000000",
        ]);
        words.extend(["--set", "universe.body_bytes=200000000"]);
        if let Some(url) = database {
            words.extend(["--database-url", url]);
        }
        Self::start(program.as_os_str(), &words)
    }

    /// The same routes, written as one would in an afternoon.
    pub(crate) fn express(script: &Path, database: &str) -> anyhow::Result<Self> {
        let script = script.to_str().context("the script's path is not UTF-8")?;
        Self::start("node".as_ref(), &[script, database])
    }

    pub(crate) fn copy(bytes: usize) -> anyhow::Result<Self> {
        let own = std::env::current_exe().context("cannot tell where this program is")?;
        Self::start(own.as_os_str(), &["copy", &bytes.to_string()])
    }

    fn start(program: &OsStr, words: &[&str]) -> anyhow::Result<Self> {
        let dir = TempDir::new()?;
        let words = [program].into_iter().chain(words.iter().map(OsStr::new));
        let launch = Launch::new(words).within(dir.path()).logging_to(dir.path().join("log"));
        let mut process = launch.start()?;
        let line = process.line()?;
        let url = line.split('"').nth(3).with_context(|| format!("no address in `{line}`"))?;
        let address = url.trim_start_matches("http://").parse()?;
        Ok(Self { address, process, _dir: dir })
    }

    /// What it has used of the processor so far.
    pub(crate) fn cpu(&self) -> anyhow::Result<Duration> {
        self.process.cpu()
    }

    /// Makes a universe with this many bodies and gives its id.
    pub(crate) async fn create(&self, bodies: usize) -> anyhow::Result<String> {
        let body = json!({"name": format!("{bodies} bodies"), "state": state(bodies)}).to_string();
        let head = "content-type: application/json\r\nprefer: return=minimal\r\n";
        let mut lane = Lane::open(self.address).await?;
        let answer = lane.exchange(&post("/universes", head, &body)).await?;
        let record: Value = serde_json::from_slice(answer)?;
        Ok(record["id"].as_str().context("no id in the answer")?.to_owned())
    }
}

/// A request as bytes.
pub(crate) fn post(path: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\n{headers}content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// A star with planets, as plain as bodies are.
fn state(bodies: usize) -> Value {
    let planets = (1..bodies).map(|number| format!("planet-{number}"));
    let ids: Vec<String> = planets.collect();
    let body = |id: &str, parent: Option<&str>, distance: usize| {
        json!({
            "id": id, "name": id, "mass": 10, "radius": 1.5, "color": "#88AAFF", "children": [],
            "parentId": parent, "orbitalDistance": distance, "orbitalSpeed": 3.25, "orbitalPhase": 42,
            "bodyType": if parent.is_some() { "planet" } else { "star" }
        })
    };
    let mut stars = serde_json::Map::new();
    let mut sun = body("sun", None, 0);
    sun["children"] = json!(ids);
    stars.insert("sun".to_owned(), sun);
    for (number, id) in ids.iter().enumerate() {
        stars.insert(id.clone(), body(id, Some("sun"), 10 + number));
    }
    json!({"stars": stars, "rootIds": ["sun"], "time": 0})
}
