//! A session as Markdown, for people.

use std::fmt::Write as _;

use crate::{
    Actor, ActorController, ActorId, By, Entry, Fact, Modifier, ParticipantId, Session, Table,
    fact::{OutcomeApplied, RollResolved, VitalsDelta},
};

/// Writes down a session: who was there, what was said and rolled, what came of it.
///
/// `entries` are those of the journal in order; the ones of other sessions are passed over. What was undone is struck out.
pub fn markdown<'a>(
    table: &Table,
    session: &Session,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> String {
    let mut text = heading(table, session);
    text += "\n## What happened\n\n";
    for entry in entries {
        let belongs = entry.session_id.as_ref() == Some(&session.id);
        let Some(line) = sentence(table, entry).filter(|_| belongs) else { continue };
        let time = &entry.at.rfc3339_seconds()[11..16];
        let line = if table.is_undone(entry.seq) { struck(&line) } else { line };
        push(&mut text, format_args!("- {time} {line}\n"));
    }
    text
}

fn heading(table: &Table, session: &Session) -> String {
    let campaign = table.campaign().map_or("", |campaign| &campaign.name);
    let title = if session.name.is_empty() { "Session" } else { &session.name };
    let mut text = format!("# {}\n\n*{}*, ", plain(title), plain(campaign));
    push(&mut text, format_args!("started {}", session.started_at.rfc3339_seconds()));
    if let Some(ended) = session.ended_at {
        push(&mut text, format_args!(", ended {}", ended.rfc3339_seconds()));
    }
    text += "\n";
    if table.actors().next().is_some() {
        text += "\n## Cast\n\n";
    }
    for actor in table.actors() {
        text += &cast(table, actor);
    }
    text
}

fn cast(table: &Table, actor: &Actor) -> String {
    let played = match &actor.controller {
        None => String::new(),
        Some(ActorController::Gm) => ", played by the GM".into(),
        Some(ActorController::Participant(id)) => {
            format!(", played by {}", participant_name(table, id))
        }
    };
    format!("- **{}** ({}){played}\n", plain(&actor.name), actor.kind)
}

/// What an entry says; an undo says nothing, it strikes out.
fn sentence(table: &Table, entry: &Entry) -> Option<String> {
    let actor = |id| actor_name(table, id);
    Some(match entry.fact() {
        Fact::CampaignCreated(_)
        | Fact::CampaignForked(_)
        | Fact::TokenIssued(_)
        | Fact::EventUndone(_) => return None,
        Fact::SessionStarted(_) => "The session starts.".into(),
        Fact::SessionEnded(_) => "The session ends.".into(),
        Fact::ParticipantJoined(joined) => {
            format!("{} joins as {}.", plain(&joined.display_name), joined.role)
        }
        Fact::ActorCreated(created) => {
            format!("**{}** ({}) appears.", plain(&created.name), created.kind)
        }
        Fact::ControlSet(set) => match &set.controller {
            ActorController::Gm => format!("The GM plays {}.", actor(&set.actor_id)),
            ActorController::Participant(id) => {
                format!("{} plays {}.", participant_name(table, id), actor(&set.actor_id))
            }
        },
        Fact::SheetSet(set) => format!("The sheet of {} changes.", actor(&set.actor_id)),
        Fact::StateSet(set) => {
            let vitals = set.vitals;
            let (hope, stress, hp) = (vitals.hope, vitals.stress, vitals.hp);
            format!("{} has {hope} Hope, {stress} Stress, {hp} HP.", actor(&set.actor_id))
        }
        Fact::FearSet(set) => format!("The GM has {} Fear.", set.fear),
        Fact::NoteAdded(note) => format!("{}{}", said_by(table, &entry.by), plain(&note.text)),
        Fact::RollResolved(roll) => roll_sentence(table, roll),
        Fact::OutcomeApplied(applied) => outcome_sentence(table, applied),
    })
}

