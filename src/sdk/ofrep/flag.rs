//! A toggle as an OpenFeature flag: its value, variant and reason. Pure.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::evaluation::{Cause, PayloadDefinition, Run, Stopped, Toggle, Variant};
use crate::sdk::definitions::{Definitions, VisibleToggle};
use crate::sdk::frontend::NO_VARIANT;

/// The result of a toggle, of which each view is a flag.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlagResult<'d> {
    toggle: VisibleToggle<'d>,
    is_on: bool,
    cause: Cause,
    /// The variant, with the cause of its selection.
    variant: Option<(&'d Variant, Cause)>,
}

/// A flag as JSON.
#[derive(Debug, Serialize)]
pub(super) struct Flag<'d> {
    key: Key<'d>,
    value: Value<'d>,
    reason: &'static str,
    /// Clients of Python fail without one.
    variant: &'d str,
    metadata: Metadata<'d>,
}

/// The part of a toggle that a flag shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// The payload of the variant, or else whether the toggle is on. Its key is the name of the toggle.
    Value,
    /// Whether the toggle is on: `name:enabled`.
    Enabled,
    /// The name of the variant: `name:variant`.
    Variant,
}

/// Key of a flag. Names of toggles contain no colon.
#[derive(Debug)]
struct Key<'d> {
    name: &'d str,
    suffix: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Value<'d> {
    Boolean(bool),
    Text(&'d str),
    Json(&'d RawValue),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<'d> {
    #[serde(rename = "type")]
    kind: &'d str,
    impression_data: bool,
}

impl View {
    /// Returns the name of the toggle and the view that a key selects.
    pub(super) fn from_key(key: &str) -> Option<(&str, Self)> {
        match key.split_once(':') {
            None => Some((key, Self::Value)),
            Some((name, "enabled")) => Some((name, Self::Enabled)),
            Some((name, "variant")) => Some((name, Self::Variant)),
            Some(_) => None,
        }
    }

    /// Returns the views of a toggle in the list of all flags. Without variants, the others add nothing.
    pub(super) fn all(toggle: &Toggle) -> &'static [Self] {
        if toggle.has_variants() { &[Self::Value, Self::Enabled, Self::Variant] } else { &[Self::Value] }
    }

    fn suffix(self) -> &'static str {
        match self {
            Self::Value => "",
            Self::Enabled => ":enabled",
            Self::Variant => ":variant",
        }
    }
}

impl<'d> FlagResult<'d> {
    /// Evaluates a toggle.
    pub(super) fn new(
        definitions: &'d Definitions,
        toggle: VisibleToggle<'d>,
        run: &mut Run<'_>,
    ) -> Result<Self, Stopped> {
        let resolution = definitions.resolve(toggle, run)?;
        let variant_cause = |variant| (variant, resolution.variant_cause(toggle.toggle, run.context()));
        let variant = resolution.variant.map(variant_cause);
        let cause = definitions.cause(toggle, run, &resolution)?;
        Ok(Self { toggle, is_on: resolution.is_on, cause, variant })
    }

    /// Returns the flag of a view.
    pub(super) fn flag(&self, view: View) -> Flag<'d> {
        let Self { toggle, is_on, cause, variant } = *self;
        let payload = variant.and_then(|(variant, _)| Value::from_payload(variant.payload()?));
        let with_variant = variant.map_or(cause, |(_, of_variant)| cause.max(of_variant));
        let name = variant.map_or(NO_VARIANT, |(variant, _)| variant.name());
        let (value, cause) = match (view, payload) {
            (View::Value, Some(payload)) => (payload, with_variant),
            (View::Value, None) | (View::Enabled, _) => (Value::Boolean(is_on), cause),
            (View::Variant, _) => (Value::Text(name), with_variant),
        };
        Flag {
            key: Key { name: toggle.toggle.name(), suffix: view.suffix() },
            value,
            reason: reason(cause),
            variant: name,
            metadata: Metadata {
                kind: &toggle.properties.kind,
                impression_data: toggle.properties.impression_data,
            },
        }
    }
}

