//! Campaign over gRPC: types, clients and servers made of the files in `proto/`.
//!
//! Nothing is written by hand here; the comments are those of the `.proto` files, where to begin reading.

pub mod campaign {
    /// Campaigns: who plays, which actors there are, and the journal of all that happened.
    pub mod v1 {
        #![allow(clippy::pedantic, clippy::allow_attributes_without_reason, reason = "generated")]
        tonic::include_proto!("campaign.v1");
    }
}

pub mod session {
    /// Sessions: the evenings of a campaign, and the rolls that are made in them.
    pub mod v1 {
        #![allow(clippy::pedantic, clippy::allow_attributes_without_reason, reason = "generated")]
        tonic::include_proto!("session.v1");
    }
}

pub mod duality {
    /// Duality dice: two twelve-sided dice, one for Hope and one for Fear.
    pub mod v1 {
        #![allow(clippy::pedantic, clippy::allow_attributes_without_reason, reason = "generated")]
        tonic::include_proto!("duality.v1");
    }
}

/// All of it as a `FileDescriptorSet`, encoded: what server reflection answers from.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/services.bin"));
