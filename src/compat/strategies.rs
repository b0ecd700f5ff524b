//! Strategies of a toggle in one environment.

mod plan;
