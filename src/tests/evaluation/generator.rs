//! Generates toggles, segments and contexts at random, in the JSON of servers.

use serde_json::{Value, json};

/// A random number generator (`SplitMix64`) with a seed, so that a failure can be repeated.
pub(super) struct Generator(pub(super) u64);

const FIELDS: [&str; 9] = [
    "userId",
    "sessionId",
    "environment",
    "appName",
    "remoteAddress",
    "currentTime",
    "plan",
    "version",
    "age",
];
const TEXTS: [&str; 10] =
    ["gold", "Gold plan", "silver", "GOLD", "", "1", "straße", "ÄRGER", "production", "sigma ΟΔΟΣ"];
const NUMBERS: [&str; 9] = ["0", "1", "-3", "7.5", "1e2", "100", "+4", "18", "x"];
const VERSIONS: [&str; 9] = [
    "1.0.0",
    "1.2.3",
    "1.10.0",
    "2.0.0-beta",
    "2.0.0-beta.2",
    "2.0.0-beta.11",
    "2.0.0+build",
    "2.0.0",
    "2.0",
];
const TIMES: [&str; 7] = [
    "2001-01-01T00:00:00Z",
    "2001-01-01T01:00:00.000+02:00",
    "2001-06-01T12:30:00.123Z",
    "2000-12-31T23:59:59.999999Z",
    "2099-01-01T00:00:00Z",
    "2001-01-01",
    "now",
];
const ADDRESSES: [&str; 8] =
    ["10.0.0.1", "10.0.1.1", "192.168.7.9", "::1", "2001:db8::7", "2001:db9::1", "::ffff:10.0.0.1", "local"];
const NETWORKS: [&str; 8] = [
    "10.0.0.0/24",
    "10.0.0.7/16",
    "192.168.7.9",
    "2001:db8::/32",
    "::1",
    "0.0.0.0/0",
    "10.0.0.0/99",
    "office",
];
const PATTERNS: [&str; 9] =
    ["^go", "old$", "g.ld", "^$", "[0-9]+", "(gold|silver)", "^gold( plan)?$", "(", "a{2,1}"];
const STRATEGIES: [&str; 9] = [
    "default",
    "userWithId",
    "gradualRolloutUserId",
    "gradualRolloutSessionId",
    "gradualRolloutRandom",
    "remoteAddress",
    "flexibleRollout",
    "flexibleRollout",
    "beta-group",
];

/// Number of toggles in generated definitions.
pub(super) const TOGGLES: usize = 6;

pub(super) fn toggle_name(index: usize) -> String {
    format!("shop.toggle-{index}")
}

impl Generator {
    /// Generates six toggles and two segments.
    pub(super) fn definitions(&mut self) -> Value {
        let features: Vec<_> = (0..TOGGLES).map(|index| self.toggle(index)).collect();
        let segments: Vec<_> =
            (1..3).map(|id| json!({ "id": id, "name": "s", "constraints": self.constraints() })).collect();
        json!({ "version": 2, "features": features, "segments": segments })
    }

    pub(super) fn context(&mut self) -> Value {
        let (mut context, mut properties) = (json!({}), json!({}));
        for field in FIELDS {
            if self.below(4) == 0 {
                continue;
            }
            let value = self.value_of(field);
            if matches!(field, "plan" | "version" | "age") {
                properties[field] = value.into();
            } else {
                context[field] = value.into();
            }
        }
        context["properties"] = properties;
        context
    }

