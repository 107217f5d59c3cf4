//! The domain as a service sees it.
