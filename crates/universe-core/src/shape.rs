//! Which fields entities have and of what type, as tables.
//!
//! One table serves the check of every payload, the defaults of `addStar` and the text that tells agents what
//! they may send. A key that is not in a table is nobody's mistake: it is kept as it came.

use serde_json::{Map, Value, json};

use crate::error::Problem;

/// The fields of one kind of entity.
pub type Shape = &'static [Field];

/// One field.
#[derive(Debug)]
pub struct Field {
    pub name: &'static str,
    pub kind: FieldKind,
    pub presence: Presence,
    /// What it means, for people and agents.
    pub about: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Always there; filled when it is missing in a new entity.
    Required,
    /// May be absent or `null`.
    Optional,
}

#[derive(Debug)]
pub enum FieldKind {
    Text,
    Number,
    Flag,
    /// Text or number, as generators take it.
    Seed,
    /// `{x, y, z}`.
    Point,
    OneOf(&'static [&'static str]),
    Record(Shape),
    /// A list of ids.
    Ids,
    /// `[least, most]`.
    Range,
}

impl FieldKind {
    /// In words, as in "must be …".
    pub fn describe(&self) -> String {
        match self {
            Self::Text => "text".into(),
            Self::Number => "a number".into(),
            Self::Flag => "true or false".into(),
            Self::Seed => "text or a number".into(),
            Self::Point => "an object with the numbers `x`, `y`, `z`".into(),
            Self::OneOf(names) => format!("one of `{}`", names.join("`, `")),
            Self::Record(_) => "an object".into(),
            Self::Ids => "a list of ids".into(),
            Self::Range => "a list of two numbers".into(),
        }
    }

    fn fits(&self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_number(),
            Self::Flag => value.is_boolean(),
            Self::Seed => value.is_string() || value.is_number(),
            Self::Point => ["x", "y", "z"].iter().all(|axis| value[axis].is_number()),
            Self::OneOf(names) => value.as_str().is_some_and(|text| names.contains(&text)),
            Self::Record(_) => value.is_object(),
            Self::Ids => value.as_array().is_some_and(|ids| ids.iter().all(Value::is_string)),
            Self::Range => value
                .as_array()
                .is_some_and(|ends| ends.len() == 2 && ends.iter().all(Value::is_number)),
        }
    }
}

/// Adds to `problems` whatever in `map` does not fit `shape`. `at` is the way to the map. Missing fields
/// are fine here, and so is `null` where `allows_null` or the table says so.
pub(crate) fn check(
    shape: Shape,
    map: &Map<String, Value>,
    at: &str,
    allows_null: bool,
    problems: &mut Vec<Problem>,
) {
    for field in shape {
        let Some(value) = map.get(field.name) else { continue };
        if value.is_null() && (allows_null || field.presence == Presence::Optional) {
            continue;
        }
        let way = format!("{at}.{}", field.name);
        if !field.kind.fits(value) {
            problems.push(mismatch(way, &field.kind.describe(), value));
        } else if let (FieldKind::Record(inner), Some(map)) = (&field.kind, value.as_object()) {
            check(inner, map, &way, true, problems);
        }
    }
}

/// Says what a value must be and what it is.
pub(crate) fn mismatch(field: String, wanted: &str, found: &Value) -> Problem {
    let found = match found {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) if text.chars().count() <= 40 => format!("the text {text:?}"),
        Value::String(_) => "a text".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    Problem { field, message: format!("must be {wanted}, not {found}") }
}

/// What `addStar` fills in for a required field of a body that came without it.
pub(crate) fn default_of(field: &Field, id: &str) -> Value {
    match field.name {
        "name" => json!(id),
        "mass" | "radius" => json!(1),
        "color" => json!("#FFFFFF"),
        _ => json!(0),
    }
}

const fn required(name: &'static str, kind: FieldKind, about: &'static str) -> Field {
    Field { name, kind, presence: Presence::Required, about }
}

