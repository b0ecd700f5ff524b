//! A toggle as client libraries read it.

use serde::Serialize;

use super::{Strategy, Toggle, Variant};

/// What a client needs to decide by itself. Not among the console's types: it never reads this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ClientFeature {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    enabled: bool,
    stale: bool,
    strategies: Vec<Strategy>,
    variants: Vec<Variant>,
}

/// The answer of `GET api/client/features`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClientFeaturesAnswer {
    /// Of the envelope.
    pub version: u32,
    /// Those that are not archived, by name.
    pub features: Vec<ClientFeature>,
}

impl From<Toggle> for ClientFeature {
    fn from(toggle: Toggle) -> Self {
        let Toggle { name, kind, enabled, stale, strategies, variants, .. } = toggle;
        Self { name, kind, enabled, stale, strategies, variants: variants.unwrap_or_default() }
    }
}
