//! What a database does to run Malloy.
//!
//! Start at [`Engine`]: a database tells its dialect of SQL, the columns of tables and selects, and the rows of a statement, under
//! [`Limits`] and with a [`Cancel`] that stops it from another thread. `malloy-duckdb`, `malloy-postgres` and `malloy-spark` are
//! engines; `malloy::Workspace` picks one by the name of the connection that a model writes.
//!
//! Rows are JSON in the form that every surface shows. What decides how a value is written is its Malloy type, not what the
//! engine sent: [`value`] has the forms, [`Batches`] applies them to Arrow.

mod background;
mod batches;
mod cancel;
mod cell;
mod engine;
mod error;
mod limits;
pub mod value;

pub use background::Background;
pub use batches::Batches;
pub use cancel::{Attached, Cancel};
pub use engine::Engine;
pub use error::Error;
pub use limits::{Beyond, Cut, Kept, Limits, Meter, Rows};
