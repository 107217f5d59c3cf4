//! Spark for Malloy, over Spark Connect: what a table holds, and the rows of a query.
//!
//! Start at [`Spark`], the engine, and [`Settings`]. Any server of the protocol will do: Spark's own, or Sail, which needs no Java and is
//! what the tests run against (docs/decisions/malloy-spark.md). Rows come as Arrow, in batches; a query that is stopped here is interrupted on
//! the server.

mod engine;
mod session;
mod settings;
mod types;

/// Messages of the protocol, from `proto/connect.proto`.
mod proto {
    #![allow(
        clippy::pedantic,
        clippy::allow_attributes_without_reason,
        unreachable_pub,
        reason = "generated; what is not used of it belongs to the messages all the same"
    )]
    tonic::include_proto!("spark.connect");
}

pub use engine::Spark;
pub use settings::Settings;