const fn optional(name: &'static str, kind: FieldKind, about: &'static str) -> Field {
    Field { name, kind, presence: Presence::Optional, about }
}

use FieldKind::{Flag, Ids, Number, OneOf, Point, Range, Record, Seed, Text};

/// A body, but for `id`, `parentId` and `children`, which belong to the tree.
pub static BODY: Shape = &[
    required("name", Text, "display name; default the id"),
    required("mass", Number, "arbitrary units, a star about 100, a planet 1 to 50; default 1"),
    required("radius", Number, "drawn radius in world units; default 1"),
    required("color", Text, "hex, `#RRGGBB`; default `#FFFFFF`"),
    required("orbitalDistance", Number, "radius of the orbit in world units, 0 sits on the parent"),
    required("orbitalSpeed", Number, "degrees per second of simulation time; default 0"),
    required("orbitalPhase", Number, "angle at time 0 in degrees; default 0"),
    optional("bodyType", OneOf(BODY_TYPES), "absent on a root means star"),
    optional("semiMajorAxis", Number, "of an elliptic orbit; default `orbitalDistance`"),
    optional("eccentricity", Number, "0 (circle) up to but not 1; default 0"),
    optional("orbitOffsetX", Number, "shift of the orbit's centre"),
    optional("orbitOffsetY", Number, "shift of the orbit's centre"),
    optional("orbitOffsetZ", Number, "shift of the orbit's centre"),
    optional("orbitRotX", Number, "rotation of the orbit's plane in degrees"),
    optional("orbitRotY", Number, "rotation of the orbit's plane in degrees"),
    optional("orbitRotZ", Number, "rotation of the orbit's plane in degrees"),
    optional("ring", Record(RING), "drawn for planets"),
    optional("comet", Record(COMET), "tail and orbit of a comet"),
    optional("lagrangePoint", Record(LAGRANGE_POINT), "which pair a marker belongs to"),
    optional("lagrangeHostId", Text, "id of the L4 or L5 marker that a Trojan body accompanies"),
    optional("blackHole", Record(BLACK_HOLE), "looks of a black hole"),
    optional("isRoguePlanet", Flag, "true: bound to nothing, moved by `roguePlanet`"),
    optional("roguePlanet", Record(ROGUE_PLANET), "path of a rogue planet"),
    optional("parentBeltId", Text, "legacy belt that it belongs to"),
    optional("asteroidSubType", OneOf(&["mainBelt", "kuiperBelt", "generic"]), "kind of asteroid"),
];

static BODY_TYPES: &[&str] =
    &["star", "planet", "moon", "asteroid", "comet", "lagrangePoint", "blackHole"];

/// A planetary ring.
pub static RING: Shape = &[
    required("innerRadiusMultiplier", Number, "in radii of the planet"),
    required("outerRadiusMultiplier", Number, "in radii of the planet"),
    required("thickness", Number, "half height in world units"),
    required("opacity", Number, "0 to 1"),
    required("albedo", Number, "brightness of what is reflected"),
    required("color", Text, "hex"),
    required("density", Number, "0 to 1"),
    optional("warpFactor", Number, "how much it is bent"),
    optional("seed", Seed, "of the particles"),
];

static COMET: Shape = &[
    required("isPeriodic", Flag, "whether it comes back"),
    required("perihelionDistance", Number, "nearest to the star"),
    required("aphelionDistance", Number, "farthest from the star"),
    required("hasTail", Flag, "whether a tail is drawn"),
    required("tailLengthBase", Number, "length at full activity"),
    required("tailWidthBase", Number, "width at full activity"),
    required("tailColor", Text, "hex"),
    required("tailOpacityBase", Number, "0 to 1"),
    required("activityFalloffDistance", Number, "the tail fades beyond it"),
    optional("lastPerihelionTime", Number, "seconds"),
    optional("seed", Seed, "of the tail"),
];

