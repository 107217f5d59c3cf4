//! What can be asked, route by route.

use serde_json::{Value, json};

/// One method of one path.
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    pub(super) tag: &'static str,
    pub(super) id: &'static str,
    pub(super) summary: &'static str,
    pub(super) about: &'static str,
    /// Names of components, besides the universe in the path.
    pub(super) parameters: &'static [&'static str],
    pub(super) body: Option<Body>,
    pub(super) replies: &'static [Reply],
    /// Besides those that follow from the rest.
    pub(super) refusals: &'static [(u16, &'static str)],
}

/// What is sent.
pub(super) struct Body {
    pub(super) schema: &'static str,
    pub(super) required: bool,
    pub(super) example: fn() -> Value,
}

/// What comes back when all is well.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) about: &'static str,
    pub(super) kind: &'static str,
    pub(super) schema: Option<&'static str>,
    pub(super) headers: &'static [&'static str],
}

const fn reply(status: u16, about: &'static str, schema: &'static str) -> Reply {
    Reply { status, about, kind: "application/json", schema: Some(schema), headers: &[] }
}

const fn tagged(status: u16, about: &'static str, schema: &'static str) -> Reply {
    Reply { status, about, kind: "application/json", schema: Some(schema), headers: &["ETag"] }
}

const fn stream(about: &'static str, schema: &'static str) -> Reply {
    Reply { status: 200, about, kind: "text/event-stream", schema: Some(schema), headers: &[] }
}

const NOTHING: Operation = Operation {
    method: "get",
    path: "",
    tag: "universes",
    id: "",
    summary: "",
    about: "",
    parameters: &[],
    body: None,
    replies: &[],
    refusals: &[],
};

