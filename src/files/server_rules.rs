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
    /// Unleash 3.x to 4.2, with the first two numbers of the version; zeros if it is not known.
    WithoutEnvironments(u32, u32),
    /// Unleash 5 and newer, with the first two numbers of the version; zeros if it is not known.
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
            (false, true) if major >= 5 || major == 0 => Self::WithEnvironments(major, minor),
            (false, _) => Self::WithoutEnvironments(major, minor),
        }
    }

    /// Returns the reason why `flagdeck apply` is not offered for the server: it is not proven that each write of a plan is stored, and safe.
    #[must_use]
    pub(super) fn why_not_offered(self) -> Option<String> {
        let version = match self {
            Self::Embedded | Self::Unknown => return None,
            Self::WithoutEnvironments(major, minor) | Self::WithEnvironments(major, minor) => (major, minor),
        };
        match version {
            (3, 10..=17) | (4, 2) | (5, 12..) | (6 | 7, _) | (8, 0..=2) => None,
            (0, 0) => {
                Some("its version is not known, and apply needs it to know what the server stores".to_owned())
            }
            (major, minor) => Some(format!(
                "apply is not offered for Unleash {major}.{minor}, but for 3.10 to 3.17, 4.2, and 5.12 to 8.2; use flagdeck plan and drift, \
                 and make the changes in its console"
            )),
        }
    }

    /// Returns true if a revived toggle is off on the server.
    #[must_use]
    pub(super) fn revives_off(self) -> bool {
        !matches!(self, Self::WithoutEnvironments(4, _))
    }

    /// Returns true if the server stores a toggle with one request.
    #[must_use]
    pub(super) fn is_atomic(self) -> bool {
        !matches!(self, Self::WithEnvironments(..))
    }

    /// Returns true if the server refuses a toggle that refers to a missing item of this kind. Recorded with 4.2.2, 5.12.8,
    /// 6.10.1 and 8.2.0.
    #[must_use]
    pub(super) fn requires(self, kind: ItemKind) -> bool {
        match (kind, self) {
            (
                ItemKind::Project
                | ItemKind::Parent
                | ItemKind::Segment
                | ItemKind::SegmentName
                | ItemKind::AmbiguousSegment,
                _,
            ) => true,
            (ItemKind::Strategy, Self::WithEnvironments(major, _)) => major >= 5,
            (ItemKind::ContextField, Self::WithEnvironments(major, _)) => (5..7).contains(&major),
            (ItemKind::Strategy | ItemKind::ContextField, _) => false,
        }
    }

    /// Returns the operators outside of which the server refuses constraints; `None` if it accepts any name.
    #[must_use]
    pub(super) fn required_operators(self) -> Option<Operators> {
        match self {
            Self::WithEnvironments(5..7, _) => Some(Operators::Extended),
            // No 7.x is recorded, and versions after 8 can have more operators.
            Self::WithEnvironments(7 | 8, _) => Some(Operators::All),
            _ => None,
        }
    }

    /// Returns the operators that the server and client libraries of its version know.
    #[must_use]
    pub(super) fn known_operators(self) -> Operators {
        match self {
            Self::WithoutEnvironments(..) => Operators::Basic,
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
            Self::WithoutEnvironments(..) => false,
            Self::WithEnvironments(..) => true,
        };
        let path: Vec<&str> = path.iter().filter_map(Value::as_str).collect();
        match (path.as_slice(), rule.as_str()) {
            // Only 3.x requires two characters.
            ([.., "name"], "string.min") => matches!(self, Self::WithoutEnvironments(3, _)),
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

#[cfg(test)]
mod tests {
    use super::ServerRules;
    use crate::api::PlannedServer;

    #[test]
    fn apply_is_offered_for_versions_that_are_tested() {
        let why_not = |has_environments, version: Option<&str>| {
            let version = version.map(str::to_owned);
            ServerRules::new(Some(&PlannedServer { is_embedded: false, has_environments, version }))
                .why_not_offered()
        };
        for (has_environments, version) in [
            (false, "3.10.1"),
            (false, "3.17.6"),
            (false, "4.2.2"),
            (true, "5.12.8"),
            (true, "6.10.1"),
            (true, "7.6.5"),
            (true, "8.2.0"),
        ] {
            assert_eq!(why_not(has_environments, Some(version)), None, "{version}");
        }
        for version in ["3.9.0", "3.18.0", "4.0.1", "4.19.5", "5.11.0", "8.3.0", "9.0.0"] {
            assert!(
                why_not(version > "4.3", Some(version)).unwrap().contains("apply is not offered for"),
                "{version}"
            );
        }
        assert!(why_not(true, None).unwrap().contains("its version is not known"));
    }
}
