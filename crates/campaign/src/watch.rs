//! Tells subscribed agents what changed, whichever surface or replica changed it.

use std::{sync::Arc, time::Duration};

use futures::StreamExt as _;
use kit_core::Principal;
use kit_mcp::{Change as Told, Hub};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::{Backend, Caller, Change, backend::Wanted, wire::Event};

/// The list of all campaigns.
const LIST: &str = "campaigns://list";
/// How long a backend that broke off is left alone.
const PAUSE: Duration = Duration::from_secs(1);

/// Passes on what happens in all campaigns until `shutdown`. A backend that breaks off is asked again.
pub(crate) async fn tell_agents(backend: Arc<dyn Backend>, hub: Hub, shutdown: CancellationToken) {
    let caller = Caller::new(Principal::local(), "watch");
    // Before anybody listens, what an entry touches need not be found out.
    let ears = hub.clone();
    let wanted: Wanted = Arc::new(move || ears.is_heard());
    let telling = async {
        loop {
            match backend.watch_while(&caller, wanted.clone()).await {
                Ok(mut changes) => {
                    while let Some(change) = changes.next().await {
                        match change {
                            Ok(change) => pass_on(&hub, &change),
                            Err(error) => {
                                let error = &error as &dyn std::error::Error;
                                tracing::warn!(error, "agents may not have been told of a change");
                                break;
                            }
                        }
                    }
                }
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, "cannot hear of changes");
                }
            }
            tokio::time::sleep(PAUSE).await;
            // What was missed in between nobody knows.
            hub.tell(Told::Resources);
            hub.resource_updated(LIST);
        }
    };
    tokio::select! {
        () = telling => {}
        () = shutdown.cancelled() => {}
    }
}

fn pass_on(hub: &Hub, change: &Change) {
    let (new, uris) = match change {
        Change::Entry(event) => (event.kind == "campaign.created", touched(event)),
        Change::Missed { campaign_id } => {
            let root = format!("campaign://{campaign_id}");
            let below =
                ["/participants", "/actors", "/sessions"].map(|part| format!("{root}{part}"));
            (true, [LIST.to_owned(), root].into_iter().chain(below).collect())
        }
    };
    if new {
        hub.tell(Told::Resources);
    }
    for uri in uris {
        hub.resource_updated(uri);
    }
}

/// The resources that an entry changes.
fn touched(event: &Event) -> Vec<String> {
    let root = format!("campaign://{}", event.campaign_id);
    let actors = || format!("{root}/actors");
    let mut uris = match what(event).as_str() {
        "campaign.created" | "campaign.forked" => vec![LIST.to_owned(), root.clone()],
        "participant.joined" => {
            vec![LIST.to_owned(), root.clone(), format!("{root}/participants")]
        }
        "actor.created" => vec![LIST.to_owned(), root.clone(), actors()],
        "actor.control_set" | "actor.sheet_set" | "actor.state_set" | "outcome.applied" => {
            vec![actors()]
        }
        "session.started" | "session.ended" => vec![format!("{root}/sessions")],
        _ => Vec::new(),
    };
    uris.extend(actors_of(event).into_iter().map(|id| format!("actor://{id}")));
    uris.extend(event.session_id.as_ref().map(|id| format!("session://{id}/events")));
    uris
}

/// The parts of an entry's payload that say what it touches.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Says {
    #[serde(rename = "type")]
    kind: Option<String>,
    actor_id: Option<String>,
    changes: Vec<Shifted>,
    payload: Option<Box<Says>>,
}

#[derive(Deserialize)]
struct Shifted {
    actor_id: String,
}

/// What happened; what is undone touches what it touched when it happened.
fn what(event: &Event) -> String {
    let undone = (event.kind == "event.undone").then(|| payload(event).kind).flatten();
    undone.unwrap_or_else(|| event.kind.clone())
}

/// The actors that an entry says something of. A roll says nothing of how its actor is.
fn actors_of(event: &Event) -> Vec<String> {
    if what(event) == "roll.resolved" {
        return Vec::new();
    }
    let mut payload = payload(event);
    if let Some(inner) = payload.payload.take() {
        payload = *inner;
    }
    payload
        .actor_id
        .into_iter()
        .chain(payload.changes.into_iter().map(|one| one.actor_id))
        .collect()
}

fn payload(event: &Event) -> Says {
    serde_json::from_str(event.payload.get()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use campaign_core::Moment;
    use serde_json::value::RawValue;

    use super::*;
    use crate::wire::{Entity, Said};

    fn uris(kind: &str, session: Option<&str>, payload: &str) -> Vec<String> {
        let text = || String::new();
        touched(&Event {
            campaign_id: "c".into(),
            seq: 2,
            ts: Moment(0),
            kind: kind.into(),
            request_id: text(),
            invocation_id: text(),
            actor: Said { kind: text(), id: text(), name: None },
            session_id: session.map(Into::into),
            entity: Entity { kind: text(), id: text() },
            payload: RawValue::from_string(payload.into()).unwrap().into(),
            undone: false,
            event_hash: text(),
            prev_hash: text(),
        })
    }

    #[test]
    fn an_entry_touches_the_resources_that_show_it() {
        let base = ["campaigns://list", "campaign://c"];
        assert_eq!(uris("campaign.created", None, "{}"), base);
        let joined = uris("participant.joined", None, r#"{"participant_id": "p"}"#);
        assert_eq!(joined, [&base[..], &["campaign://c/participants"]].concat());
        let set = uris("actor.control_set", None, r#"{"actor_id": "a"}"#);
        assert_eq!(set, ["campaign://c/actors", "actor://a"]);
        let started = uris("session.started", Some("s"), r#"{"session_id": "s"}"#);
        assert_eq!(started, ["campaign://c/sessions", "session://s/events"]);
        assert_eq!(uris("note.added", Some("s"), r#"{"text": "x"}"#), ["session://s/events"]);
    }

    #[test]
    fn an_undo_touches_what_it_takes_back() {
        let payload = r#"{"seq": 1, "type": "actor.created", "payload": {"actor_id": "a"}}"#;
        let undone = uris("event.undone", None, payload);
        assert_eq!(
            undone,
            ["campaigns://list", "campaign://c", "campaign://c/actors", "actor://a"]
        );
        let payload = r#"{"changes": [{"actor_id": "a"}, {"actor_id": "b"}]}"#;
        let applied = uris("outcome.applied", None, payload);
        assert_eq!(applied, ["campaign://c/actors", "actor://a", "actor://b"]);
    }
}
