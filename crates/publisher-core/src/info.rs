//! Models and sources with their fields: `modelInfo` and `SourceInfo`.
