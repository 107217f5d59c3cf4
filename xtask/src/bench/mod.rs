//! `cargo xtask bench`: how fast it is, side by side with what people would use instead.
//!
//! Never a test: figures depend on the machine and on what else it does. They are for people, who read them
//! in `docs/performance.md`.

mod document;
mod mcp;

use anyhow::Result;
use clap::Subcommand;

/// Measure side by side with what people would use instead
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Mcp(mcp::McpArgs),
}

pub(crate) fn bench(args: &BenchArgs) -> Result<bool> {
    match &args.what {
        What::Mcp(args) => mcp::mcp(args),
    }
}
