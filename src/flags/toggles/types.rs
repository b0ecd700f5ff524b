//! Built-in toggle types.

use crate::api::FeatureType;

/// Returns the toggle types in display order.
#[must_use]
pub fn feature_types() -> Vec<FeatureType> {
    [
        ("release", "Release", "Hides unfinished work until it is ready.", Some(40)),
        ("experiment", "Experiment", "Compares variants to find the better one.", Some(40)),
        ("operational", "Operational", "Controls operational behaviour of the running system.", Some(7)),
        ("kill-switch", "Kill switch", "Turns off a feature during an incident.", None),
        ("permission", "Permission", "Gives a feature to entitled users.", None),
    ]
    .into_iter()
    .map(|(id, name, description, lifetime_days)| FeatureType {
        id: id.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        lifetime_days,
    })
    .collect()
}
