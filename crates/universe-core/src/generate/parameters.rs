//! Everything that can be asked of the generator, as one list.
//!
//! The list gives the fields of [`Parameters`], what each means and may be, how it is read from JSON and how it is
//! described. A further parameter is a line here and its use in one stage.

use serde_json::{Map, Value, json};

use super::choices::{
    self, Accretion, BeltPlacement, BlackHoleMasses, BlackHoleRarity, Choice, CometStyle, Detail,
    EccentricityStyle, GroupStructure, KuiperDistance, LagrangeMarkers, LagrangePairs, Mismatch,
    NebulaColors, NebulaSize, RoguePaths, RogueStyle, ScaleMode,
};

macro_rules! parameters {
    ($($field:ident $key:literal: $type:ty = $default:expr, $bounds:expr; $about:literal)*) => {
        /// What to generate. Made by a preset, changed by the request.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Parameters { $(#[doc = $about] pub $field: $type,)* }

        impl Default for Parameters {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl Parameters {
            /// The names by which requests call them.
            pub const NAMES: &'static [&'static str] = &[$($key,)*];

            /// Sets the parameter of this name, or says what its value must be. `None`: no such parameter.
            pub(super) fn set(&mut self, key: &str, value: &Value) -> Option<Result<(), Mismatch>> {
                match key {
                    $($key => Some(<$type>::read(value, $bounds).map(|value| self.$field = value)),)*
                    _ => None,
                }
            }

            /// As a request would write them.
            pub fn to_json(&self) -> Value {
                Value::Object(Map::from_iter([$(($key.to_owned(), self.$field.to_json()),)*]))
            }

            /// What each of them is and may be, with the values of `self` as defaults.
            pub(super) fn describe(&self) -> Value {
                Value::Array(vec![$(describe($key, $about, <$type>::kind($bounds), self.$field.to_json()),)*])
            }
        }
    };
}

