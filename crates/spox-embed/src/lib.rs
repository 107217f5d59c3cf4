//! Sentence embeddings: a text becomes a direction, and texts that mean the same point the same way.
//!
//! The model is all-MiniLM-L6-v2, computed by a small encoder of our own from weights that lie in the repository
//! (`model/`): no native library, no network, no download. Nothing is read before [`Model::builtin`] is called.
//!
//! ```
//! use spox_embed::{Model, Packed};
//!
//! let model = Model::builtin(); // milliseconds; keep it, and share it between threads
//! let query = model.embed("Send a document"); // milliseconds: off the async threads, please
//! assert!(query.cosine(&model.embed("Transfer a file")) > 0.4);
//! assert!(query.cosine(&model.embed("chocolate cake")) < 0.1);
//!
//! // An index keeps the small form, and which model it is of.
//! let texts = ["Upload a picture", "Bake bread"];
//! let threads = 2;
//! let vectors = model.embed_all(&texts, threads, &mut |done| eprintln!("{done} of 2"));
//! let index: Vec<Packed> = vectors.iter().map(|vector| vector.pack()).collect();
//! let stored: [u8; Packed::BYTES] = index[0].to_bytes();
//! assert_eq!(Packed::from_bytes(&stored), Some(index[0]));
//! let id = model.id().to_string(); // another id: the vectors cannot be compared
//! let cosines: Vec<f32> = query.pack().cosines(&index);
//! assert!(cosines[0] > cosines[1]);
//! # assert!(id.starts_with("all-minilm-l6-v2:"));
//! ```
//!
//! Start at [`Model`]. `encoder` is the network, `kernel` the loops it spends its time in, `tokenizer` what text
//! is before it is numbers. [`pack`] makes the file that [`Model::read`] reads; `cargo xtask weights` calls it.
//! There are no files, clocks or sockets here, and no threads but those that [`Model::embed_all`] is given.

#![deny(clippy::disallowed_methods)]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small counts and rounded numbers, everywhere"
)]

mod batch;
mod encoder;
mod format;
mod half;
mod kernel;
mod model;
pub mod pack;
mod tokenizer;
mod vector;

pub use format::BadModel;
pub use model::{Model, ModelId};
pub use vector::{Packed, Vector};

/// The numbers of a vector.
pub const HIDDEN: usize = 384;

/// The tokens that are read of a text, with the one that begins and the one that ends it. More makes search slower and
/// not better.
pub const MAX_TOKENS: usize = 128;

/// The numbers that one attention head works on.
const HEAD: usize = 32;
