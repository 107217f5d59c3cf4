//! Specs and changes as a caller sees them: text in, values out.

mod applying;
mod archiving;
mod desk;
mod diffing;
mod laws;
mod rebasing;
mod specs;
