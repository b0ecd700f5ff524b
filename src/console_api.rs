//! Response types of the console's endpoints below `/-/`. Several modules return them.

use serde::{Deserialize, Serialize};

/// Response of `GET /-/settings`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Settings {
    /// Backend of the API.
    pub mode: Mode,
    /// Host and port of the upstream flag service; null for the embedded one.
    pub upstream: Option<String>,
    /// Path with which addresses in responses of the API begin: the path of the upstream's URL, such as `/unleash`, or the base
    /// path of this program if users sign in here.
    pub mount_path: String,
    /// Version of Flagdeck.
    pub version: String,
    /// True if users can sign out.
    pub sign_out: bool,
    /// True if all changes are refused, whatever permissions the user has.
    pub read_only: bool,
    /// True if switching a toggle, or turning it on for more users, requires confirmation.
    pub confirm_writes: bool,
    /// Additional origins from which images of users are loaded.
    pub image_origins: Vec<String>,
    /// Name of this deployment; null if the operator has not set one.
    pub environment: Option<String>,
    /// Capabilities of the flag service; null while they are not known, because it does not respond, or the user has to sign
    /// in. Servers without a known version have the capabilities of Unleash 3.17.
    pub capabilities: Option<Capabilities>,
    /// The upstream, if it is a server with environments (Unleash 5 to 8.2); null for others, for the embedded
    /// service, and if the user cannot read its environments, for example before signing in.
    pub server: Option<NewerServer>,
    /// True if SDKs get toggles from the replica of this program.
    pub replica: bool,
    /// True if this program itself serves the browser API, with its own frontend tokens; false if it forwards the API.
    pub serves_browsers: bool,
    /// True if this program serves OpenFeature clients.
    pub serves_open_feature: bool,
    /// True if the console can show the operators' journal.
    pub journal: bool,
    /// True if administrators can see and revoke sessions: users sign in at this program with proof of their identity.
    pub sessions: bool,
    /// True if toggles can be held: SDKs get them from this program.
    pub holds: bool,
    /// True if the console can show earlier states, which the flight recorder keeps.
    pub recorder: bool,
    /// True if only administrators of the flag service may see earlier states: the records contain the toggles of all projects.
    pub recorder_needs_admin: bool,
    /// Database that several instances of this program share; null for a database of this instance alone.
    pub shared_database: Option<SharedDatabase>,
    /// File that the toggles come from; null if a flag service stores them.
    pub definitions: Option<DefinitionsFile>,
}

/// File that the toggles come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DefinitionsFile {
    /// Name of the file, without its folder.
    pub file: String,
    /// Results that replace those of the file, such as `checkout=on`.
    pub overrides: Vec<String>,
}

/// Capabilities of the API of a flag service. The console derives no behaviour from the version of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a capability of its own")]
pub struct Capabilities {
    /// A toggle has a state, strategies and permissions for each environment.
    pub has_environments: bool,
    /// Single toggles can be read and changed. False only if the version rules it out.
    pub manages_toggles: bool,
    /// The list of toggles contains variants and dependencies.
    pub lists_variants: bool,
    /// The list of toggles contains the strategies in their order. Otherwise single toggles are read.
    pub lists_ordered_strategies: bool,
    /// The list of archived toggles contains their strategies.
    pub archives_strategies: bool,
    /// The list of toggles can be restricted to a tag.
    pub filters_by_tag: bool,
    /// Strategies are ordered by a number that a save must contain.
    pub numbers_strategies: bool,
    /// A toggle must have a strategy.
    pub needs_strategy: bool,
    /// Titles and the disabled state of strategies can be edited.
    pub edits_strategy_titles: bool,
    /// Properties of strategies without an editor can be changed by import only.
    pub imports_strategy_properties: bool,
    /// Segments can be listed, created, edited and deleted, and strategies refer to them.
    pub manages_segments: bool,
    /// Operators of constraints that can be edited.
    pub operators: Operators,
    /// A definition of a strategy can be replaced together with its property `deprecated`.
    pub accepts_deprecated: bool,
    /// Switching a toggle on may add or enable strategies.
    pub switch_adds_strategies: bool,
    /// A request copies a toggle with all its environments and tags.
    pub copies_environments: bool,
    /// A revived toggle is off in every environment. Otherwise it has its previous state there.
    pub revive_stays_off: bool,
    /// The project of a toggle can be changed.
    pub moves_toggles: bool,
    /// Variants belong to strategies. Those of toggles are deprecated.
    pub stores_variants_in_strategies: bool,
    /// The stickiness of variants is stored.
    pub stores_variant_stickiness: bool,
    /// The stickiness and the sort order of a context field are stored.
    pub stores_field_details: bool,
    /// Effect of an edit of a context field on its sort order.
    pub sort_order_in_edit: SortOrderInEdit,
    /// Applications that use a toggle.
    pub seen_apps: SeenApps,
    /// The differences in events may be those to an event of another strategy or environment.
    pub mixes_event_diffs: bool,
}