parameters! {
    max_systems "maxSystems": u32 = 5, (1, 5_000);
        "systems to make; fewer only when `maxBodies` is reached"
    max_bodies "maxBodies": u32 = 100_000, (2_000, 200_000);
        "bodies at most; a system that would go beyond is not made, nor any after it"
    max_stars_per_system "maxStarsPerSystem": u32 = 3, (1, 3);
        "stars in a system at most, with the topology `classic`"
    max_depth "maxDepth": u32 = 3, (1, 4);
        "levels below a star: 1 planets, 2 moons, 3 moons of moons, 4 one more"
    planet_density "planetDensity": f64 = 0.6, (0.0, 1.0);
        "how many planets, with the topology `classic`: 0.25 on average at 0, 3.5 at 1"
    moon_density "moonDensity": f64 = 0.7, (0.0, 1.0);
        "how many moons a planet has, with the topology `classic`: 0.25 on average at 0, 4 at 1"
    scale_mode "scaleMode": ScaleMode = ScaleMode::Toy, ();
        "distances and speeds"
    eccentricity_style "orbitEccentricityStyle": EccentricityStyle = EccentricityStyle::Circular, ();
        "shape of the orbits of planets and moons"
    inclination_max "orbitInclinationMax": f64 = 0.0, (0.0, 90.0);
        "most that an orbit is tilted, in degrees"
    orbit_offsets "enableOrbitOffsets": bool = false, ();
        "shift the centres of planets' orbits by up to 2 units"
    groups "enableGroups": bool = false, ();
        "put a single system into a group; several systems always are"
    galaxies "targetGalaxyCount": u32 = 3, (1, 200);
        "root groups, as far as there are systems for them"
    group_structure "groupStructureMode": GroupStructure = GroupStructure::Flat, ();
        "what is inside a galaxy"
    detail "smallBodyDetail": Detail = Detail::Medium, ();
        "particles in belts and disks"
    max_particles "maxParticles": u32 = 500_000, (50_000, 2_000_000);
        "particles in all belts and disks together; beyond it each gets its share"
    belts "enableAsteroidBelts": bool = true, ();
        "asteroid belts"
    belt_density "beltDensity": f64 = 0.5, (0.0, 1.0);
        "how full asteroid belts are"
    max_belts "maxBeltsPerSystem": u32 = 2, (0, 6);
        "asteroid belts in a system at most"
    belt_placement "beltPlacementMode": BeltPlacement = BeltPlacement::BetweenPlanets, ();
        "where asteroid belts are"
    kuiper "enableKuiperBelts": bool = true, ();
        "icy belts far outside"
    kuiper_density "kuiperBeltDensity": f64 = 0.5, (0.0, 1.0);
        "how often there is a Kuiper belt, and how full it is"
    kuiper_distance "kuiperBeltDistance": KuiperDistance = KuiperDistance::Classical, ();
        "how far outside Kuiper belts are"
    kuiper_inclination "kuiperBeltInclination": f64 = 0.3, (0.0, 1.0);
        "how much the orbits in a Kuiper belt are tilted"
    rings "enableRings": bool = true, ();
        "rings of planets"
    ring_frequency "ringFrequency": f64 = 0.2, (0.0, 1.0);
        "how often a planet has a ring; heavy and far ones more often"
    ring_prominence "ringProminence": f64 = 0.6, (0.0, 1.0);
        "how wide and dense rings are"
    comets "enableComets": bool = true, ();
        "comets"
    comet_frequency "cometFrequency": f64 = 0.2, (0.0, 1.0);
        "how many comets a system has: none at 0, two to six at 1"
    comet_style "cometStyle": CometStyle = CometStyle::RareLong, ();
        "orbits of comets"
    comet_activity "cometActivity": f64 = 0.6, (0.0, 1.0);
        "length and brightness of their tails"
    lagrange "enableLagrangePoints": bool = true, ();
        "markers of Lagrange points, and the Trojans at them"
    lagrange_markers "lagrangeMarkers": LagrangeMarkers = LagrangeMarkers::StableOnly, ();
        "which of the five points are marked"
    lagrange_pairs "lagrangePairs": LagrangePairs = LagrangePairs::StarPlanet, ();
        "whose points are marked"
    trojan_frequency "trojanFrequency": f64 = 0.3, (0.0, 1.0);
        "how often there are Trojans at the L4 or L5 of a planet"
    trojan_richness "trojanRichness": f64 = 0.5, (0.0, 1.0);
        "how many they are: 1 at 0, up to 6 at 1"
    disks "enableProtoplanetaryDisks": bool = true, ();
        "disks of gas and dust around young stars"
    disk_presence "diskPresence": f64 = 0.0, (0.0, 1.0);
        "how often a star has a disk"
    disk_density "diskDensity": f64 = 0.5, (0.0, 1.0);
        "how full disks are"
    disk_prominence "diskProminence": f64 = 0.5, (0.0, 1.0);
        "how bright and thick disks are"
    nebulae "enableNebulae": bool = true, ();
        "nebulae around galaxies"
    nebula_density "nebulaDensity": f64 = 0.5, (0.0, 1.0);
        "how many nebulae a galaxy has: up to one at 0.2, four or five at 1"
    nebula_size "nebulaSize": NebulaSize = NebulaSize::Medium, ();
        "how large nebulae are"
    nebula_colors "nebulaColors": NebulaColors = NebulaColors::Random, ();
        "colours of nebulae"
    nebula_brightness "nebulaBrightness": f64 = 0.7, (0.0, 1.0);
        "how bright nebulae are"
    rogues "enableRoguePlanets": bool = true, ();
        "planets that are bound to nothing"
    rogue_frequency "roguePlanetFrequency": f64 = 0.0, (0.0, 1.0);
        "rogue planets for each system, on average"
    rogue_style "roguePlanetStyle": RogueStyle = RogueStyle::Mixed, ();
        "how fast rogue planets are"
    rogue_paths "roguePathMode": RoguePaths = RoguePaths::LinearOnly, ();
        "paths of rogue planets"
    rogue_curvature_min "rogueCurvatureMin": f64 = 0.0, (0.0, 1.0);
        "least curvature of a curved path; not above `rogueCurvatureMax`"
    rogue_curvature_max "rogueCurvatureMax": f64 = 0.5, (0.0, 1.0);
        "greatest curvature of a curved path"
    black_holes "enableBlackHoles": bool = false, ();
        "black holes"
    black_hole_masses "blackHoleMassProfile": BlackHoleMasses = BlackHoleMasses::StellarOnly, ();
        "which black holes there are"
    black_hole_rarity "blackHoleRarity": BlackHoleRarity = BlackHoleRarity::Rare, ();
        "how often a black hole stands in the place of a star"
    accretion "blackHoleAccretion": Accretion = Accretion::Normal, ();
        "what surrounds black holes"
}

