//! A table with its journal, as a service has them.

use std::sync::Arc;

use campaign_core::{
    Caller, CampaignId, Command, ControllerInput, Entry, Envelope, Fact, Modifier, Moment,
    ParticipantId, Refusal, Rng, RollInput, Table, Trait, can_undo, decide,
    duality::{self, Advantage, Dice, Drawn},
    ids, seal, token,
};

#[derive(Clone)]
pub(crate) struct World {
    pub(crate) id: CampaignId,
    pub(crate) table: Table,
    /// The journal, as the text that is stored.
    pub(crate) log: Vec<String>,
    /// The same, read back.
    read: Vec<Arc<Entry>>,
    /// Every id that was made, in order.
    pub(crate) made: Vec<String>,
    pub(crate) clock: i64,
}

/// The n-th id; `salt` tells apart those that two campaigns make.
pub(crate) fn nth_id(prefix: &str, n: usize, salt: u8) -> String {
    let mut random = [salt; 16];
    random[..4].copy_from_slice(&u32::try_from(n).unwrap().to_be_bytes());
    ids::make(prefix, random)
}

impl World {
    /// A place where a campaign can be created.
    pub(crate) fn empty() -> Self {
        let id = CampaignId::from("camp_here");
        Self {
            id,
            table: Table::default(),
            log: vec![],
            read: vec![],
            made: vec![],
            clock: 1_736_937_000_000,
        }
    }

    /// A campaign without anybody.
    pub(crate) fn begun() -> Self {
        let mut world = Self::empty();
        world.run(create_campaign("The Lost Expedition", "HUMAN"));
        world
    }

    /// A GM, two players, a PC of the first player, an NPC of the GM, and a session.
    pub(crate) fn playing() -> (Self, Cast) {
        let mut world = Self::begun();
        let gm = world.join("Gil", "GM");
        let alice = world.join("Alice", "PLAYER");
        let bob = world.join("Bob", "PLAYER");
        let thorin = world.actor("Thorin", "PC");
        let wolf = world.actor("Wolf", "NPC");
        world.run(set_control(&thorin, alice.as_str()));
        world.run(set_control(&wolf, "GM"));
        world.run(Command::StartSession { name: "Session 1".into() });
        (world, Cast { gm, alice, bob, thorin, wolf })
    }

    /// Sends a command as `caller`; the table changes if it is accepted.
    pub(crate) fn send_as(
        &mut self,
        caller: &Caller,
        command: &Command,
    ) -> Result<Vec<Entry>, Refusal> {
        self.clock += 1000;
        let made = &mut self.made;
        let mut next_id = |prefix: &str| {
            made.push(nth_id(prefix, made.len(), 0));
            made.last().unwrap().clone()
        };
        let facts = decide(&self.table, command, caller, &mut next_id)?;
        let envelope = Envelope {
            campaign: self.id.clone(),
            at: Moment(self.clock),
            request_id: "req-1".into(),
            invocation_id: "inv-1".into(),
            by: caller.by(&self.table),
        };
        let entries = seal(&self.table, &envelope, facts);
        // By way of the journal: what is applied is what is read back.
        for entry in &entries {
            let text = serde_json::to_string(entry).unwrap();
            let read: Entry = serde_json::from_str(&text).unwrap();
            assert_eq!(&read, entry);
            self.table.apply(&read);
            self.log.push(text);
            self.read.push(Arc::new(read));
        }
        Ok(entries)
    }

    #[expect(clippy::needless_pass_by_value, reason = "callers make it on the spot")]
    pub(crate) fn send(&mut self, command: Command) -> Result<Vec<Entry>, Refusal> {
        self.send_as(&Caller::nobody(), &command)
    }

    /// Sends a command that is accepted, and gives the fact that came of it.
    pub(crate) fn run(&mut self, command: Command) -> Fact {
        let shown = format!("{command:?}");
        let entries =
            self.send(command).unwrap_or_else(|refusal| panic!("{shown} was refused: {refusal}"));
        assert_eq!(entries.len(), 1, "{shown}");
        entries[0].fact().clone()
    }

    /// What is said to a command that is refused, with its code.
    pub(crate) fn refused(&mut self, command: Command) -> String {
        self.refused_as(&Caller::nobody(), command)
    }

    #[expect(clippy::needless_pass_by_value, reason = "callers make it on the spot")]
    pub(crate) fn refused_as(&mut self, caller: &Caller, command: Command) -> String {
        let before = bytes(&self.table);
        let shown = format!("{command:?}");
        match self.send_as(caller, &command) {
            Err(Refusal { code, message, .. }) => {
                assert_eq!(bytes(&self.table), before, "a refused command changed the table");
                format!("{code}: {message}")
            }
            Ok(entries) => panic!("{shown} was not refused: {entries:?}"),
        }
    }