static LAGRANGE_POINT: Shape = &[
    required("primaryId", Text, "the heavier body of the pair"),
    required("secondaryId", Text, "the lighter body of the pair"),
    required("pointIndex", Number, "1 to 5"),
    required("stable", Flag, "true for 4 and 5"),
    required("pairType", OneOf(&["starPlanet", "planetMoon"]), "what the pair is"),
    optional("label", Text, "as in `Earth L4`"),
];

static BLACK_HOLE: Shape = &[
    required("hasAccretionDisk", Flag, ""),
    required("hasRelativisticJet", Flag, ""),
    required("hasPhotonRing", Flag, ""),
    required("spin", Number, "0 to 1"),
    required("shadowRadius", Number, "world units"),
    required("accretionInnerRadius", Number, "world units"),
    required("accretionOuterRadius", Number, "world units"),
    required("diskThickness", Number, "world units"),
    required("diskBrightness", Number, "0 to 1"),
    required("diskOpacity", Number, "0 to 1"),
    required("diskTemperature", Number, "about kelvin"),
    required("diskClumpiness", Number, "0 to 1"),
    required("jetLength", Number, "world units"),
    required("jetOpeningAngle", Number, "degrees"),
    required("jetBrightness", Number, "0 to 1"),
    required("dopplerBeamingStrength", Number, "0 to 1"),
    required("lensingStrength", Number, "0 to 1"),
    required("rotationSpeedMultiplier", Number, ""),
    required("seed", Seed, ""),
    optional("diskTurbulenceScale", Number, "0 to 1"),
    optional("diskInnerColor", Text, "hex"),
    optional("diskOuterColor", Text, "hex"),
    optional("diskStreakiness", Number, "0 to 1"),
    optional("jetBaseColor", Text, "hex"),
    optional("jetTipColor", Text, "hex"),
    optional("jetGradientPower", Number, "default 2"),
    optional("photonRingMultiImageCount", Number, "1 to 3; default 2"),
    optional("photonRingWidth", Number, "in shadow radii; default 0.4"),
    optional("diskTilt", Number, "radians; default 0"),
    optional("diskTiltAxisAngle", Number, "radians; default 0"),
];

static ROGUE_PLANET: Shape = &[
    required("seed", Seed, "of the path"),
    required("initialPosition", Point, "where it is at time 0"),
    required("velocity", Point, "world units per second"),
    optional("colorOverride", Text, "hex"),
    optional("pathCurvature", Number, "0 to 1; 0 is a straight line"),
    optional("semiMajorAxis", Number, "of a curved path; default 100"),
    optional("eccentricity", Number, "0 to 0.99"),
    optional("pathOffsetX", Number, "shift of the path's centre"),
    optional("pathOffsetY", Number, "shift of the path's centre"),
    optional("pathOffsetZ", Number, "shift of the path's centre"),
    optional("orbitRotX", Number, "degrees"),
    optional("orbitRotY", Number, "degrees"),
    optional("orbitRotZ", Number, "degrees"),
    optional("pathPeriod", Number, "seconds; default five times the axis"),
    optional("showTrajectory", Flag, "whether the path is drawn"),
    optional("trajectoryPastWindow", Number, "seconds"),
    optional("trajectoryFutureWindow", Number, "seconds"),
];

/// A group, but for `id`, `parentGroupId` and `children`, which belong to the tree.
pub static GROUP: Shape = &[
    required("name", Text, "display name; default the id"),
    optional("color", Text, "hex"),
    optional("icon", Text, "emoji or text"),
    optional("position", Point, "where a root group stands; default on a grid"),
];

