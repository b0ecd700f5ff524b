//! What comes with the service and cannot be changed.

use super::model::FeatureType;

/// The kinds of toggles, in the order to offer them.
#[must_use]
pub fn feature_types() -> Vec<FeatureType> {
    [
        ("release", "Release", "Ships unfinished work dark, to be switched on when it is ready.", Some(40)),
        ("experiment", "Experiment", "Compares variants to learn which one works better.", Some(40)),
        ("operational", "Operational", "Steers how the system behaves while it runs.", Some(7)),
        ("kill-switch", "Kill switch", "Turns a feature off when the system is in trouble.", None),
        ("permission", "Permission", "Opens a feature to those who are entitled to it.", None),
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
