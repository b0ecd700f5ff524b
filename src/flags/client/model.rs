//! Toggles in the format of the client API.

use serde::Serialize;

use crate::flags::model::{Strategy, Toggle, Variant};

/// A toggle with the data that a client library needs to evaluate it. The console does not read it.
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

/// Response of `GET api/client/features`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClientFeaturesResponse {
    /// Version of the envelope.
    pub version: u32,
    /// Toggles that are not archived, sorted by name.
    pub features: Vec<ClientFeature>,
}

impl From<Toggle> for ClientFeature {
    fn from(toggle: Toggle) -> Self {
        let Toggle { name, kind, enabled, stale, strategies, variants, .. } = toggle;
        Self { name, kind, enabled, stale, strategies, variants: variants.unwrap_or_default() }
    }
}
