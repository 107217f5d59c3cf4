//! gRPC over TCP, by a client that was generated like any other, through the host's own server and guard.

mod campaigns;
mod duality;
mod guard;
mod play;
mod protocol;
mod remote;
mod sessions;
mod world;
