//! Addons: what tells other services about changes, and what each kind of them needs to know.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::TagType;

/// A receiver of events.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Addon {
    /// Never given twice.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: i64,
    /// All that can be edited.
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub draft: AddonDraft,
}

/// An addon as it is created and replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct AddonDraft {
    /// The name of an [`AddonProvider`].
    pub provider: String,
    /// Whether it is told about events.
    pub enabled: bool,
    /// Free text.
    pub description: Option<String>,
    /// Values by the names of the provider's parameters; a sensitive one reads as five asterisks.
    #[cfg_attr(test, ts(type = "{ [key in string]: string }"))]
    pub parameters: BTreeMap<String, String>,
    /// The types of events that it listens to.
    pub events: Vec<String>,
}

/// A kind of addons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AddonProvider {
    /// What [`AddonDraft::provider`] says.
    pub name: String,
    /// For people.
    pub display_name: String,
    /// What it does.
    pub description: String,
    /// Where more is to be read. Some servers leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub documentation_url: Option<String>,
    /// What it needs to know.
    pub parameters: Vec<AddonParameter>,
    /// The types of events that it can listen to.
    pub events: Vec<String>,
    /// The types of the tags by which toggles name their own channel or issue.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<TagType>>", optional))]
    pub tag_types: Vec<TagType>,
}

/// One thing that a kind of addons needs to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AddonParameter {
    /// A key of [`AddonDraft::parameters`].
    pub name: String,
    /// For people.
    pub display_name: String,
    /// What to enter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub description: Option<String>,
    /// An example.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub placeholder: Option<String>,
    /// `text`, `textfield` for several lines, `url`; other servers may know more.
    #[serde(rename = "type")]
    pub kind: String,
    /// Whether it has to be filled in.
    pub required: bool,
    /// Whether it is never shown again. Servers leave it out where it is not.
    #[serde(default, skip_serializing_if = "is_false")]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub sensitive: bool,
}

/// The answer of `GET api/admin/addons`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct AddonsAnswer {
    /// By id.
    pub addons: Vec<Addon>,
    /// All kinds there are.
    pub providers: Vec<AddonProvider>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}
