//! REST: `/api/v0`.
