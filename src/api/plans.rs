//! Reviews of plans, which the console shows and applies.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Tag, Toggle};
use crate::evaluation::SegmentDefinition;
use crate::evaluation::effect::Effect;

/// Body of `POST /-/plans`: files, and the state of the flag service as far as the client has read it. The endpoint changes nothing.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlanRequest {
    /// A plan, or files with toggles.
    pub files: Vec<NamedText>,
    /// Name of the flag service, for plans that are made from files.
    pub target: String,
    /// Names of the toggles that exist, each with the names of the toggles that it depends on.
    pub existing: BTreeMap<String, Vec<String>>,
    /// Names of the archived toggles.
    pub archived: Vec<String>,
    /// The toggles that the client has read.
    #[cfg_attr(test, schemars(schema_with = "toggle_list"))]
    pub toggles: Vec<Value>,
    /// The tags that the client has read, by the name of the toggle.
    #[serde(default)]
    pub tags: BTreeMap<String, BTreeSet<Tag>>,
    /// True if toggles that the files managed until now and name no more are archived. Plans contain all their changes.
    #[serde(default)]
    pub prune: bool,
    /// Names of the toggles with the mark of files, by the name of the files, as far as the client has read them.
    #[serde(default)]
    pub managed: BTreeMap<String, Vec<String>>,
    /// Segments; an empty list if the flag service has none.
    pub segments: Vec<SegmentDefinition>,
    /// The flag service, which decides what the files may contain; null if the client does not know it.
    #[serde(default)]
    pub server: Option<PlannedServer>,
    /// Names or ids of the items that exist, as far as the client has read them; null for a list that the flag service does not have or
    /// does not show to the user.
    #[cfg_attr(test, schemars(extend("propertyNames" = { "$ref": "#/components/schemas/ItemList" })))]
    pub items: BTreeMap<ItemList, Option<BTreeSet<String>>>,
}

/// The facts about a flag service that decide what files may contain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlannedServer {
    /// True for the flag service of Flagdeck.
    pub is_embedded: bool,
    /// True for servers with projects and environments.
    pub has_environments: bool,
    /// Version; null if the server does not report it.
    #[serde(default)]
    pub version: Option<String>,
}

impl PlannedServer {
    /// Returns the first two numbers of the version; zeros if it is not known.
    #[must_use]
    pub fn version_numbers(&self) -> (u32, u32) {
        let version = self.version.as_deref().unwrap_or_default();
        let mut numbers = version.split('.').map_while(|number| number.parse().ok());
        (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default())
    }
}

/// A list of items to which toggles refer, and which files cannot define.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ItemList {
    /// Ids of projects.
    Projects,
    /// Names of strategy definitions.
    Strategies,
    /// Names of context fields.
    ContextFields,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NamedText {
    /// Name of the file, for messages.
    pub name: String,
    /// Content of the file.
    pub text: String,
}

impl NamedText {
    /// Returns the file without its content, if problems are not at a line of it.
    #[must_use]
    pub fn without_text(self) -> Self {
        Self { text: String::new(), ..self }
    }
}

/// Response of `POST /-/plans`.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PlanReview {
    /// Names of existing toggles that the request must contain. If there are any, the rest of the review is empty.
    pub missing: Vec<String>,
    /// Names of existing toggles whose tags the request must contain. If there are any, the rest of the review is empty.
    pub missing_tags: Vec<String>,
    /// Names of files whose marked toggles the request must contain. If there are any, the rest of the review is empty.
    pub missing_managed: Vec<String>,
    /// Lists that the request must contain. If there are any, the rest of the review is empty.
    pub missing_items: Vec<ItemList>,
    /// Problems of the files or of the plan: the flag service would refuse a change. The plan is then null, and there are no changes.
    pub problems: Vec<FileProblem>,
    /// Parts of the files or of the plan that the flag service accepts, but that are probably mistakes.
    pub warnings: Vec<FileProblem>,
    /// True if the request contains a plan; false if the plan was made from files.
    pub is_stored: bool,
    /// The plan, in the format of `flagdeck plan -o`.
    pub plan: Value,
    /// Name of the flag service for which the plan was made.
    pub target: String,
    /// Changes, in the order in which they must be applied.
    pub changes: Vec<ReviewedChange>,
}

