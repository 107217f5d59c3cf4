//! Rows of a query as clients know them: [`raw`] as the first servers sent them, [`stable`] as later ones do.

pub mod raw;
pub mod stable;
