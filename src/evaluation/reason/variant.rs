//! Reasons for the selection of a variant.

use serde::Serialize;

/// Selection of a variant.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VariantReason {
    /// True if the deciding strategy has the variants, false if the toggle has them.
    pub of_strategy: bool,
    /// False if the application can select another variant, because an earlier strategy with other variants is random or
    /// decided by the application.
    pub certain: bool,
    /// The selection.
    pub selection: VariantSelection,
}

/// Mechanism that selects a variant.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "code", rename_all = "camelCase")]
pub enum VariantSelection {
    /// An override of the variant lists the value of a context field.
    Override {
        /// Context field.
        field: String,
        /// Its value.
        value: String,
    },
    /// The deciding strategy and the toggle have no variants.
    None,
    /// Only one variant has a weight.
    Single,
    /// The hash of an id selects a bucket.
    Bucket {
        /// Context field of the id.
        field: String,
        /// The id.
        value: String,
        /// Group, which is hashed with the id.
        group: String,
        /// Bucket of the id: 1 to the sum of the weights.
        bucket: u32,
        /// Sum of the weights.
        buckets: u32,
    },
    /// Random, because the context has no id.
    Random {
        /// Probability of each variant.
        shares: Vec<VariantShare>,
    },
}

/// Probability of a variant.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VariantShare {
    /// Name of the variant.
    pub name: String,
    /// Its probability, between 0 and 1.
    pub probability: f64,
}
