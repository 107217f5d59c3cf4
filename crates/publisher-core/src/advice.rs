//! What to try next when something was not found or did not compile.
