//! What a walk costs, and what a VM holds: `cargo run --release -p ui-lua --example walk`.

#![expect(clippy::print_stdout, reason = "figures are its output")]
#![expect(clippy::unwrap_used, reason = "a measurement that cannot run has nothing to say")]

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value as Json;
use ui_core::world::{Change, Placed, Source, World, Write};
use ui_core::{Access, Path, Priority, Slot, Value, VarId};
use ui_lua::{Host, Level, Limits, Module, Stream, Vm};

struct Nobody(Instant);

impl Host for Nobody {
    fn write(&self, _: Stream, _: &[u8]) {}
    fn log(&self, _: Level, _: &str) {}
    fn notify(&self, _: &str, _: Json) {}
    fn push_event(&self, _: Json) {}
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
    fn module(&self, _: &str) -> Option<Module> {
        None
    }
}

const APP: &str = "
Row = session:prototype('Row', { name = '', done = false })
App = session:prototype('App', { title = 'List', rows = EMPTY })
function App:add(name) table.insert(self.rows, Row:new({ name = name, done = false, count = 1, note = 'a note' })) end
function App:total() return #self.rows end
app = App:new({ rows = {} })
for i = 1, ROWS do app:add('row ' .. i) end
session:createAppVariable(app)";

fn vm(rows: usize) -> Vm {
    let host: Arc<dyn Host> = Arc::new(Nobody(Instant::now()));
    let mut vm = Vm::new(host, Limits::default()).unwrap();
    vm.run(APP.replace("ROWS", &rows.to_string()).as_bytes()).unwrap();
    vm
}

fn place(vm: &mut Vm, slot: u32, parent: Option<u32>, path: Option<&str>) {
    let source =
        path.map_or(Source::Held, |path| Source::Path(Arc::new(Path::parse(path).unwrap())));
    let placed = Placed {
        slot: Slot(slot),
        id: VarId(i64::from(slot) + 1),
        parent: parent.map(Slot),
        source,
        access: Access::ReadWrite,
        priority: Priority::Medium,
        wrapper: None,
        item_wrapper: None,
        create: None,
    };
    vm.plan(&mut vec![Change::Place(placed), Change::Live { slot: Slot(slot), live: true }]);
}

/// A root, a list, and for each row its variable and four fields: five reads a row.
fn bind(vm: &mut Vm, rows: u32) -> u32 {
    place(vm, 0, None, None);
    place(vm, 1, Some(0), Some("rows"));
    let mut slot = 2;
    for row in 0..rows {
        let at = slot;
        place(vm, at, Some(1), Some(&row.to_string()));
        for field in ["name", "done", "count", "note"] {
            slot += 1;
            place(vm, slot, Some(at), Some(field));
        }
        slot += 1;
    }
    slot
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn main() {
    let start = Instant::now();
    let rows = 1000;
    let mut large = vm(rows as usize);
    let reads = bind(&mut large, rows);
    println!("{reads} variables placed in {:?}", start.elapsed());
    let mut seen = Vec::new();
    let start = Instant::now();
    large.walk(&mut seen);
    println!("first walk, all {} reported: {:?}", seen.len(), start.elapsed());
    let times = (0..200).map(|turn| {
        large.run(format!("app.rows[{}].count = {turn} + 5", turn % 1000 + 1).as_bytes()).unwrap();
        seen.clear();
        let start = Instant::now();
        large.walk(&mut seen);
        assert_eq!(seen.len(), 1);
        start.elapsed()
    });
    println!("walk of {reads} with one change: {:?} (median of 200)", median(times.collect()));

    let mut small = vm(5);
    let slot = bind(&mut small, 5);
    place(&mut small, slot, Some(0), Some("add(_)"));
    small.walk(&mut seen);
    small.run(b"function App:add(name) self.title = name end").unwrap();
    let times = (0..2000).map(|turn| {
        seen.clear();
        let (name, start) = (Value::text(format!("row {turn}")), Instant::now());
        small.write(Slot(slot), Write::CallWith(&name)).unwrap();
        small.walk(&mut seen);
        start.elapsed()
    });
    println!("an action and its walk of {slot} variables: {:?}", median(times.collect()));

    let start = Instant::now();
    let sessions: Vec<Vm> = (0..100)
        .map(|_| {
            let mut vm = vm(5);
            bind(&mut vm, 5);
            vm.walk(&mut Vec::new());
            vm.collect();
            vm
        })
        .collect();
    let bytes: usize = sessions.iter().map(Vm::memory).sum();
    println!(
        "a session with a small application: {} KB, made in {:?}",
        bytes / 100 / 1024,
        start.elapsed() / 100
    );
    let host: Arc<dyn Host> = Arc::new(Nobody(Instant::now()));
    println!(
        "a session with nothing: {} KB",
        Vm::new(host, Limits::default()).unwrap().memory() / 1024
    );
}
