//! Estimates how often a toggle is on for a random user. Pure functions.

use serde::Deserialize;

use crate::api::Strategy;

/// 100 % in thousandths.
pub(super) const PER_MILLE: u64 = 1_000;

/// A toggle in the client API.
#[derive(Debug, Deserialize)]
pub(super) struct PolledToggle {
    pub(super) name: String,
    enabled: bool,
    strategies: Vec<Strategy>,
}

/// Returns the rate of "yes" in thousandths for an application with these custom strategies. A missing toggle is off.
pub(super) fn yes_rate(toggle: Option<&PolledToggle>, implemented: &[String]) -> u64 {
    let Some(toggle) = toggle.filter(|toggle| toggle.enabled) else { return 0 };
    toggle
        .strategies
        .iter()
        .map(|strategy| strategy_yes_rate(strategy, implemented))
        .max()
        .unwrap_or(PER_MILLE)
}

fn strategy_yes_rate(strategy: &Strategy, implemented: &[String]) -> u64 {
    let selected = match strategy.name.as_str() {
        "default" => PER_MILLE,
        "userWithId" => (30 * count_list_items(strategy, "userIds")).min(PER_MILLE),
        "remoteAddress" => (40 * count_list_items(strategy, "IPs")).min(PER_MILLE),
        "applicationHostname" => (330 * count_list_items(strategy, "hostNames")).min(PER_MILLE),
        "flexibleRollout" => parse_percentage(strategy, "rollout"),
        "gradualRolloutRandom" | "gradualRolloutSessionId" | "gradualRolloutUserId" => {
            parse_percentage(strategy, "percentage")
        }
        name if implemented.iter().any(|known| known == name) => 400,
        // Unknown strategies are off.
        _ => 0,
    };
    // Assumes that a constraint matches 80 % of users.
    strategy.constraints.iter().flatten().fold(selected, |passing, _| passing * 4 / 5)
}

fn count_list_items(strategy: &Strategy, parameter: &str) -> u64 {
    let list = strategy.parameters.iter().flatten().find(|(name, _)| *name == parameter);
    list.map_or(0, |(_, list)| list.split(',').filter(|entry| !entry.trim().is_empty()).map(|_| 1).sum())
}

fn parse_percentage(strategy: &Strategy, parameter: &str) -> u64 {
    let text = strategy.parameters.iter().flatten().find(|(name, _)| *name == parameter);
    text.and_then(|(_, text)| text.parse::<u64>().ok())
        .map_or(0, |percent| percent.saturating_mul(10).min(PER_MILLE))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::yes_rate;

    #[test]
    fn yes_rate_follows_the_toggle() {
        let strategy = |name: &str, parameters: Value| json!({ "name": name, "parameters": parameters });
        let default = strategy("default", json!({}));
        let rollout = strategy("flexibleRollout", json!({ "rollout": "35" }));
        let cases = [
            (false, json!([default]), 0),
            (true, json!([]), 1000),
            (true, json!([default]), 1000),
            (true, json!([rollout]), 350),
            (true, json!([rollout, default]), 1000),
            (true, json!([strategy("flexibleRollout", json!({ "rollout": "0" }))]), 0),
            (true, json!([strategy("flexibleRollout", json!({}))]), 0),
            (true, json!([strategy("gradualRolloutUserId", json!({ "percentage": "100" }))]), 1000),
            (true, json!([strategy("userWithId", json!({ "userIds": "anna,bo, " }))]), 60),
            (true, json!([strategy("applicationHostname", json!({ "hostNames": "a,b,c,d,e" }))]), 1000),
            (true, json!([{ "name": "remoteAddress" }]), 0),
            (true, json!([strategy("ours", json!({}))]), 400),
            (true, json!([strategy("theirs", json!({}))]), 0),
            (
                true,
                json!([{ "name": "default", "constraints": [
                { "contextName": "a", "operator": "IN" }, { "contextName": "b", "operator": "NOT_IN" }] }]),
                640,
            ),
        ];
        for (enabled, strategies, rate) in cases {
            let toggle = json!({ "name": "probe", "enabled": enabled, "strategies": strategies });
            let polled = serde_json::from_value(toggle.clone()).unwrap();
            assert_eq!(yes_rate(Some(&polled), &["ours".to_owned()]), rate, "{toggle}");
        }
        assert_eq!(yes_rate(None, &[]), 0);
    }
}
