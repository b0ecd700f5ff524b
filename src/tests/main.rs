//! Starts the program and speaks HTTP with it. Mirrors the crate's tree.

#![expect(unreachable_pub, reason = "the support modules serve this crate alone")]

// Every module is marked as a test: that is how the linter knows that their helpers may unwrap.
#[cfg(test)]
mod access;
#[cfg(test)]
mod assets;
#[cfg(test)]
mod check;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod connections;
#[cfg(test)]
mod console;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod flags;
#[cfg(test)]
mod log;
#[cfg(test)]
mod operation;
#[cfg(test)]
mod proxy;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod support;
