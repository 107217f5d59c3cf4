//! Universe simulator: service and surfaces.
