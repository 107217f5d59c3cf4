//! What agents see, over real sockets and pipes.
//!
//! Each statement of the specification is a test here; `spec:` says which.

mod bed;
mod concurrency;
mod execute;
mod failures;
mod limits;
mod live;
mod pipes;
mod prompts;
mod resources;
mod tools;
mod transport;
