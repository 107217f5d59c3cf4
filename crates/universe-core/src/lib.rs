//! Universe simulator, the domain.
