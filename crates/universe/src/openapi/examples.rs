//! What replies look like, for people who read the document.

use serde_json::{Value, json};

/// An example for each of the shapes that come back, by the name of its component.
pub(super) fn all() -> [(&'static str, Value); 9] {
    let id = "0b0e5f5e-7d0c-4f0c-9f57-8a3a4a0f6f11";
    let at = "2030-01-01T12:00:00.000Z";
    let clock = json!({"playing": true, "rate": 5, "time": 12.5, "at": at});
    let added = json!([{"type": "starAdded", "id": "earth"}]);
    let command = json!({"type": "addStar", "id": "earth", "payload": {"parentId": "sol"}});
    let entry = json!({"revision": 3, "at": at, "by": "local", "via": "mcp", "kind": "command",
        "command": command, "events": added});
    let universe = json!({"id": id, "name": "Sol", "createdAt": at, "updatedAt": at, "revision": 3,
        "clock": clock});
    let mut generated = universe.clone();
    generated["generated"] =
        json!({"seed": "tandem", "totals": {"systems": 3, "stars": 3, "planets": 8}});
    let mut change = entry.clone();
    change["delta"] =
        json!({"stars": {"earth": {"id": "earth", "name": "Earth", "parentId": "sol"}}});
    [
        ("Error", json!({"error": "Universe not found", "universeId": id})),
        ("Universe", universe),
        ("Outcome", json!({"events": added, "applied": true, "revision": 3})),
        (
            "BatchOutcome",
            json!({"applied": false, "revision": 3, "failed": 1, "hint": "no body `x`; read the state for the ids",
                "events": [{"type": "starNotFound", "id": "x"}]}),
        ),
        ("History", json!({"entries": [entry.clone()], "next": 3})),
        ("HistoryEntry", entry),
        ("Change", change),
        ("Clock", clock),
        ("Generated", generated),
    ]
}
