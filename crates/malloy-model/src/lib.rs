//! Malloy, the meaning: from syntax trees to a checked model and compiled queries.
//!
//! Nothing here reads a file, a clock or a database. A compile either gives a model, or says what it still needs: texts of imported
//! files, columns of tables, columns of SQL selects. The caller fetches those and compiles again.
//!
//! Start at [`compile`] and [`Model::prepare`]. [`ir`] is what comes out, for the writer of SQL: see [`ir::Query`].

#![deny(clippy::disallowed_methods)]

mod analyser;
mod block;
mod build;
mod collate;
mod compose;
mod describe;
mod document;
mod expr;
mod extend;
mod filter;
mod finish;
mod function;
mod givens;
mod include;
pub mod ir;
mod items;
mod joins;
mod known;
mod level;
mod model;
mod outline;
mod prepare;
mod query;
mod resolve;
mod source;
mod sources;
mod tables;
mod typed;
mod uses;

pub use analyser::Problem;
pub use describe::{
    Description, FieldDescription, OutputDescription, QueryDescription, SourceDescription,
    TypeName, describe,
};
pub use known::{Known, Needs, join_url, select_key};
pub use model::{Given, Givens, Model, Options, Outcome, Which, compile, extend};
pub use outline::{
    FieldOutline, FieldOutlineKind, Notes, Outline, OutputOutline, ParameterOutline, QueryOutline,
    SourceOutline, outline, quoted,
};
pub use source::ValueType;
