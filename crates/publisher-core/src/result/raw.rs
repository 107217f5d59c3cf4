//! The raw result: structs that tell the columns, and rows as flat objects.
