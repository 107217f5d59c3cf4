//! What each type of resource is and how to use it, in words for an AI reader.
