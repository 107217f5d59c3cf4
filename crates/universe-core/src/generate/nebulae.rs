//! Nebulae: clouds around galaxies.

use serde_json::{Map, Value, json};

use super::{
    Parameters,
    body::{number, object, point},
    choices::{NebulaColors, NebulaSize},
    groups::Groups,
    names::{Names, slug},
    random::{Random, floor},
};

const WARM: &[(&str, &str)] = &[
    ("#B3364A", "#FFB36B"),
    ("#C2571A", "#FFD9A0"),
    ("#8F2D56", "#FF8A5B"),
    ("#A63D2F", "#F5C26B"),
];
const COOL: &[(&str, &str)] = &[
    ("#2E5EAA", "#8FD3FF"),
    ("#3B2E7E", "#B79CFF"),
    ("#1F6F78", "#8FF0D2"),
    ("#4A2C8F", "#7FB4FF"),
];

/// Clouds around every galaxy; around the middle if there is none.
pub(super) fn make(
    groups: &Groups,
    parameters: &Parameters,
    names: &mut Names,
    random: &mut Random,
) -> Vec<Map<String, Value>> {
    let mut nebulae = Vec::new();
    if !parameters.nebulae || parameters.nebula_density == 0.0 {
        return nebulae;
    }
    let galaxies = groups.galaxies.iter().map(|galaxy| Some(&groups.all[galaxy.group]));
    let around: Vec<_> = if groups.galaxies.is_empty() { vec![None] } else { galaxies.collect() };
    for group in around {
        let centre = group.map_or([0.0; 3], |group| group.position);
        for _ in 0..floor(4.0 * parameters.nebula_density + random.unit()) {
            let warm = match parameters.nebula_colors {
                NebulaColors::Random => random.chance(0.5),
                NebulaColors::Mixed => nebulae.len() % 2 == 0,
                NebulaColors::Warm => true,
                NebulaColors::Cool => false,
            };
            let mut nebula = nebula(centre, warm, parameters, names, random);
            if let Some(group) = group {
                nebula.insert("associatedGroupIds".into(), json!([group.id]));
            }
            nebulae.push(nebula);
        }
    }
    nebulae
}

fn nebula(
    centre: [f64; 3],
    warm: bool,
    parameters: &Parameters,
    names: &mut Names,
    random: &mut Random,
) -> Map<String, Value> {
    let name = names.place();
    let (least, most) = match parameters.nebula_size {
        NebulaSize::Small => (60.0, 140.0),
        NebulaSize::Medium => (140.0, 300.0),
        NebulaSize::Large => (300.0, 600.0),
    };
    let radius = random.between(least, most);
    let (base, accent) = random.pick(if warm { WARM } else { COOL });
    let [x, y, z] = direction(random);
    let distance = random.between(800.0, 2_000.0);
    let position = [centre[0] + x * distance, centre[1] + y * distance, centre[2] + z * distance];
    let mut stretch = || radius * random.between(0.6, 1.3);
    let dimensions = [stretch(), stretch(), stretch()];
    object(json!({
        "id": format!("{}-nebula", slug(&name)),
        "name": format!("{name} Nebula"),
        "position": point(position),
        "radius": number(radius),
        "dimensions": point(dimensions),
        "density": number(0.3 + 0.6 * random.unit()),
        "brightness": number(parameters.nebula_brightness * random.between(0.8, 1.0)),
        "baseColor": base,
        "accentColor": accent,
        "noiseScale": number(random.between(0.8, 2.5)),
        "noiseDetail": random.whole(3, 6),
        "seed": random.below(1_000_000),
    }))
}

/// Any direction, each as likely as the other.
pub(super) fn direction(random: &mut Random) -> [f64; 3] {
    let height = random.between(-1.0, 1.0);
    let flat = (1.0 - height * height).sqrt();
    let angle = random.between(0.0, std::f64::consts::TAU);
    [flat * libm::cos(angle), height, flat * libm::sin(angle)]
}
