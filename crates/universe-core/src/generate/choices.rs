//! The parameters that are a choice among names.

use serde_json::Value;

use crate::{Problem, shape};

/// A choice among names.
pub trait Choice: Sized + Copy + PartialEq + 'static {
    /// Every choice with its name and what it means, in the order people read them.
    const ALL: &'static [(Self, &'static str, &'static str)];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(choice, ..)| *choice)
    }

    fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|(_, name, _)| *name)
    }

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(choice, ..)| *choice == self).map_or("", |(_, name, _)| name)
    }
}

/// What a value must be, since it is not.
pub(super) struct Mismatch {
    /// As in "must be …".
    pub wanted: String,
    /// What was probably meant.
    pub near: Option<&'static str>,
}

impl Mismatch {
    pub(super) fn new(wanted: impl Into<String>) -> Self {
        Self { wanted: wanted.into(), near: None }
    }

    pub(super) fn problem(self, field: String, found: &Value) -> Problem {
        let Problem { field, message } = shape::mismatch(field, &self.wanted, found);
        let message = match self.near {
            Some(near) => format!("{message}; did you mean `{near}`?"),
            None => message,
        };
        Problem { field, message }
    }
}

/// The choice that `value` names.
pub(super) fn read<C: Choice>(value: &Value) -> Result<C, Mismatch> {
    let name = value.as_str().unwrap_or_default();
    C::named(name).ok_or_else(|| {
        let names: Vec<_> = C::names().map(|name| format!("`{name}`")).collect();
        Mismatch {
            wanted: format!("one of {}", names.join(", ")),
            near: kit_core::nearest(name, C::names()),
        }
    })
}

macro_rules! choices {
    ($($(#[$doc:meta])* $type:ident { $($choice:ident $name:literal $about:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $type { $(#[doc = $about] $choice,)* }

        impl Choice for $type {
            const ALL: &'static [(Self, &'static str, &'static str)] =
                &[$((Self::$choice, $name, $about),)*];
        }
    )*};
}

choices! {
    /// How many stars, planets and moons a system has.
    Topology {
        Classic "classic" "one to three stars; planets and moons by `planetDensity` and `moonDensity`",
        Compact "compact" "one star, one or two planets with 5 to 18 moons each",
        MultiStarHeavy "multiStarHeavy" "mostly two or three stars, 1 to 4 planets, few moons",
        MoonRich "moonRich" "one star, 3 to 6 planets with 4 to 25 moons each",
        SparseOutpost "sparseOutpost" "one star, at most two planets, hardly a moon",
        DeepHierarchy "deepHierarchy" "one star, 2 to 5 planets, moons that have moons of their own",
    }
    /// Distances and speeds.
    ScaleMode {
        Toy "toy" "close together, easy to see at once",
        Compressed "compressed" "wider",
        Realistic "realistic" "widest; much empty space",
    }
    EccentricityStyle {
        Circular "circular" "circles",
        Mixed "mixed" "eccentricities from 0 to 0.3",
        Eccentric "eccentric" "eccentricities from 0.1 to 0.7",
    }
    GroupStructure {
        Flat "flat" "galaxies that hold systems",
        DeepHierarchy "deepHierarchy" "galaxies, arms in them, clusters in those",
    }
    Detail {
        Low "low" "about 400 particles in a belt",
        Medium "medium" "about 1 000 particles in a belt",
        High "high" "about 2 500 particles in a belt",
        Ultra "ultra" "about 6 000 particles in a belt",
    }
    BeltPlacement {
        BetweenPlanets "betweenPlanets" "in gaps between neighbouring planets",
        Outer "outer" "one beyond the last planet",
        Both "both" "in gaps and beyond the last planet",
    }
    KuiperDistance {
        Tight "tight" "1.5 to 2.5 times the last orbit",
        Classical "classical" "2 to 3.5 times the last orbit",
        Wide "wide" "2.5 to 4.5 times the last orbit",
    }
    CometStyle {
        RareLong "rareLong" "long orbits, eccentricities from 0.7 to 0.99",
        Mixed "mixed" "eccentricities from 0.6 to 0.95",
        ManyShort "manyShort" "short orbits, eccentricities from 0.5 to 0.9",
    }
    LagrangeMarkers {
        StableOnly "stableOnly" "L4 and L5",
        All "all" "L1 to L5",
    }
    LagrangePairs {
        StarPlanet "starPlanet" "of each planet with its star",
        PlanetMoon "planetMoon" "of each moon with its planet",
        Both "both" "of planets and of moons",
    }
    NebulaSize {
        Small "small" "radius 60 to 140",
        Medium "medium" "radius 140 to 300",
        Large "large" "radius 300 to 600",
    }
    NebulaColors {
        Random "random" "any colours",
        Mixed "mixed" "warm and cool in turn",
        Warm "warm" "reds, oranges, golds",
        Cool "cool" "blues, teals, violets",
    }
    RogueStyle {
        SlowDrifters "slowDrifters" "0.1 to 0.5 units a second",
        Mixed "mixed" "0.2 to 3 units a second",
        FastIntruders "fastIntruders" "2 to 6 units a second",
    }
    RoguePaths {
        LinearOnly "linearOnly" "straight lines",
        Mixed "mixed" "half of them straight, half curved",
        Curved "curved" "wide ellipses",
    }
    BlackHoleMasses {
        StellarOnly "stellarOnly" "5 to 50 mass units, in the place of a star",
        Mixed "mixed" "stellar ones, and one in four of 50 to 10 000 mass units",
        SupermassiveCentres "supermassiveCentres" "stellar ones, and one of 10^6 to 10^9 mass units in the centre of every galaxy",
    }
    BlackHoleRarity {
        UltraRare "ultraRare" "one system in a hundred",
        Rare "rare" "one system in twenty",
        Common "common" "one system in five",
    }
    Accretion {
        Subtle "subtle" "a faint disk, no jet",
        Normal "normal" "a bright disk, sometimes a jet",
        Quasar "quasar" "a blazing disk with jets",
    }
}
