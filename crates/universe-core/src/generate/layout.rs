//! Where systems and galaxies stand, so that a viewer sees them apart.
//!
//! Viewers put the members of a group on a small grid inside its box, far too small for whole systems. A root body obeys the
//! formula of orbits too, so each system gets an orbit of speed 0 that takes it from its cell of the grid to
//! its place in the galaxy.

use super::{
    body::Orbit,
    groups::{Galaxy, Groups, Member},
    physics::Scale,
    random::{Random, count, floor},
    system::System,
};

/// The angle between neighbours that fills a disk most evenly, in radians.
const GOLDEN: f64 = 2.399_963_229_728_653;

/// Places galaxies in the universe and systems in their galaxies.
pub(super) fn spread(
    groups: &mut Groups,
    systems: &mut [System],
    scale: Scale,
    random: &mut Random,
) {
    // Comets come and go far outside of what a system sweeps.
    let margin = 8.0 * scale.base;
    let mut places = vec![[0.0; 3]; systems.len()];
    let Groups { all, galaxies } = groups;
    let mut sky = Packing::default();
    for (index, galaxy) in galaxies.iter_mut().enumerate() {
        fill(galaxy, systems, margin, &mut places, random);
        let angle = f64::from(count(index)) * GOLDEN;
        let [x, z] = sky.place(angle, galaxy.radius * 1.2 + 2.0 * margin);
        let y = if index == 0 { 0.0 } else { galaxy.radius * random.between(-0.4, 0.4) };
        all[galaxy.group].position = [x.round(), y.round(), z.round()];
    }
    for (system, anchor) in anchors(groups) {
        let [x, y, z] = std::array::from_fn(|axis| places[system][axis] - anchor[axis]);
        systems[system].bodies[0].orbit = Orbit {
            axis: (x * x + z * z).sqrt(),
            phase: libm::atan2(z, x).to_degrees(),
            offset: [0.0, y, 0.0],
            ..Orbit::default()
        };
    }
}

/// Places the systems of a galaxy around its middle: along spiral arms, or evenly if it has none.
fn fill(
    galaxy: &mut Galaxy,
    systems: &[System],
    margin: f64,
    places: &mut [[f64; 3]],
    random: &mut Random,
) {
    let mut disk = Packing::default();
    let mut put = |system: usize, angle: f64, random: &mut Random| {
        let reach = systems[system].reach;
        let [x, z] = disk.place(angle, reach * 1.25 + margin);
        places[system] = [x, reach * random.between(-0.3, 0.3), z];
        galaxy.radius = galaxy.radius.max((x * x + z * z).sqrt() + reach);
    };
    if let Some(centre) = galaxy.centre {
        put(centre, 0.0, random);
    }
    let arms = count(galaxy.arms.len());
    let turn = random.between(0.0, std::f64::consts::TAU);
    for (arm, members) in (0_u32..).zip(&galaxy.arms) {
        let start = turn + std::f64::consts::TAU * f64::from(arm) / f64::from(arms);
        for (step, system) in (0_u32..).zip(members) {
            let bend = if arms == 1 { GOLDEN } else { 0.5 };
            put(*system, start + f64::from(step) * bend, random);
        }
    }
}

/// Where viewers put each system before its orbit counts.
fn anchors(groups: &Groups) -> Vec<(usize, [f64; 3])> {
    let mut origins = vec![[0.0; 3]; groups.all.len()];
    let mut found = Vec::new();
    for (index, group) in groups.all.iter().enumerate() {
        // The places in `fill` are relative to the galaxy, so a galaxy's own position is left out.
        let [x, y, z] = origins[index];
        for (slot, member) in (0_u32..).zip(&group.members) {
            let [column, row] = cell(slot, count(group.members.len()));
            let place = [x + column, y, z + row];
            match member {
                Member::System(system) => found.push((*system, place)),
                Member::Group(inside) => origins[*inside] = place,
            }
        }
    }
    found
}

/// The `slot`-th place in a group of `members`, as every viewer lays it out.
fn cell(slot: u32, members: u32) -> [f64; 2] {
    let edge = 8.0 + 2.0 * f64::from(members).sqrt();
    let columns = floor(f64::from(members).sqrt().ceil());
    let cell = 0.7 * edge / f64::from(columns);
    [slot % columns, slot / columns].map(|step| f64::from(step) * cell - 0.35 * edge)
}

/// Circles in a plane that do not touch.
#[derive(Default)]
struct Packing {
    /// Middle and radius.
    placed: Vec<([f64; 2], f64)>,
}

impl Packing {
    /// Goes out from the middle at `angle` until everything there is passed. The first stays in the middle.
    fn place(&mut self, angle: f64, radius: f64) -> [f64; 2] {
        let (x, z) = (libm::cos(angle), libm::sin(angle));
        let past = |([other_x, other_z], other_radius): &([f64; 2], f64)| {
            let along = other_x * x + other_z * z;
            let aside = other_x * other_x + other_z * other_z - along * along;
            let apart = radius + other_radius;
            let blocked = apart * apart - aside;
            if blocked > 0.0 { along + blocked.sqrt() } else { 0.0 }
        };
        let distance = self.placed.iter().map(past).fold(0.0, f64::max);
        let middle = [x * distance, z * distance];
        self.placed.push((middle, radius));
        middle
    }
}
