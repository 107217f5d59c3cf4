//! Makes Rust types of the messages of Spark Connect, with a compiler written in Rust: nothing has to be installed.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    let set = protox::compile(["connect.proto"], ["proto"])?;
    tonic_prost_build::configure().build_server(false).build_transport(false).compile_fds(set)?;
    Ok(())
}
