//! What can be told of a Lua file by its text, without running it.
//!
//! Whether it compiles is the virtual machine's word; [`audit_lua`] takes that and adds the few mistakes with this platform that a
//! text shows for certain. Where it is not certain, it is silent: an agent that is told of mistakes that are none stops
//! listening. Start at [`audit`](mod@audit).

mod audit;
mod lexer;
mod scan;

pub use audit::{LuaContext, SyntaxError, audit_lua};