impl Serialize for Key<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)?;
        formatter.write_str(self.suffix)
    }
}

impl<'d> Value<'d> {
    /// Returns the value of a payload. A number or JSON that is not valid is a text.
    fn from_payload(payload: &'d PayloadDefinition) -> Option<Self> {
        let text = payload.value.as_deref()?;
        let is_finite = || text.trim().parse::<f64>().is_ok_and(f64::is_finite);
        let json = match payload.kind.as_str() {
            "number" if is_finite() => serde_json::from_str(text).ok(),
            // Null would select the default value of the application.
            "json" if text.trim() != "null" => serde_json::from_str(text).ok(),
            _ => None,
        };
        Some(json.map_or(Self::Text(text), Self::Json))
    }
}

fn reason(cause: Cause) -> &'static str {
    match cause {
        Cause::Disabled => "DISABLED",
        Cause::Static => "STATIC",
        Cause::Targeting => "TARGETING_MATCH",
        Cause::Split => "SPLIT",
        Cause::Application => "UNKNOWN",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::{FlagResult, View};
    use crate::config::{TokenKind, TokenScope};
    use crate::evaluation::{Context, Run, Work};
    use crate::sdk::definitions::Definitions;

    /// Evaluates a toggle with these properties for user 7, and returns key, value, reason and variant of a view.
    fn evaluate(toggle: &Json, view: View) -> [Json; 4] {
        let mut toggle = toggle.clone();
        toggle["name"] = "pay".into();
        toggle["type"] = "experiment".into();
        let body = json!({ "features": [toggle] }).to_string();
        let definitions = Definitions::from_lists(&[body]).unwrap();
        let (origins, projects, tags) = (Vec::new(), Vec::new(), Vec::new());
        let scope = TokenScope { kind: TokenKind::Frontend, origins, projects, tags };
        let toggle = definitions.find("pay", &scope).unwrap();
        let (context, mut work) = (Context::from_pairs([("userId", "7")]), Work::unlimited());
        let result = FlagResult::new(&definitions, toggle, &mut Run::new(&context, &mut work)).unwrap();
        let flag = serde_json::to_value(result.flag(view)).unwrap();
        assert_eq!(flag["metadata"], json!({ "type": "experiment", "impressionData": false }));
        ["key", "value", "reason", "variant"].map(|key| flag[key].clone())
    }

    fn on(strategies: &Json, variants: &Json) -> Json {
        json!({ "enabled": true, "strategies": strategies, "variants": variants })
    }

    #[test]
    fn values_of_toggles_without_variants() {
        let rollout = |percentage: &str| json!({ "name": "flexibleRollout", "parameters": { "rollout": percentage, "stickiness": "userId", "groupId": "g" } });
        let users = |users: &str| json!({ "name": "userWithId", "parameters": { "userIds": users } });
        let with_constraint = |mut strategy: Json, value: &str| {
            strategy["constraints"] =
                json!([{ "contextName": "userId", "operator": "IN", "values": [value] }]);
            strategy
        };
        for (strategies, value, reason) in [
            (json!([]), true, "STATIC"),
            (json!([{ "name": "default" }]), true, "STATIC"),
            (json!([rollout("100")]), true, "TARGETING_MATCH"),
            (json!([rollout("99.9")]), true, "SPLIT"),
            (json!([rollout("0")]), false, "SPLIT"),
            (json!([users("7")]), true, "TARGETING_MATCH"),
            (json!([users("8")]), false, "TARGETING_MATCH"),
            (json!([users("8"), { "name": "default" }]), true, "STATIC"),
            (json!([with_constraint(json!({ "name": "default" }), "7")]), true, "TARGETING_MATCH"),
            (json!([with_constraint(rollout("0"), "7")]), false, "SPLIT"),
            (json!([with_constraint(rollout("0"), "8")]), false, "TARGETING_MATCH"),
            (json!([{ "name": "default", "disabled": true }]), false, "DISABLED"),
            (json!([{ "name": "own" }]), false, "UNKNOWN"),
            (json!([{ "name": "own" }, { "name": "default" }]), true, "STATIC"),
        ] {
            let toggle = on(&strategies, &json!([]));
            for (view, key) in [(View::Value, "pay"), (View::Enabled, "pay:enabled")] {
                let expected = [json!(key), json!(value), json!(reason), json!("disabled")];
                assert_eq!(evaluate(&toggle, view), expected, "{strategies}");
            }
            let expected = [json!("pay:variant"), json!("disabled"), json!(reason), json!("disabled")];
            assert_eq!(evaluate(&toggle, View::Variant), expected, "{strategies}");
        }
        let off = json!({ "enabled": false, "strategies": [], "variants": [{ "name": "v", "weight": 1 }] });
        let expected = [json!("pay"), json!(false), json!("DISABLED"), json!("disabled")];
        assert_eq!(evaluate(&off, View::Value), expected);
    }

    #[test]
    fn values_of_payloads() {
        for (payload, value) in [
            (json!({ "type": "string", "value": "a\"b" }), json!("a\"b")),
            (json!({ "type": "csv", "value": "1,2" }), json!("1,2")),
            (json!({ "type": "number", "value": "-1.5" }), json!(-1.5)),
            (json!({ "type": "number", "value": "12" }), json!(12)),
            (json!({ "type": "number", "value": "1e999" }), json!("1e999")),
            (json!({ "type": "number", "value": "true" }), json!("true")),
            (json!({ "type": "number", "value": "NaN" }), json!("NaN")),
            (json!({ "type": "json", "value": "{ \"a\": [1] }" }), json!({ "a": [1] })),
            (json!({ "type": "json", "value": "{" }), json!("{")),
            (json!({ "type": "json", "value": "null" }), json!("null")),
            (json!({ "type": "string" }), json!(true)),
            (Json::Null, json!(true)),
        ] {
            let variants = json!([{ "name": "v", "weight": 1000, "payload": payload }]);
            let [_, found, reason, variant] = evaluate(&on(&json!([]), &variants), View::Value);
            let expected_reason = if value == json!(true) { "STATIC" } else { "TARGETING_MATCH" };
            assert_eq!((found, reason, variant), (value, json!(expected_reason), json!("v")), "{payload}");
        }
    }

    #[test]
    fn variants_by_share_are_a_split_and_overrides_are_targeting() {
        let payload = json!({ "type": "string", "value": "x" });
        for (overrides, name, reason) in [
            (json!([]), None, "SPLIT"),
            (json!([{ "contextName": "userId", "values": ["7"] }]), Some("b"), "TARGETING_MATCH"),
        ] {
            let variants = json!([
                { "name": "a", "weight": 500, "stickiness": "userId", "payload": payload },
                { "name": "b", "weight": 500, "payload": payload, "overrides": overrides },
            ]);
            let toggle = on(&json!([{ "name": "default" }]), &variants);
            for (view, expected) in
                [(View::Value, reason), (View::Variant, reason), (View::Enabled, "STATIC")]
            {
                let [_, value, found, variant] = evaluate(&toggle, view);
                assert_eq!(found, expected, "{view:?}");
                assert!(name.is_none_or(|name| variant == name), "{variant}");
                assert_eq!(view == View::Variant, value == variant, "{value}");
            }
        }
    }

    #[test]
    fn keys_select_a_view() {
        for (key, expected) in [
            ("pay", Some(("pay", View::Value))),
            ("pay:enabled", Some(("pay", View::Enabled))),
            ("pay:variant", Some(("pay", View::Variant))),
            ("pay:", None),
            ("pay:Enabled", None),
            ("pay:enabled:variant", None),
        ] {
            assert_eq!(View::from_key(key), expected, "{key}");
        }
    }
}