/// A problem of a file or of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileProblem {
    /// Name of the file.
    pub file: String,
    /// Line, from 1; null in plans and in exports, whose toggles have other places.
    pub line: Option<u64>,
    /// Column, from 1; null together with the line.
    pub column: Option<u64>,
    /// Cause and remedy.
    pub message: String,
}

impl Display for FileProblem {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, message } = self;
        match (line, column) {
            (Some(line), Some(column)) => {
                write!(formatter, "{file}, line {line}, column {column}: {message}")
            }
            _ => write!(formatter, "{file}: {message}"),
        }
    }
}

/// A change of a plan, compared with the stored toggle.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReviewedChange {
    /// Name of the toggle.
    pub name: String,
    /// Kind of the change.
    pub action: PlannedAction,
    /// Whether the change can be applied.
    pub status: ChangeStatus,
    /// Reason why the planned effect may be another one now: a segment or another toggle has changed. Null if the toggle itself has.
    pub outdated_effect: Option<String>,
    /// Effect on who gets the feature, together with all other changes of the plan, on the state that the request contains.
    pub effect: Effect,
    /// The stored toggle. The state of an archived or new toggle is empty.
    #[cfg_attr(test, schemars(extend("x-typescript" = "Toggle")))]
    pub before: Value,
    /// The toggle after the change. A revived toggle keeps the properties that the file does not own.
    #[cfg_attr(test, schemars(extend("x-typescript" = "Toggle")))]
    pub after: Value,
    /// Name of the files that manage the toggle after the change: the value of its only tag of the type `managed-by`, which has an
    /// endpoint of its own. Null if the plan does not change it.
    pub managed_by: Option<String>,
    /// Body of the request that creates or replaces the toggle; of a revived toggle, the properties that the file owns.
    #[cfg_attr(test, schemars(extend("x-typescript" = "Toggle")))]
    pub body: Value,
    /// All tags after the change except the mark of files, which have endpoints of their own; null if the file does not own them.
    #[cfg_attr(test, schemars(with = "Option<Vec<Tag>>"))]
    pub tags: Option<Value>,
    /// True if the toggle itself stays as it is, and only its tags change.
    pub has_only_tags: bool,
}

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum PlannedAction {
    /// The toggle is created.
    Create,
    /// The archived toggle is revived and changed.
    Revive,
    /// The toggle is changed.
    Change,
    /// The toggle is archived, because the files that managed it name it no more.
    Archive,
}

/// Whether a change of a plan can be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum ChangeStatus {
    /// The toggle is as the plan saw it.
    Ready,
    /// The toggle is already as planned.
    Applied,
    /// The toggle, or a part of its effect, has changed since the plan was made.
    Outdated,
}

/// Body of `POST /-/files`: toggles that are written as a file.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileRequest {
    /// Toggles in the format of the API.
    #[cfg_attr(test, schemars(schema_with = "toggle_list"))]
    pub toggles: Vec<Toggle>,
    /// Segments, whose names the file contains; an empty list if the flag service has none.
    #[serde(default)]
    pub segments: Vec<SegmentDefinition>,
    /// True if the file owns whether toggles are on or stale, and percentages.
    #[serde(default)]
    pub state: bool,
}

/// Response of `POST /-/files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileResponse {
    /// A file as `flagdeck pull` writes it.
    pub yaml: String,
}

/// Describes a list of toggles as responses contain them.
#[cfg(test)]
fn toggle_list(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "array", "items": { "$ref": "#/components/schemas/Toggle" } })
}
