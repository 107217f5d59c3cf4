//! What an actor can do, and how it is doing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    ActorKind, Refusal,
    limits::{fits, within},
    words::words,
};

/// The most Hope an actor can hold.
pub const HOPE_MAX: i64 = 6;
/// The most Fear the GM can hold.
pub const FEAR_MAX: i64 = 12;
/// The least that a trait can be.
pub const TRAIT_MIN: i64 = -2;
/// The most that a trait can be.
pub const TRAIT_MAX: i64 = 4;

words! {
    /// What a roll is made with.
    Trait {
        Agility = "AGILITY",
        Strength = "STRENGTH",
        Finesse = "FINESSE",
        Instinct = "INSTINCT",
        Presence = "PRESENCE",
        Knowledge = "KNOWLEDGE",
    }
}

impl Trait {
    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Agility => "Agility",
            Self::Strength => "Strength",
            Self::Finesse => "Finesse",
            Self::Instinct => "Instinct",
            Self::Presence => "Presence",
            Self::Knowledge => "Knowledge",
        }
    }
}

/// What an actor can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// All six, in their order.
    pub traits: BTreeMap<Trait, i64>,
    pub hp_max: i64,
    pub stress_max: i64,
    pub evasion: i64,
    pub major_threshold: i64,
    pub severe_threshold: i64,
}

impl Sheet {
    /// What an actor of this kind begins with.
    pub fn starting(kind: ActorKind) -> Self {
        let (points, evasion, major_threshold, severe_threshold) = match kind {
            ActorKind::Pc => (6, 10, 8, 12),
            ActorKind::Npc => (3, 8, 6, 10),
        };
        Self {
            traits: Trait::ALL.iter().map(|name| (*name, 0)).collect(),
            hp_max: points,
            stress_max: points,
            evasion,
            major_threshold,
            severe_threshold,
        }
    }

    pub fn value(&self, of: Trait) -> i64 {
        self.traits.get(&of).copied().unwrap_or_default()
    }

    /// The sheet with what `input` names; the rest stays.
    pub(crate) fn with(&self, input: &SheetInput) -> Result<Self, Refusal> {
        let mut sheet = self.clone();
        for (name, value) in &input.traits {
            sheet.traits.insert(Trait::read(name, "traits")?, *value);
        }
        for (given, now) in [
            (input.hp_max, &mut sheet.hp_max),
            (input.stress_max, &mut sheet.stress_max),
            (input.evasion, &mut sheet.evasion),
            (input.major_threshold, &mut sheet.major_threshold),
            (input.severe_threshold, &mut sheet.severe_threshold),
        ] {
            *now = given.unwrap_or(*now);
        }
        if sheet.severe_threshold < sheet.major_threshold {
            let message = format!(
                "`severe_threshold` must be at least `major_threshold`, {} is less than {}",
                sheet.severe_threshold, sheet.major_threshold
            );
            return Err(Refusal::invalid(message).field("severe_threshold"));
        }
        Ok(sheet)
    }
}

/// What to change of a sheet; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SheetInput {
    /// By name, as the caller gave them.
    pub traits: Vec<(String, i64)>,
    pub hp_max: Option<i64>,
    pub stress_max: Option<i64>,
    pub evasion: Option<i64>,
    pub major_threshold: Option<i64>,
    pub severe_threshold: Option<i64>,
}

impl SheetInput {
    /// What can be said without the sheet that is there.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        for (name, value) in &self.traits {
            Trait::read(name, "traits")?;
            within(*value, TRAIT_MIN, TRAIT_MAX, "traits")?;
        }
        for (given, least, field) in [
            (self.hp_max, 1, "hp_max"),
            (self.stress_max, 0, "stress_max"),
            (self.evasion, 0, "evasion"),
            (self.major_threshold, 0, "major_threshold"),
            (self.severe_threshold, 0, "severe_threshold"),
        ] {
            given.map_or(Ok(least), |given| within(given, least, i32::MAX.into(), field))?;
        }
        Ok(())
    }
}

/// How an actor is doing. Always within its sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vitals {
    pub hope: i64,
    pub stress: i64,
    pub hp: i64,
}

impl Vitals {
    /// Unhurt, calm, and without Hope.
    pub fn starting(sheet: &Sheet) -> Self {
        Self { hope: 0, stress: 0, hp: sheet.hp_max }
    }

    /// The nearest that the sheet allows.
    pub(crate) fn clamped(self, sheet: &Sheet) -> Self {
        Self {
            hope: self.hope.clamp(0, HOPE_MAX),
            stress: self.stress.clamp(0, sheet.stress_max),
            hp: self.hp.clamp(0, sheet.hp_max),
        }
    }

    /// With what `input` names; the rest stays.
    pub(crate) fn with(self, input: VitalsInput, sheet: &Sheet) -> Result<Self, Refusal> {
        let read = |given: Option<i64>, now, most, field| match given {
            Some(given) => within(given, 0, most, field),
            None => Ok(now),
        };
        Ok(Self {
            hope: read(input.hope, self.hope, HOPE_MAX, "hope")?,
            stress: read(input.stress, self.stress, sheet.stress_max, "stress")?,
            hp: read(input.hp, self.hp, sheet.hp_max, "hp")?,
        })
    }
}

/// What to change of how an actor is doing; what is absent stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VitalsInput {
    pub hope: Option<i64>,
    pub stress: Option<i64>,
    pub hp: Option<i64>,
}

impl VitalsInput {
    /// What can be said without the sheet.
    pub(crate) fn check(self) -> Result<(), Refusal> {
        for (given, field) in [(self.hope, "hope"), (self.stress, "stress"), (self.hp, "hp")] {
            given.map_or(Ok(0), |number| fits(number, field))?;
        }
        Ok(())
    }
}
