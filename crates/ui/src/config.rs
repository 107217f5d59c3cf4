//! What the host may say about every project.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::settings::Given;

/// Settings that win over a project's own file. What is not said here, that says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Serve the project in this folder from the start, to people; without it an agent configures one.
    pub dir: Option<PathBuf>,
    /// Listen there in the place of the project's `server.host`.
    pub host: Option<String>,
    /// Listen there in the place of the project's `server.port`.
    pub port: Option<u16>,
    /// Where programs are, below the project: `lua.path`.
    pub lua_path: Option<String>,
    /// Whether edited files take effect at once: `lua.hotload`.
    pub hotload: Option<bool>,
    /// When a session without anybody ends: `session.timeout`.
    pub session_timeout: Option<String>,
    /// What programs may log: `logging.level`.
    pub log_level: Option<String>,
    /// How much of what passes is logged, 0 to 4: `logging.verbosity`.
    pub verbosity: Option<u8>,
}

impl Config {
    /// What is said, by the keys of a project's settings.
    pub(crate) fn given(&self) -> Vec<(&'static str, Given)> {
        let text = |text: &Option<String>| text.clone().map(Given::Text);
        let all = [
            ("server.host", text(&self.host)),
            ("server.port", self.port.map(|port| Given::Number(port.into()))),
            ("lua.path", text(&self.lua_path)),
            ("lua.hotload", self.hotload.map(Given::Truth)),
            ("session.timeout", text(&self.session_timeout)),
            ("logging.level", text(&self.log_level)),
            ("logging.verbosity", self.verbosity.map(|much| Given::Number(much.into()))),
        ];
        all.into_iter().filter_map(|(key, given)| Some((key, given?))).collect()
    }
}
