//! Spec Oxide, the search: finds requirements by what they mean and by the words they use.
//!
//! Values in, values out: documents and vectors come from the caller, so does the encoder ([`Embedder`]), and the index
//! file is bytes. Start at [`Index`], then [`Index::search`]; what the words do is in `lexical`, the file in `file`.
//!
//! ```
//! use spox_search::*;
//!
//! # struct Encoder;
//! # impl Embedder for Encoder {
//! #     fn id(&self) -> ModelId { ModelId { name: "toy".into(), hash: [0; 32], dimensions: 2 } }
//! #     fn embed(&self, texts: &[&str]) -> Vec<Vec<f32>> {
//! #         texts.iter().map(|text| vec![f32::from(text.contains("file") || text.contains("document")), 0.1]).collect()
//! #     }
//! # }
//! # let encoder = Encoder;
//! let documents = vec![Document {
//!     spec_id: "transfer".into(),
//!     change_id: None,
//!     content: Content::Requirement(Requirement {
//!         name: "Upload".into(),
//!         description: "The server SHALL accept a file.".into(),
//!         scenarios: Vec::new(),
//!     }),
//! }];
//! let known = Vectors::new(encoder.id()); // or `Vectors::from_bytes(&file, &encoder.id())?`
//! let mut index = Index::new(documents, Some(known), Settings::default());
//! index.fill(&encoder, 32, |done, all| eprintln!("{done}/{all}"))?; // only what is not known yet
//! let file = index.to_bytes().expect("there is a model");
//!
//! let query = Query::new("send a document");
//! let hits = index.search(&query, encoder.embed(&[query.text]).first().map(Vec::as_slice))?;
//! assert_eq!(hits[0].requirement.as_deref(), Some("Upload"));
//! assert_eq!(Vectors::from_bytes(&file, &encoder.id())?.len(), 1);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::disallowed_methods)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "scores are 32-bit floats, made of counts and of numbers that are rounded on purpose"
)]

mod document;
mod duplicates;
mod file;
mod index;
mod lexical;
mod model;
pub mod quality;
mod rows;
mod search;
mod snippet;
mod tokens;
mod vectors;

pub use document::{Content, Document, Requirement, Scenario, TextHash};
pub use duplicates::{Duplicate, NEAR_DUPLICATE};
pub use file::BadIndex;
pub use index::{Index, Missing, Part, Settings};
pub use model::{BadVector, Embedder, ModelId};
pub use search::{Hit, Query, THRESHOLD};
pub use vectors::Vectors;
