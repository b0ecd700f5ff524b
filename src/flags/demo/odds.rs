//! How often a toggle's answer is yes: a guess at what client libraries would answer to many different users. Pure.

use serde::Deserialize;

use crate::flags::model::Strategy;

/// All of something, in thousandths.
pub(super) const ALL: u64 = 1_000;

/// What an application polls of a toggle.
#[derive(Debug, Deserialize)]
pub(super) struct Polled {
    pub(super) name: String,
    enabled: bool,
    strategies: Vec<Strategy>,
}

/// In thousandths, for an application that implements these strategies besides those that come with its library.
/// A toggle that is not there is off.
pub(super) fn of_yes(toggle: Option<&Polled>, implemented: &[String]) -> u64 {
    let Some(toggle) = toggle.filter(|toggle| toggle.enabled) else { return 0 };
    toggle.strategies.iter().map(|strategy| of_strategy(strategy, implemented)).max().unwrap_or(ALL)
}

fn of_strategy(strategy: &Strategy, implemented: &[String]) -> u64 {
    let selected = match strategy.name.as_str() {
        "default" => ALL,
        "userWithId" => (30 * listed(strategy, "userIds")).min(ALL),
        "remoteAddress" => (40 * listed(strategy, "IPs")).min(ALL),
        "applicationHostname" => (330 * listed(strategy, "hostNames")).min(ALL),
        "flexibleRollout" => percentage(strategy, "rollout"),
        "gradualRolloutRandom" | "gradualRolloutSessionId" | "gradualRolloutUserId" => {
            percentage(strategy, "percentage")
        }
        name if implemented.iter().any(|own| own == name) => 400,
        // What a library does not know is off.
        _ => 0,
    };
    // Each constraint lets four in five pass.
    strategy.constraints.iter().flatten().fold(selected, |passing, _| passing * 4 / 5)
}

fn listed(strategy: &Strategy, parameter: &str) -> u64 {
    let list = strategy.parameters.iter().flatten().find(|(name, _)| *name == parameter);
    list.map_or(0, |(_, list)| list.split(',').filter(|entry| !entry.trim().is_empty()).map(|_| 1).sum())
}

fn percentage(strategy: &Strategy, parameter: &str) -> u64 {
    let text = strategy.parameters.iter().flatten().find(|(name, _)| *name == parameter);
    text.and_then(|(_, text)| text.parse::<u64>().ok())
        .map_or(0, |percent| percent.saturating_mul(10).min(ALL))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::of_yes;

    #[test]
    fn the_odds_follow_the_toggle() {
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
        for (enabled, strategies, odds) in cases {
            let toggle = json!({ "name": "probe", "enabled": enabled, "strategies": strategies });
            let polled = serde_json::from_value(toggle.clone()).unwrap();
            assert_eq!(of_yes(Some(&polled), &["ours".to_owned()]), odds, "{toggle}");
        }
        assert_eq!(of_yes(None, &[]), 0);
    }
}
