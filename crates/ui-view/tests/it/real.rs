//! Guides and examples on the real Lua and the real engine, seen through a screen.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use serde_json::Value as Json;
use ui_core::message::parse_frame;
use ui_core::viewdef::Key;
use ui_core::{Batch, Catalog, ConnId, Message, Session, Value};
use ui_lua::{Host, Level, Module, Stream, Vm};
use ui_view::html::with_template;
use ui_view::screen::{Control, Shown};
use ui_view::{Refs, Screen, ScreenOptions, Shape, Types, ViewContext, audit_view};

/// Keeps what Lua says.
#[derive(Default)]
struct Ears {
    events: Mutex<Vec<(String, Json)>>,
    errors: Mutex<String>,
    elapsed: Mutex<Duration>,
}

impl Host for Ears {
    fn write(&self, stream: Stream, text: &[u8]) {
        if stream == Stream::Err {
            self.errors.lock().unwrap().push_str(&String::from_utf8_lossy(text));
        }
    }
    fn log(&self, _: Level, _: &str) {}
    fn notify(&self, method: &str, params: Json) {
        self.events.lock().unwrap().push((method.to_owned(), params));
    }
    fn push_event(&self, _: Json) {}
    fn elapsed(&self) -> Duration {
        *self.elapsed.lock().unwrap()
    }
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
    fn module(&self, _: &str) -> Option<Module> {
        None
    }
}

/// A session with a screen that stays.
pub(crate) struct Stage {
    ears: Arc<Ears>,
    engine: Session,
    vm: Vm,
    views: Catalog,
    connection: ConnId,
    screen: Screen,
    started: bool,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let ears = Arc::new(Ears::default());
        let vm = Vm::new(ears.clone(), ui_lua::Limits::default()).unwrap();
        let mut engine = Session::new(ui_core::Limits::default());
        let connection = engine.connect();
        let screen = Screen::new(ScreenOptions { refs: Refs::None, ..ScreenOptions::default() });
        Self { ears, engine, vm, views: Catalog::default(), connection, screen, started: false }
    }

    pub(crate) fn view(&mut self, key: &str, html: &str) {
        self.views.insert(Key::parse(key).unwrap(), with_template(html));
    }

    /// Runs Lua as `ui_run` does.
    pub(crate) fn run(&mut self, code: &str) -> Json {
        let result =
            self.vm.run(code.as_bytes()).unwrap_or_else(|fault| panic!("{}\n{code}", fault.full()));
        let errors = self.ears.errors.lock().unwrap().clone();
        assert_eq!(errors, "", "{code}");
        result
    }

    fn main(&mut self, project: &Path) {
        let text = fs::read(project.join("lua/main.lua")).unwrap();
        self.vm.run_main("lua/main.lua", &text).unwrap_or_else(|fault| panic!("{}", fault.full()));
        for entry in fs::read_dir(project.join("viewdefs")).unwrap() {
            let path = entry.unwrap().path();
            let key = path.file_stem().unwrap().to_str().unwrap().to_owned();
            self.view(&key, &fs::read_to_string(path).unwrap());
        }
    }

    fn example(name: &str) -> Self {
        let mut stage = Self::new();
        stage.main(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ui").join(name));
        stage
    }

    fn send(&mut self, messages: Vec<Message>) -> Vec<Message> {
        self.engine.receive(&mut self.vm, self.connection, Batch::from_iter(messages));
        self.settle()
    }

    fn settle(&mut self) -> Vec<Message> {
        let settled = self.engine.settle(&mut self.vm, &mut self.views);
        assert!(!settled.restless);
        settled.frames.iter().flat_map(|(_, frame)| parse_frame(&frame.text).unwrap()).collect()
    }

    /// What is on the screen now, everything that happened included.
    pub(crate) fn look(&mut self) -> Shown {
        let news = self.settle();
        let mut outgoing = self.screen.receive(news);
        if !std::mem::replace(&mut self.started, true) {
            outgoing.extend(self.screen.start());
        }
        while !outgoing.is_empty() {
            let answer = self.send(outgoing);
            outgoing = self.screen.receive(answer);
        }
        assert_eq!(*self.ears.errors.lock().unwrap(), "");
        self.screen.shown()
    }

    fn control(&mut self, label: &str) -> Control {
        let shown = self.look();
        let found = shown.controls.iter().find(|control| control.label == label);
        found.unwrap_or_else(|| panic!("no {label} in\n{}", shown.text)).clone()
    }

    fn press(&mut self, label: &str) {
        let control = self.control(label);
        let message = self.screen.press(&control);
        self.act(message);
    }

    fn enter(&mut self, label: &str, value: impl Into<Value>) {
        let control = self.control(label);
        let message = self.screen.enter(&control, value.into());
        self.act(message);
    }

    fn act(&mut self, message: Message) {
        let answer = self.send(vec![message]);
        let outgoing = self.screen.receive(answer);
        if !outgoing.is_empty() {
            let answer = self.send(outgoing);
            let _next_time = self.screen.receive(answer);
        }
    }

    fn wait(&mut self, time: Duration) {
        *self.ears.elapsed.lock().unwrap() += time;
        let now = self.ears.elapsed();
        let faults = self.vm.run_due(now);
        assert!(faults.is_empty(), "{faults:?}");
    }

    fn events(&self) -> String {
        let events = self.ears.events.lock().unwrap();
        events
            .iter()
            .map(|(method, params)| format!("{method} {params}"))
            .collect::<Vec<_>>()
            .join("\n")
    }
}

