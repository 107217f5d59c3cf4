//! What the tests share.

pub mod postgres;
pub mod sail;
