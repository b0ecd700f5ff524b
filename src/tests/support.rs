//! What the tests share: the running program, and an upstream that does as it is told.

pub mod app;
pub mod binary;
pub mod stub;
