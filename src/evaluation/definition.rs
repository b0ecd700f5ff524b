//! Definitions of toggles and segments, in the JSON of servers. Null and absent properties are equal, and unknown
//! properties are ignored, because servers of different versions differ in them.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::context::text_of;
use super::delta::Document;

/// Toggles and segments: the response of `GET /api/client/features` or `GET /api/client/delta`, or an export.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(try_from = "Document")]
pub struct Definitions {
    /// Toggles.
    pub features: Vec<ToggleDefinition>,
    /// Segments to which strategies refer.
    pub segments: Vec<SegmentDefinition>,
}

impl Definitions {
    /// Adds the toggles and segments of another list that this one does not contain.
    pub(crate) fn add(&mut self, other: Self) {
        let names: HashSet<_> = self.features.iter().map(|toggle| toggle.name.clone()).collect();
        self.features.extend(other.features.into_iter().filter(|toggle| !names.contains(&toggle.name)));
        let ids: HashSet<_> = self.segments.iter().map(|segment| segment.id.clone()).collect();
        self.segments.extend(other.segments.into_iter().filter(|segment| !ids.contains(&segment.id)));
    }
}

/// A toggle of the client or the admin API.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "EvaluatedToggle", transform = accept_null))]
pub struct ToggleDefinition {
    /// Name.
    pub name: String,
    /// If false, the toggle is off.
    #[serde(default, deserialize_with = "or_default")]
    pub enabled: bool,
    /// Strategies, of which one must match. Without strategies, the toggle is on.
    #[serde(default, deserialize_with = "objects_or_default")]
    pub strategies: Vec<StrategyDefinition>,
    /// Variants.
    #[serde(default, deserialize_with = "or_default")]
    pub variants: Vec<VariantDefinition>,
    /// Conditions on other toggles, which must all hold.
    #[serde(default, deserialize_with = "or_default")]
    pub dependencies: Vec<ParentDefinition>,
    /// Id of the project, to which tokens can be limited.
    #[serde(default, deserialize_with = "or_default")]
    #[cfg_attr(test, schemars(skip))]
    pub project: Option<Value>,
    /// List of tags, to which clients can be limited; `None` if they are not known.
    #[serde(default, deserialize_with = "or_default")]
    #[cfg_attr(test, schemars(skip))]
    pub tags: Option<Value>,
}

/// A strategy of a toggle.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "EvaluatedStrategy", transform = accept_null))]
pub struct StrategyDefinition {
    /// Name of a built-in or custom strategy.
    pub name: String,
    /// If true, the strategy is ignored.
    #[serde(default, deserialize_with = "or_default")]
    pub disabled: bool,
    /// Parameters. Numbers and booleans are read as texts; other values are ignored.
    #[serde(default, deserialize_with = "texts_by_name")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, Value>"))]
    pub parameters: BTreeMap<String, String>,
    /// Constraints, which must all match.
    #[serde(default, deserialize_with = "or_default")]
    pub constraints: Vec<ConstraintDefinition>,
    /// Ids of segments, whose constraints must all match.
    #[serde(default, deserialize_with = "texts")]
    #[cfg_attr(test, schemars(with = "Vec<Value>"))]
    pub segments: Vec<String>,
    /// Variants of this strategy.
    #[serde(default, deserialize_with = "or_default")]
    pub variants: Vec<VariantDefinition>,
}

/// A condition on a context field.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "EvaluatedConstraint", transform = accept_null))]
#[serde(rename_all = "camelCase")]
pub struct ConstraintDefinition {
    /// Name of the context field.
    #[serde(default, deserialize_with = "or_default")]
    pub context_name: String,
    /// Operator, such as `IN` or `SEMVER_GTE`.
    #[serde(default, deserialize_with = "or_default")]
    pub operator: String,
    /// If true, the condition is reversed.
    #[serde(default, deserialize_with = "or_default")]
    pub inverted: bool,
    /// If true, texts are compared without case.
    #[serde(default, deserialize_with = "or_default")]
    pub case_insensitive: bool,
    /// Values of operators that compare with several.
    #[serde(default, deserialize_with = "texts")]
    #[cfg_attr(test, schemars(with = "Vec<Value>"))]
    pub values: Vec<String>,
    /// Value of operators that compare with one.
    #[serde(default, deserialize_with = "text")]
    #[cfg_attr(test, schemars(with = "Value"))]
    pub value: Option<String>,
}

/// A named list of constraints that several strategies share.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "EvaluatedSegment", transform = accept_null))]
pub struct SegmentDefinition {
    /// Id, a number on current servers.
    #[serde(deserialize_with = "text")]
    #[cfg_attr(test, schemars(with = "Value"))]
    pub id: Option<String>,
    /// Name.
    #[serde(default, deserialize_with = "or_default")]
    pub name: Option<String>,
    /// Constraints, which must all match.
    #[serde(default, deserialize_with = "or_default")]
    pub constraints: Vec<ConstraintDefinition>,
}

/// A variant of a toggle or of a strategy.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "EvaluatedVariant", transform = accept_null))]
pub struct VariantDefinition {
    /// Name.
    pub name: String,
    /// Share, relative to the sum of all weights.
    #[serde(default, deserialize_with = "or_default")]
    pub weight: f64,
    /// Context field that keeps an id on the same variant. That of the first variant counts.
    #[serde(default, deserialize_with = "or_default")]
    pub stickiness: Option<String>,
    /// Data for the application.
    #[serde(default, deserialize_with = "or_default")]
    pub payload: Option<PayloadDefinition>,
    /// Context values that always get this variant.
    #[serde(default, deserialize_with = "or_default")]
    pub overrides: Vec<OverrideDefinition>,
}