/// Everything, in the order in which it is best read.
pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/health",
        tag: "service",
        id: "health",
        summary: "Whether it is up, and for how long",
        replies: &[reply(200, "It is up.", "Health")],
        ..NOTHING
    },
    Operation {
        path: "/openapi.json",
        tag: "service",
        id: "openapi",
        summary: "This document",
        replies: &[reply(200, "An OpenAPI 3.1 document.", "Document")],
        ..NOTHING
    },
    Operation {
        path: "/universes",
        id: "listUniverses",
        summary: "List universes, the newest first",
        about: "Whole records unless `state=none`. With `limit`, a `Link` header with `rel=\"next\"` leads to the \
                rest.",
        parameters: &["state", "limit", "cursor", "Prefer"],
        replies: &[Reply {
            headers: &["Link"],
            ..reply(200, "Records, the newest created first.", "Universes")
        }],
        ..NOTHING
    },
    Operation {
        method: "post",
        path: "/universes",
        id: "createUniverse",
        summary: "Make a universe",
        about: "A state from outside is brought in order: `parentId` is taken at its word, lists follow it, \
                missing parts are empty. `{}` is a state.",
        parameters: &["state", "Prefer", "X-Via"],
        body: Some(Body {
            schema: "NewUniverse",
            required: true,
            example: || json!({"name": "Sol", "state": {}}),
        }),
        replies: &[tagged(201, "The universe.", "Universe")],
        ..NOTHING
    },
    Operation {
        path: "/universes/{id}",
        id: "readUniverse",
        summary: "Read a universe, now or at any revision",
        parameters: &["state", "revision", "Prefer"],
        replies: &[tagged(200, "The universe.", "Universe")],
        ..NOTHING
    },
    Operation {
        method: "put",
        path: "/universes/{id}",
        id: "replaceUniverse",
        summary: "Set name or state from outside",
        about: "What is absent stays. A state without `time` keeps the time. With `If-Match`, only if the universe is \
                still at that revision.",
        parameters: &["state", "Prefer", "X-Via", "If-Match"],
        body: Some(Body {
            schema: "Replacement",
            required: false,
            example: || json!({"name": "Home"}),
        }),
        replies: &[tagged(200, "The universe.", "Universe")],
        refusals: &[(412, "The universe is at another revision.")],
        ..NOTHING
    },
    Operation {
        method: "delete",
        path: "/universes/{id}",
        id: "deleteUniverse",
        summary: "Delete a universe",
        parameters: &["X-Via"],
        replies: &[Reply {
            status: 204,
            about: "It is gone.",
            kind: "",
            schema: None,
            headers: &[],
        }],
        ..NOTHING
    },
    Operation {
        method: "post",
        path: "/universes/{id}/commands",
        tag: "commands",
        id: "sendCommand",
        summary: "Change a universe with one command",
        about: "One of the 25 commands, or `undo`, `redo`, `setClock`. A refused command is a normal answer with \
                `applied: false`, an event that says why and a `hint`; nothing has changed and nobody was told. With an \
                `Idempotency-Key`, sending it again does not make it happen again.",
        parameters: &["state", "Prefer", "Idempotency-Key", "X-Via"],
        body: Some(Body {
            schema: "Command",
            required: true,
            example: || {
                json!({"type": "addStar", "id": "earth", "payload":
                    {"name": "Earth", "parentId": "sol", "orbitalDistance": 10, "orbitalSpeed": 20}})
            },
        }),
        replies: &[reply(200, "What came of it.", "Outcome")],
        refusals: &[(409, "The key was used for another command.")],
        ..NOTHING
    },
    Operation {
        method: "post",
        path: "/universes/{id}/batches",
        tag: "commands",
        id: "sendBatch",
        summary: "Change a universe with several commands, all or nothing",
        about: "Each command is decided on what the one before it left, and is one revision. If one is refused, \
                nothing has changed and `failed` says which.",
        parameters: &["state", "Prefer", "Idempotency-Key", "X-Via"],
        body: Some(Body {
            schema: "Batch",
            required: true,
            example: || {
                json!({"commands": [
                    {"type": "addStar", "id": "sol", "payload": {"name": "Sol", "mass": 100}},
                    {"type": "addStar", "id": "earth", "payload": {"parentId": "sol"}},
                ]})
            },
        }),
        replies: &[reply(200, "What came of them.", "BatchOutcome")],
        refusals: &[(409, "The key was used for other commands.")],
        ..NOTHING
    },
    Operation {
        path: "/universes/{id}/history",
        tag: "history",
        id: "readHistory",
        summary: "Who did what, the latest first",
        about: "A command of more than 4096 bytes is shown by its `type` and `omittedBytes`. `next` is the `before` of \
                the following page.",
        parameters: &["pageLimit", "before"],
        replies: &[reply(200, "Part of the history.", "History")],
        ..NOTHING
    },
    Operation {
        method: "post",
        path: "/universes/{id}/fork",
        tag: "history",
        id: "forkUniverse",
        summary: "Make a universe of what this one is, or was",
        parameters: &["state", "Prefer", "X-Via"],
        body: Some(Body {
            schema: "Fork",
            required: false,
            example: || json!({"revision": 1, "name": "What if"}),
        }),
        replies: &[tagged(201, "The new universe.", "Universe")],
        ..NOTHING
    },
    Operation {
        path: "/universes/{id}/clock",
        tag: "clock",
        id: "readClock",
        summary: "Read the shared clock",
        replies: &[reply(200, "The clock.", "Clock")],
        ..NOTHING
    },
    Operation {
        method: "put",
        path: "/universes/{id}/clock",
        tag: "clock",
        id: "setClock",
        summary: "Play, pause, set rate or time for everybody",
        parameters: &["X-Via"],
        body: Some(Body {
            schema: "SetClock",
            required: true,
            example: || json!({"playing": true, "rate": 5}),
        }),
        replies: &[reply(200, "The clock.", "Clock")],
        ..NOTHING
    },
    Operation {
        path: "/generator",
        tag: "generator",
        id: "describeGenerator",
        summary: "Presets, parameters and topologies of the generator",
        replies: &[reply(200, "What can be asked of it.", "Generator")],
        ..NOTHING
    },
    Operation {
        method: "post",
        path: "/universes/generate",
        tag: "generator",
        id: "generateUniverse",
        summary: "Make a universe by a seed",
        about: GENERATE,
        parameters: &["state", "Prefer", "X-Via", "Accept"],
        body: Some(Body { schema: "Generate", required: false, example: example_of_generate }),
        replies: &[tagged(201, "The universe.", "Generated")],
        ..NOTHING
    },
    Operation {
        method: "post",
        path: "/universes/{id}/generate",
        tag: "generator",
        id: "generateInto",
        summary: "Replace what is in a universe by what a seed makes",
        about: GENERATE,
        parameters: &["state", "Prefer", "X-Via", "Accept"],
        body: Some(Body { schema: "Generate", required: false, example: example_of_generate }),
        replies: &[tagged(200, "The universe.", "Generated")],
        ..NOTHING
    },
    Operation {
        path: "/universes/{id}/events",
        tag: "live",
        id: "followEvents",
        summary: "Follow the commands as they are applied",
        about: "Server-sent events with the revision as `id`: `command` (the command as it was sent), `replaced`, \
                `clock`, `deleted`, and `resync` for one that has missed too much. A comment comes when nothing else did for \
                15 seconds.",
        parameters: &["after", "Last-Event-ID"],
        replies: &[stream("A stream.", "CommandEvents")],
        ..NOTHING
    },
    Operation {
        path: "/universes/{id}/changes",
        tag: "live",
        id: "followChanges",
        summary: "Follow every change with what it left",
        about: "Server-sent events named `change`, the revision as `id`, whose data is a `Change`; and `resync`.",
        parameters: &["after", "Last-Event-ID"],
        replies: &[stream("A stream.", "ChangeEvents")],
        ..NOTHING
    },
];

const GENERATE: &str = "The same seed and parameters make the same universe, ids included. A seed that is missing is \
    chosen and told. With `Accept: text/event-stream` the answer is a stream: `progress` with `{stage, done, of}`, and \
    at last `done` with the universe without its state, or `failed` with an error.";

fn example_of_generate() -> Value {
    json!({"name": "Somewhere", "preset": "sparse", "seed": "tandem"})
}
