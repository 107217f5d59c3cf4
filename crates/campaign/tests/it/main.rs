//! The application as its callers see it.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod bed;
mod crash;
mod dice;
mod feeds;
mod grpc;
mod journal;
mod kept;
mod limits;
mod openapi;
mod permissions;
mod property;
mod races;
mod replicas;
mod rest;
mod same_answer;
mod tampering;
mod world;
