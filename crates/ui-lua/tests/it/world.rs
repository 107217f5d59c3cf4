//! A VM with a host that remembers, and variables without an engine.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value as Json;
use ui_core::world::{Change, Placed, Request, Seen, Source, Walked, World};
use ui_core::{Access, Path, Priority, Slot, Value, VarId};
use ui_lua::{Host, Level, Limits, LuaFault, Module, Stream, Vm};

/// What a session said and did, and a clock: the real one, plus what a test adds.
pub(crate) struct Memory {
    pub(crate) out: Mutex<String>,
    pub(crate) err: Mutex<String>,
    pub(crate) log: Mutex<Vec<(Level, String)>>,
    pub(crate) events: Mutex<Vec<(String, Json)>>,
    pub(crate) modules: Mutex<BTreeMap<String, String>>,
    start: Instant,
    added: AtomicU64,
}

impl Memory {
    pub(crate) fn add(&self, time: Duration) {
        self.added.fetch_add(u64::try_from(time.as_nanos()).unwrap(), Ordering::Relaxed);
    }

    pub(crate) fn module(&self, name: &str, text: &str) {
        self.modules.lock().unwrap().insert(name.into(), text.into());
    }

    pub(crate) fn out(&self) -> String {
        std::mem::take(&mut *self.out.lock().unwrap())
    }

    pub(crate) fn err(&self) -> String {
        std::mem::take(&mut *self.err.lock().unwrap())
    }
}

impl Host for Memory {
    fn write(&self, stream: Stream, text: &[u8]) {
        let to = match stream {
            Stream::Out => &self.out,
            Stream::Err => &self.err,
        };
        to.lock().unwrap().push_str(&String::from_utf8_lossy(text));
    }

    fn log(&self, level: Level, text: &str) {
        self.log.lock().unwrap().push((level, text.into()));
    }

    fn notify(&self, method: &str, params: Json) {
        self.events.lock().unwrap().push((method.into(), params));
    }

    fn push_event(&self, event: Json) {
        self.events.lock().unwrap().push((String::new(), event));
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed() + Duration::from_nanos(self.added.load(Ordering::Relaxed))
    }

    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_hours(24)
    }

    fn module(&self, name: &str) -> Option<Module> {
        let text = self.modules.lock().unwrap().get(name)?.clone();
        Some(Module {
            file: format!("lua/{}.lua", name.replace('.', "/")),
            text: text.into_bytes(),
        })
    }
}

/// A VM and its host.
pub(crate) struct Bench {
    pub(crate) vm: Vm,
    pub(crate) host: Arc<Memory>,
    slots: u32,
    names: BTreeMap<u32, String>,
}

/// A VM with limits that tests do not have to wait for.
pub(crate) fn bench() -> Bench {
    bench_with(Limits {
        run: Duration::from_secs(20),
        action: Duration::from_millis(300),
        ..Limits::default()
    })
}

/// A VM without variables.
pub(crate) fn fresh() -> Vm {
    make(Limits::default()).0
}

fn make(limits: Limits) -> (Vm, Arc<Memory>) {
    let host = Arc::new(Memory {
        out: Mutex::default(),
        err: Mutex::default(),
        log: Mutex::default(),
        events: Mutex::default(),
        modules: Mutex::default(),
        start: Instant::now(),
        added: AtomicU64::new(0),
    });
    (Vm::new(Arc::clone(&host) as Arc<dyn Host>, limits).unwrap(), host)
}

/// A VM whose root, `mcp`, was seen: object 2.
pub(crate) fn bench_with(limits: Limits) -> Bench {
    let mut bench = unseen(limits);
    bench.walk();
    bench
}

/// A VM in which nothing was read yet.
pub(crate) fn unseen(limits: Limits) -> Bench {
    let (vm, host) = make(limits);
    let mut bench = Bench { vm, host, slots: 0, names: BTreeMap::new() };
    bench.place("root", |placed| Placed {
        id: VarId::ROOT,
        parent: None,
        source: Source::Held,
        ..placed
    });
    bench
}

impl Bench {
    /// The result of a chunk as JSON text.
    pub(crate) fn run(&mut self, code: &str) -> String {
        match self.vm.run(code.as_bytes()) {
            Ok(json) => json.to_string(),
            Err(fault) => panic!("{}\nin {code}", fault.full()),
        }
    }

    pub(crate) fn fails(&mut self, code: &str) -> LuaFault {
        match self.vm.run(code.as_bytes()) {
            Ok(json) => panic!("{code} answers {json}"),
            Err(fault) => fault,
        }
    }

    /// Places a variable below the root, live, as `change` makes it.
    pub(crate) fn place(&mut self, name: &str, change: impl FnOnce(Placed) -> Placed) -> Slot {
        let slot = Slot(self.slots);
        self.slots += 1;
        self.names.insert(slot.0, name.into());
        let placed = change(Placed {
            slot,
            id: VarId(i64::from(slot.0) + 1),
            parent: Some(Slot::ROOT),
            source: Source::None,
            access: Access::ReadWrite,
            priority: Priority::Medium,
            wrapper: None,
            item_wrapper: None,
            create: None,
        });
        self.vm.plan(&mut vec![Change::Place(placed), Change::Live { slot, live: true }]);
        slot
    }

    /// A variable with a path, below `parent`.
    pub(crate) fn watch(&mut self, parent: Slot, path: &str) -> Slot {
        let source = Source::Path(Arc::new(Path::parse(path).unwrap()));
        self.place(path, |placed| Placed { parent: Some(parent), source, ..placed })
    }

    pub(crate) fn wrapped(
        &mut self,
        parent: Slot,
        path: &str,
        wrapper: &str,
        properties: &[(&str, &str)],
    ) -> Slot {
        let source = Source::Path(Arc::new(Path::parse(path).unwrap()));
        let wrapper = Some(wrapper.into());
        let slot =
            self.place(path, |placed| Placed { parent: Some(parent), source, wrapper, ..placed });
        let set = |&(name, value): &(&str, &str)| Change::Property {
            slot,
            name: name.into(),
            value: value.into(),
        };
        self.vm.plan(&mut properties.iter().map(set).collect());
        slot
    }

    pub(crate) fn change(&mut self, change: Change) {
        self.vm.plan(&mut vec![change]);
    }

    /// Walks until it settles. Each variable that changed on a line: `path = value : Type`, or `path ! code: text`.
    pub(crate) fn walk(&mut self) -> String {
        let mut seen = Vec::new();
        for _ in 0..4 {
            if self.vm.walk(&mut seen) == Walked::Settled {
                break;
            }
        }
        seen.iter().map(|seen| self.show(seen)).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn write(&mut self, slot: Slot, value: &Value) -> Result<(), String> {
        self.vm
            .write(slot, ui_core::world::Write::Assign(value))
            .map_err(|failure| failure.to_string())
    }

    pub(crate) fn call(&mut self, slot: Slot) -> Result<(), String> {
        self.vm.write(slot, ui_core::world::Write::Call).map_err(|failure| failure.to_string())
    }

    pub(crate) fn requests(&mut self) -> Vec<Request> {
        let mut requests = Vec::new();
        self.vm.requests(&mut requests);
        requests
    }

    fn show(&self, seen: &Seen) -> String {
        let name = &self.names[&seen.slot.0];
        if let Some(error) = &seen.error {
            return format!("{name} ! {error}");
        }
        let value = seen.value.as_ref().map_or("unchanged".to_owned(), ToString::to_string);
        match &seen.type_name {
            Some(type_name) => format!("{name} = {value} : {type_name}"),
            None => format!("{name} = {value}"),
        }
    }
}