#[test]
fn the_contacts_can_be_searched_edited_and_deleted() {
    let mut stage = Stage::example("contacts");
    insta::assert_snapshot!(stage.look().text, @r#"
    # Contacts
    (New contact)
    [Search: ]
    5 contacts
    [ ] Starred
    - (Ada Lovelace ada@example.org {image: Starred})
    - (Alan Turing alan@example.org)
    - (Edsger Dijkstra +31 20 555 0102)
    - (Grace Hopper grace@example.org)
    - (Katherine Johnson katherine@example.org {image: Starred})
    Select a contact, or make a new one.
    "#);
    stage.enter("Search", "example.org a");
    stage.press("Alan Turing alan@example.org");
    stage.enter("Name", "Alan Mathison Turing");
    insta::assert_snapshot!(stage.look().text, @r#"
    # Contacts
    (New contact)
    [Search: example.org a]
    4 of 5 contacts
    [ ] Starred
    - (Ada Lovelace ada@example.org {image: Starred})
    - (Alan Mathison Turing alan@example.org){.selected}
    - (Grace Hopper grace@example.org)
    - (Katherine Johnson katherine@example.org {image: Starred})
    ## Alan Mathison Turing
    [ ] Starred
    [Name: Alan Mathison Turing]
    [Mail: alan@example.org]
    [Phone: ]
    [Notes: Prefers the telephone in the evening]
    (Close) (Delete)
    "#);
    stage.press("Delete");
    insta::assert_snapshot!(stage.look().text.rsplit_once("{dialog").unwrap().1, @r#"
     Delete Alan Mathison Turing?}
    It is gone for everybody who has this page open. (Keep) (Delete)
    "#);
    let delete =
        stage.look().controls.into_iter().rfind(|control| control.label == "Delete").unwrap();
    let message = stage.screen.press(&delete);
    stage.act(message);
    assert!(!stage.look().text.contains("Turing"));
    insta::assert_snapshot!(stage.events(), @r#"contact_deleted {"left":4,"name":"Alan Mathison Turing"}"#);
}

// spec: ui 7.2
#[test]
fn feedback_reaches_the_agent_once_it_is_complete() {
    let mut stage = Stage::example("feedback");
    insta::assert_snapshot!(stage.look().text, @r#"
    # How are we doing?
    [About: The product (The product|The documentation|The support)]
    Your rating
    [Your rating: 0/5] Not rated yet
    [What should we know?: ]
    1000 characters left
    [ ] You may write to me about this (Send)
    "#);
    stage.press("Send");
    assert!(
        stage.look().text.contains("{alert}\nPlease choose a number of stars."),
        "{}",
        stage.look().text
    );
    stage.enter("Your rating", 4);
    stage.enter("What should we know?", "Great!");
    stage.press("Send");
    insta::assert_snapshot!(stage.look().text, @r#"
    # Thank you
    Your answer was sent.
    (Send another)
    "#);
    insta::assert_snapshot!(stage.events(), @r#"feedback {"comment":"Great!","rating":4,"topic":"product"}"#);
}

#[test]
fn the_dashboard_goes_on_by_itself() {
    let mut stage = Stage::example("dashboard");
    let before = stage.look().text;
    assert!(before.starts_with("# Operations\nAll services answer [x] Live\n"), "{before}");
    assert!(before.contains("| Name | State | Latency | Restarts |"), "{before}");
    let ticks = stage.run("return session:getApp().ticks");
    for _ in 0..10 {
        stage.wait(Duration::from_secs(1));
    }
    assert_eq!(stage.run("return session:getApp().ticks").as_i64(), ticks.as_i64().map(|n| n + 10));
    let after = stage.look().text;
    assert_ne!(before, after);
    assert!(after.contains("not answer"), "{after}");
    let restart =
        stage.look().controls.into_iter().find(|c| c.label == "Restart" && !c.disabled).unwrap();
    let message = stage.screen.press(&restart);
    stage.act(message);
    assert!(stage.look().text.contains("All services answer"));
    assert!(stage.events().starts_with("service_restarted"), "{}", stage.events());
}

#[test]
fn the_types_that_lua_knows_are_those_that_views_are_checked_against() {
    let mut stage = Stage::example("contacts");
    let types: Types = serde_json::from_value(stage.vm.types().unwrap()).unwrap();
    let app = types.get("Contacts").unwrap();
    assert_eq!(app.fields["contacts"], Shape::List(Some("Contact".to_owned())));
    assert_eq!(app.fields["query"], Shape::Plain);
    assert_eq!(app.fields["selected"], Shape::Unknown);
    assert!(app.methods.contains("visible") && app.methods.contains("new") && !app.open);

    let check = |view: &str| {
        let context = ViewContext { type_name: Some("Contacts"), types: Some(&types) };
        crate::show(&audit_view(view, context))
    };
    insta::assert_snapshot!(check("<p ui-value='sumary()'></p><p ui-value='qery'></p><p ui-value='summary'></p>"), @r#"
    1:14 error missing-method: `Contacts` has no method `sumary`; did you mean `summary()`?
    1:41 warning unknown-field: `Contacts` has no field `qery`; did you mean `query`?
    1:64 error method-as-field: `summary` is a method of `Contacts`; write `summary()`
    "#);

    // Every example is as its types are.
    for name in ["contacts", "feedback", "dashboard"] {
        let mut stage = Stage::example(name);
        let types: Types = serde_json::from_value(stage.vm.types().unwrap()).unwrap();
        for viewdef in stage.views.iter() {
            let context =
                ViewContext { type_name: Some(viewdef.key.type_name()), types: Some(&types) };
            assert_eq!(crate::show(&audit_view(&viewdef.html, context)), "", "{}", viewdef.key);
        }
    }
}

#[test]
fn types_without_declared_fields_and_with_bases_are_told() {
    let mut stage = Stage::new();
    stage.run(
        "Base = session:prototype('Base', { id = 1 }) function Base:save() end
         Loose = session:prototype('Loose') Sub = session:prototype('Sub', { tags = EMPTY, kids = EMPTY }, Base)
         s = Sub:new({ extra = 1, kids = { Loose:new({ x = 1 }) } }) t = Sub:new({ extra = {} , note = Loose:new() })",
    );
    let types = stage.vm.types().unwrap();
    insta::assert_snapshot!(types["Sub"], @r#"{"fields":{"extra":"plain","id":"plain","kids":{"list":"Loose"},"note":{"object":"Loose"},"tags":"unknown","type":"plain"},"methods":["new","save"],"open":false}"#);
    assert_eq!(types["Loose"]["open"], true);
}
