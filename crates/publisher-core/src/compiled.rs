//! A compiled model as clients see it.
