//! What a piece of work has before it: the VM, the variables, the view definitions.

use std::{convert::Infallible, fmt::Write as _, sync::Arc, time::Duration};

use serde_json::Value;
use ui_core::{
    Batch, ConnId, Failure, Frame, Message, Viewdef, WireId,
    message::{Target, parse_frame},
};
use ui_lua::{Host as _, LogFiles, LuaFault, Vm};
use ui_view::{ScreenOptions, screen};

use super::{Events, host::Outside};
use crate::{Error, running::Running, viewdefs::OnShelf};

/// What a browser may have in the log of one error; it is the browser that writes it.
const LONGEST_REPORT: usize = 500;

/// One session from inside. Only the piece of work that runs has it.
pub(crate) struct Stage {
    id: String,
    engine: ui_core::Session,
    vm: Vm,
    outside: Arc<Outside>,
    shelf: OnShelf,
    site: Arc<Running>,
    /// Frames for others that came up while somebody looked.
    held: Vec<(ConnId, Frame)>,
    /// The project's program failed, and has not been mended yet.
    in_trouble: bool,
    /// A page has been shown.
    seen: bool,
}

/// The variables of a session.
#[derive(Debug)]
pub(crate) struct Variables {
    pub(crate) list: Value,
    pub(crate) change_count: u64,
}

impl Stage {
    /// A fresh VM with the project's program run in it; what that complained of, if it did.
    pub(super) fn new(
        id: &str,
        site: &Arc<Running>,
        events: &Arc<Events>,
    ) -> Result<(Self, Option<String>), Error> {
        let settings = &site.project.settings;
        let outside = Arc::new(Outside {
            id: id.to_owned(),
            site: site.clone(),
            events: events.clone(),
            logs: LogFiles::new(site.project.logs()),
            begun: std::time::Instant::now(),
        });
        let limits = ui_lua::Limits {
            run: settings.lua.time_limit,
            action: settings.lua.action_time_limit,
            memory: settings.lua.memory_limit,
        };
        let made = Vm::new(outside.clone(), limits);
        let vm = made.map_err(|fault| Error::Internal(format!("no Lua: {fault}")))?;
        let mut stage = Self {
            id: id.to_owned(),
            engine: ui_core::Session::new(ui_core::Limits::default()),
            vm,
            outside,
            shelf: OnShelf(site.shelf.clone()),
            site: site.clone(),
            held: Vec::new(),
            in_trouble: false,
            seen: false,
        };
        let trouble = if settings.lua.enabled { stage.run_main() } else { None };
        // What a program leaves behind when it starts is most of what a session at rest would hold in vain.
        stage.vm.collect();
        Ok((stage, trouble))
    }

    /// Runs the project's program, if it has one.
    fn run_main(&mut self) -> Option<String> {
        let main = self.outside.module("main")?;
        let failed = self.vm.run_main(&main.file, &main.text).err().map(|fault| fault.full());
        self.show_trouble(failed.as_deref());
        failed
    }

    /// Has the page say why there is no app, or no longer say it.
    fn show_trouble(&mut self, text: Option<&str>) {
        if self.in_trouble == text.is_some() && !self.in_trouble {
            return;
        }
        self.in_trouble = text.is_some();
        let text = text.map_or("nil".to_owned(), quoted);
        if let Err(fault) = self.vm.run(format!("mcp.error = {text}").as_bytes()) {
            tracing::warn!(session = %self.id, %fault, "the page cannot show what failed");
        }
    }

    pub(super) fn run(&mut self, code: &str) -> Result<Value, Error> {
        self.vm.run(code.as_bytes()).map_err(|fault| Error::Execution(fault.full()))
    }

    pub(super) fn state(&mut self) -> Result<Value, Failure> {
        let text = self.state_text()?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }

    pub(super) fn state_text(&mut self) -> Result<String, Failure> {
        ui_core::World::state(&mut self.vm)
    }

    pub(crate) fn variables(&mut self) -> Variables {
        self.glance();
        let list = serde_json::to_value(self.engine.variables()).unwrap_or_default();
        Variables { list, change_count: self.engine.change_count() }
    }

    /// Reads the root as it is now. While no page shows it nobody watches it, and what is not watched is not read.
    fn glance(&mut self) {
        let id = self.engine.connect();
        let watch = Message::Watch(Target { var_id: WireId::ROOT });
        let batch = Batch { user_event: false, messages: vec![Ok(watch)] };
        self.engine.receive(&mut self.vm, id, batch);
        let frames = self.settled().into_iter().filter(|(to, _)| *to != id);
        self.held.extend(frames);
        self.engine.disconnect(id);
    }

    pub(super) fn connect(&mut self) -> ConnId {
        let id = self.engine.connect();
        self.note(1, || format!("connection {id} opened"));
        id
    }

    pub(super) fn disconnect(&mut self, id: ConnId) {
        self.engine.disconnect(id);
        self.note(1, || format!("connection {id} closed"));
    }

    pub(super) fn receive(&mut self, from: ConnId, text: &str) {
        self.note(2, || format!("from {from}: {}", self.in_words(text)));
        self.engine.receive(&mut self.vm, from, Batch::parse(text));
    }

