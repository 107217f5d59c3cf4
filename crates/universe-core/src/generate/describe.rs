//! What the generator can do, for those who ask it.

use serde_json::{Value, json};

use super::{Preset, Topology, choices::Choice};

/// Presets with their values, every parameter with what it may be, and topologies. A parameter's default is
/// what it has when a request names neither it nor a preset.
pub fn describe() -> Value {
    let presets: Vec<_> = Preset::ALL.iter().map(|(preset, name, about)| {
        json!({"name": name, "title": preset.title(), "about": about, "parameters": preset.parameters().to_json()})
    }).collect();
    let topologies: Vec<_> = Topology::ALL
        .iter()
        .map(|(_, name, about)| json!({"name": name, "about": about}))
        .collect();
    json!({
        "presets": presets,
        "parameters": Preset::default().parameters().describe(),
        "topologies": topologies,
        "defaults": {"preset": Preset::default().name(), "topology": Topology::Classic.name()},
    })
}
