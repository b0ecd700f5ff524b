//! What one event changed against the one before it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One change. `lhs` is the value before, `rhs` the value after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind")]
pub enum Diff {
    /// A property that was not there before.
    N {
        /// Where it stands.
        path: Vec<PathStep>,
        /// Its value.
        #[cfg_attr(test, ts(type = "unknown"))]
        rhs: Value,
    },
    /// A property that is gone.
    D {
        /// Where it stood.
        path: Vec<PathStep>,
        /// Its last value.
        #[cfg_attr(test, ts(type = "unknown"))]
        lhs: Value,
    },
    /// A property with another value.
    E {
        /// Where it stands.
        path: Vec<PathStep>,
        /// Its value before.
        #[cfg_attr(test, ts(type = "unknown"))]
        lhs: Value,
        /// Its value after.
        #[cfg_attr(test, ts(type = "unknown"))]
        rhs: Value,
    },
    /// A list that became longer or shorter by one item.
    A {
        /// Where the list stands.
        path: Vec<PathStep>,
        /// The item's place in it.
        index: usize,
        /// What came or went.
        item: ArrayChange,
    },
}

/// What came into a list or left it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind")]
pub enum ArrayChange {
    /// An item that was not there before.
    N {
        /// The item.
        #[cfg_attr(test, ts(type = "unknown"))]
        rhs: Value,
    },
    /// An item that is gone.
    D {
        /// The item.
        #[cfg_attr(test, ts(type = "unknown"))]
        lhs: Value,
    },
}

/// One step from a value to one inside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(untagged)]
pub enum PathStep {
    /// Into an object.
    Key(String),
    /// Into a list.
    Index(usize),
}