    /// Returns a number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((bits ^ (bits >> 31)) % u64::try_from(end).unwrap()).unwrap()
    }

    fn is_rare(&mut self) -> bool {
        self.below(5) == 0
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    pub(super) fn value_of(&mut self, field: &str) -> String {
        match field {
            "userId" | "sessionId" => self.below(60).to_string(),
            "remoteAddress" => self.pick(&ADDRESSES).to_owned(),
            "currentTime" => self.pick(&TIMES).to_owned(),
            "version" => self.pick(&VERSIONS).to_owned(),
            "age" => self.pick(&NUMBERS).to_owned(),
            _ => self.pick(&TEXTS).to_owned(),
        }
    }

    fn toggle(&mut self, index: usize) -> Value {
        let count = self.below(4);
        let strategies: Vec<_> = (0..count).map(|_| self.strategy()).collect();
        let mut toggle = json!({
            "name": toggle_name(index), "enabled": self.below(8) != 0, "strategies": strategies,
            "variants": self.variants(true),
        });
        if self.is_rare() {
            let count = 1 + self.below(2);
            toggle["dependencies"] = (0..count).map(|_| self.dependency()).collect();
        }
        toggle
    }

    pub(super) fn dependency(&mut self) -> Value {
        let mut dependency = json!({ "feature": toggle_name(self.below(TOGGLES + 1)) });
        if self.below(2) == 0 {
            dependency["enabled"] = (self.below(2) == 0).into();
        }
        if self.below(2) == 0 {
            dependency["variants"] = json!(["v0", "v1"]);
        }
        dependency
    }

    pub(super) fn strategy(&mut self) -> Value {
        let name = self.pick(&STRATEGIES);
        let percentage = self.below(101).to_string();
        let group = self.pick(&["shop", "", "äöü"]);
        let mut parameters = json!({});
        match name {
            "userWithId" => {
                let users: Vec<_> = (0..20).map(|_| self.below(60).to_string()).collect();
                parameters["userIds"] = users.join(", ").into();
            }
            "remoteAddress" => {
                parameters["IPs"] = format!("{} , {}", self.pick(&NETWORKS), self.pick(&NETWORKS)).into();
            }
            "flexibleRollout" => {
                parameters["rollout"] = percentage.into();
                if !self.is_rare() {
                    parameters["stickiness"] =
                        self.pick(&["default", "userId", "plan", "random", "missing", "sessionId"]).into();
                }
                if !self.is_rare() {
                    parameters["groupId"] = group.into();
                }
            }
            _ => parameters = json!({ "percentage": percentage, "groupId": group }),
        }
        let segments: Vec<_> = (0..self.below(4) / 2).map(|_| 1 + self.below(2)).collect();
        let constraints = if self.below(2) == 0 { json!([]) } else { self.constraints() };
        let variants = if self.is_rare() { self.variants(false) } else { json!([]) };
        json!({
            "name": name, "parameters": parameters, "segments": segments, "constraints": constraints,
            "variants": variants,
        })
    }

    pub(super) fn variants(&mut self, has_overrides: bool) -> Value {
        if self.below(2) == 0 {
            return json!([]);
        }
        let stickiness = self.pick(&["default", "userId", "plan", "random", "environment"]);
        let count = 1 + self.below(4);
        let variants = (0..count).map(|index| {
            let weight = if index == 0 { 1 + self.below(1000) } else { self.below(1000) };
            let mut variant =
                json!({ "name": format!("v{index}"), "weight": weight, "stickiness": stickiness });
            if self.is_rare() {
                variant["payload"] = json!({ "type": "json", "value": "{}" });
            }
            if has_overrides && self.is_rare() {
                let field = self.pick(&["userId", "plan"]);
                let values: Vec<_> = (0..5).map(|_| self.value_of(field)).collect();
                variant["overrides"] = json!([{ "contextName": field, "values": values }]);
            }
            variant
        });
        variants.collect()
    }

    pub(super) fn constraints(&mut self) -> Value {
        (0..=self.below(2)).map(|_| self.constraint()).collect()
    }

    pub(super) fn constraint(&mut self) -> Value {
        let field = self.pick(&FIELDS);
        let (inverted, ignores_case) = (self.is_rare(), self.below(2) == 0);
        let mut constraint =
            json!({ "contextName": field, "inverted": inverted, "caseInsensitive": ignores_case });
        let comparison = self.pick(&["EQ", "GT", "GTE", "LT", "LTE"]);
        match self.below(6) {
            0 => {
                constraint["operator"] = self.pick(&["IN", "NOT_IN"]).into();
                constraint["values"] = (0..self.below(6)).map(|_| self.value_of(field)).collect();
            }
            1 => {
                constraint["operator"] =
                    self.pick(&["STR_STARTS_WITH", "STR_ENDS_WITH", "STR_CONTAINS"]).into();
                constraint["values"] = (0..=self.below(2)).map(|_| self.pick(&TEXTS)).collect();
            }
            2 => {
                constraint["operator"] = format!("NUM_{comparison}").into();
                constraint["contextName"] = "age".into();
                constraint["value"] = self.pick(&NUMBERS[..8]).into();
            }
            3 => {
                constraint["operator"] = self.pick(&["DATE_AFTER", "DATE_BEFORE"]).into();
                constraint["contextName"] = "currentTime".into();
                constraint["value"] = self.pick(&TIMES[..3]).into();
            }
            4 => {
                constraint["operator"] = format!("SEMVER_{comparison}").into();
                constraint["contextName"] = "version".into();
                constraint["value"] = self.pick(&VERSIONS[..8]).into();
            }
            _ if self.below(2) == 0 => {
                constraint["operator"] = "REGEX".into();
                constraint["value"] = self.pick(&PATTERNS).into();
            }
            _ => {
                constraint["operator"] = "IN_CIDR".into();
                constraint["contextName"] = "remoteAddress".into();
                constraint["values"] = json!([self.pick(&NETWORKS), self.pick(&NETWORKS)]);
            }
        }
        constraint
    }
}
