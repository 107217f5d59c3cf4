//! The application as its callers see it.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod agents;
mod bed;
mod crash;
mod dice;
mod feeds;
mod grpc;
mod journal;
mod kept;
mod limits;
mod mcp_context;
mod mcp_resources;
mod mcp_tools;
mod openapi;
mod permissions;
mod property;
mod races;
mod replicas;
mod rest;
mod same_answer;
mod tampering;
mod world;
