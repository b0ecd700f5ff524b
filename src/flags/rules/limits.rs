//! Limits on the number of items in lists. They bound the CPU time and memory that one request costs: a list is
//! counted before its items are read.
//!
//! An import is exempt, so that every exported state can be read.

/// Strategies of a toggle.
pub const MAX_STRATEGIES: usize = 200;
/// Parameters of a strategy on a toggle.
pub const MAX_PARAMETERS: usize = 200;
/// Constraints of a strategy.
pub const MAX_CONSTRAINTS: usize = 200;
/// Variants of a toggle.
pub const MAX_VARIANTS: usize = 200;
/// Overrides of a variant.
pub const MAX_OVERRIDES: usize = 200;
/// Values of a constraint, of an override and of a context field.
pub const MAX_VALUES: usize = 5_000;
/// Parameters of a strategy definition.
pub const MAX_PARAMETER_DEFINITIONS: usize = 200;
/// Event types in the list of an addon.
pub const MAX_EVENT_TYPES: usize = 100;
/// Tags of a toggle.
pub const MAX_TAGS_PER_TOGGLE: usize = 200;
/// Tags, and projects, in the query of a toggle list.
pub const MAX_FILTER_VALUES: usize = 100;
