//! Starts the program and speaks HTTP with it. Mirrors the crate's tree.

#![expect(unreachable_pub, reason = "the support modules serve this crate alone")]

mod assets;
mod cli;
mod console;
mod flags;
mod proxy;
mod support;
