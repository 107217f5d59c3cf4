//! Campaigns, participants, actors and sessions: what is kept, what is refused, in which order.

use campaign_core::{
    ActorController, ActorKind, Command, Controller, ControllerInput, GmMode, Role, Status, Table,
    limits,
};

use crate::world::{
    World, create_actor, create_campaign, create_participant, note, replay, set_control,
};

// spec: campaign campaign_create
#[test]
fn a_campaign_is_kept_as_it_was_given() {
    let mut world = World::empty();
    world.run(create_campaign("  The Lost Expedition ", " hybrid"));
    let campaign = world.table.campaign().unwrap();
    assert_eq!((&*campaign.name, campaign.gm_mode), ("The Lost Expedition", GmMode::Hybrid));
    assert_eq!(campaign.theme_prompt, "  A dark forest\n", "byte for byte");
    assert_eq!((campaign.participant_count, campaign.actor_count), (0, 0));
    assert_eq!(campaign.created_at, campaign.updated_at);
    assert_eq!(campaign.id, world.id);
    let again = world.refused(create_campaign("another", "AI"));
    assert_eq!(again, "FailedPrecondition: campaign exists");
}

#[test]
fn a_campaign_needs_a_name_and_then_a_gm_mode() {
    let mut world = World::empty();
    let mut refused = |name, mode| world.refused(create_campaign(name, mode));
    assert_eq!(refused(" \n", ""), "InvalidArgument: campaign name is required");
    assert_eq!(refused("x", "  "), "InvalidArgument: gm mode is required");
    assert_eq!(
        refused("x", "ROBOT"),
        "InvalidArgument: `gm_mode` must be one of HUMAN, AI, HYBRID, not `ROBOT`"
    );
}

// spec: campaign participant_create
#[test]
fn a_participant_joins_and_is_counted() {
    let mut world = World::begun();
    let id = world.join(" Alice ", "player");
    let alice = world.table.participant(&id).unwrap();
    assert_eq!((&*alice.display_name, alice.role), ("Alice", Role::Player));
    assert_eq!(alice.controller, Controller::Human, "unless something else is said");
    assert_eq!(alice.created_at, alice.updated_at);
    let campaign = world.table.campaign().unwrap();
    assert_eq!(campaign.participant_count, 1);
    assert_eq!(campaign.updated_at, alice.created_at);
    assert!(campaign.updated_at > campaign.created_at);
}

#[test]
fn a_participant_needs_a_name_then_a_role_then_a_controller_that_there_is() {
    let mut world = World::empty();
    let participant = |name: &str, role: &str, controller: &str| Command::CreateParticipant {
        display_name: name.into(),
        role: role.into(),
        controller: controller.into(),
    };
    let mut refused = |name, role, controller| world.refused(participant(name, role, controller));
    assert_eq!(refused("", "", "x"), "InvalidArgument: display name is required");
    assert_eq!(refused("x", "", "x"), "InvalidArgument: participant role is required");
    assert_eq!(
        refused("x", "king", "x"),
        "InvalidArgument: `role` must be one of GM, PLAYER, not `king`"
    );
    assert_eq!(
        refused("x", "GM", "x"),
        "InvalidArgument: `controller` must be one of HUMAN, AI, not `x`"
    );
    assert_eq!(refused("x", "GM", " ai "), "NotFound: campaign not found", "fields come first");
}

// spec: campaign actor_create
#[test]
fn an_actor_is_created_and_counted() {
    let mut world = World::begun();
    let command = Command::CreateActor {
        name: " Thorin Ironforge".into(),
        kind: "pc".into(),
        notes: "\tDwarf warrior\n".into(),
    };
    world.run(command);
    let actor = world.table.actors().next().unwrap();
    assert_eq!((&*actor.name, actor.kind), ("Thorin Ironforge", ActorKind::Pc));
    assert_eq!((&*actor.notes, &actor.controller), ("Dwarf warrior", &None));
    assert_eq!(world.table.campaign().unwrap().actor_count, 1);
    assert_eq!(world.table.campaign().unwrap().updated_at, actor.created_at);
    let mut refused = |name, kind| world.refused(create_actor(name, kind));
    assert_eq!(refused(" ", "PC"), "InvalidArgument: actor name is required");
    assert_eq!(refused("x", ""), "InvalidArgument: actor kind is required");
    assert_eq!(refused("x", "GM"), "InvalidArgument: `kind` must be one of PC, NPC, not `GM`");
}

