//! What is measured: which server, spoken to in which way.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use bench_kit::{HttpLoad, Launch, Limits, Loaded, Placement, Process, Sample};
use tempfile::TempDir;

use crate::{
    client::Client,
    grpc::GrpcClient,
    mcp::{self, McpClient},
    proof,
    streams::GrpcLoad,
    task::Task,
};

/// Who wrote the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maker {
    Tandem,
    TypeScript,
    Python,
}

/// How a client speaks to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Talk {
    Mcp,
    Grpc,
}

/// One row of the tables.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) maker: Maker,
    talk: Talk,
    /// The program and its first arguments; where to keep things comes last.
    words: Vec<PathBuf>,
}

/// Everything that is measured, in the order of the tables.
pub(crate) fn subjects(
    tandem: &Path,
    typescript: Option<&Path>,
    python: Option<&[PathBuf]>,
) -> Vec<Subject> {
    let subject = |name, maker, talk, words: &[&Path]| {
        let words = words.iter().map(|word| word.to_path_buf()).collect();
        Subject { name, maker, talk, words }
    };
    let mut all = vec![
        subject("Tandem, MCP", Maker::Tandem, Talk::Mcp, &[tandem]),
        subject("Tandem, gRPC", Maker::Tandem, Talk::Grpc, &[tandem]),
    ];
    if let Some(script) = typescript {
        let words = ["node".as_ref(), script];
        all.push(subject("TypeScript SDK", Maker::TypeScript, Talk::Mcp, &words));
    }
    if let Some([interpreter, script]) = python {
        let words = [interpreter.as_path(), script];
        all.push(subject("Python SDK", Maker::Python, Talk::Mcp, &words));
    }
    all
}

impl Subject {
    /// All keep what they write in `dir`; Tandem runs with its defaults but for the limit that this load is there to
    /// exceed.
    fn launch(&self, dir: &Path) -> Launch {
        let mut words = self.words.clone();
        if self.maker == Maker::Tandem {
            let options = ["campaign", "serve", "--json", "--listen", "127.0.0.1:0"];
            words.extend(options.map(PathBuf::from));
            words
                .extend(["--set", "limits.requests_per_second=0", "--data-dir"].map(PathBuf::from));
            words.push(dir.join("data"));
        } else {
            words.push(dir.join("database"));
        }
        Launch::new(words).logging_to(dir.join("log"))
    }
}

/// A subject that runs, has shown that it answers rightly, and has open connections.
pub(crate) struct Running {
    process: Process,
    client: Box<dyn Client>,
    load: Load,
    task: Task,
    campaign: String,
    /// Participants that the campaign must have by the answers that came.
    acknowledged: u64,
    _dir: TempDir,
}

enum Load {
    Http(HttpLoad),
    Grpc(GrpcLoad),
}

impl Running {
    pub(crate) fn open(
        subject: &Subject,
        task: Task,
        lanes: usize,
        placement: Placement,
    ) -> anyhow::Result<Self> {
        let dir = TempDir::new()?;
        let mut process = placement.launch(&subject.launch(dir.path())).start()?;
        let address = address(&process.line()?)?;
        let mut client: Box<dyn Client> = match subject.talk {
            Talk::Mcp => Box::new(McpClient::open(address)?),
            Talk::Grpc => Box::new(GrpcClient::open(address)?),
        };
        let campaign = client.create_campaign()?;
        proof::prove(&mut *client, task, &campaign)?;
        let acknowledged = client.participants(&campaign)?;
        let load = match subject.talk {
            Talk::Mcp => Load::Http(mcp::load(address, task, &campaign, lanes)?.placed(placement)),
            Talk::Grpc => Load::Grpc(GrpcLoad::new(address, task, &campaign, placement)),
        };
        Ok(Self { process, client, load, task, campaign, acknowledged, _dir: dir })
    }

    /// Fails unless the server has every participant whose joining it acknowledged, and no other.
    pub(crate) fn prove_kept(&mut self) -> anyhow::Result<()> {
        let kept = self.client.participants(&self.campaign)?;
        let acknowledged = self.acknowledged;
        ensure!(kept == acknowledged, "{acknowledged} joins were acknowledged, {kept} are kept");
        Ok(())
    }
}

impl Loaded for Running {
    fn process(&self) -> &Process {
        &self.process
    }

    fn run(&mut self, limits: Limits) -> anyhow::Result<Sample> {
        let sample = match &mut self.load {
            Load::Http(load) => load.run(limits)?,
            Load::Grpc(load) => load.run(limits)?,
        };
        if self.task == Task::Join {
            self.acknowledged += sample.latencies.len() as u64;
        }
        Ok(sample)
    }
}

/// The address in `{"listening":"http://127.0.0.1:3000"}`, or alone in its line.
fn address(line: &str) -> anyhow::Result<SocketAddr> {
    let mut parts = line.split('"').map(|part| part.trim_start_matches("http://"));
    let found = parts.find_map(|part| part.parse().ok());
    found.with_context(|| format!("not an address to listen on: `{line}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_in_json_and_alone() {
        let expected: SocketAddr = "127.0.0.1:3000".parse().unwrap();
        assert_eq!(address(r#"{"listening":"http://127.0.0.1:3000"}"#).unwrap(), expected);
        assert_eq!(address("127.0.0.1:3000").unwrap(), expected);
        assert!(address("ready").is_err());
    }
}
