//! What an application gives the host ([`Mount`]) and what the host gives it ([`Deps`]).
//!
//! The host knows nothing else of an application: it nests the routes, serves the MCP description and
//! shows the rest on its home page. Start at [`Mount`].

mod clock;
mod mount;

pub use clock::{Clock, SystemClock};
pub use mount::{Deps, Health, Link, Listener, Mount, Serves};