/// Data of a variant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "EvaluatedPayload", transform = accept_null))]
pub struct PayloadDefinition {
    /// Format, such as `json`.
    #[serde(rename = "type", default, deserialize_with = "or_default")]
    pub kind: String,
    /// Value as text.
    #[serde(default, deserialize_with = "text")]
    #[cfg_attr(test, schemars(with = "Value"))]
    pub value: Option<String>,
}

/// Values of a context field that always get one variant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "EvaluatedOverride", transform = accept_null))]
#[serde(rename_all = "camelCase")]
pub struct OverrideDefinition {
    /// Name of the context field.
    #[serde(default, deserialize_with = "or_default")]
    pub context_name: String,
    /// Values.
    #[serde(default, deserialize_with = "texts")]
    #[cfg_attr(test, schemars(with = "Vec<Value>"))]
    pub values: Vec<String>,
}

/// A condition on another toggle, the parent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "EvaluatedParent", transform = accept_null))]
pub struct ParentDefinition {
    /// Name of the parent.
    #[serde(default, deserialize_with = "or_default")]
    pub feature: String,
    /// Whether the parent must be on (the default) or off.
    #[serde(default, deserialize_with = "or_default")]
    pub enabled: Option<bool>,
    /// Variants of which the parent must have one; empty for any.
    #[serde(default, deserialize_with = "texts")]
    #[cfg_attr(test, schemars(with = "Vec<Value>"))]
    pub variants: Vec<String>,
}

impl ToggleDefinition {
    /// Returns the texts that results can contain: all except the values of lists.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let parents = self.dependencies.iter().map(|parent| parent.feature.as_str());
        let variants = self.variants.iter().flat_map(VariantDefinition::names);
        let strategies = self.strategies.iter().flat_map(StrategyDefinition::names);
        [self.name.as_str()].into_iter().chain(parents).chain(variants).chain(strategies)
    }
}

impl StrategyDefinition {
    fn names(&self) -> impl Iterator<Item = &str> {
        let parameters = ["groupId", "stickiness", "percentage", "rollout"].into_iter();
        let parameters = parameters.filter_map(move |name| self.parameters.get(name).map(String::as_str));
        let fields = self.constraints.iter().map(|constraint| constraint.context_name.as_str());
        let variants = self.variants.iter().flat_map(VariantDefinition::names);
        let segments = self.segments.iter().map(String::as_str);
        [self.name.as_str()].into_iter().chain(parameters).chain(fields).chain(variants).chain(segments)
    }
}

impl SegmentDefinition {
    /// Returns the texts that results can contain: all except the values of constraints.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let fields = self.constraints.iter().map(|constraint| constraint.context_name.as_str());
        self.name.as_deref().into_iter().chain(fields)
    }
}

impl VariantDefinition {
    fn names(&self) -> impl Iterator<Item = &str> {
        let fields = self.overrides.iter().map(|rule| rule.context_name.as_str());
        [self.name.as_str()].into_iter().chain(self.stickiness.as_deref()).chain(fields)
    }
}

/// Adds null to the types of the properties that may be absent. It is their default.
#[cfg(test)]
fn accept_null(schema: &mut schemars::Schema) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required =
        |name: &String| required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten();
    for (_, property) in properties.filter(|(name, _)| !is_required(name)) {
        if let Some(property) = property.as_object_mut() {
            property.remove("default");
            if let Some(kind @ Value::String(_)) = property.get_mut("type") {
                *kind = serde_json::json!([kind, "null"]);
            }
        }
    }
}

/// A struct that is read from a JSON object only. Derived implementations also accept arrays.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_map(ObjectVisitor(PhantomData)).map(Self)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

/// Reads a list of objects.
pub(super) fn objects<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    json: D,
) -> Result<Option<Vec<T>>, D::Error> {
    let list: Option<Vec<Object<T>>> = Option::deserialize(json)?;
    Ok(list.map(|list| list.into_iter().map(|object| object.0).collect()))
}

fn objects_or_default<'de, D: Deserializer<'de>, T: Deserialize<'de>>(json: D) -> Result<Vec<T>, D::Error> {
    objects(json).map(Option::unwrap_or_default)
}

/// Reads null as the default.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(json: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(json)?.unwrap_or_default())
}

/// Reads a text, a number or a boolean as text.
fn text<'de, D: Deserializer<'de>>(json: D) -> Result<Option<String>, D::Error> {
    Ok(text_of(Value::deserialize(json)?))
}

/// Reads a list of texts. Numbers and booleans become texts.
fn texts<'de, D: Deserializer<'de>>(json: D) -> Result<Vec<String>, D::Error> {
    let items: Vec<Value> = or_default(json)?;
    Ok(items.into_iter().filter_map(text_of).collect())
}

/// Reads an object of texts. Numbers and booleans become texts.
fn texts_by_name<'de, D: Deserializer<'de>>(json: D) -> Result<BTreeMap<String, String>, D::Error> {
    let items: BTreeMap<String, Value> = or_default(json)?;
    Ok(items.into_iter().filter_map(|(name, value)| Some((name, text_of(value)?))).collect())
}
