//! The search as a caller sees it. `support` has the documents and the stand-in for the encoder.

mod duplicates;
mod index_file;
mod planning;
mod properties;
mod quality;
mod ranking;
mod snippets;
mod support;
mod words;
