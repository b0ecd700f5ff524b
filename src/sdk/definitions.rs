//! The definitions of all toggles in a form that is fast to evaluate, with the properties that the evaluation does not need.

use std::collections::HashMap;

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::random;
use crate::config::TokenScope;
use crate::evaluation::{self, Cause, Context, Resolution, Toggle, Toggles, VARIANT_SEED};
use crate::negotiation::tag_digits;

/// Project of toggles of servers that send none.
const DEFAULT_PROJECT: &str = "default";

/// The toggles of a flag service, compiled once for each change.
#[derive(Debug)]
pub struct Definitions {
    toggles: Toggles,
    properties: HashMap<String, Properties>,
    tag: String,
}

/// Properties of a toggle that do not influence its result.
#[derive(Debug)]
pub struct Properties {
    /// Id of the toggle type, such as `experiment`.
    pub kind: String,
    /// Whether applications report each evaluation as an event.
    pub impression_data: bool,
    project: String,
    /// Each tag as `type:value`.
    tags: Vec<String>,
}

/// A toggle that a token can see.
#[derive(Debug, Clone, Copy)]
pub struct VisibleToggle<'d> {
    /// The toggle.
    pub toggle: &'d Toggle,
    /// Its other properties.
    pub properties: &'d Properties,
}

/// The JSON of a server, without the properties of the evaluation.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    features: Vec<DescribedToggle>,
    #[serde(default)]
    feature_tags: Vec<ToggleTag>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DescribedToggle {
    name: String,
    #[serde(rename = "type")]
    kind: Option<String>,
    project: Option<String>,
    impression_data: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToggleTag {
    feature_name: String,
    tag_type: String,
    tag_value: String,
}

impl Definitions {
    /// Compiles the body of `GET /api/client/features` with segments. Tags are in `featureTags`, as in exports.
    ///
    /// # Errors
    /// If the body is not valid.
    pub fn from_json(body: &[u8]) -> Result<Self, serde_json::Error> {
        let definitions: evaluation::Definitions = serde_json::from_slice(body)?;
        let Document { features, feature_tags } = serde_json::from_slice(body)?;
        let mut properties: HashMap<String, Properties> =
            features.into_iter().map(Properties::by_name).collect();
        for ToggleTag { feature_name, tag_type, tag_value } in feature_tags {
            if let Some(properties) = properties.get_mut(&feature_name) {
                properties.tags.push(format!("{tag_type}:{tag_value}"));
            }
        }
        let toggles = Toggles::compile(&definitions, VARIANT_SEED).without_application_strategies();
        Ok(Self { toggles, properties, tag: tag_digits(&Sha256::digest(body)) })
    }

    /// Returns an identifier of the content, which changes with each change of a toggle.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Returns all toggles that a token can see.
    pub fn visible<'d>(&'d self, scope: &'d TokenScope) -> impl Iterator<Item = VisibleToggle<'d>> {
        self.toggles.iter().filter_map(|toggle| self.visible_toggle(toggle, scope))
    }

    /// Returns the toggle with this name if a token can see it.
    #[must_use]
    pub fn find(&self, name: &str, scope: &TokenScope) -> Option<VisibleToggle<'_>> {
        self.visible_toggle(self.toggles.find(name)?, scope)
    }

    /// Evaluates a toggle.
    #[must_use]
    pub fn resolve<'d>(&'d self, toggle: VisibleToggle<'d>, context: &Context) -> Resolution<'d> {
        self.toggles.resolve(toggle.toggle, context, random::fraction)
    }

    /// Returns the cause of a toggle's result.
    #[must_use]
    pub fn cause(&self, toggle: VisibleToggle<'_>, context: &Context, resolution: &Resolution<'_>) -> Cause {
        self.toggles.cause(toggle.toggle, context, resolution)
    }

    fn visible_toggle<'d>(&'d self, toggle: &'d Toggle, scope: &TokenScope) -> Option<VisibleToggle<'d>> {
        let properties = self.properties.get(toggle.name())?;
        scope.includes(&properties.project, &properties.tags).then_some(VisibleToggle { toggle, properties })
    }
}

impl Properties {
    /// Returns the properties of a toggle, with its name.
    fn by_name(toggle: DescribedToggle) -> (String, Self) {
        let properties = Self {
            kind: toggle.kind.unwrap_or_default(),
            project: toggle.project.unwrap_or_else(|| DEFAULT_PROJECT.to_owned()),
            impression_data: toggle.impression_data.unwrap_or_default(),
            tags: Vec::new(),
        };
        (toggle.name, properties)
    }
}

#[cfg(test)]
mod tests {
    use super::Definitions;
    use crate::config::{TokenKind, TokenScope};

    #[test]
    fn scopes_select_toggles_by_project_and_tag() {
        let json = br#"{ "version": 2, "features": [
            { "name": "pay", "project": "shop", "enabled": true, "strategies": [] },
            { "name": "till", "project": "till", "enabled": true, "strategies": [] },
            { "name": "old", "enabled": false, "strategies": [] }
        ], "featureTags": [
            { "featureName": "pay", "tagType": "frontend", "tagValue": "shop" },
            { "featureName": "pay", "tagType": "simple", "tagValue": "a:b" },
            { "featureName": "till", "tagType": "frontend", "tagValue": "shop" },
            { "featureName": "gone", "tagType": "frontend", "tagValue": "shop" }
        ] }"#;
        let definitions = Definitions::from_json(json).unwrap();
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        for (projects, tags, visible) in [
            (&[][..], &[][..], &["pay", "till", "old"][..]),
            (&["shop", "other"], &[], &["pay"]),
            (&["default"], &[], &["old"]),
            (&[], &["frontend:shop"], &["pay", "till"]),
            (&[], &["simple:a:b", "simple:c"], &["pay"]),
            (&["till"], &["frontend:shop"], &["till"]),
            (&["default"], &["frontend:shop"], &[]),
            (&[], &["frontend:sho"], &[]),
        ] {
            let (projects, tags) = (texts(projects), texts(tags));
            let scope = TokenScope { kind: TokenKind::Frontend, origins: Vec::new(), projects, tags };
            let names: Vec<_> = definitions.visible(&scope).map(|visible| visible.toggle.name()).collect();
            assert_eq!(names, visible, "{scope:?}");
            for name in ["pay", "till", "old"] {
                assert_eq!(definitions.find(name, &scope).is_some(), visible.contains(&name), "{name}");
            }
        }
    }
}