#[test]
fn the_same_name_twice_is_two() {
    let mut world = World::begun();
    assert_ne!(world.join("Alice", "GM"), world.join("Alice", "GM"));
    assert_ne!(world.actor("Wolf", "NPC"), world.actor("Wolf", "NPC"));
    let names: Vec<_> = world.table.participants().map(|p| &*p.display_name).collect();
    assert_eq!(names, ["Alice", "Alice"]);
}

// spec: campaign actor_control_set
#[test]
fn an_actor_is_played_by_the_gm_or_by_a_participant() {
    let mut world = World::begun();
    let (alice, wolf) = (world.join("Alice", "PLAYER"), world.actor("Wolf", "NPC"));
    let controller = |table: &Table| table.actor(&wolf).unwrap().controller.clone();
    world.run(set_control(&wolf, " gm "));
    assert_eq!(controller(&world.table), Some(ActorController::Gm));
    let updated = world.table.campaign().unwrap().updated_at;
    world.run(set_control(&wolf, &format!(" {alice} ")));
    assert_eq!(controller(&world.table), Some(ActorController::Participant(alice.clone())));
    assert_eq!(world.table.campaign().unwrap().updated_at, updated, "the campaign does not move");
    let seq = world.table.seq();
    assert!(world.send(set_control(&wolf, alice.as_str())).unwrap().is_empty());
    assert_eq!(world.table.seq(), seq, "the same again succeeds and writes nothing");
}

#[test]
fn who_plays_an_actor_is_checked_in_an_order_of_its_own() {
    let mut world = World::empty();
    let set = |actor: &str, controller| Command::SetControl { actor_id: actor.into(), controller };
    let text = |text: &str| ControllerInput::Text(text.into());
    assert_eq!(world.refused(set("", text(""))), "NotFound: campaign not found");
    world.run(create_campaign("x", "AI"));
    assert_eq!(world.refused(set(" ", text(""))), "InvalidArgument: actor id is required");
    assert_eq!(world.refused(set("actor_x", text(""))), "NotFound: actor not found");
    let wolf = world.actor("Wolf", "NPC");
    let wolf = wolf.as_str();
    let mut refused = |controller| world.refused(set(wolf, controller));
    assert_eq!(refused(text(" ")), "InvalidArgument: controller is required");
    assert_eq!(refused(ControllerInput::Missing), "InvalidArgument: controller is required");
    assert_eq!(
        refused(ControllerInput::Neither),
        "InvalidArgument: actor controller must be exactly one of: gm or participant"
    );
    assert_eq!(
        refused(ControllerInput::Participant(" ".into())),
        "InvalidArgument: participant id is required when participant controller is specified"
    );
    assert_eq!(refused(text("part_x")), "NotFound: participant not found");
    assert_eq!(
        refused(ControllerInput::Participant("GM".into())),
        "NotFound: participant not found"
    );
    world.run(set(wolf, ControllerInput::Gm));
}

// spec: campaign session_start
#[test]
fn one_session_is_active_at_most() {
    let mut world = World::begun();
    let updated = world.table.campaign().unwrap().updated_at;
    world.run(Command::StartSession { name: " Session 1 ".into() });
    let first = world.table.active_session().unwrap().clone();
    assert_eq!((&*first.name, first.status), ("Session 1", Status::Active));
    assert_eq!((first.started_at, first.ended_at), (first.updated_at, None));
    assert_eq!(world.table.campaign().unwrap().updated_at, updated);
    let start = || Command::StartSession { name: String::new() };
    assert_eq!(world.refused(start()), "FailedPrecondition: active session exists");
    world.run(Command::EndSession { session_id: None });
    let ended = world.table.session(&first.id).unwrap().clone();
    assert_eq!(ended.status, Status::Ended);
    assert_eq!(ended.ended_at, Some(ended.updated_at));
    world.run(start());
    assert_eq!(world.table.sessions().count(), 2);
    assert_eq!(world.table.active_session().unwrap().name, "");
}