/// A type of parameter.
trait Setting: Sized {
    type Bounds;
    fn read(value: &Value, bounds: Self::Bounds) -> Result<Self, Mismatch>;
    fn to_json(&self) -> Value;
    /// `kind` and, where there are any, `min`, `max`, `options` and their `meanings`.
    fn kind(bounds: Self::Bounds) -> Value;
}

impl Setting for bool {
    type Bounds = ();

    fn read(value: &Value, (): ()) -> Result<Self, Mismatch> {
        value.as_bool().ok_or_else(|| Mismatch::new("true or false"))
    }

    fn to_json(&self) -> Value {
        json!(self)
    }

    fn kind((): ()) -> Value {
        json!({"kind": "flag"})
    }
}

impl Setting for u32 {
    type Bounds = (u32, u32);

    fn read(value: &Value, (min, max): (u32, u32)) -> Result<Self, Mismatch> {
        // Clients write `3.0` where they mean 3.
        let number = value.as_f64().filter(|number| number.fract() == 0.0);
        match number {
            Some(number) if f64::from(min) <= number && number <= f64::from(max) => {
                Ok(super::random::floor(number))
            }
            _ => Err(Mismatch::new(format!("a whole number from {min} to {max}"))),
        }
    }

    fn to_json(&self) -> Value {
        json!(self)
    }

    fn kind((min, max): (u32, u32)) -> Value {
        json!({"kind": "integer", "min": min, "max": max})
    }
}

impl Setting for f64 {
    type Bounds = (f64, f64);

    fn read(value: &Value, (min, max): (f64, f64)) -> Result<Self, Mismatch> {
        let number = value.as_f64().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| Mismatch::new(format!("a number from {min} to {max}")))
    }

    fn to_json(&self) -> Value {
        crate::json::canonical(json!(self))
    }

    fn kind((min, max): (f64, f64)) -> Value {
        crate::json::canonical(json!({"kind": "number", "min": min, "max": max}))
    }
}

impl<C: Choice> Setting for C {
    type Bounds = ();

    fn read(value: &Value, (): ()) -> Result<Self, Mismatch> {
        choices::read(value)
    }

    fn to_json(&self) -> Value {
        json!(self.name())
    }

    fn kind((): ()) -> Value {
        let meanings = C::ALL.iter().map(|(_, name, about)| ((*name).to_owned(), json!(about)));
        json!({
            "kind": "choice",
            "options": C::names().collect::<Vec<_>>(),
            "meanings": meanings.collect::<Map<_, _>>(),
        })
    }
}

fn describe(name: &str, about: &str, kind: Value, default: Value) -> Value {
    let mut entry =
        Map::from_iter([("name".to_owned(), json!(name)), ("about".to_owned(), json!(about))]);
    if let Value::Object(kind) = kind {
        entry.extend(kind);
    }
    entry.insert("default".to_owned(), default);
    Value::Object(entry)
}
