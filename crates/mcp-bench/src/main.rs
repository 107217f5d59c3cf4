//! Measures MCP servers side by side, in one run, on this machine.
//!
//! `mcp-bench run` starts each server as a process of its own ([`subject`]), gives it a bounded
//! load over loopback or pipes ([`load`]) in interleaved rounds ([`rounds`]) and prints Markdown ([`table`]).
//! `mcp-bench serve KIND` is what it starts: the servers written in Rust, all with the same tool ([`serve`]).
//! No part of the product: `cargo xtask bench mcp` runs it, nothing else does.

mod echo;
mod idle;
mod instructions;
mod load;
mod rounds;
mod run;
mod serve;
mod start;
mod subject;
mod table;

use clap::Parser;

/// Measure MCP servers side by side
#[derive(Debug, clap::Parser)]
#[command(name = "mcp-bench")]
enum Cli {
    /// Measure and print the tables
    Run(run::RunArgs),
    /// Serve the echo tool until standard input ends
    Serve(serve::ServeArgs),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse() {
        Cli::Run(args) => run::run(&args),
        Cli::Serve(args) => serve::serve(&args),
    }
}
