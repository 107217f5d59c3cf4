//! Search over one project: the index on disk, the index in memory, and the model behind both.
//!
//! The model is loaded when the first search needs it, and stays. The index in memory follows the files: words at once,
//! meanings as fast as texts can be embedded. Start at [`Engine::search`].

mod documents;
mod duplicates;
mod engine;
mod model;
#[cfg(test)]
mod quality;

pub(crate) use duplicates::Alike;
pub(crate) use engine::Engine;
pub use engine::{IndexState, SearchQuery};
