//! What the tests share: the running program, upstreams that do as they are told, and what the program says of its
//! own API.

pub mod app;
pub mod authority;
pub mod binary;
pub mod document;
pub mod skip;
pub mod stub;