/// Operators of constraints that can be edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Operators {
    /// `IN` and `NOT_IN`.
    Basic,
    /// Those of 5 to 7.
    Extended,
    /// Those of 8.
    All,
    /// Those of 8, and `IN_CIDR`.
    WithNetworks,
}

impl Operators {
    /// All operators: first those of [`Self::Basic`], then those that each further value adds.
    const NAMES: [&str; 19] = [
        "IN",
        "NOT_IN",
        "STR_STARTS_WITH",
        "STR_ENDS_WITH",
        "STR_CONTAINS",
        "NUM_EQ",
        "NUM_GT",
        "NUM_GTE",
        "NUM_LT",
        "NUM_LTE",
        "DATE_AFTER",
        "DATE_BEFORE",
        "SEMVER_EQ",
        "SEMVER_GT",
        "SEMVER_LT",
        "SEMVER_GTE",
        "SEMVER_LTE",
        "REGEX",
        "IN_CIDR",
    ];

    /// Returns the names of the operators.
    #[must_use]
    pub fn names(self) -> &'static [&'static str] {
        let count = match self {
            Self::Basic => 2,
            Self::Extended => 15,
            Self::All => 18,
            Self::WithNetworks => 19,
        };
        Self::NAMES.split_at(count).0
    }
}

/// Effect of an edit of a context field on its sort order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SortOrderInEdit {
    /// The new sort order is stored.
    Stored,
    /// The field keeps its sort order.
    Ignored,
    /// The sort order becomes 0.
    Reset,
}

/// Requests with which a server reports the applications that use a toggle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum SeenApps {
    /// One request for all toggles.
    All,
    /// A request for each toggle.
    Single,
    /// None: the server does not report them.
    None,
}

/// The facts about a flag service on which its capabilities depend.
#[derive(Debug, Clone, Copy)]
pub enum FlagService<'a> {
    /// The embedded one.
    Embedded,
    /// An upstream without environments.
    WithoutEnvironments {
        /// Version; `None` if the server does not report it.
        version: Option<&'a str>,
    },
    /// An upstream with projects and environments.
    WithEnvironments {
        /// Version; `None` if the server does not report it.
        version: Option<&'a str>,
    },
}

impl Capabilities {
    /// Capabilities of Unleash 3.17 as the upstream.
    const UNLEASH_3_17: Self = Self {
        has_environments: false,
        manages_toggles: true,
        lists_variants: true,
        lists_ordered_strategies: true,
        archives_strategies: true,
        filters_by_tag: true,
        numbers_strategies: false,
        needs_strategy: true,
        edits_strategy_titles: false,
        imports_strategy_properties: true,
        manages_segments: false,
        operators: Operators::Basic,
        accepts_deprecated: true,
        switch_adds_strategies: false,
        copies_environments: false,
        revive_stays_off: false,
        moves_toggles: true,
        stores_variants_in_strategies: false,
        stores_variant_stickiness: true,
        stores_field_details: true,
        sort_order_in_edit: SortOrderInEdit::Ignored,
        seen_apps: SeenApps::All,
        mixes_event_diffs: false,
    };

    /// Returns the capabilities of a flag service.
    #[must_use]
    pub fn new(service: FlagService<'_>) -> Self {
        match service {
            FlagService::Embedded => Self {
                manages_segments: true,
                operators: Operators::WithNetworks,
                sort_order_in_edit: SortOrderInEdit::Stored,
                ..Self::UNLEASH_3_17
            },
            FlagService::WithoutEnvironments { version } => {
                Self::without_environments(parse_version(version).unwrap_or((3, 17)))
            }
            FlagService::WithEnvironments { version } => {
                Self::with_environments(parse_version(version).map_or(5, |(major, _)| major))
            }
        }
    }

    fn without_environments((major, minor): (u32, u32)) -> Self {
        let is_before_3_11 = major == 3 && minor < 11;
        let is_before_3_12 = major == 3 && minor < 12;
        Self {
            manages_toggles: major < 5,
            lists_ordered_strategies: major != 4,
            filters_by_tag: !is_before_3_11,
            numbers_strategies: major == 4,
            accepts_deprecated: !is_before_3_11,
            stores_variant_stickiness: !is_before_3_12,
            stores_field_details: !is_before_3_12,
            seen_apps: if is_before_3_11 { SeenApps::None } else { SeenApps::All },
            mixes_event_diffs: major == 4 && minor <= 2,
            ..Self::UNLEASH_3_17
        }
    }

