//! The browser.

use std::{env, path::PathBuf};

use super::{Missing, apt::Apt};
use crate::cmd::which;

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Where a Mac keeps them.
const BUNDLES: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

pub(super) fn find(apt: &Apt) -> Result<PathBuf, Missing> {
    if let Some(found) = installed() {
        return Ok(found);
    }
    let tried = apt.install(&["chromium"]);
    installed().ok_or_else(|| {
        let why = tried.err().map(|error| format!(" ({error:#})")).unwrap_or_default();
        Missing::new(
            format!("no Chromium, and it could not be installed{why}"),
            "install `chromium` or Google Chrome, or set `CHROMIUM` to its program file",
        )
    })
}

fn installed() -> Option<PathBuf> {
    env::var_os("CHROMIUM")
        .map(PathBuf::from)
        .or_else(|| NAMES.into_iter().find_map(which))
        .or_else(|| BUNDLES.into_iter().map(PathBuf::from).find(|file| file.is_file()))
}
