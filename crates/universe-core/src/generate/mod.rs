//! Makes whole universes from a seed.
//!
//! Start at [`generate`]; the order of the stages is in `sky`. A system is grown as a tree (`topology`), gets masses
//! and orbits (`system`, `physics`, `lanes`), then belts, comets, Lagrange points and disks; systems are gathered in
//! galaxies (`groups`) and spread out (`layout`); clouds and rogue planets come last. Every stage draws from a stream of its own that is made of the seed
//! alone, so the same request gives the same bytes on every machine: functions whose last digit differs between
//! platforms come from `libm`.

mod belts;
mod black_holes;
mod body;
mod choices;
mod comets;
mod describe;
mod disks;
mod groups;
mod lagrange;
mod lanes;
mod layout;
mod names;
mod nebulae;
mod parameters;
mod physics;
mod presets;
mod random;
mod request;
mod rings;
mod rogues;
mod sky;
mod system;
mod topology;
mod totals;

use std::ops::ControlFlow;

use serde::Serialize;
use serde_json::Value;

pub use choices::{
    Accretion, BeltPlacement, BlackHoleMasses, BlackHoleRarity, Choice, CometStyle, Detail,
    EccentricityStyle, GroupStructure, KuiperDistance, LagrangeMarkers, LagrangePairs,
    NebulaColors, NebulaSize, RoguePaths, RogueStyle, ScaleMode, Topology,
};
pub use describe::describe;
pub use parameters::Parameters;
pub use presets::Preset;
pub use request::{Request, Seed};
pub use totals::Totals;

/// How far the work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// `systems`, `groups`, `nebulae`, `roguePlanets` or `writing`.
    pub stage: &'static str,
    /// Steps that are done; `of` at the end, never less than before.
    pub done: usize,
    pub of: usize,
}

/// A universe that was generated.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// As the command `replaceSnapshot` takes it.
    pub snapshot: Value,
    pub totals: Totals,
    /// The seed that it came from.
    pub seed: Seed,
}

/// Generates a universe. `progress` hears of every step and stops the work by breaking; then there is none.
pub fn generate(
    request: &Request,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Option<Generated> {
    let sky = sky::Sky::make(request, progress)?;
    Some(Generated { totals: sky.totals, snapshot: sky.snapshot, seed: request.seed.clone() })
}
