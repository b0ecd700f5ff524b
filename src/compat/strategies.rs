//! Strategies of a toggle in one environment.

pub mod plan;
