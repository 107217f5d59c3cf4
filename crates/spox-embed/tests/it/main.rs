//! What a caller sees: token ids and vectors as the reference has them, and what happens to anything else.

mod damage;
mod many;
mod properties;
mod reference;
mod small;

use std::sync::LazyLock;

use spox_embed::Model;

/// The model of the program, read once for all tests.
static MODEL: LazyLock<Model> = LazyLock::new(Model::builtin);
