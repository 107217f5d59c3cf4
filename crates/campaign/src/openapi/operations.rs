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
    /// Besides those in the path.
    pub(super) parameters: &'static [&'static str],
    pub(super) body: Option<Body>,
    pub(super) reply: Reply,
    /// Whether the journal is asked.
    pub(super) stored: bool,
}

pub(super) struct Body {
    pub(super) schema: &'static str,
    pub(super) example: fn() -> Value,
}

pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) about: &'static str,
    pub(super) kind: &'static str,
    /// Empty for plain text.
    pub(super) schema: &'static str,
}

impl Operation {
    /// Whether it changes a campaign.
    pub(super) fn changes(&self) -> bool {
        self.stored && self.method != "get"
    }

    /// Whether it matters whom the caller speaks as.
    pub(super) fn asks_who(&self) -> bool {
        self.changes() && self.path.contains('{')
    }
}

const fn json_reply(status: u16, about: &'static str, schema: &'static str) -> Reply {
    Reply { status, about, kind: "application/json", schema }
}

const fn stream(about: &'static str) -> Reply {
    Reply { status: 200, about, kind: "text/event-stream", schema: "" }
}

const READS: Operation = Operation {
    method: "get",
    path: "",
    tag: "campaigns",
    id: "",
    summary: "",
    about: "",
    parameters: &[],
    body: None,
    reply: json_reply(200, "", ""),
    stored: true,
};

const CHANGES: Operation = Operation { method: "post", ..READS };

