//! What settling costs the engine. `cargo test -p ui-core -- --ignored --nocapture cost` prints it.

use std::time::Instant;

use ui_core::world::{Change, Request, Seen, Walked, Write};
use ui_core::{Batch, Catalog, Failure, ObjId, Session, Slot, Value, World};

/// A world that does nothing but say that some slots changed, so that the engine alone is measured.
#[derive(Default)]
struct Ticking {
    slots: Vec<Slot>,
    ticks: i64,
    changed: usize,
}

impl World for Ticking {
    fn plan(&mut self, changes: &mut Vec<Change>) {
        for change in changes.drain(..) {
            if let Change::Place(placed) = change {
                self.slots.push(placed.slot);
            }
        }
    }

    fn walk(&mut self, seen: &mut Vec<Seen>) -> Walked {
        self.ticks += 1;
        let value = Some(Value::Int(self.ticks));
        seen.extend(self.slots.iter().rev().take(self.changed).map(|slot| Seen {
            slot: *slot,
            value: value.clone(),
            type_name: None,
            error: None,
        }));
        Walked::Settled
    }

    fn write(&mut self, _: Slot, _: Write<'_>) -> Result<(), Failure> {
        Ok(())
    }

    fn requests(&mut self, _: &mut Vec<Request>) {}

    fn object(&mut self, _: ObjId) -> Option<Value> {
        None
    }

    fn type_of(&mut self, _: ObjId) -> Option<std::sync::Arc<str>> {
        None
    }

    fn state(&mut self) -> Result<String, Failure> {
        Ok(String::new())
    }
}

fn batch(variables: i64) -> String {
    let create = |id: i64| {
        format!(
            r#"{{"type":"create","data":{{"id":{id},"parentId":1,"properties":{{"path":"contacts.{}.name","elementId":"ui-{id}"}}}}}}"#,
            id % 500
        )
    };
    format!("[{}]", (2..variables + 2).map(create).collect::<Vec<_>>().join(","))
}

#[test]
#[ignore = "a measurement, not a test"]
fn cost_of_settling_by_the_number_of_variables() {
    for variables in [50, 5_000, 50_000] {
        let (mut session, mut world, mut views) =
            (Session::default(), Ticking::default(), Catalog::default());
        let conn = session.connect();
        let text = batch(variables);
        let start = Instant::now();
        let batch = Batch::parse(&text);
        let parsed = start.elapsed();
        let start = Instant::now();
        session.receive(&mut world, conn, batch);
        let settled = session.settle(&mut world, &mut views);
        let created = start.elapsed();
        assert!(settled.frames.is_empty());
        for changed in [1, 100, 5_000] {
            world.changed = changed;
            let start = Instant::now();
            let rounds = 200;
            let mut bytes = 0;
            for _ in 0..rounds {
                let settled = session.settle(&mut world, &mut views);
                bytes += settled.frames.iter().map(|(_, frame)| frame.text.len()).sum::<usize>();
            }
            println!(
                "{variables} variables, {changed} changed: {:?} for each settling, {} bytes",
                start.elapsed() / rounds,
                bytes / 200
            );
        }
        println!("{variables} variables: parsed in {parsed:?}, made in {created:?}");
    }
}
