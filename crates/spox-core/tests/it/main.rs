//! Specs and changes as a caller sees them: text in, values out.

mod applying;
mod desk;
mod specs;
