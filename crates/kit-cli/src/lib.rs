//! What the command lines share.
