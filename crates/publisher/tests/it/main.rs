//! The publisher as its callers see it, one module per matter.

mod helper;
mod samples;
