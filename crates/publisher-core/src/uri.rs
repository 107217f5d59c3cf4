//! Addresses of resources: `malloy://project/…`.