fn roll_sentence(table: &Table, roll: &RollResolved) -> String {
    let mut text = match &roll.actor_id {
        Some(id) => format!("{} rolls", actor_name(table, id)),
        None => "A roll".into(),
    };
    if let Some(with) = roll.with {
        push(&mut text, format_args!(" {}", with.label()));
    }
    let modifiers: Vec<_> = roll.modifiers.iter().map(shown_modifier).collect();
    if !modifiers.is_empty() {
        push(&mut text, format_args!(" ({})", modifiers.join(", ")));
    }
    if let Some(difficulty) = roll.difficulty {
        push(&mut text, format_args!(" against {difficulty}"));
    }
    text += ": ";
    text += &shown_dice(roll);
    push(&mut text, format_args!(" = **{}**", roll.total));
    if let Some(outcome) = roll.outcome {
        push(&mut text, format_args!(", {}", outcome.label().to_lowercase()));
    }
    text + "."
}

fn shown_dice(roll: &RollResolved) -> String {
    let mut text = String::new();
    if let (Some(hope), Some(fear)) = (roll.hope, roll.fear) {
        push(&mut text, format_args!("hope {hope} + fear {fear}"));
    }
    if let (Some(die), Some(advantage)) = (roll.advantage_die, roll.advantage) {
        let sign = if advantage.sign() < 0 { '-' } else { '+' };
        push(&mut text, format_args!(" {sign} {die} ({})", advantage.name().to_lowercase()));
    }
    for (index, dice) in roll.dice.iter().flatten().enumerate() {
        let plus = if index == 0 { "" } else { " + " };
        let results: Vec<_> = dice.results.iter().map(ToString::to_string).collect();
        let (count, sides) = (results.len(), dice.sides);
        push(&mut text, format_args!("{plus}{count}d{sides} ({})", results.join(", ")));
    }
    if roll.modifier != 0 {
        let sign = if roll.modifier < 0 { '-' } else { '+' };
        push(&mut text, format_args!(" {sign} {}", roll.modifier.abs()));
    }
    text
}

fn shown_modifier(Modifier { source, value }: &Modifier) -> String {
    format!("{} {value:+}", plain(source)).trim_start().to_owned()
}

fn outcome_sentence(table: &Table, applied: &OutcomeApplied) -> String {
    let mut parts = Vec::new();
    for VitalsDelta { actor_id, hope, stress } in &applied.changes {
        let relieved = if *stress == 0 { String::new() } else { format!(", {stress:+} Stress") };
        parts.push(format!("{} {hope:+} Hope{relieved}", actor_name(table, actor_id)));
    }
    if applied.requires_complication {
        parts.push(format!("the GM {:+} Fear and a complication", applied.gm_fear));
    }
    format!("What comes of it: {}.", parts.join("; "))
}

fn actor_name(table: &Table, id: &ActorId) -> String {
    let name = table.actor(id).map_or(id.as_str(), |actor| &actor.name);
    format!("**{}**", plain(name))
}

fn participant_name(table: &Table, id: &ParticipantId) -> String {
    let name = table.participant(id).map_or(id.as_str(), |participant| &participant.display_name);
    plain(name)
}

fn said_by(table: &Table, by: &By) -> String {
    if by.id.is_empty() {
        return String::new();
    }
    format!("{}: ", participant_name(table, &by.id.as_ref().into()))
}

fn struck(line: &str) -> String {
    format!("~~{line}~~ (undone)")
}

/// A text of people's as part of a line, in which no character means anything to Markdown or HTML. It never begins a
/// line, so lists and headings need no care.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 {
            plain.push(' ');
        }
        for character in word.chars().filter(|c| !c.is_control()) {
            if r"\`*_[]<>|~&".contains(character) {
                plain.push('\\');
            }
            plain.push(character);
        }
    }
    plain
}

fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    text.write_fmt(more).expect("a string takes everything");
}
