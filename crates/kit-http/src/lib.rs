//! What the HTTP surfaces share.
