//! The publisher as its callers see it, one module per matter.
#![expect(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod attacks;
mod cache;
mod commands;
mod configuration;
mod connections;
mod engines;
mod helper;
mod identities;
mod lifecycle;
mod limits;
mod managing;
mod mcp;
mod notebooks;
mod openapi;
mod packages;
mod rest;
mod same_answer;
mod samples;
mod temporary;
mod watching;
mod wire;
mod world;
