//! Evaluation of toggles, with reasons. A pure module: no clock, no random numbers, no files, no network.
//!
//! It computes for a toggle and a context whether the toggle is on, its variant, and why. The console, `flagdeck why` and
//! the APIs for browsers use it. It accepts what servers of this API from 3.x to 8.x store, and follows the public client
//! specification 6.1.0. The format of `POST /-/evaluate` is described in [`request`].
//!
//! ```
//! use flagdeck::evaluation::{Context, Definitions, Toggles, VARIANT_SEED};
//!
//! let definitions: Definitions = serde_json::from_str(
//!     r#"{ "features": [{ "name": "shop.pay", "enabled": true,
//!          "strategies": [{ "name": "userWithId", "parameters": { "userIds": "7,8" } }] }] }"#,
//! )?;
//! let toggles = Toggles::compile(&definitions, VARIANT_SEED);
//! let context = Context::from_pairs([("userId", "7")]);
//! let pay = toggles.find("shop.pay").ok_or("unknown toggle")?;
//! assert!(toggles.evaluate(pay, &context).outcome.is_on());
//! assert_eq!(toggles.explain(pay, &context).strategies.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! 1. [`Definitions`] is the JSON of servers: `/api/client/features`, toggles of the admin API, exports, and the events of
//!    `/api/client/delta`. Unknown properties, strategies and operators are no errors.
//! 2. [`Toggles::compile`] parses numbers, times, networks and patterns once.
//! 3. [`Toggles::evaluate`] returns the result without allocating memory. Exceptions are the list of the results of
//!    segments, texts that are compared without case and are not ASCII or longer than 1 KB, and regular expressions, which
//!    allocate in their first use.
//! 4. [`Toggles::explain`] returns the same result with the outcome of every strategy and constraint as data.
//!
//! 5. [`Toggles::resolve`] returns a result that is only on or off, with its cause, for clients that receive no definitions.
//! 6. [`Run`] is an evaluation of several toggles for one context. It evaluates each segment once, and its [`Work`] stops
//!    it at a number of comparisons or at a deadline, also in the middle of a toggle.
//! 7. [`effect`] decides whether a change widens who gets a feature.
//!
//! # Results
//!
//! A toggle is on, off, decided by the application (`applicationHostname` and custom strategies, which only the
//! application can evaluate), or on with a probability (`gradualRolloutRandom`, and stickiness without an id).
//!
//! # Rules that client libraries do not agree on
//!
//! [`Toggles::evaluate_as`] has the rules of a [`Library`]. `src/tests/evaluation/libraries.jsonl` contains the verdicts of the
//! real libraries about toggles with odd values, and a test compares them. [`Explanation::differing`](reason::Explanation) names
//! the libraries that decide otherwise than this program, which has the rules of `unleash-client` 6 for Node, except:
//!
//! | case | result here |
//! |---|---|
//! | `flexibleRollout` without `groupId`, variants of a strategy without it | the group is the name of the evaluated toggle, as in Python |
//! | groups and ids outside ASCII | hashed as UTF-8, as in Python. The Node library hashes one byte of each character and selects other users |
//! | variants with `default` stickiness | `userId`, then `sessionId`, then random. The Node library uses `remoteAddress` before random |
//! | `remoteAddress` with IPv6 | matches addresses in the network, as in Python. The Node libraries compare texts |
//! | variants of a condition on a parent | count also if the parent must be off, and a parent without variants has any, as in Python |
//! | a time that JavaScript reads in a way of its own, such as `2020-01-01T00:00` | never matches. The Python library switches the toggle off |
//! | a regular expression that does not compile here | does not match, or matches if it is inverted. The libraries may compile it |
//! | `\d`, `\w`, `\s`, and case-insensitive patterns | ASCII only, as in RE2; `\p{…}` is not supported |
//! | all strategies are disabled | off: servers switch such a toggle off |
//! | an absent `currentTime` | the time of the evaluation ([`Context::set_default_time`]) |
//!
//! The Python library switches a toggle off if it cannot read one of its strategies: an unknown operator, a segment that does not
//! exist, a percentage above 100, or a number, time, version or empty list that its grammar does not have.

mod constraint;
mod context;
mod definition;
mod delta;
pub mod effect;
mod explain;
mod hash;
mod library;
mod outcome;
mod pattern;
pub mod properties;
mod raw_toggles;
pub mod reason;
pub mod request;
mod resolution;
mod run;
mod safe_number;
mod semantic_version;
mod stickiness;
mod strategy;
mod texts;
mod toggles;
mod values;
mod variants;

pub(crate) use self::constraint::is_common_pattern;
pub use self::context::{Context, texts_of};
pub use self::definition::{
    ConstraintDefinition, Definitions, OverrideDefinition, ParentDefinition, PayloadDefinition,
    SegmentDefinition, StrategyDefinition, ToggleDefinition, VariantDefinition,
};
pub use self::library::Library;
pub use self::outcome::{Cause, Outcome};
pub use self::raw_toggles::{RawToggles, ToggleName, name_of};
pub use self::resolution::Resolution;
pub use self::run::{Run, Stopped, Work};
pub(crate) use self::safe_number::is_unsafe_number;
pub use self::toggles::{Evaluation, Toggle, Toggles};
pub(crate) use self::values::is_written_time;
pub use self::variants::{Variant, VariantChoice, Variants};

/// Seed of the hash that selects variants, in client libraries since version 5 of the specification (October 2023).
pub const VARIANT_SEED: u32 = 86_028_157;
/// Seed of older client libraries, which select other variants.
pub const OLD_VARIANT_SEED: u32 = 0;
