//! The real program, from outside.

mod access;
mod command_line;
mod configuration;
mod limits;
mod serving;
mod stopping;
mod support;
