//! Rules of flag services, by kind and version: items that must exist, and values that are refused.
//!
//! The embedded flag service validates a toggle with its own code ([`crate::flags::validation`]). Other servers refuse a part of the
//! same values. In doubt, a value counts as accepted: the server then refuses the change itself.

use serde_json::Value;

use super::references::ItemKind;
use crate::api::{Constraint, PlannedServer};
use crate::console_api::Operators;
use crate::error::Detail;

/// The rules of a flag service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerRules {
    /// The flag service of Flagdeck.
    Embedded,
    /// Unleash 3.x to 4.2, with the major version; 0 if it is not known.
    WithoutEnvironments(u32),
    /// Unleash 4.3 and newer, with the first two numbers of the version; zeros if it is not known.
    WithEnvironments(u32, u32),
    /// A server about which nothing is known.
    Unknown,
}

impl ServerRules {
    /// Returns the rules of a server.
    #[must_use]
    pub(super) fn new(server: Option<&PlannedServer>) -> Self {
        let Some(server) = server else { return Self::Unknown };
        let (major, minor) = server.version_numbers();
        match (server.is_embedded, server.has_environments) {
            (true, _) => Self::Embedded,
            // 4.2 has the endpoint of environments, but does not use them.
            (false, true) if (major, minor) > (4, 2) || major == 0 => Self::WithEnvironments(major, minor),
            (false, _) => Self::WithoutEnvironments(major),
        }
    }

    /// Returns true if the server refuses a toggle that refers to a missing item of this kind. Recorded with 4.2.2, 4.19.5, 5.12.8,
    /// 6.10.1 and 8.2.0.
    #[must_use]
    pub(super) fn requires(self, kind: ItemKind) -> bool {
        match (kind, self) {
            (ItemKind::Project | ItemKind::Segment | ItemKind::Parent, _) => true,
            (ItemKind::Strategy, Self::WithEnvironments(major, _)) => major >= 5,
            (ItemKind::ContextField, Self::WithEnvironments(major, _)) => (4..7).contains(&major),
            (ItemKind::Strategy | ItemKind::ContextField, _) => false,
        }
    }

    /// Returns the operators outside of which the server refuses constraints; `None` if it accepts any name.
    #[must_use]
    pub(super) fn required_operators(self) -> Option<Operators> {
        match self {
            Self::WithEnvironments(4..7, _) => Some(Operators::Extended),
            // No 7.x is recorded, and versions after 8 can have more operators.
            Self::WithEnvironments(7 | 8, _) => Some(Operators::All),
            _ => None,
        }
    }

    /// Returns the operators that the server and client libraries of its version know.
    #[must_use]
    pub(super) fn known_operators(self) -> Operators {
        match self {
            Self::WithoutEnvironments(_) => Operators::Basic,
            _ => self.required_operators().unwrap_or(Operators::WithNetworks),
        }
    }

    /// Returns true if the server refuses a toggle in which the embedded flag service finds this error. `constraint` contains the
    /// value, if it belongs to one.
    #[must_use]
    pub(super) fn refuses(self, Detail { path, rule, .. }: &Detail, constraint: Option<&Constraint>) -> bool {
        let is_newer = match self {
            Self::Embedded => return true,
            Self::Unknown | Self::WithEnvironments(0, _) => return false,
            Self::WithoutEnvironments(_) => false,
            Self::WithEnvironments(..) => true,
        };
        let path: Vec<&str> = path.iter().filter_map(Value::as_str).collect();
        match (path.as_slice(), rule.as_str()) {
            // Only 3.x requires two characters.
            ([.., "name"], "string.min") => self == Self::WithoutEnvironments(3),
            (["strategies"], "array.min") => !is_newer,
            ([.., "name"], "string.empty" | "string.max")
            | (["name"] | ["strategies", "name"], "isUrlFriendly.base")
            | (["tags"], _)
            | ([.., "variants"], "array.unique")
            | ([.., "variants", "weight"], "number.max")
            | ([.., "constraints", "contextName" | "values"], "string.empty") => true,
            ([.., "constraints", "value"], "number.base" | "string.version") => is_newer,
            // These servers also accept dates in other formats.
            ([.., "constraints", "value"], "date.format") => {
                let value = constraint.and_then(|constraint| constraint.value.as_deref());
                is_newer && value.is_some_and(|text| !text.contains(|letter: char| letter.is_ascii_digit()))
            }
            ([.., "constraints", "value"], "any.required") => {
                let operator = constraint.map_or("", |constraint| constraint.operator.as_str());
                is_newer && operator.starts_with("SEMVER_")
            }
            _ => false,
        }
    }
}
