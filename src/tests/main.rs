//! Integration tests: they start the program and send HTTP requests. The modules mirror the modules of the crate.

#![expect(unreachable_pub, reason = "the support modules serve this crate alone")]

// `cfg(test)` on each module tells clippy that its helpers may unwrap.
#[cfg(test)]
mod access;
#[cfg(test)]
mod assets;
#[cfg(test)]
mod check;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod compat;
#[cfg(test)]
mod connections;
#[cfg(test)]
mod console;
#[cfg(test)]
mod drift;
#[cfg(test)]
mod evaluation;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod files;
#[cfg(test)]
mod flags;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod layers;
#[cfg(test)]
mod log;
#[cfg(test)]
mod operation;
#[cfg(test)]
mod plans;
#[cfg(test)]
mod proxy;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod recorder;
#[cfg(test)]
mod saves;
#[cfg(test)]
mod sdk;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod storage;
#[cfg(test)]
mod support;
#[cfg(test)]
mod targets;
#[cfg(test)]
mod upgrades;