#[test]
fn ending_twice_succeeds_and_keeps_the_first_end() {
    let mut world = World::begun();
    world.run(Command::StartSession { name: String::new() });
    let id = world.table.active_session().unwrap().id.clone();
    let end = |id: &str| Command::EndSession { session_id: Some(id.into()) };
    world.run(end(id.as_str()));
    let ended = world.table.session(&id).unwrap().clone();
    assert!(world.send(end(id.as_str())).unwrap().is_empty());
    assert_eq!(world.table.session(&id), Some(&ended));
    assert_eq!(world.refused(end(" ")), "InvalidArgument: session id is required");
    assert_eq!(world.refused(end("sess_x")), "NotFound: session not found");
    let none = world.refused(Command::EndSession { session_id: None });
    assert_eq!(none, "FailedPrecondition: no active session");
}

#[test]
fn a_clock_that_goes_back_ends_nothing_before_it_began() {
    let mut world = World::begun();
    world.run(Command::StartSession { name: String::new() });
    world.clock -= 1_000_000;
    world.join("Alice", "PLAYER");
    world.run(Command::EndSession { session_id: None });
    let campaign = world.table.campaign().unwrap();
    assert!(campaign.updated_at >= campaign.created_at);
    let session = world.table.sessions().next().unwrap();
    assert!(session.ended_at.unwrap() >= session.started_at);
    assert!(session.updated_at >= session.started_at);
}

#[test]
fn notes_belong_to_the_session_that_is_named_or_active() {
    let mut world = World::begun();
    let sessions = |world: &World| -> Vec<_> {
        let entries = world.entries();
        entries.iter().map(|entry| entry.session_id.clone().map(|id| id.to_string())).collect()
    };
    world.run(note("before"));
    world.run(Command::StartSession { name: String::new() });
    let id = world.table.active_session().unwrap().id.to_string();
    world.run(note(" in it "));
    world.run(Command::EndSession { session_id: None });
    world.run(Command::AddNote { text: "afterwards".into(), session_id: Some(id.clone()) });
    let own = Some(id);
    assert_eq!(sessions(&world), [None, None, own.clone(), own.clone(), own.clone(), own]);
    assert!(world.log[3].contains(r#""payload":{"text":"in it","session_id":"sess_"#));
    assert_eq!(world.refused(note("  ")), "InvalidArgument: note text is required");
}

#[test]
fn limits_are_answered_with_their_numbers() {
    let mut world = World::begun();
    let name = "é".repeat(limits::NAME);
    world.run(create_participant(&format!("  {name}  "), "GM"));
    assert_eq!(
        world.refused(create_participant(&format!("{name}é"), "GM")),
        "ResourceExhausted: `display_name` must be at most 1024 characters"
    );
    assert_eq!(
        world.refused(create_actor("a\0b", "PC")),
        "InvalidArgument: `name` must not have a NUL character (byte 1 is one)"
    );
    let text = "x".repeat(limits::TEXT);
    world.run(note(&text));
    assert_eq!(
        world.refused(note(&format!("{text}x"))),
        "ResourceExhausted: `text` must be at most 65536 bytes, not 65537"
    );
    let long = Command::CreateCampaign {
        name: "x".into(),
        gm_mode: "AI".into(),
        theme_prompt: format!("{text} "),
    };
    assert!(World::empty().refused(long).starts_with("ResourceExhausted: `theme_prompt`"));
    let named = Command::StartSession { name: format!("{name}é") };
    assert!(world.refused(named).starts_with("ResourceExhausted: `name`"));
}

#[test]
fn an_entry_says_what_it_is_about_and_who_did_it() {
    let (world, cast) = World::playing();
    let about: Vec<_> = world
        .entries()
        .iter()
        .map(|entry| (entry.kind(), entry.entity.kind.name(), entry.entity.id.to_string()))
        .collect();
    assert_eq!(about[0], ("campaign.created", "CAMPAIGN", "camp_here".into()));
    assert_eq!(about[1], ("participant.joined", "PARTICIPANT", cast.gm.to_string()));
    assert_eq!(about[4], ("actor.created", "ACTOR", cast.thorin.to_string()));
    assert_eq!(about[6], ("actor.control_set", "ACTOR", cast.thorin.to_string()));
    assert_eq!(about[8].0, "session.started");
    assert_eq!(world.entries()[0].by, campaign_core::By::system());
}

#[test]
fn a_snapshot_is_read_back_as_the_same_table() {
    let (world, _) = World::playing();
    let text = serde_json::to_string(&world.table).unwrap();
    let read: Table = serde_json::from_str(&text).unwrap();
    assert_eq!(read, world.table);
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    assert_eq!(replay(&world.log), world.table);
}
