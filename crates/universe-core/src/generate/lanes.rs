//! Room around a body: every orbit gets a lane of its own, from the inside out.

use super::body::Orbit;

/// What one body sweeps, its own moons included.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane {
    pub inner: f64,
    pub outer: f64,
}

/// The lanes around one body so far.
#[derive(Debug)]
pub(super) struct Lanes {
    pub taken: Vec<Lane>,
    /// Nothing may come nearer than this.
    edge: f64,
    /// Free space between lanes: so much, and this share of the distance.
    gap: (f64, f64),
}

impl Lanes {
    pub(super) fn beyond(edge: f64, gap: (f64, f64)) -> Self {
        Self { taken: Vec::new(), edge, gap }
    }

    /// Gives `orbit` the size `wanted`, or as much more as keeps it clear of the lanes inside. `reach` is how far
    /// the body itself extends, with all that circles it.
    pub(super) fn place(&mut self, orbit: &mut Orbit, wanted: f64, reach: f64) {
        let [x, y, z] = orbit.offset;
        let shift = (x * x + y * y + z * z).sqrt();
        // The parent is at the centre of the ellipse: nearest is the short axis.
        let short = (1.0 - orbit.eccentricity * orbit.eccentricity).sqrt();
        let share = if self.taken.is_empty() { 0.0 } else { self.gap.1 };
        let nearest = self.edge * (1.0 + share) + self.gap.0;
        orbit.axis = wanted.max((nearest + shift + reach) / short);
        let lane =
            Lane { inner: orbit.axis * short - shift - reach, outer: orbit.axis + shift + reach };
        self.edge = lane.outer;
        self.taken.push(lane);
    }

    /// How far out it is taken.
    pub(super) fn outer(&self) -> f64 {
        self.edge
    }
}
