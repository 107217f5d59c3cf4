//! Sets of parameters that go well together, from few things to very many.

use super::{
    Parameters,
    choices::{
        Accretion, BeltPlacement, BlackHoleMasses, BlackHoleRarity, Choice, CometStyle, Detail,
        EccentricityStyle, GroupStructure, KuiperDistance, LagrangeMarkers, LagrangePairs,
        NebulaColors, NebulaSize, RoguePaths, RogueStyle,
    },
};

/// A set of parameters with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preset {
    Sparse,
    #[default]
    SolarLike,
    Crowded,
    SuperDenseExperimental,
}

impl Choice for Preset {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Self::Sparse, "sparse", "three quiet systems, little around them"),
        (Self::SolarLike, "solarLike", "five systems with belts, rings and comets, much like ours"),
        (Self::Crowded, "crowded", "fifteen systems in three galaxies, tilted orbits, many moons"),
        (
            Self::SuperDenseExperimental,
            "superDenseExperimental",
            "fifty full systems in eight galaxies; asks much of whoever draws it",
        ),
    ];
}

impl Preset {
    /// As people read it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Sparse => "Sparse",
            Self::SolarLike => "Solar-like",
            Self::Crowded => "Crowded",
            Self::SuperDenseExperimental => "Super dense (experimental)",
        }
    }

    pub fn parameters(self) -> Parameters {
        match self {
            Self::Sparse => sparse(),
            Self::SolarLike => solar_like(),
            Self::Crowded => crowded(),
            Self::SuperDenseExperimental => super_dense(),
        }
    }
}

fn sparse() -> Parameters {
    Parameters {
        max_systems: 3,
        max_stars_per_system: 1,
        max_depth: 2,
        planet_density: 0.5,
        moon_density: 0.3,
        inclination_max: 5.0,
        galaxies: 1,
        detail: Detail::Low,
        belts: false,
        kuiper: false,
        rings: false,
        comets: false,
        lagrange: false,
        disks: false,
        nebulae: false,
        rogues: false,
        black_hole_rarity: BlackHoleRarity::UltraRare,
        accretion: Accretion::Subtle,
        ..Parameters::default()
    }
}

fn solar_like() -> Parameters {
    Parameters {
        max_stars_per_system: 2,
        planet_density: 0.85,
        moon_density: 0.6,
        inclination_max: 10.0,
        galaxies: 1,
        belt_density: 0.4,
        max_belts: 1,
        kuiper_density: 0.3,
        ring_frequency: 0.3,
        ring_prominence: 0.7,
        comet_frequency: 0.3,
        comet_activity: 0.5,
        lagrange_markers: LagrangeMarkers::All,
        trojan_richness: 0.4,
        disks: false,
        nebula_density: 0.2,
        nebula_size: NebulaSize::Small,
        nebula_colors: NebulaColors::Mixed,
        nebula_brightness: 0.5,
        rogue_frequency: 0.2,
        rogue_style: RogueStyle::SlowDrifters,
        rogue_paths: RoguePaths::Mixed,
        rogue_curvature_max: 0.3,
        ..Parameters::default()
    }
}

fn crowded() -> Parameters {
    Parameters {
        max_systems: 15,
        max_stars_per_system: 3,
        planet_density: 0.95,
        moon_density: 0.8,
        eccentricity_style: EccentricityStyle::Mixed,
        inclination_max: 25.0,
        galaxies: 3,
        detail: Detail::High,
        belt_density: 0.6,
        max_belts: 2,
        belt_placement: BeltPlacement::Both,
        kuiper_density: 0.5,
        kuiper_distance: KuiperDistance::Wide,
        kuiper_inclination: 0.5,
        ring_frequency: 0.6,
        ring_prominence: 0.6,
        comet_frequency: 0.5,
        comet_style: CometStyle::Mixed,
        comet_activity: 0.7,
        trojan_frequency: 0.6,
        trojan_richness: 0.7,
        disks: true,
        disk_presence: 0.2,
        disk_prominence: 0.6,
        rogue_frequency: 0.5,
        rogue_style: RogueStyle::Mixed,
        rogue_curvature_max: 0.6,
        black_hole_masses: BlackHoleMasses::Mixed,
        ..solar_like()
    }
}

fn super_dense() -> Parameters {
    Parameters {
        max_systems: 50,
        max_depth: 4,
        planet_density: 1.0,
        moon_density: 1.0,
        eccentricity_style: EccentricityStyle::Eccentric,
        inclination_max: 45.0,
        orbit_offsets: true,
        groups: true,
        galaxies: 8,
        group_structure: GroupStructure::DeepHierarchy,
        detail: Detail::Ultra,
        belt_density: 0.7,
        max_belts: 3,
        kuiper_density: 0.7,
        kuiper_inclination: 0.8,
        ring_frequency: 0.9,
        ring_prominence: 0.9,
        comet_frequency: 0.8,
        comet_style: CometStyle::ManyShort,
        comet_activity: 0.9,
        lagrange_pairs: LagrangePairs::Both,
        trojan_frequency: 0.8,
        trojan_richness: 0.9,
        disk_presence: 0.5,
        disk_density: 0.8,
        disk_prominence: 0.9,
        rogue_frequency: 0.8,
        rogue_style: RogueStyle::FastIntruders,
        rogue_paths: RoguePaths::Curved,
        rogue_curvature_min: 0.3,
        rogue_curvature_max: 1.0,
        black_hole_masses: BlackHoleMasses::SupermassiveCentres,
        black_hole_rarity: BlackHoleRarity::Common,
        accretion: Accretion::Quasar,
        ..crowded()
    }
}
