//! A body while its system is being made, and how it is written down.

use serde_json::{Map, Value, json};

/// What a body is; the wire's `bodyType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Star,
    Planet,
    Moon,
    Asteroid,
    Comet,
    LagrangePoint,
    BlackHole,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Star => "star",
            Self::Planet => "planet",
            Self::Moon => "moon",
            Self::Asteroid => "asteroid",
            Self::Comet => "comet",
            Self::LagrangePoint => "lagrangePoint",
            Self::BlackHole => "blackHole",
        }
    }
}

/// The way of a body around its parent.
#[derive(Debug, Clone, Default)]
pub(super) struct Orbit {
    /// Half the long axis.
    pub axis: f64,
    pub eccentricity: f64,
    /// Degrees per second.
    pub speed: f64,
    /// Degrees at time 0.
    pub phase: f64,
    /// Of the plane, in degrees; `node` turns the line about which it is tilted.
    pub tilt: f64,
    pub node: f64,
    /// From the parent to the centre of the orbit.
    pub offset: [f64; 3],
}

#[derive(Debug)]
pub(super) struct Body {
    pub id: String,
    pub name: String,
    pub kind: Kind,
    pub mass: f64,
    pub radius: f64,
    pub color: &'static str,
    pub orbit: Orbit,
    /// Further keys, as on the wire.
    pub details: Vec<(&'static str, Value)>,
    /// Index of what it circles, among the bodies of its system.
    pub parent: Option<usize>,
    pub children: Vec<usize>,
}

impl Body {
    pub(super) fn new(id: String, name: String, kind: Kind) -> Self {
        Self {
            id,
            name,
            kind,
            mass: 0.0,
            radius: 0.0,
            color: "#FFFFFF",
            orbit: Orbit::default(),
            details: Vec::new(),
            parent: None,
            children: Vec::new(),
        }
    }

    /// As the wire has it; `all` are the bodies of its system.
    pub(super) fn to_json(&self, all: &[Body]) -> Map<String, Value> {
        let Orbit { axis, eccentricity, speed, phase, tilt, node, offset: [x, y, z] } = self.orbit;
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
        put("id", json!(self.id));
        put("name", json!(self.name));
        put("bodyType", json!(self.kind.name()));
        put("mass", number(self.mass));
        put("radius", number(self.radius));
        put("color", json!(self.color));
        put("orbitalDistance", number(axis));
        put("orbitalSpeed", number(speed));
        put("orbitalPhase", number(phase.rem_euclid(360.0)));
        if eccentricity > 0.0 {
            put("semiMajorAxis", number(axis));
            put("eccentricity", number(eccentricity));
        }
        let shape = [
            ("orbitOffsetX", x),
            ("orbitOffsetY", y),
            ("orbitOffsetZ", z),
            ("orbitRotY", node),
            ("orbitRotZ", tilt),
        ];
        for (key, value) in shape.into_iter().filter(|(_, value)| *value != 0.0) {
            put(key, number(value));
        }
        for (key, value) in &self.details {
            put(key, value.clone());
        }
        put("parentId", self.parent.map_or(Value::Null, |parent| json!(all[parent].id)));
        put("children", self.children.iter().map(|child| json!(all[*child].id)).collect());
        map
    }
}

/// A number with four decimals, whole ones without any: short to read, and nothing that people see is smaller.
pub(super) fn number(number: f64) -> Value {
    crate::json::canonical(json!((number * 10_000.0).round() / 10_000.0))
}

pub(super) fn point([x, y, z]: [f64; 3]) -> Value {
    json!({"x": number(x), "y": number(y), "z": number(z)})
}

/// The keys of what `json!({…})` wrote.
pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
