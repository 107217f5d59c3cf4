//! A session on the table: connections that send text and hear text.

use std::collections::BTreeMap;

use ui_core::{Batch, Catalog, ConnId, Frame, Key, Limits, ObjId, Session, VarId};

use crate::world::{Fake, Graph, Val};

pub(crate) struct Play {
    pub(crate) session: Session,
    pub(crate) world: Fake,
    pub(crate) views: Catalog,
    /// What each connection heard at the last settling.
    pub(crate) heard: BTreeMap<ConnId, Frame>,
    pub(crate) restless: bool,
}

impl Play {
    /// A session whose root is of type `App`.
    pub(crate) fn new() -> (Self, ObjId) {
        Self::with_limits(Limits::default())
    }

    pub(crate) fn with_limits(limits: Limits) -> (Self, ObjId) {
        let (world, root) = Fake::with_root("App");
        let session = Session::new(limits);
        let (views, heard) = (Catalog::default(), BTreeMap::new());
        (Self { session, world, views, heard, restless: false }, root)
    }

    /// A connection that watches variable 1 and has heard of it.
    pub(crate) fn join(&mut self) -> ConnId {
        let conn = self.session.connect();
        self.send(conn, r#"{"type":"watch","data":{"varId":1}}"#);
        conn
    }

    /// Sends a batch and settles; gives what the sender heard.
    pub(crate) fn send(&mut self, conn: ConnId, batch: &str) -> &str {
        self.session.receive(&mut self.world, conn, Batch::parse(batch));
        self.settle();
        self.heard(conn)
    }

    /// `create` with these properties below `parent`.
    pub(crate) fn create(
        &mut self,
        conn: ConnId,
        id: i64,
        parent: i64,
        properties: &[(&str, &str)],
    ) -> &str {
        let properties: ui_core::Properties = properties.iter().copied().collect();
        let properties = serde_json::to_string(&properties).expect("properties are JSON");
        self.send(
            conn,
            &format!(
                r#"{{"type":"create","data":{{"id":{id},"parentId":{parent},"properties":{properties}}}}}"#
            ),
        )
    }

    /// `update` with a value.
    pub(crate) fn write(&mut self, conn: ConnId, id: i64, value: &str) -> &str {
        self.send(conn, &format!(r#"{{"type":"update","data":{{"varId":{id},"value":{value}}}}}"#))
    }

    /// Something happens among the objects, as by `ui_run`.
    pub(crate) fn run<T>(&mut self, what: impl FnOnce(&mut Graph) -> T) -> T {
        let result = what(&mut self.world.graph);
        self.settle();
        result
    }

    pub(crate) fn settle(&mut self) {
        let settled = self.session.settle(&mut self.world, &mut self.views);
        self.heard = settled.frames.into_iter().collect();
        self.restless = settled.restless;
        for frame in self.heard.values() {
            let read = ui_core::message::parse_frame(&frame.text);
            assert!(read.is_ok(), "what is sent can be read: {read:?} {}", frame.text);
        }
    }

    /// What a connection heard at the last settling; empty if nothing.
    pub(crate) fn heard(&self, conn: ConnId) -> &str {
        self.heard.get(&conn).map_or("", |frame| &frame.text)
    }

    pub(crate) fn viewdef(&mut self, key: &str, html: &str) {
        self.views.insert(Key::parse(key).expect("a key"), html);
    }

    /// The variables, as `ui://variables` shows them.
    pub(crate) fn listing(&self) -> serde_json::Value {
        serde_json::to_value(self.session.variables()).expect("variables are JSON")
    }

    /// The entry of one variable there.
    pub(crate) fn listed(&self, id: i64) -> serde_json::Value {
        let all = self.listing();
        let found = all.as_array().expect("an array").iter().find(|entry| entry["id"] == id);
        found.unwrap_or_else(|| panic!("no variable {id} in {all}")).clone()
    }

    /// Whether all that is kept fits together, and the world was told the same.
    pub(crate) fn check(&mut self) {
        self.settle();
        assert_eq!(self.world.placed(), self.session.len());
        let all = self.session.variables();
        assert_eq!(all.len(), self.session.len(), "every variable is reached from a root");
        let mut above = std::collections::BTreeSet::from([VarId(0)]);
        for variable in &all {
            assert!(above.contains(&variable.parent_id), "parents come first");
            assert!(above.insert(variable.id), "an id is listed once");
        }
        let children: usize = all.iter().map(|variable| variable.child_ids.len()).sum();
        let roots = all.iter().filter(|variable| variable.parent_id == VarId(0)).count();
        assert_eq!(children + roots, all.len(), "every variable is the child of one");
    }
}

/// An object with one text field.
pub(crate) fn named(graph: &mut Graph, type_name: &str, name: &str) -> ObjId {
    let id = graph.object(Some(type_name));
    graph.set(id, "name", name);
    id
}

/// Objects as elements.
pub(crate) fn elements(ids: &[ObjId]) -> Vec<Val> {
    ids.iter().copied().map(Val::Obj).collect()
}
