//! The publisher's domain, free of files and sockets.
//!
//! What is written in a server's files ([`config`], [`manifest`], [`connection`], [`schedule`]); how compiled models and rows
//! look to clients ([`compiled`], [`info`], [`result`], [`envelope`]); and what agents are told ([`uri`], [`about`],
//! [`advice`], [`context`]). Values in, values out.

#![deny(clippy::disallowed_methods)]

pub mod about;
pub mod advice;
pub mod compiled;
pub mod config;
pub mod connection;
pub mod context;
pub mod envelope;
pub mod info;
pub mod manifest;
pub mod name;
pub mod result;
pub mod schedule;
pub mod uri;