/// Asks the rules alone.
const RULES: Operation = Operation { method: "post", tag: "dice", stored: false, ..READS };

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        method: "get",
        path: "/openapi.json",
        tag: "service",
        id: "openapi",
        summary: "This document",
        reply: json_reply(200, "An OpenAPI 3.1 document.", "Document"),
        ..RULES
    },
    Operation {
        path: "/campaigns",
        id: "listCampaigns",
        summary: "List campaigns in the order of their creation",
        about: "`next` is the `cursor` of the following page.",
        parameters: &["limit", "cursor"],
        reply: json_reply(200, "Part of the list.", "Campaigns"),
        ..READS
    },
    Operation {
        path: "/campaigns",
        id: "createCampaign",
        summary: "Create a campaign",
        body: Some(Body {
            schema: "NewCampaign",
            example: || json!({"name": "The Lost Expedition", "gm_mode": "HUMAN"}),
        }),
        reply: json_reply(201, "The campaign.", "Campaign"),
        ..CHANGES
    },
    Operation {
        path: "/campaigns/changes",
        tag: "live",
        id: "followCampaigns",
        summary: "Follow which campaigns change",
        about: "Server-sent events named `changed` with `{campaign_id}`. A comment comes when nothing else did for 15 \
                seconds.",
        reply: stream("A stream."),
        ..READS
    },
    Operation {
        path: "/campaigns/{id}",
        id: "readTable",
        summary: "Read a whole table, now or as it was after any event",
        parameters: &["seq"],
        reply: json_reply(200, "The table.", "Table"),
        ..READS
    },
    Operation {
        path: "/campaigns/{id}/participants",
        tag: "people",
        id: "createParticipant",
        summary: "Let somebody join",
        body: Some(Body {
            schema: "NewParticipant",
            example: || json!({"display_name": "Alice", "role": "PLAYER"}),
        }),
        reply: json_reply(201, "The participant.", "Participant"),
        ..CHANGES
    },
    Operation {
        path: "/campaigns/{id}/participants/{participant}/token",
        tag: "people",
        id: "issueToken",
        summary: "Give a participant a token",
        about: "It is told this once and kept nowhere; issuing again replaces it. Once a GM has one, changes need one.",
        reply: json_reply(201, "The token.", "Token"),
        ..CHANGES
    },
    Operation {
        path: "/campaigns/{id}/actors",
        tag: "actors",
        id: "createActor",
        summary: "Create an actor",
        body: Some(Body {
            schema: "NewActor",
            example: || json!({"name": "Thorin Ironforge", "kind": "PC"}),
        }),
        reply: json_reply(201, "The actor.", "Actor"),
        ..CHANGES
    },
    Operation {
        method: "put",
        path: "/campaigns/{id}/actors/{actor}/controller",
        tag: "actors",
        id: "setController",
        summary: "Say who plays an actor",
        body: Some(Body { schema: "Control", example: || json!({"controller": "GM"}) }),
        reply: json_reply(200, "Who does now.", "Controlled"),
        ..CHANGES
    },
    Operation {
        method: "put",
        path: "/campaigns/{id}/actors/{actor}/sheet",
        tag: "actors",
        id: "setSheet",
        summary: "Set an actor's sheet",
        about: "What is absent stays.",
        body: Some(Body {
            schema: "SheetPatch",
            example: || json!({"traits": {"AGILITY": 2}, "hp_max": 7}),
        }),
        reply: json_reply(200, "The actor.", "Actor"),
        ..CHANGES
    },
    Operation {
        method: "patch",
        path: "/campaigns/{id}/actors/{actor}/state",
        tag: "actors",
        id: "setState",
        summary: "Set an actor's Hope, Stress and hit points",
        about: "What is absent stays.",
        body: Some(Body { schema: "StatePatch", example: || json!({"hope": 2}) }),
        reply: json_reply(200, "The actor.", "Actor"),
        ..CHANGES
    },
    Operation {
        method: "put",
        path: "/campaigns/{id}/fear",
        tag: "play",
        id: "setFear",
        summary: "Set the GM's Fear",
        body: Some(Body { schema: "Fear", example: || json!({"fear": 3}) }),
        reply: json_reply(200, "The GM's Fear.", "GmFear"),
        ..CHANGES
    },
    Operation {
        path: "/campaigns/{id}/sessions",
        tag: "play",
        id: "startSession",
        summary: "Start a session",
        about: "A campaign has at most one that is active.",
        body: Some(Body {
            schema: "NewSession",
            example: || json!({"name": "Session 1: The Journey Begins"}),
        }),
        reply: json_reply(201, "The session.", "Session"),
        ..CHANGES
    },
    Operation {
        path: "/campaigns/{id}/sessions/{session}/end",
        tag: "play",
        id: "endSession",
        summary: "End a session",
        about: "Ending one that has ended changes nothing.",
        reply: json_reply(200, "The session.", "Session"),
        ..CHANGES
    },
    Operation {
        path: "/campaigns/{id}/rolls",
        tag: "play",
        id: "roll",
        summary: "Roll dice at the table",
        about: "In a session that is active the roll is written down and the answer has `roll_seq`. An action needs one.",
        body: Some(Body {
            schema: "AnyRoll",
            example: || json!({"kind": "DUALITY", "modifier": 2, "difficulty": 15}),
        }),
        reply: json_reply(201, "What was rolled.", "AnyRolled"),
        ..CHANGES
    },
    Operation {
        path: "/campaigns/{id}/rolls/{seq}/apply",
        tag: "play",
        id: "applyOutcome",
        summary: "Let the outcome of a roll come true, once",
        body: Some(Body { schema: "Apply", example: || json!({"targets": []}) }),
        reply: json_reply(200, "What it did.", "Applied"),
        ..CHANGES
    },
    Operation {
        path: "/campaigns/{id}/notes",
        tag: "journal",
        id: "addNote",
        summary: "Write a note into the journal",
        body: Some(Body { schema: "NewNote", example: || json!({"text": "The bridge is out."}) }),
        reply: json_reply(201, "The entry.", "Event"),
        ..CHANGES
    },
    Operation {
        path: "/campaigns/{id}/events",
        tag: "journal",
        id: "readJournal",
        summary: "Read the journal, the newest first",
        about: "`next` is the `before` of the following page.",
        parameters: &["session", "before", "after", "limit"],
        reply: json_reply(200, "Part of the journal.", "Events"),
        ..READS
    },
    Operation {
        path: "/campaigns/{id}/changes",
        tag: "live",
        id: "followCampaign",
        summary: "Follow the journal as it is written",
        about: "Server-sent events named `entry`, the number of the entry as `id`, whose data is an `Event`; and `resync` \
                for one that has missed too much: read the table, then go on. A comment comes when nothing else did for 15 \
                seconds.",
        parameters: &["after", "Last-Event-ID"],
        reply: stream("A stream."),
        ..READS
    },
    Operation {
        path: "/campaigns/{id}/undo",
        tag: "journal",
        id: "undo",
        summary: "Take back what an event did",
        about: "By a further event; nothing is deleted. Without a number, the latest that can be taken back.",
        body: Some(Body { schema: "Undo", example: || json!({"seq": 4}) }),
        reply: json_reply(200, "What was undone, and the entry that says so.", "Undone"),
        ..CHANGES
    },
    Operation {
        path: "/campaigns/{id}/fork",
        tag: "journal",
        id: "fork",
        summary: "Make a campaign with the same history, up to an event",
        body: Some(Body { schema: "Fork", example: || json!({"seq": 4, "name": "What if"}) }),
        reply: json_reply(201, "The new campaign.", "Campaign"),
        ..CHANGES
    },
    Operation {
        path: "/campaigns/{id}/verify",
        tag: "journal",
        id: "verify",
        summary: "Check that the journal is as it was written",
        reply: json_reply(200, "Whether it is, or where not.", "Verdict"),
        ..READS
    },
    Operation {
        path: "/sessions/{id}/export",
        tag: "journal",
        id: "exportSession",
        summary: "A session as Markdown, for people",
        reply: Reply { status: 200, about: "Markdown.", kind: "text/markdown", schema: "" },
        ..READS
    },
    Operation {
        method: "get",
        path: "/duality/rules",
        id: "rules",
        summary: "Which rules are in force",
        reply: json_reply(200, "The rules.", "Rules"),
        ..RULES
    },
    Operation {
        path: "/duality/roll",
        id: "rollDuality",
        summary: "Roll Duality dice, without a campaign",
        body: Some(Body {
            schema: "DualityRoll",
            example: || json!({"modifier": 2, "difficulty": 15}),
        }),
        reply: json_reply(200, "What was rolled.", "DualityRolled"),
        ..RULES
    },
    Operation {
        path: "/duality/outcome",
        id: "outcome",
        summary: "What dice that are known come to",
        body: Some(Body {
            schema: "KnownDice",
            example: || json!({"hope": 8, "fear": 5, "modifier": 2, "difficulty": 15}),
        }),
        reply: json_reply(200, "What they come to.", "Resolved"),
        ..RULES
    },
    Operation {
        path: "/duality/explain",
        id: "explain",
        summary: "How dice come to their outcome, step by step",
        body: Some(Body {
            schema: "Explain",
            example: || json!({"hope": 8, "fear": 5, "modifier": 2, "difficulty": 15}),
        }),
        reply: json_reply(200, "The explanation.", "Explanation"),
        ..RULES
    },
    Operation {
        path: "/duality/probability",
        id: "probability",
        summary: "How likely each outcome of a roll is, exactly",
        body: Some(Body {
            schema: "Considered",
            example: || json!({"modifier": 2, "difficulty": 15}),
        }),
        reply: json_reply(200, "Counts of all rolls that there are.", "Odds"),
        ..RULES
    },
    Operation {
        path: "/dice",
        id: "rollDice",
        summary: "Roll dice of any kind, without a campaign",
        body: Some(Body {
            schema: "DiceRoll",
            example: || json!({"dice": [{"sides": 20, "count": 2}, {"sides": 6, "count": 1}]}),
        }),
        reply: json_reply(200, "What was rolled.", "DiceRolled"),
        ..RULES
    },
];
