//! How much there is in what was generated.

use serde::Serialize;

use super::{
    body::{Body, Kind},
    system::System,
};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Everything under `stars`.
    pub bodies: usize,
    pub systems: usize,
    pub stars: usize,
    pub black_holes: usize,
    /// Without rogue planets.
    pub planets: usize,
    /// With moons of moons.
    pub moons: usize,
    pub comets: usize,
    /// Trojans; the others are particles of belts.
    pub asteroids: usize,
    pub lagrange_points: usize,
    pub rogue_planets: usize,
    pub ringed_planets: usize,
    pub asteroid_belts: usize,
    pub kuiper_belts: usize,
    pub protoplanetary_disks: usize,
    /// In belts and disks.
    pub particles: usize,
    pub groups: usize,
    pub nebulae: usize,
}

impl Totals {
    pub(super) fn add_system(&mut self, system: &System) {
        self.systems += 1;
        for body in &system.bodies {
            self.add_body(body);
        }
        for field in &system.fields {
            match field["beltType"].as_str() {
                Some("kuiper") => self.kuiper_belts += 1,
                _ => self.asteroid_belts += 1,
            }
        }
        self.protoplanetary_disks += system.disks.len();
    }

    pub(super) fn add_rogue(&mut self) {
        self.bodies += 1;
        self.rogue_planets += 1;
    }

    fn add_body(&mut self, body: &Body) {
        self.bodies += 1;
        *match body.kind {
            Kind::Star => &mut self.stars,
            Kind::Planet => &mut self.planets,
            Kind::Moon => &mut self.moons,
            Kind::Asteroid => &mut self.asteroids,
            Kind::Comet => &mut self.comets,
            Kind::LagrangePoint => &mut self.lagrange_points,
            Kind::BlackHole => &mut self.black_holes,
        } += 1;
        self.ringed_planets += usize::from(body.details.iter().any(|(key, _)| *key == "ring"));
    }
}
