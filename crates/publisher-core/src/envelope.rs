//! Rows first: the envelope for agents.
