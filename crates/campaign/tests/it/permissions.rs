//! Who may do what, with and without tokens, over REST.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::world::World;

/// A table with a GM, two players, and an actor for each player.
struct Seats {
    world: World,
    path: String,
    gm: String,
    players: [String; 2],
    actors: [String; 2],
}

impl Seats {
    async fn take() -> Self {
        let world = World::start();
        let path = world.campaign().await;
        let join = async |name: &str, role: &str| {
            let new = json!({"display_name": name, "role": role});
            let joined = world.post(&format!("{path}/participants"), new).await;
            joined["id"].as_str().unwrap().to_owned()
        };
        let gm = join("Gus", "GM").await;
        let players = [join("Ann", "PLAYER").await, join("Bob", "PLAYER").await];
        let mut actors = Vec::new();
        for player in &players {
            let made =
                world.post(&format!("{path}/actors"), json!({"name": "A", "kind": "PC"})).await;
            let id = made["id"].as_str().unwrap().to_owned();
            let control = Some(json!({"controller": player}));
            world.send(Method::PUT, &format!("{path}/actors/{id}/controller"), control).await;
            actors.push(id);
        }
        world.post(&format!("{path}/sessions"), json!({})).await;
        Self { gm, players, actors: actors.try_into().unwrap(), world, path }
    }

    /// Asks as somebody, with a token or without.
    async fn ask(
        &self,
        who: Option<&str>,
        token: Option<&str>,
        method: Method,
        path: &str,
        body: Value,
    ) -> (StatusCode, Value) {
        let mut headers = Vec::new();
        headers.extend(who.map(|id| ("x-participant-id", id)));
        headers.extend(token.map(|token| ("x-participant-token", token)));
        let path = format!("{}{path}", self.path);
        self.world.send_as(&headers, method, &path, Some(body)).await
    }

    async fn token(&self, by: Option<&str>, token: Option<&str>, whom: &str) -> String {
        let path = format!("/participants/{whom}/token");
        let (status, answer) = self.ask(by, token, Method::POST, &path, json!({})).await;
        assert_eq!((status.as_u16(), &answer["participant_id"]), (201, &json!(whom)));
        answer["token"].as_str().unwrap().to_owned()
    }
}

fn roll(actor: &str) -> Value {
    json!({"kind": "ACTION", "actor_id": actor, "trait": "AGILITY"})
}

fn is_denied((status, answer): &(StatusCode, Value)) -> bool {
    status.as_u16() == 403 && answer["code"] == "PermissionDenied"
}

#[tokio::test]
async fn a_player_rolls_and_applies_for_the_own_actor_alone() {
    let seats = Seats::take().await;
    let ([ann, bob], [hers, his]) = (&seats.players, &seats.actors);
    let (status, rolled) = seats.ask(Some(ann), None, Method::POST, "/rolls", roll(hers)).await;
    assert_eq!(status, 201);
    let refused = seats.ask(Some(ann), None, Method::POST, "/rolls", roll(his)).await;
    assert!(is_denied(&refused), "{refused:?}");
    let message = format!("participant `{ann}` does not control actor `{his}`");
    assert_eq!(refused.1["error"], message);
    let apply = format!("/rolls/{}/apply", rolled["roll_seq"]);
    let refused = seats.ask(Some(bob), None, Method::POST, &apply, json!({})).await;
    assert!(is_denied(&refused), "{refused:?}");
    let (status, _) = seats.ask(Some(&seats.gm), None, Method::POST, &apply, json!({})).await;
    assert_eq!(status, 200, "a GM applies to any");
    let event = &seats.world.get(&format!("{}/events?limit=2", seats.path)).await["events"];
    assert_eq!(event[0]["actor"], json!({"kind": "GM", "id": seats.gm, "name": "Gus"}));
    assert_eq!(event[1]["actor"], json!({"kind": "PARTICIPANT", "id": ann, "name": "Ann"}));
}

