//! Compatibility with flag services from Unleash 4.19 to 8.2, whose API differs from that of the console.

pub mod list;
pub mod permissions;
pub mod strategies;
pub mod toggle;