    fn with_environments(major: u32) -> Self {
        Self {
            has_environments: true,
            lists_variants: false,
            lists_ordered_strategies: false,
            archives_strategies: false,
            needs_strategy: false,
            edits_strategy_titles: true,
            imports_strategy_properties: false,
            manages_segments: true,
            operators: if major >= 8 { Operators::All } else { Operators::Extended },
            switch_adds_strategies: true,
            copies_environments: true,
            revive_stays_off: true,
            moves_toggles: false,
            stores_variants_in_strategies: major >= 6,
            sort_order_in_edit: if major >= 6 { SortOrderInEdit::Reset } else { SortOrderInEdit::Ignored },
            seen_apps: SeenApps::Single,
            ..Self::UNLEASH_3_17
        }
    }
}

/// Returns the first two numbers of a version; `None` if it has another format.
fn parse_version(version: Option<&str>) -> Option<(u32, u32)> {
    let mut numbers = version?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// A database that several instances of this program share, and the instance that responds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SharedDatabase {
    /// Name of the database engine.
    pub engine: String,
    /// Random id of the instance, which its log contains at the start.
    pub instance: String,
}

/// Response of `GET /-/replica`: state of the copies that SDKs use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReplicaSummary {
    /// Number of copies in memory, one for each token and query.
    pub copies: u32,
    /// Number of instances of applications that have requested toggles in the last minutes.
    pub instances: u32,
    /// True if there are more instances than are counted.
    pub has_more_instances: bool,
    /// Time when the flag service has last confirmed the oldest copy; null without copies.
    pub confirmed_at: Option<String>,
    /// Seconds since then.
    pub age: u32,
    /// Time since which the flag service does not respond; null if it responds.
    pub failing_since: Option<String>,
    /// Why the copies do not survive a restart, as the end of a sentence; null if they do, or if `data` is not set.
    pub fault: Option<String>,
}

/// Response of `DELETE /-/replica`, and of `DELETE /replica` of the listener for monitoring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Purged {
    /// Number of removed copies.
    pub copies: u32,
    /// See [`ReplicaSummary::fault`].
    pub fault: Option<String>,
}

/// A flag service with projects and environments (Unleash 5 to 8.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NewerServer {
    /// Version; null if the server does not report it.
    pub version: Option<String>,
    /// Environments that can be selected, in the server's order.
    pub environments: Vec<ServerEnvironment>,
    /// Environment that the operator has selected for all users; null if users select it.
    pub environment: Option<String>,
    /// Project that the operator has selected for all users; null for all projects.
    pub project: Option<String>,
    /// Ids of the projects.
    pub projects: Vec<String>,
}

impl NewerServer {
    /// Returns the names of the environments as a list in a sentence.
    #[must_use]
    pub fn environment_names(&self) -> String {
        let names: Vec<_> = self.environments.iter().map(|environment| environment.name.as_str()).collect();
        names.join(", ")
    }

    /// Returns the first number of the version; 0 if it is unknown.
    #[must_use]
    pub fn major_version(&self) -> u32 {
        let version = self.version.as_deref().unwrap_or_default();
        version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or_default()
    }

    /// Returns a sentence for each setting that names a missing item.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if let Some(name) = &self.environment
            && self.environments.iter().all(|environment| environment.name != *name)
        {
            let offered = self.environment_names();
            faults.push(format!(
                "upstream-environment: the flag service has no enabled environment {name:?}; it has {offered}"
            ));
        }
        if let Some(id) = &self.project
            && !self.projects.contains(id)
        {
            let offered = self.projects.join(", ");
            faults
                .push(format!("upstream-project: the flag service has no project {id:?}; it has {offered}"));
        }
        faults
    }
}

/// An environment of a flag service, with its own state of each toggle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ServerEnvironment {
    /// The name.
    pub name: String,
    /// Type, such as `development` or `production`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Backend of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// The embedded flag service.
    Embedded,
    /// An upstream flag service.
    Upstream,
}

/// Response of `POST /-/logout`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LoggedOut {
    /// URL on another origin to which the flag service redirects after the sign-out.
    pub location: Option<String>,
}

/// Response of `POST /-/examples`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExamplesLoaded {
    /// Number of created toggles. Existing toggles are not changed.
    pub created: usize,
}

#[cfg(test)]
mod tests {
    use super::{Capabilities, FlagService, Operators, SeenApps, SortOrderInEdit};
    use crate::generated_file;

