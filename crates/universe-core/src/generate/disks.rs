//! Protoplanetary disks: gas and dust around a young star.

use serde_json::{Map, Value, json};

use super::{
    Parameters, belts,
    body::{Kind, number, object},
    physics::Scale,
    random::Random,
    system::System,
};

pub(super) fn add(system: &mut System, parameters: &Parameters, random: &mut Random) {
    let present = random.chance(parameters.disk_presence);
    if !parameters.disks || !present || system.root().kind != Kind::Star {
        return;
    }
    let disk = disk(system, parameters, random);
    system.disks.push(disk);
}

fn disk(system: &mut System, parameters: &Parameters, random: &mut Random) -> Map<String, Value> {
    let (density, prominence) = (parameters.disk_density, parameters.disk_prominence);
    let inner = system.root().radius * random.between(1.6, 2.4);
    let base = Scale::of(parameters.scale_mode).base;
    let outer = (inner + base).max(system.lanes.outer() * random.between(0.9, 1.3));
    system.reach = system.reach.max(outer);
    let star = system.root();
    let (dust, glow) = random.pick(&[
        ("#D4A574", "#FFD700"),
        ("#C98B5A", "#FFC46B"),
        ("#B89B86", "#FFE2B8"),
        ("#A9745B", "#FF9E5E"),
    ]);
    let style = match prominence {
        ..0.3 => "thin",
        ..0.6 => "moderate",
        ..0.85 => "thick",
        _ => "extreme",
    };
    object(json!({
        "id": format!("{}-disk", star.id),
        "name": format!("{} Protoplanetary Disk", star.name),
        "systemId": star.id,
        "centralStarId": star.id,
        "innerRadius": number(inner),
        "outerRadius": number(outer),
        "thickness": number((0.01 + 0.03 * prominence) * outer),
        "particleCount": 2 * belts::particles(parameters.detail, density),
        "baseColor": dust,
        "highlightColor": glow,
        "opacity": number(0.25 + 0.5 * density),
        "brightness": number(0.3 + 0.6 * prominence),
        "clumpiness": number(random.between(0.1, 0.5)),
        "rotationSpeedMultiplier": number(random.between(0.2, 0.5)),
        "seed": random.below(1_000_000),
        "style": style,
        "bandStrength": number(random.between(0.3, 0.8)),
        "bandFrequency": random.whole(3, 9),
        "gapSharpness": number(random.between(0.3, 0.8)),
        "innerGlowStrength": number(0.4 + 0.5 * prominence),
        "noiseScale": number(random.between(0.8, 2.2)),
        "noiseStrength": number(random.between(0.2, 0.6)),
        "spiralStrength": number(random.between(0.0, 0.4)),
        "spiralArmCount": random.whole(1, 4),
        "edgeSoftness": number(random.between(0.3, 0.6)),
        "temperatureGradient": number(random.between(1.0, 2.2)),
    }))
}
