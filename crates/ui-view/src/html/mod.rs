//! HTML as the browser reads it, kept with the place of everything in it.
//!
//! [`parse`] never fails: it gives the tree that the browser would make, and beside it what is wrong with the text. Tokens are
//! those of the HTML standard (`html5gum` passes its test suite); the tree keeps to the part of its rules that
//! matters inside a `<template>`: elements that have no end tag, end tags that may be left out, and raw texts.

mod fault;
mod parse;
mod place;
mod rules;
mod tokens;
mod tree;

pub use fault::{Fault, FaultKind};
pub use parse::{MAX_BYTES, MAX_DEPTH, Parsed, Root, parse, with_template};
pub use place::{Lines, Place};
pub use rules::{is_raw, is_void};
pub use tree::{Attribute, Element, Node, Text};