    pub(crate) fn join(&mut self, name: &str, role: &str) -> ParticipantId {
        match self.run(create_participant(name, role)) {
            Fact::ParticipantJoined(joined) => joined.participant_id,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn join_as(&mut self, caller: &Caller, name: &str) -> ParticipantId {
        let entries = self.send_as(caller, &create_participant(name, "PLAYER")).unwrap();
        match entries[0].fact() {
            Fact::ParticipantJoined(joined) => joined.participant_id.clone(),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn actor(&mut self, name: &str, kind: &str) -> campaign_core::ActorId {
        match self.run(create_actor(name, kind)) {
            Fact::ActorCreated(created) => created.actor_id,
            other => panic!("{other:?}"),
        }
    }

    /// Gives a participant a token, with which it speaks from then on.
    pub(crate) fn seat(&mut self, id: &ParticipantId) -> Caller {
        let gm = self.table.participants().find(|p| self.table.has_token(&p.id));
        let caller = gm.map_or(Caller::nobody(), |gm| Caller::participant(gm.id.clone(), true));
        let token_hash = token::hash(&format!("seat_{id}"));
        let command = Command::IssueToken { participant_id: id.as_str().into(), token_hash };
        self.send_as(&caller, &command).unwrap();
        Caller::participant(id.clone(), self.table.is_token_of(id, &format!("seat_{id}")))
    }

    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.read.iter().map(|entry| Entry::clone(entry)).collect()
    }

    pub(crate) fn entry(&self, seq: u64) -> Option<Arc<Entry>> {
        self.read.get(usize::try_from(seq).ok()?.checked_sub(1)?).cloned()
    }

    /// The latest entry that can be undone.
    pub(crate) fn latest(&self) -> Option<Arc<Entry>> {
        self.read.iter().rev().find(|entry| can_undo(&self.table, entry).is_ok()).cloned()
    }

    /// As a service makes it: with the entry in question.
    pub(crate) fn undo(&self, seq: Option<u64>) -> Command {
        let entry = seq.map_or_else(|| self.latest(), |seq| self.entry(seq));
        Command::Undo { seq, entry }
    }
}

pub(crate) struct Cast {
    pub(crate) gm: ParticipantId,
    pub(crate) alice: ParticipantId,
    pub(crate) bob: ParticipantId,
    pub(crate) thorin: campaign_core::ActorId,
    pub(crate) wolf: campaign_core::ActorId,
}

pub(crate) fn replay(log: &[String]) -> Table {
    let mut table = Table::default();
    for text in log {
        table.apply(&serde_json::from_str(text).unwrap());
    }
    table
}

pub(crate) fn bytes(table: &Table) -> String {
    serde_json::to_string(table).unwrap()
}

pub(crate) fn create_campaign(name: &str, gm_mode: &str) -> Command {
    let theme_prompt = "  A dark forest\n".into();
    Command::CreateCampaign { name: name.into(), gm_mode: gm_mode.into(), theme_prompt }
}

pub(crate) fn create_participant(name: &str, role: &str) -> Command {
    let (display_name, role, controller) = (name.into(), role.into(), String::new());
    Command::CreateParticipant { display_name, role, controller }
}

pub(crate) fn create_actor(name: &str, kind: &str) -> Command {
    Command::CreateActor { name: name.into(), kind: kind.into(), notes: String::new() }
}

pub(crate) fn set_control(actor: &campaign_core::ActorId, controller: &str) -> Command {
    let controller = ControllerInput::Text(controller.into());
    Command::SetControl { actor_id: actor.as_str().into(), controller }
}

pub(crate) fn note(text: &str) -> Command {
    Command::AddNote { text: text.into(), session_id: None }
}

/// A roll for an actor with dice that are known.
pub(crate) fn action(actor: &str, hope: i64, fear: i64, difficulty: Option<i64>) -> Command {
    let roll = RollInput::Action {
        actor_id: actor.into(),
        trait_name: Trait::Agility.name().to_lowercase(),
        difficulty,
        modifiers: vec![Modifier { source: "rope".into(), value: 1 }],
        drawn: Drawn::from(Dice { hope, fear }),
        rng: Rng::live(7),
    };
    Command::Roll { session_id: None, roll }
}

/// A roll for nobody in particular.
pub(crate) fn duality_roll(hope: i64, fear: i64) -> Command {
    let resolved = duality::outcome(hope, fear, 0, None).unwrap();
    Command::Roll { session_id: None, roll: RollInput::Duality { resolved, rng: Rng::live(7) } }
}

pub(crate) fn dice_roll(seed: u64) -> Command {
    let specs = [campaign_core::DiceSpec { sides: 20, count: 2 }];
    let rolled = campaign_core::Roller::from_seed(seed).roll(&specs).unwrap();
    let roll = RollInput::Dice { rolled, modifier: 3, rng: Rng::live(seed) };
    Command::Roll { session_id: None, roll }
}

pub(crate) fn apply(roll_seq: u64, targets: &[&campaign_core::ActorId]) -> Command {
    let targets = targets.iter().map(|id| id.as_str().to_owned()).collect();
    Command::ApplyOutcome { roll_seq, targets }
}

pub(crate) fn drawn_with(advantage: Advantage, die: i64) -> Drawn {
    Drawn { dice: Dice { hope: 8, fear: 5 }, advantage, advantage_die: Some(die) }
}
