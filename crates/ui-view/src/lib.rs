//! View definitions, understood on the server: for agents, who see no screen.
//!
//! Three things: [`html`] reads a view definition and keeps the place of everything in it; [`audit_view`] and [`audit_lua`] say what
//! is wrong with a view or a Lua file and what to write instead; [`Screen`] shows a session as text, being one more client
//! of it that speaks the same messages as a page. All of them take texts and give values: nothing here knows a file, a socket or a clock.
//!
//! Start at [`audit`], then [`screen`].

#![deny(clippy::disallowed_methods)]

pub mod audit;
pub mod binding;
mod finding;
pub mod html;
pub mod known;
pub mod lua;
pub mod screen;
pub mod types;

pub use audit::{ViewContext, audit_view};
pub use finding::{Finding, Severity};
pub use lua::{LuaContext, SyntaxError, audit_lua};
pub use screen::{Refs, Screen, ScreenOptions};
pub use types::{Shape, TypeFacts, Types};
