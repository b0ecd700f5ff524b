//! The definitions of all toggles in a form that is fast to evaluate, with the properties that the evaluation does not need.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::config::{DEFAULT_PROJECT, TokenScope};
use crate::evaluation::{self, Cause, Resolution, Run, Stopped, Toggle, Toggles, VARIANT_SEED};
use crate::negotiation::tag_digits;

/// The toggles of a flag service, compiled once for each change.
#[derive(Debug)]
pub struct Definitions {
    toggles: Arc<Toggles>,
    /// Properties by name. A toggle without them is not visible.
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
    /// Compiles the bodies of `GET /api/client/features` with segments, for several tokens of one environment. Tags are in
    /// `featureTags`, as in exports. Of a toggle or segment in several bodies, the first one counts.
    pub(crate) fn from_lists<B: AsRef<[u8]>>(bodies: &[B]) -> Result<Self, serde_json::Error> {
        let mut definitions = evaluation::Definitions::default();
        let (mut described, mut tags, mut tag) = (Vec::new(), Vec::new(), Sha256::new());
        for body in bodies.iter().map(AsRef::as_ref) {
            definitions.add(serde_json::from_slice(body)?);
            let Document { features, feature_tags } = serde_json::from_slice(body)?;
            // The first one of a name counts, because it is the last one here.
            described.splice(0..0, features);
            tags.extend(feature_tags);
            tag.update(body);
        }
        let mut properties: HashMap<String, Properties> =
            described.into_iter().map(Properties::by_name).collect();
        for ToggleTag { feature_name, tag_type, tag_value } in tags {
            if let Some(properties) = properties.get_mut(&feature_name) {
                properties.tags.push(format!("{tag_type}:{tag_value}"));
            }
        }
        let toggles = Toggles::compile(&definitions, VARIANT_SEED).without_application_strategies();
        let tag = tag_digits(&tag.finalize());
        Ok(Self { toggles: Arc::new(toggles), properties, tag })
    }

    /// Returns an identifier of the content, which changes with each change of a toggle.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Returns the same toggles, of which only those in other bodies are visible: a server has selected these for the
    /// projects and tags of a scope. Servers do not send the tags, and older ones not the projects.
    pub(crate) fn with_selection<B: AsRef<[u8]>>(
        &self,
        bodies: &[B],
        scope: &TokenScope,
    ) -> Result<Self, serde_json::Error> {
        let (mut features, mut tag) = (Vec::new(), Sha256::new_with_prefix(&self.tag));
        for body in bodies.iter().map(AsRef::as_ref) {
            features.extend(serde_json::from_slice::<Document>(body)?.features);
            tag.update(body);
        }
        let selected = features.into_iter().map(|mut toggle| {
            toggle.project = toggle.project.or_else(|| scope.projects.first().cloned());
            let (name, properties) = Properties::by_name(toggle);
            (name, Properties { tags: scope.tags.clone(), ..properties })
        });
        let tag = tag_digits(&tag.finalize());
        let toggles = Arc::clone(&self.toggles);
        Ok(Self { toggles, properties: selected.collect(), tag })
    }

    /// Returns true if there are no toggles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.toggles.iter().next().is_none()
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
    pub(crate) fn resolve<'d>(
        &'d self,
        toggle: VisibleToggle<'d>,
        run: &mut Run<'_>,
    ) -> Result<Resolution<'d>, Stopped> {
        self.toggles.resolve(toggle.toggle, run, fastrand::f64)
    }

    /// Returns the cause of a toggle's result in the same run.
    pub(crate) fn cause(
        &self,
        toggle: VisibleToggle<'_>,
        run: &mut Run<'_>,
        resolution: &Resolution<'_>,
    ) -> Result<Cause, Stopped> {
        self.toggles.cause(toggle.toggle, run, resolution)
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
    use crate::evaluation::{Context, Run, Work};

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
        let definitions = Definitions::from_lists(&[json]).unwrap();
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

    #[test]
    fn selections_limit_the_visible_toggles_and_keep_their_parents() {
        let toggle = |name: &str, more: &str| {
            format!(
                r#"{{ "name": "{name}", "enabled": true, "strategies": [{{ "name": "default" }}] {more} }}"#
            )
        };
        let child = toggle("child", r#", "project": "shop", "dependencies": [{ "feature": "parent" }]"#);
        let (parent, foreign) = (toggle("parent", ""), toggle("foreign", r#", "project": "till""#));
        let body = |toggles: &[&str]| format!(r#"{{ "version": 2, "features": [{}] }}"#, toggles.join(","));
        let all = Definitions::from_lists(&[body(&[&child, &parent, &foreign])]).unwrap();
        let old = toggle("child", "");
        for (projects, tags, selection, visible) in [
            (&["shop"][..], &["team:a"][..], body(&[&child]), &["child"][..]),
            (&[], &["team:a"], body(&[&child, &foreign]), &["child", "foreign"]),
            // The project that a server names counts. One that names none has selected the toggle by its project.
            (&["shop"], &[], body(&[&child, &foreign]), &["child"]),
            (&["shop"], &[], body(&[&old]), &["child"]),
            (&["shop"], &[], body(&[]), &[]),
        ] {
            let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
            let (projects, tags) = (texts(projects), texts(tags));
            let scope = TokenScope { kind: TokenKind::Frontend, origins: Vec::new(), projects, tags };
            let selected = all.with_selection(&[selection], &scope).unwrap();
            let context = Context::from_pairs([("userId", "7")]);
            let mut work = Work::unlimited();
            let mut run = Run::new(&context, &mut work);
            let on =
                selected.visible(&scope).filter(|toggle| selected.resolve(*toggle, &mut run).unwrap().is_on);
            assert_eq!(on.map(|toggle| toggle.toggle.name()).collect::<Vec<_>>(), visible, "{scope:?}");
        }
    }
}
