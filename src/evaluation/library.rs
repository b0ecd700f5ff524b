//! Client libraries whose decisions the evaluation reproduces.

use serde::{Deserialize, Serialize};

/// A client library. Its rules are those of its source, for every value that servers store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Library {
    /// `unleash-client` 6 for Node.
    Node,
    /// `unleash-client` 3 for Node, which knows neither parents nor variants of strategies.
    Node3,
    /// `UnleashClient` 6 for Python, whose engine (Yggdrasil) several other libraries use.
    Python,
}

impl Library {
    /// All libraries.
    pub const ALL: [Self; 3] = [Self::Node, Self::Node3, Self::Python];

    /// Returns a short name for texts.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Node => "Node",
            Self::Node3 => "Node 3",
            Self::Python => "Python",
        }
    }
}

/// Result of a condition. The minimum of several is the result of all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Match {
    No,
    /// The rules of the library for this value are not known.
    Unknown,
    Yes,
}

impl Match {
    pub(super) fn negate(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Unknown => Self::Unknown,
            Self::Yes => Self::No,
        }
    }
}

impl From<bool> for Match {
    fn from(matches: bool) -> Self {
        if matches { Self::Yes } else { Self::No }
    }
}