#[tokio::test]
async fn a_token_guards_the_name_it_was_issued_for() {
    let seats = Seats::take().await;
    let ann = &seats.players[0];
    let first = seats.token(None, None, ann).await;
    let note = json!({"text": "x"});
    for token in [None, Some("seat_wrong"), Some("")] {
        let refused = seats.ask(Some(ann), token, Method::POST, "/notes", note.clone()).await;
        assert!(is_denied(&refused), "{refused:?}");
        assert_eq!(refused.1["error"], format!("participant `{ann}` must show its token"));
    }
    let (status, _) =
        seats.ask(Some(ann), Some(&first), Method::POST, "/notes", note.clone()).await;
    assert_eq!(status, 201);
    // Others speak as before: no GM has a token yet.
    let (status, _) =
        seats.ask(Some(&seats.players[1]), None, Method::POST, "/notes", note.clone()).await;
    assert_eq!(status, 201);
    let second = seats.token(None, None, ann).await;
    let old = seats.ask(Some(ann), Some(&first), Method::POST, "/notes", note.clone()).await;
    assert!(is_denied(&old), "issuing again replaces");
    let (status, _) = seats.ask(Some(ann), Some(&second), Method::POST, "/notes", note).await;
    assert_eq!(status, 201);
    let journal = seats.world.get(&format!("{}/events", seats.path)).await.to_string();
    assert!(!journal.contains(&first) && !journal.contains(&second), "the token is kept nowhere");
    let unknown =
        seats.ask(Some("part_x"), None, Method::POST, "/notes", json!({"text": "x"})).await;
    assert_eq!((unknown.0.as_u16(), &unknown.1["code"]), (404, &json!("NotFound")));
}

#[tokio::test]
async fn a_guarded_table_is_changed_by_its_gm_and_played_by_its_players() {
    let seats = Seats::take().await;
    let (gm, [ann, _], [hers, his]) = (&seats.gm, &seats.players, &seats.actors);
    let key = seats.token(None, None, gm).await;
    assert_eq!(seats.world.get(&seats.path).await["guarded"], true);
    let theirs = [
        (Method::POST, "/participants".to_owned(), json!({"display_name": "C", "role": "GM"})),
        (Method::POST, "/actors".into(), json!({"name": "C", "kind": "NPC"})),
        (Method::PUT, format!("/actors/{hers}/controller"), json!({"controller": "GM"})),
        (Method::PUT, format!("/actors/{hers}/sheet"), json!({"evasion": 9})),
        (Method::PUT, "/fear".into(), json!({"fear": 1})),
        (Method::POST, "/sessions".into(), json!({})),
        (Method::POST, "/undo".into(), json!({})),
        (Method::POST, format!("/participants/{ann}/token"), json!({})),
    ];
    for (method, path, body) in &theirs {
        for who in [None, Some(&**ann)] {
            let refused = seats.ask(who, None, method.clone(), path, body.clone()).await;
            assert!(is_denied(&refused), "{who:?} {path}: {refused:?}");
            assert!(refused.1["error"].as_str().unwrap().starts_with("only the GM may "), "{path}");
        }
    }
    // What a player may: notes, and the own actor's rolls and points.
    for (method, path, body) in [
        (Method::POST, "/notes".to_owned(), json!({"text": "x"})),
        (Method::POST, "/rolls".into(), roll(hers)),
        (Method::PATCH, format!("/actors/{hers}/state"), json!({"hope": 1})),
    ] {
        let (status, answer) = seats.ask(Some(ann), None, method, &path, body).await;
        assert!(status.is_success(), "{path}: {answer}");
    }
    let his_state = format!("/actors/{his}/state");
    let refused = seats.ask(Some(ann), None, Method::PATCH, &his_state, json!({"hope": 1})).await;
    assert!(is_denied(&refused));
    for (method, path) in [(Method::POST, "/notes"), (Method::POST, "/rolls")] {
        let body = if path == "/notes" { json!({"text": "x"}) } else { roll(hers) };
        let refused = seats.ask(None, None, method, path, body).await;
        assert!(is_denied(&refused), "nobody's caller: {path}");
    }
    // Everybody reads, and rolls without a campaign.
    seats.world.get(&format!("{}/events", seats.path)).await;
    seats.world.post("/duality/roll", json!({})).await;
    // The GM, with the token, does it all; without it, nothing.
    let without = seats.ask(Some(gm), None, Method::PUT, "/fear", json!({"fear": 1})).await;
    assert!(is_denied(&without));
    for (method, path, body) in theirs {
        let (status, answer) = seats.ask(Some(gm), Some(&key), method, &path, body).await;
        assert!(status.is_success() || status == 409, "{path}: {answer}");
    }
}

#[tokio::test]
async fn a_gm_may_choose_the_seed_of_a_live_roll_and_a_player_may_not() {
    let seats = Seats::take().await;
    let body = json!({"kind": "DUALITY", "rng": {"seed": 9}});
    let (_, rolled) = seats.ask(Some(&seats.gm), None, Method::POST, "/rolls", body.clone()).await;
    assert_eq!(
        (&rolled["rng"]["seed_used"], &rolled["rng"]["seed_source"]),
        (&json!(9), &json!("CLIENT"))
    );
    let (_, rolled) = seats.ask(Some(&seats.players[0]), None, Method::POST, "/rolls", body).await;
    assert_eq!(rolled["rng"]["seed_source"], "SERVER", "{rolled}");
}
