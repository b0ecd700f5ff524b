//! What the tests share: the running program, an upstream that does as it is told, and what the program says of its
//! own API.

pub mod app;
pub mod binary;
pub mod document;
pub mod stub;
