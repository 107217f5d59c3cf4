//! The publisher as its callers see it, one module per matter.

mod helper;
mod openapi;
mod rest;
mod samples;
mod wire;
mod world;
