//! The pages, in a real browser, served by the real program.

use anyhow::Result;

use super::{Run, counted, served::Server};
use crate::tally::Tally;

pub(super) fn test(run: &Run) -> Result<Tally> {
    let chromium = run.tools.chromium()?;
    let node = run.tools.node()?;
    let server = Server::start(run)?;
    counted(
        node.command("npm")
            .dir(&run.machine.root.join("web"))
            .args(["run", "--silent", "test:browser"])
            .env("TANDEM_URL", &server.url)
            // Some tests want a folder of their own to be served.
            .env("TANDEM_PROGRAM", run.program("tandem")?)
            .env("CHROMIUM", chromium),
    )
}
