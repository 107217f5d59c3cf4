//! The stable result: a schema, and cells that say what they are.
