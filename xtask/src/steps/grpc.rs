//! gRPC as a client of another language sees it: Python, with stubs made of nothing but our `.proto` files.

use anyhow::{Context as _, Result};

use super::{Run, counted, served::Server};
use crate::{cmd::Cmd, tally::Tally};

/// The packages of the client.
pub(super) const PYTHON_CLIENT: &str = "conformance/requirements-grpc.txt";

pub(super) fn run(run: &Run) -> Result<Tally> {
    let root = &run.machine.root;
    let python = match run.tools.python(&root.join(PYTHON_CLIENT)) {
        Ok(python) => python,
        Err(missing) => return Ok(run.without(&missing)),
    };
    let server = Server::start(run)?;
    let address = server.url.strip_prefix("http://").context("the server is at an `http://`")?;
    counted(
        Cmd::new(python)
            .arg(root.join("conformance/grpc/check_campaign.py"))
            .args(["--server", address, "--protos"])
            .arg(root.join("crates/campaign-proto/proto")),
    )
}
