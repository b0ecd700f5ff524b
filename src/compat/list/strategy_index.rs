//! The strategies of all toggles in one environment, from responses of a newer server. Pure.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Approximate size in bytes of an entry without its texts.
const ENTRY: usize = 64;

/// Strategies as JSON by name of the toggle.
#[derive(Debug, Default)]
pub(in crate::compat) struct StrategyIndex(HashMap<String, Box<RawValue>>);

/// The toggles of an environment for client libraries.
#[derive(Deserialize)]
struct ClientFeatures {
    features: Vec<ClientFeature>,
    query: Query,
}

#[derive(Deserialize)]
struct ClientFeature {
    name: String,
    strategies: Box<RawValue>,
}

/// The selection that the server derived from the token.
#[derive(Deserialize)]
struct Query {
    environment: String,
}

#[derive(Deserialize)]
struct Playground {
    features: Vec<PlaygroundFeature>,
}

#[derive(Deserialize)]
struct PlaygroundFeature {
    name: String,
    strategies: PlaygroundStrategies,
}

#[derive(Deserialize)]
struct PlaygroundStrategies {
    data: Vec<Map<String, Value>>,
}

impl StrategyIndex {
    /// Returns the strategies of a toggle; `None` if they are unknown.
    #[must_use]
    pub(in crate::compat) fn get(&self, toggle: &str) -> Option<&RawValue> {
        self.0.get(toggle).map(AsRef::as_ref)
    }

    /// Returns the approximate size in bytes.
    #[must_use]
    pub(in crate::compat) fn size(&self) -> usize {
        self.0.iter().map(|(name, strategies)| name.len() + strategies.get().len() + ENTRY).sum()
    }

    /// Reads the toggles for client libraries. Their strategies have no ids and titles, and disabled ones are missing.
    ///
    /// Returns `None` if the response is for another environment, because the server has ignored the token.
    pub(in crate::compat) fn from_client_features(
        response: &[u8],
        environment: &str,
    ) -> Result<Option<Self>, serde_json::Error> {
        let ClientFeatures { features, query } = serde_json::from_slice(response)?;
        let strategies = features.into_iter().map(|toggle| (toggle.name, toggle.strategies));
        Ok((query.environment == environment).then(|| Self(strategies.collect())))
    }

    /// Reads the result of an evaluation of all toggles, without the results of the single strategies.
    pub(in crate::compat) fn from_playground(response: &[u8]) -> Result<Self, serde_json::Error> {
        let Playground { features } = serde_json::from_slice(response)?;
        let mut index = HashMap::with_capacity(features.len());
        for PlaygroundFeature { name, strategies: PlaygroundStrategies { mut data } } in features {
            data.iter_mut().for_each(remove_results);
            index.insert(name, serde_json::value::to_raw_value(&data)?);
        }
        Ok(Self(index))
    }
}

/// Removes the results of an evaluation from a strategy. Segments become their ids, as in other responses.
fn remove_results(strategy: &mut Map<String, Value>) {
    strategy.remove("result");
    strategy.remove("links");
    let constraints = strategy.get_mut("constraints").and_then(Value::as_array_mut);
    for constraint in constraints.into_iter().flatten().filter_map(Value::as_object_mut) {
        constraint.remove("result");
    }
    let segments = strategy.get_mut("segments").and_then(Value::as_array_mut);
    for segment in segments.into_iter().flatten() {
        if let Some(id) = segment.get("id") {
            *segment = id.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::StrategyIndex;

    fn strategies(index: &StrategyIndex, toggle: &str) -> Option<Value> {
        index.get(toggle).map(|strategies| serde_json::from_str(strategies.get()).unwrap())
    }

    #[test]
    fn removes_the_results_of_the_playground() {
        let response = json!({ "input": {}, "features": [
            { "name": "one", "isEnabled": true, "strategies": { "result": true, "data": [{
                "id": "s", "name": "flexibleRollout", "title": "Beta", "disabled": false,
                "parameters": { "rollout": "40" }, "result": { "enabled": true }, "links": { "edit": "/x" },
                "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["a"], "result": false }],
                "segments": [{ "id": 7, "name": "beta", "result": true, "constraints": [] }],
            }] } },
            { "name": "two", "strategies": { "result": false, "data": [] } },
        ] });
        let index = StrategyIndex::from_playground(response.to_string().as_bytes()).unwrap();
        let expected = json!([{
            "id": "s", "name": "flexibleRollout", "title": "Beta", "disabled": false,
            "parameters": { "rollout": "40" }, "segments": [7],
            "constraints": [{ "contextName": "userId", "operator": "IN", "values": ["a"] }],
        }]);
        assert_eq!(strategies(&index, "one"), Some(expected));
        assert_eq!(strategies(&index, "two"), Some(json!([])));
        assert_eq!(strategies(&index, "three"), None);
        assert!(StrategyIndex::from_playground(b"{}").is_err());
    }

    #[test]
    fn reads_client_features_of_the_environment_only() {
        let strategy = json!({ "name": "default", "parameters": {}, "constraints": [] });
        let response = json!({
            "version": 2, "features": [{ "name": "one", "enabled": true, "strategies": [strategy] }],
            "query": { "environment": "production" },
        })
        .to_string();
        let read =
            |environment| StrategyIndex::from_client_features(response.as_bytes(), environment).unwrap();
        assert_eq!(strategies(&read("production").unwrap(), "one"), Some(json!([strategy])));
        assert!(read("development").is_none());
        assert!(StrategyIndex::from_client_features(b"[]", "production").is_err());
    }
}