/// A belt drawn as particles.
pub static SMALL_BODY_FIELD: Shape = &[
    required("systemId", Text, "the root body of its system"),
    required("hostStarId", Text, "the body that it lies around"),
    required("innerRadius", Number, "world units"),
    required("outerRadius", Number, "world units"),
    required("thickness", Number, "vertical standard deviation"),
    required("particleCount", Number, "how many are drawn"),
    required("baseColor", Text, "hex"),
    required("highlightColor", Text, "hex"),
    required("opacity", Number, "0 to 1"),
    required("brightness", Number, ""),
    required("clumpiness", Number, "0 to 1"),
    required("rotationSpeedMultiplier", Number, ""),
    required("beltType", OneOf(BELT_TYPES), ""),
    required("regionLabel", Text, "what the region is called"),
    required("isIcy", Flag, ""),
    required("seed", Seed, "of the particles"),
    required("style", OneOf(&["thin", "moderate", "thick", "scattered"]), ""),
    optional("inclinationSigma", Number, "spread of the inclinations"),
    optional("name", Text, "display name"),
    optional("visible", Flag, "absent means visible"),
];

static BELT_TYPES: &[&str] = &["main", "kuiper"];

/// A disk of gas and dust around a star.
pub static PROTOPLANETARY_DISK: Shape = &[
    required("systemId", Text, "the root body of its system"),
    required("centralStarId", Text, "the body in its centre"),
    required("innerRadius", Number, "world units"),
    required("outerRadius", Number, "world units"),
    required("thickness", Number, "half height"),
    required("particleCount", Number, "how many are drawn"),
    required("baseColor", Text, "hex"),
    required("highlightColor", Text, "hex"),
    required("opacity", Number, "0 to 1"),
    required("brightness", Number, ""),
    required("clumpiness", Number, "0 to 1"),
    required("rotationSpeedMultiplier", Number, ""),
    required("seed", Seed, "of the particles"),
    required("style", OneOf(&["thin", "moderate", "thick", "extreme"]), ""),
    optional("name", Text, "display name"),
    optional("bandStrength", Number, "0 to 1"),
    optional("bandFrequency", Number, "2 to 12; default 5"),
    optional("gapSharpness", Number, "0 to 1"),
    optional("innerGlowStrength", Number, "0 to 1"),
    optional("noiseScale", Number, "0.5 to 3"),
    optional("noiseStrength", Number, "0 to 1"),
    optional("spiralStrength", Number, "0 to 1"),
    optional("spiralArmCount", Number, "1 to 4"),
    optional("edgeSoftness", Number, "0 to 1"),
    optional("temperatureGradient", Number, "0.5 to 3; default 1.5"),
];

/// A cloud as large as a group.
pub static NEBULA_REGION: Shape = &[
    required("name", Text, "display name"),
    required("position", Point, "its centre"),
    required("radius", Number, "world units"),
    required("density", Number, "0 to 1"),
    required("brightness", Number, "0 to 1"),
    required("baseColor", Text, "hex"),
    required("accentColor", Text, "hex"),
    required("noiseScale", Number, ""),
    required("noiseDetail", Number, "octaves"),
    required("seed", Seed, "of the cloud"),
    optional("dimensions", Point, "half extents of an ellipsoid"),
    optional("associatedGroupIds", Ids, "groups that it belongs to"),
    optional("visible", Flag, "absent means visible"),
];

/// A legacy belt; only a whole snapshot can write one.
pub static ASTEROID_BELT: Shape = &[
    required("name", Text, "display name"),
    required("parentId", Text, "the body that it lies around"),
    required("innerRadius", Number, "world units"),
    required("outerRadius", Number, "world units"),
    required("thickness", Number, "world units"),
    required("eccentricity", Number, ""),
    required("inclination", Number, "degrees"),
    required("asteroidCount", Number, ""),
    required("asteroidIds", Ids, "bodies in it"),
    optional("color", Text, "hex"),
    optional("beltType", OneOf(BELT_TYPES), ""),
    optional("regionLabel", Text, "what the region is called"),
    optional("isIcy", Flag, ""),
    optional("inclinationSigma", Number, "spread of the inclinations"),
    optional("radialRangeHint", Range, "least and greatest radius"),
    optional("lodLevel", Number, "level of detail"),
    optional("visible", Flag, "absent means visible"),
    optional("seed", Seed, ""),
];
