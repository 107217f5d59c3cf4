//! What a session's Lua may have of the world.

use std::{
    fs,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use kit_mcp::Change;
use serde_json::{Value, json};
use ui_lua::{Host, Level, LogFiles, Module, Stream, files::Mode};

use super::Events;
use crate::{
    project::{Lost, within},
    running::Running,
    settings,
};

/// A module larger than this is no program.
const LARGEST_MODULE: u64 = 4 << 20;

/// The world as one session sees it.
pub(super) struct Outside {
    pub(super) id: String,
    pub(super) site: Arc<Running>,
    pub(super) events: Arc<Events>,
    pub(super) logs: LogFiles,
    pub(super) begun: Instant,
}

impl Outside {
    /// The name of the project's program in messages and for reloading.
    pub(super) fn main_file(&self) -> String {
        format!("{}/main.lua", self.site.project.settings.lua.path.display())
    }
}

impl Host for Outside {
    fn write(&self, stream: Stream, text: &[u8]) {
        if let Err(error) = self.logs.write(stream, text) {
            tracing::warn!(session = %self.id, %error, "cannot write the log of Lua");
        }
    }

    fn log(&self, level: Level, text: &str) {
        let session = &*self.id;
        let least = self.site.project.settings.logging.level;
        match level {
            Level::Debug if least <= settings::Level::Debug => {
                tracing::info!(session, level = "debug", "{text}");
            }
            Level::Info if least <= settings::Level::Info => tracing::info!(session, "{text}"),
            Level::Warn if least <= settings::Level::Warn => tracing::warn!(session, "{text}"),
            Level::Error => tracing::error!(session, "{text}"),
            _ => {}
        }
    }

    fn notify(&self, method: &str, params: Value) {
        self.events.push(json!({"event": method, "params": params}));
        self.site.hub.tell(Change::Custom { method: method.to_owned(), params });
    }

    fn push_event(&self, event: Value) {
        self.events.push(event);
    }

    fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    fn now(&self) -> SystemTime {
        let ms = u64::try_from(self.site.clock.now_ms()).unwrap_or(0);
        SystemTime::UNIX_EPOCH + Duration::from_millis(ms)
    }

    fn module(&self, name: &str) -> Option<Module> {
        let project = &self.site.project;
        let file = format!("{}.lua", name.replace('.', "/"));
        let lua = project.settings.lua.path.display();
        let places =
            [(project.lua(), format!("{lua}/{file}")), (project.base.clone(), file.clone())];
        for (folder, shown) in places {
            match within(&project.base, &folder, &file) {
                Ok(path) => {
                    let length = path.metadata().ok()?.len();
                    if length > LARGEST_MODULE {
                        tracing::warn!(session = %self.id, file = %shown, length, "the program is too large");
                        return None;
                    }
                    return Some(Module { file: shown, text: fs::read(path).ok()? });
                }
                Err(Lost::Missing) => {}
                Err(Lost::Outside) => return None,
            }
        }
        None
    }

    fn has_files(&self) -> bool {
        self.site.project.settings.lua.files
    }

    fn open(&self, name: &str, mode: Mode) -> Result<fs::File, String> {
        self.site.project.open(name, mode)
    }

    fn status(&self) -> Value {
        self.site.status()
    }

    fn is_polled(&self) -> bool {
        self.events.asked().0
    }

    fn wait_time(&self) -> Duration {
        match self.events.asked() {
            (true, _) => Duration::ZERO,
            (false, Some(ago)) => ago,
            (false, None) => self.begun.elapsed(),
        }
    }
}