    const UNLEASH_3: Capabilities = Capabilities::UNLEASH_3_17;
    const BEFORE_3_12: Capabilities =
        Capabilities { stores_variant_stickiness: false, stores_field_details: false, ..UNLEASH_3 };
    const BEFORE_3_11: Capabilities = Capabilities {
        filters_by_tag: false,
        accepts_deprecated: false,
        seen_apps: SeenApps::None,
        ..BEFORE_3_12
    };
    const BEFORE_4_3: Capabilities = Capabilities {
        lists_ordered_strategies: false,
        numbers_strategies: true,
        mixes_event_diffs: true,
        ..UNLEASH_3
    };
    const WITH_ENVIRONMENTS: Capabilities = Capabilities {
        has_environments: true,
        manages_toggles: true,
        lists_variants: false,
        lists_ordered_strategies: false,
        archives_strategies: false,
        filters_by_tag: true,
        numbers_strategies: false,
        needs_strategy: false,
        edits_strategy_titles: true,
        imports_strategy_properties: false,
        manages_segments: true,
        operators: Operators::Extended,
        accepts_deprecated: true,
        switch_adds_strategies: true,
        copies_environments: true,
        revive_stays_off: true,
        moves_toggles: false,
        stores_variants_in_strategies: false,
        stores_variant_stickiness: true,
        stores_field_details: true,
        sort_order_in_edit: SortOrderInEdit::Ignored,
        seen_apps: SeenApps::Single,
        mixes_event_diffs: false,
    };
    const FROM_6: Capabilities = Capabilities {
        stores_variants_in_strategies: true,
        sort_order_in_edit: SortOrderInEdit::Reset,
        ..WITH_ENVIRONMENTS
    };

    #[test]
    fn capabilities_of_servers_without_environments_depend_on_the_version() {
        for (version, expected) in [
            (Some("3.4.1"), BEFORE_3_11),
            (Some("3.10.1"), BEFORE_3_11),
            (Some("3.11.0"), BEFORE_3_12),
            (Some("3.12.0"), UNLEASH_3),
            (Some("3.17.6"), UNLEASH_3),
            (Some("4.0.4"), BEFORE_4_3),
            (Some("4.1.4"), BEFORE_4_3),
            (Some("4.2.2"), BEFORE_4_3),
            (Some("5.6.1"), Capabilities { manages_toggles: false, ..UNLEASH_3 }),
            (Some("10.1"), Capabilities { manages_toggles: false, ..UNLEASH_3 }),
            (Some("0.1.0"), UNLEASH_3),
            (Some("main"), UNLEASH_3),
            (Some(""), UNLEASH_3),
            (None, UNLEASH_3),
        ] {
            assert_eq!(
                Capabilities::new(FlagService::WithoutEnvironments { version }),
                expected,
                "{version:?}"
            );
        }
    }

    #[test]
    fn capabilities_of_servers_with_environments_depend_on_the_version() {
        for (version, expected) in [
            (Some("5.12.8"), WITH_ENVIRONMENTS),
            (Some("6.10.1"), FROM_6),
            (Some("7.6.5"), FROM_6),
            (Some("8.2.0"), Capabilities { operators: Operators::All, ..FROM_6 }),
            (None, WITH_ENVIRONMENTS),
        ] {
            assert_eq!(Capabilities::new(FlagService::WithEnvironments { version }), expected, "{version:?}");
        }
    }

    #[test]
    fn embedded_service_is_like_3_17_with_segments_and_all_operators() {
        let expected = Capabilities {
            manages_segments: true,
            operators: Operators::WithNetworks,
            sort_order_in_edit: SortOrderInEdit::Stored,
            ..UNLEASH_3
        };
        assert_eq!(Capabilities::new(FlagService::Embedded), expected);
    }

    #[test]
    fn generated_capabilities_are_up_to_date() {
        let embedded = serde_json::to_value(Capabilities::new(FlagService::Embedded)).unwrap();
        let members = embedded.as_object().unwrap().iter();
        let members: String =
            members.map(|(name, value)| format!("  {name}: {value},\n").replace('"', "'")).collect();
        let text = format!(
            "// Capabilities of the embedded flag service, generated from src/console_api.rs. Do not edit.\n\
             // After a change there: make types\n\
             import type {{ Capabilities }} from './types';\n\n\
             /** Those of Unleash 3.17, with segments, all operators, and the sort order in edits of context fields. */\n\
             export const EMBEDDED_CAPABILITIES: Capabilities = {{\n{members}}};\n"
        );
        generated_file::check_or_update("frontend/src/api/generated/capabilities.ts", &text);
    }
}
