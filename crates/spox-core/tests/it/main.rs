//! Specs and changes as a caller sees them: text in, values out.

mod apply_laws;
mod applying;
mod archiving;
mod change_rules;
mod changes;
mod config;
mod context_rules;
mod deltas;
mod desk;
mod diffing;
mod hostile;
mod ids;
mod names;
mod reading_laws;
mod rebasing;
mod references;
mod scanner;
mod spec_rules;
mod specs;
mod wire;
mod world;
