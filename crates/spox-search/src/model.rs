//! The seam to the encoder: who turns sentences into vectors, and how its work is told from another's.

use kit_core::{Fault, Kind};

/// Which encoder made a vector. Vectors of two models cannot be compared, so an index belongs to one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelId {
    /// What people call it, as `all-MiniLM-L6-v2/int8`.
    pub name: String,
    /// Of the weights and of all else that decides what comes out.
    pub hash: [u8; 32],
    /// How many numbers a vector has.
    pub dimensions: usize,
}

/// Turns texts into vectors whose cosine tells how near their meanings are.
pub trait Embedder {
    fn id(&self) -> ModelId;

    /// One vector for each text, in the same order, each [`ModelId::dimensions`] long.
    fn embed(&self, texts: &[&str]) -> Vec<Vec<f32>>;
}

/// A vector that cannot stand for a text. The index is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadVector {
    #[error("a vector of {found} numbers where the model has {wanted}")]
    WrongLength { found: usize, wanted: usize },
    #[error("a vector holds a number that is not finite")]
    NotFinite,
    #[error("{found} vectors for {wanted} texts")]
    WrongCount { found: usize, wanted: usize },
    #[error("a vector of model `{found}` for an index of `{wanted}`")]
    OtherModel { found: String, wanted: String },
    #[error("a vector for an index that has no model")]
    NoModel,
}

impl Fault for BadVector {
    /// Whoever searches gave a text; what became of it is our affair.
    fn kind(&self) -> Kind {
        Kind::Internal
    }
}
