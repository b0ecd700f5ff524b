//! Addons, their providers and parameters.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::TagType;

/// An addon, which sends events to another service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Addon {
    /// Unique id, never reused.
    pub id: i64,
    /// The editable properties.
    #[serde(flatten)]
    pub draft: AddonDraft,
}

/// The editable properties of an addon.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AddonDraft {
    /// The name of an [`AddonProvider`].
    pub provider: String,
    /// True if events are sent.
    pub enabled: bool,
    /// Free text.
    pub description: Option<String>,
    /// Values by parameter name. Sensitive values read as five asterisks.
    pub parameters: BTreeMap<String, String>,
    /// Types of the events to send.
    pub events: Vec<String>,
}

/// A provider of addons, such as `webhook`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AddonProvider {
    /// Name in [`AddonDraft::provider`].
    pub name: String,
    /// Display name.
    pub display_name: String,
    /// Short description.
    pub description: String,
    /// URL of the documentation. Some servers omit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation_url: Option<String>,
    /// Parameters of its addons.
    pub parameters: Vec<AddonParameter>,
    /// Event types that its addons can subscribe to.
    pub events: Vec<String>,
    /// Tag types that set the channel or issue of a toggle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tag_types: Vec<TagType>,
}

/// Definition of an addon parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AddonParameter {
    /// Key in [`AddonDraft::parameters`].
    pub name: String,
    /// Display name.
    pub display_name: String,
    /// Help text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Example value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// Type of the form field: `text`, `textfield` (several lines) or `url`. Other servers may have more types.
    #[serde(rename = "type")]
    pub kind: String,
    /// True if a value is required.
    pub required: bool,
    /// True if the value is secret and always masked. Servers omit it if false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub sensitive: bool,
}

/// Response of `GET api/admin/addons`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AddonsResponse {
    /// All addons, sorted by id.
    pub addons: Vec<Addon>,
    /// All providers.
    pub providers: Vec<AddonProvider>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}