    /// What every browser is to be told now.
    pub(super) fn settle(&mut self) -> Vec<(ConnId, Frame)> {
        let mut frames = std::mem::take(&mut self.held);
        frames.extend(self.settled());
        for (id, frame) in &frames {
            self.note(2, || format!("to {id}: {}", self.in_words(&frame.text)));
        }
        // What the first page leaves behind would lie there for as long as people look at it.
        if !self.seen && !frames.is_empty() {
            self.seen = true;
            self.vm.collect();
        }
        frames
    }

    fn settled(&mut self) -> Vec<(ConnId, Frame)> {
        let settled = self.engine.settle(&mut self.vm, &mut self.shelf);
        if settled.restless {
            tracing::warn!(session = %self.id, "getters change what other getters read, again and again");
        }
        for (connection, report) in settled.reports {
            let cut = |text: &str| text.chars().take(LONGEST_REPORT).collect::<String>();
            let (code, text) = (cut(&report.code), cut(&report.description));
            tracing::warn!(session = %self.id, %connection, variable = report.var_id.0, code, "a page reports: {text}");
        }
        settled.frames
    }

    pub(super) fn dropped(&mut self, id: ConnId, frame: &Frame) {
        self.engine.dropped(id, frame);
    }

    pub(crate) fn viewdef_changed(&mut self, viewdef: &Viewdef, uploaded: bool) {
        self.engine.viewdef_changed(viewdef, uploaded);
    }

    /// An edited program. What fails leaves the old one in place and is in the log.
    pub(crate) fn reload(&mut self, file: &str, text: &[u8]) {
        let main = self.outside.main_file();
        let reloaded = match self.vm.reload(file, text) {
            // It has never got through, so it is as new.
            Ok(false) if self.in_trouble && file == main => {
                self.vm.run_main(file, text).map(|()| true)
            }
            other => other,
        };
        match reloaded {
            Ok(false) => {}
            Ok(true) => {
                tracing::info!(session = %self.id, file, "reloaded");
                if file == main {
                    self.show_trouble(None);
                }
            }
            Err(fault) => {
                tracing::warn!(session = %self.id, file, %fault, "not reloaded");
                if self.in_trouble && file == main {
                    self.show_trouble(Some(&fault.full()));
                }
            }
        }
    }

    pub(super) fn run_due(&mut self) {
        let faults: Vec<LuaFault> = self.vm.run_due(self.outside.elapsed());
        for fault in faults {
            tracing::warn!(session = %self.id, %fault, "a timer failed");
        }
    }

    /// How long until a timer is due.
    pub(super) fn next_timer(&self) -> Option<Duration> {
        Some(self.vm.next_timer()?.saturating_sub(self.outside.elapsed()))
    }

    /// The fields and methods that its types have, as far as they are known.
    pub(crate) fn types(&mut self) -> ui_view::Types {
        let known = self.vm.types().ok().and_then(|types| serde_json::from_value(types).ok());
        known.unwrap_or_default()
    }

    /// What a person sees, in text: by a connection of its own, which asks as a page does.
    pub(crate) fn look(&mut self) -> String {
        let id = self.engine.connect();
        let shown = screen::look(ScreenOptions::default(), |messages| {
            let messages = messages.into_iter().map(Ok).collect();
            self.engine.receive(&mut self.vm, id, Batch { user_event: false, messages });
            let mut answers = Vec::new();
            for (to, frame) in self.settled() {
                if to == id {
                    answers.extend(parse_frame(&frame.text).unwrap_or_default());
                } else {
                    self.held.push((to, frame));
                }
            }
            Ok::<_, Infallible>(answers)
        });
        self.engine.disconnect(id);
        shown.unwrap_or_else(|never| match never {}).text
    }

    /// Messages for the log: their kinds, with the variables at 3, whole at 4.
    fn in_words(&self, text: &str) -> String {
        let verbosity = self.site.project.settings.logging.verbosity;
        if verbosity >= 4 {
            return text.to_owned();
        }
        let read: Value = serde_json::from_str(text).unwrap_or_default();
        let messages = match (&read, &read["messages"]) {
            (_, Value::Array(messages)) | (Value::Array(messages), _) => messages.as_slice(),
            (single, _) => std::slice::from_ref(single),
        };
        let word = |message: &Value| {
            let kind = message["type"].as_str().unwrap_or("?").to_owned();
            let data = &message["data"];
            match data["varId"].as_i64().or_else(|| data["id"].as_i64()) {
                Some(id) if verbosity >= 3 => format!("{kind} {id}"),
                _ => kind,
            }
        };
        messages.iter().map(word).collect::<Vec<_>>().join(", ")
    }

    fn note(&self, verbosity: u8, text: impl FnOnce() -> String) {
        if self.site.project.settings.logging.verbosity >= verbosity {
            tracing::info!(session = %self.id, "{}", text());
        }
    }
}

/// A text as Lua writes it, whatever is in it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b' ' {
            quoted.push(char::from(byte));
        } else {
            let _infallible = write!(quoted, "\\{byte:03}");
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_quotes() {
        assert_eq!(quoted("a \"b\"\n]]"), r#""a \034b\034\010\093\093""#);
    }
}
