//! The format of `/api/client/delta`: changes instead of all toggles.

use serde::Deserialize;

use super::{Definitions, SegmentDefinition, ToggleDefinition};

/// A file or response with toggles, or with the changes that lead to them.
#[derive(Debug, Deserialize)]
pub(super) struct Document {
    #[serde(default)]
    features: Option<Vec<ToggleDefinition>>,
    #[serde(default)]
    segments: Option<Vec<SegmentDefinition>>,
    #[serde(default)]
    events: Option<Vec<Event>>,
}

/// A change.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum Event {
    Hydration {
        #[serde(default)]
        features: Vec<ToggleDefinition>,
        #[serde(default)]
        segments: Option<Vec<SegmentDefinition>>,
    },
    FeatureUpdated {
        feature: ToggleDefinition,
    },
    FeatureRemoved {
        feature_name: String,
    },
    SegmentUpdated {
        segment: SegmentDefinition,
    },
    SegmentRemoved {
        segment_id: i64,
    },
    #[serde(other)]
    Unknown,
}

impl TryFrom<Document> for Definitions {
    type Error = &'static str;

    fn try_from(document: Document) -> Result<Self, Self::Error> {
        if document.features.is_none() && document.events.is_none() {
            return Err("it has neither features nor events");
        }
        let features = document.features.unwrap_or_default();
        let mut definitions = Self { features, segments: document.segments.unwrap_or_default() };
        for event in document.events.unwrap_or_default() {
            definitions.apply(event);
        }
        Ok(definitions)
    }
}

impl Definitions {
    fn apply(&mut self, event: Event) {
        match event {
            Event::Hydration { features, segments } => {
                *self = Self { features, segments: segments.unwrap_or_default() };
            }
            Event::FeatureUpdated { feature } => {
                self.features.retain(|other| other.name != feature.name);
                self.features.push(feature);
            }
            Event::FeatureRemoved { feature_name } => {
                self.features.retain(|other| other.name != feature_name);
            }
            Event::SegmentUpdated { segment } => {
                self.segments.retain(|other| other.id != segment.id);
                self.segments.push(segment);
            }
            Event::SegmentRemoved { segment_id } => {
                self.segments.retain(|other| other.id != Some(segment_id.to_string()));
            }
            Event::Unknown => {}
        }
    }
}
