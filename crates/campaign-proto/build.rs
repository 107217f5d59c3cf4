//! Makes Rust types of the `.proto` files, with a compiler written in Rust: nothing has to be installed.

use std::{env, error::Error, fs, path::Path};

use prost::Message as _;

const FILES: [&str; 3] =
    ["campaign/v1/campaign.proto", "duality/v1/duality.proto", "session/v1/session.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    let set = protox::compile(FILES, ["proto"])?;
    // What reflection shows. It has the comments in it, for those who explore the services.
    let file = Path::new(&env::var("OUT_DIR")?).join("services.bin");
    fs::write(file, set.encode_to_vec())?;
    // Without `transport`: who connects, and how, is not the business of the types.
    tonic_prost_build::configure().build_transport(false).compile_fds(set)?;
    Ok(())
}
