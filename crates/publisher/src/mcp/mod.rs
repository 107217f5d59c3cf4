//! What agents are offered.
