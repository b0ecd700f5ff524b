//! Differences between an event and the previous event of the same item.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A change. `lhs` is the value before, `rhs` the value after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind")]
pub enum Diff {
    /// A new property.
    N {
        /// Path of the property.
        path: Vec<PathStep>,
        /// Value.
        #[cfg_attr(test, ts(type = "unknown"))]
        rhs: Value,
    },
    /// A removed property.
    D {
        /// Path of the property.
        path: Vec<PathStep>,
        /// Value before.
        #[cfg_attr(test, ts(type = "unknown"))]
        lhs: Value,
    },
    /// A property with a new value.
    E {
        /// Path of the property.
        path: Vec<PathStep>,
        /// Value before.
        #[cfg_attr(test, ts(type = "unknown"))]
        lhs: Value,
        /// Value after.
        #[cfg_attr(test, ts(type = "unknown"))]
        rhs: Value,
    },
    /// An item that was added to or removed from a list.
    A {
        /// Path of the list.
        path: Vec<PathStep>,
        /// Index of the item.
        index: usize,
        /// The added or removed item.
        item: ArrayChange,
    },
}

/// An added or removed list item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind")]
pub enum ArrayChange {
    /// An added item.
    N {
        /// The item.
        #[cfg_attr(test, ts(type = "unknown"))]
        rhs: Value,
    },
    /// A removed item.
    D {
        /// The item.
        #[cfg_attr(test, ts(type = "unknown"))]
        lhs: Value,
    },
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(untagged)]
pub enum PathStep {
    /// Property of an object.
    Key(String),
    /// Index in a list.
    Index(usize),
}
