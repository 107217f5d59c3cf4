//! Steps in the life of a table, sensible and otherwise.

use campaign_core::{
    ActorId, Caller, Command, ControllerInput, DiceSpec, Modifier, ParticipantId, Refusal, Rng,
    RollInput, Roller, SessionId, SheetInput, VitalsInput, dice,
    duality::{self, Advantage, Dice, Drawn},
    token,
};
use proptest::{collection::vec, option, prelude::*, sample::select};

use crate::world::World;

/// Something to do, naming what is there by a number.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    what: What,
    /// As whom, and whether the token is shown.
    by: Option<(usize, bool)>,
}

#[derive(Debug, Clone)]
enum What {
    Join(String),
    Create(&'static str),
    Control(usize, Option<usize>),
    Sheet(usize, Option<i64>, Option<i64>, Vec<(&'static str, i64)>),
    State(usize, [Option<i64>; 3]),
    Fear(i64),
    Start,
    End(Option<usize>),
    Note(String, Option<usize>),
    Roll(Option<usize>, u64, Option<i64>, Advantage),
    Dice(u64),
    Apply(usize, Vec<usize>),
    Token(usize),
    Undo(Option<usize>),
    Repeat,
}

pub(crate) fn any_step() -> impl Strategy<Value = Step> {
    let by = option::weighted(0.4, (0..4_usize, prop::bool::weighted(0.8)));
    (any_what(), by).prop_map(|(what, by)| Step { what, by })
}

/// Without tokens, which cannot be taken back, and with undo of nothing but the latest: what is undone out of its order
/// may take away what an earlier entry would go back to.
pub(crate) fn any_step_in_order() -> impl Strategy<Value = Step> {
    any_step().prop_filter("can be taken back", |step| {
        !matches!(step.what, What::Token(_) | What::Undo(Some(_)))
    })
}

fn any_what() -> impl Strategy<Value = What> {
    let number = || -3..14_i64;
    let few = || 0..5_usize;
    let traits = vec((select(vec!["agility", "PRESENCE", "luck"]), -3..6_i64), 0..3);
    let text = prop_oneof![4 => "[a-z ]{0,8}", 1 => any::<String>()];
    prop_oneof![
        4 => select(vec!["GM", "player", "PLAYER", "nobody"]).prop_map(|role| What::Join(role.into())),
        4 => select(vec!["PC", "npc", ""]).prop_map(What::Create),
        5 => (few(), option::of(few())).prop_map(|(actor, who)| What::Control(actor, who)),
        3 => (few(), option::of(number()), option::of(number()), traits)
            .prop_map(|(actor, hp, stress, traits)| What::Sheet(actor, hp, stress, traits)),
        4 => (few(), [option::of(number()), option::of(number()), option::of(number())])
            .prop_map(|(actor, numbers)| What::State(actor, numbers)),
        2 => number().prop_map(What::Fear),
        4 => Just(What::Start),
        2 => option::of(few()).prop_map(What::End),
        3 => (text, option::of(few())).prop_map(|(text, session)| What::Note(text, session)),
        10 => (option::weighted(0.8, few()), any::<u64>(), option::of(0..30_i64), select(Advantage::ALL))
            .prop_map(|(actor, seed, difficulty, advantage)| What::Roll(actor, seed, difficulty, advantage)),
        1 => any::<u64>().prop_map(What::Dice),
        6 => (0..4_usize, vec(few(), 0..3)).prop_map(|(back, targets)| What::Apply(back, targets)),
        1 => few().prop_map(What::Token),
        8 => option::weighted(0.5, 0..40_usize).prop_map(What::Undo),
        1 => Just(What::Repeat),
    ]
}

impl World {
    /// Does one step; what is refused changes nothing.
    pub(crate) fn step(&mut self, step: &Step) -> Result<usize, Refusal> {
        let command = self.command(&step.what);
        let caller = step.by.and_then(|(which, proven)| {
            let id = nth(self.table.participants().map(|p| p.id.clone()), which)?;
            Some(Caller::participant(id, proven))
        });
        self.send_as(&caller.unwrap_or_default(), &command).map(|entries| entries.len())
    }

    fn command(&self, what: &What) -> Command {
        match what {
            What::Join(role) => Command::CreateParticipant {
                display_name: "Somebody".into(),
                role: role.clone(),
                controller: String::new(),
            },
            What::Create(kind) => crate::world::create_actor("Something", kind),
            What::Control(actor, who) => {
                let id = who.map(|who| self.nth_participant(who));
                let controller =
                    id.map_or(ControllerInput::Gm, |id| ControllerInput::Text(id.to_string()));
                Command::SetControl { actor_id: self.nth_actor(*actor), controller }
            }
            What::Sheet(actor, hp_max, stress_max, traits) => {
                let traits = traits.iter().map(|(name, value)| ((*name).into(), *value)).collect();
                let (hp_max, stress_max) = (*hp_max, *stress_max);
                let sheet = SheetInput { hp_max, stress_max, traits, ..SheetInput::default() };
                Command::SetSheet { actor_id: self.nth_actor(*actor), sheet }
            }
            What::State(actor, [hope, stress, hp]) => {
                let vitals = VitalsInput { hope: *hope, stress: *stress, hp: *hp };
                Command::SetState { actor_id: self.nth_actor(*actor), vitals }
            }
            What::Fear(fear) => Command::SetFear { fear: *fear },
            What::Start => Command::StartSession { name: "Sitting".into() },
            What::End(which) => Command::EndSession { session_id: self.nth_session(*which) },
            What::Note(text, which) => {
                Command::AddNote { text: text.clone(), session_id: self.nth_session(*which) }
            }
            What::Roll(actor, seed, difficulty, advantage) => {
                self.roll(*actor, *seed, *difficulty, *advantage)
            }
            What::Dice(seed) => crate::world::dice_roll(*seed),
            What::Apply(back, targets) => {
                let rolls = self.entries().into_iter().rev();
                let rolls = rolls.filter(|entry| entry.kind() == "roll.resolved");
                let roll_seq = nth(rolls.map(|entry| entry.seq), *back).unwrap_or(1);
                let targets = targets.iter().map(|which| self.nth_actor(*which)).collect();
                Command::ApplyOutcome { roll_seq, targets }
            }
            What::Token(which) => Command::IssueToken {
                participant_id: self.nth_participant(*which).to_string(),
                token_hash: token::hash("seat_x"),
            },
            What::Undo(which) => {
                self.undo(which.map(|which| (which % (self.log.len() + 2)) as u64))
            }
            What::Repeat => crate::world::create_campaign("Again", "AI"),
        }
    }

    fn roll(
        &self,
        actor: Option<usize>,
        seed: u64,
        difficulty: Option<i64>,
        advantage: Advantage,
    ) -> Command {
        let (drawn, rng) = (dice::duality(seed, advantage), Rng::live(seed));
        let roll = if let Some(actor) = actor {
            RollInput::Action {
                actor_id: self.nth_actor(actor),
                trait_name: "Instinct".into(),
                difficulty,
                modifiers: vec![Modifier { source: "luck".into(), value: 1 }],
                drawn,
                rng,
            }
        } else {
            let resolved = duality::resolve(drawn, 0, difficulty).unwrap();
            RollInput::Duality { resolved, rng }
        };
        Command::Roll { session_id: None, roll }
    }

    fn nth_actor(&self, which: usize) -> String {
        let actors = self.table.actors().map(|actor| actor.id.clone());
        nth(actors, which).unwrap_or_else(|| ActorId::from("actor_none")).to_string()
    }

    fn nth_participant(&self, which: usize) -> ParticipantId {
        let participants = self.table.participants().map(|participant| participant.id.clone());
        nth(participants, which).unwrap_or_else(|| "part_none".into())
    }

    fn nth_session(&self, which: Option<usize>) -> Option<String> {
        let sessions = self.table.sessions().map(|session| session.id.clone());
        let id = nth(sessions, which?).unwrap_or_else(|| SessionId::from("sess_none"));
        Some(id.to_string())
    }
}

fn nth<T>(items: impl Iterator<Item = T>, which: usize) -> Option<T> {
    let mut items: Vec<_> = items.collect();
    let place = which % items.len().max(1);
    (place < items.len()).then(|| items.swap_remove(place))
}

/// Any number, the edges of 32 and 64 bits often.
fn any_number() -> impl Strategy<Value = i64> {
    prop_oneof![
        any::<i64>(),
        any::<i32>().prop_map(i64::from),
        select(vec![i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into(), 0, -1, 1 << 31]),
    ]
}

/// A command with anything at all in its fields.
pub(crate) fn any_command() -> impl Strategy<Value = Command> {
    let text = any::<String>;
    let maybe = || option::of(any_number());
    let rng = || any::<u64>().prop_map(Rng::live);
    let drawn = (any_number(), any_number(), select(Advantage::ALL), option::of(any_number()))
        .prop_map(|(hope, fear, advantage, advantage_die)| Drawn {
            dice: Dice { hope, fear },
            advantage,
            advantage_die,
        });
    let modifiers = vec((text(), any_number()), 0..4);
    let action = (text(), text(), maybe(), modifiers, drawn, rng()).prop_map(
        |(actor_id, trait_name, difficulty, modifiers, drawn, rng)| {
            let modifiers = modifiers.into_iter();
            let modifiers = modifiers.map(|(source, value)| Modifier { source, value }).collect();
            RollInput::Action { actor_id, trait_name, difficulty, modifiers, drawn, rng }
        },
    );
    let dice = (any::<u64>(), any_number(), rng()).prop_map(|(seed, modifier, rng)| {
        let rolled = Roller::from_seed(seed).roll(&[DiceSpec { sides: 6, count: 2 }]).unwrap();
        RollInput::Dice { rolled, modifier, rng }
    });
    let controller = prop_oneof![
        text().prop_map(ControllerInput::Text),
        text().prop_map(ControllerInput::Participant),
        Just(ControllerInput::Neither),
    ];
    let sheet = (vec((text(), any_number()), 0..3), maybe(), maybe(), maybe(), maybe()).prop_map(
        |(traits, hp_max, stress_max, major_threshold, severe_threshold)| SheetInput {
            traits,
            hp_max,
            stress_max,
            evasion: hp_max,
            major_threshold,
            severe_threshold,
        },
    );
    let vitals =
        (maybe(), maybe(), maybe()).prop_map(|(hope, stress, hp)| VitalsInput { hope, stress, hp });
    prop_oneof![
        (text(), text(), text()).prop_map(|(name, gm_mode, theme_prompt)| {
            Command::CreateCampaign { name, gm_mode, theme_prompt }
        }),
        (text(), text(), text()).prop_map(|(display_name, role, controller)| {
            Command::CreateParticipant { display_name, role, controller }
        }),
        (text(), text(), text()).prop_map(|(name, kind, notes)| Command::CreateActor {
            name,
            kind,
            notes
        }),
        (text(), controller)
            .prop_map(|(actor_id, controller)| Command::SetControl { actor_id, controller }),
        (text(), sheet).prop_map(|(actor_id, sheet)| Command::SetSheet { actor_id, sheet }),
        (text(), vitals).prop_map(|(actor_id, vitals)| Command::SetState { actor_id, vitals }),
        any_number().prop_map(|fear| Command::SetFear { fear }),
        text().prop_map(|name| Command::StartSession { name }),
        option::of(text()).prop_map(|session_id| Command::EndSession { session_id }),
        (text(), option::of(text()))
            .prop_map(|(text, session_id)| Command::AddNote { text, session_id }),
        (option::of(text()), prop_oneof![action, dice])
            .prop_map(|(session_id, roll)| Command::Roll { session_id, roll }),
        (any::<u64>(), vec(text(), 0..3))
            .prop_map(|(roll_seq, targets)| Command::ApplyOutcome { roll_seq, targets }),
        (text(), text()).prop_map(|(participant_id, token_hash)| {
            Command::IssueToken { participant_id, token_hash }
        }),
        option::of(any::<u64>()).prop_map(|seq| Command::Undo { seq, entry: None }),
    ]
}
