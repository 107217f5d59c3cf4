//! Comets: long orbits with the star in one focus.

use serde_json::json;

use super::{
    Parameters,
    body::{Body, Kind, Orbit, number},
    choices::CometStyle,
    physics::{self, Scale},
    random::{Random, floor},
    system::System,
};

pub(super) fn add(system: &mut System, parameters: &Parameters, random: &mut Random) {
    let frequency = parameters.comet_frequency;
    if !parameters.comets || frequency == 0.0 {
        return;
    }
    let comets = random.whole(floor(1.0 + frequency), floor(2.0 + 4.0 * frequency));
    for index in 1..=comets {
        let comet = comet(system, index, parameters, random);
        system.add(0, comet);
    }
}

fn comet(system: &System, index: u32, parameters: &Parameters, random: &mut Random) -> Body {
    let star = system.root();
    let mut comet = Body::new(
        format!("{}-c{index}", star.id),
        format!("Comet {} {index}", star.name),
        Kind::Comet,
    );
    comet.mass = physics::mass(Kind::Comet, random);
    comet.radius = physics::radius(comet.mass);
    comet.color = "#DDE8F0";
    comet.orbit = orbit(system, parameters, random);
    let Orbit { axis, eccentricity, .. } = comet.orbit;
    let activity = parameters.comet_activity;
    comet.details.push((
        "comet",
        json!({
            "isPeriodic": eccentricity < 0.95,
            "perihelionDistance": number(axis * (1.0 - eccentricity)),
            "aphelionDistance": number(axis * (1.0 + eccentricity)),
            "hasTail": true,
            "tailLengthBase": number((2.0 + 6.0 * activity) * random.between(0.7, 1.3)),
            "tailWidthBase": number((0.15 + 0.3 * activity) * random.between(0.7, 1.3)),
            "tailColor": random.pick(&["#9FD8FF", "#BFE8E0", "#D9ECFF", "#A8C8FF"]),
            "tailOpacityBase": number(0.3 + 0.5 * activity),
            "activityFalloffDistance": number(axis * random.between(0.6, 1.0)),
            "seed": random.below(1_000_000),
        }),
    ));
    comet
}

/// The wire's ellipse has its parent at the centre; shifting it by the distance of its focus along the (tilted)
/// long axis brings the star to where Kepler wants it, and perihelion and aphelion come true.
fn orbit(system: &System, parameters: &Parameters, random: &mut Random) -> Orbit {
    let (least, most, far) = match parameters.comet_style {
        CometStyle::RareLong => (0.7, 0.99, 1.6),
        CometStyle::Mixed => (0.6, 0.95, 1.2),
        CometStyle::ManyShort => (0.5, 0.9, 0.8),
    };
    let eccentricity = random.between(least, most);
    let clear = system.root().radius * 1.5 + 0.3;
    let wanted = system.lanes.outer().max(10.0) * far * random.between(0.6, 1.2);
    let axis = wanted.max(clear / (1.0 - eccentricity));
    let tilt = random.between(-1.0, 1.0) * (15.0 + parameters.inclination_max);
    let node = random.between(0.0, 360.0);
    let focus = axis * eccentricity;
    let (tilt_angle, node_angle) = (tilt.to_radians(), node.to_radians());
    let along = focus * libm::cos(tilt_angle);
    Orbit {
        axis,
        eccentricity,
        speed: Scale::of(parameters.scale_mode).speed(axis),
        phase: random.between(0.0, 360.0),
        tilt,
        node,
        offset: [
            -along * libm::cos(node_angle),
            -focus * libm::sin(tilt_angle),
            along * libm::sin(node_angle),
        ],
    }
}
