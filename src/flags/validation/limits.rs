//! Limits on the number of items in lists. They bound the CPU time and memory that one request costs: a list is
//! counted before its items are read.
//!
//! An import is exempt, so that every exported state can be read.

/// Maximum number of strategies of a toggle.
pub const MAX_STRATEGIES: usize = 200;
/// Maximum number of parameters of a toggle's strategy.
pub const MAX_PARAMETERS: usize = 200;
/// Maximum number of constraints of a strategy.
pub const MAX_CONSTRAINTS: usize = 200;
/// Maximum number of variants of a toggle.
pub const MAX_VARIANTS: usize = 200;
/// Maximum number of overrides of a variant.
pub const MAX_OVERRIDES: usize = 200;
/// Maximum number of values of a constraint, an override or a context field.
pub const MAX_VALUES: usize = 5_000;
/// Maximum number of parameters of a strategy definition.
pub const MAX_PARAMETER_DEFINITIONS: usize = 200;
/// Maximum number of event types of an addon.
pub const MAX_EVENT_TYPES: usize = 100;
/// Maximum number of tags of a toggle.
pub const MAX_TAGS_PER_TOGGLE: usize = 200;
/// Maximum number of tags, and of projects, in the query of a toggle list.
pub const MAX_FILTER_VALUES: usize = 100;
