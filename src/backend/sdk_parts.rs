//! The state of SDKs that both backends have.

use std::time::Duration;

use actix_web::rt::spawn;
use actix_web::rt::task::JoinHandle;
use actix_web::web::Data;

use crate::error::ApiError;
use crate::event_stream::Streams;
use crate::hold::Holds;
use crate::impact_metrics::ImpactMetrics;
use crate::metrics::Metrics;
use crate::sdk::SdkApi;

/// The state of SDKs that this process serves, with the replica of an upstream or with the embedded flag service.
#[derive(Clone)]
pub(super) struct SdkParts {
    /// Toggles that are held for SDKs.
    pub(super) holds: Holds,
    /// All event streams.
    pub(super) streams: Streams,
    /// APIs for clients that receive results only; `None` with a replica that has no client tokens.
    pub(super) api: Option<Data<SdkApi>>,
    /// Impact metrics that applications report.
    pub(super) impact_metrics: ImpactMetrics,
}

impl SdkParts {
    pub(super) fn add_metrics(&self, metrics: Metrics) -> Metrics {
        let metrics = match self.impact_metrics.usage() {
            Some(usage) => metrics.with_foreign_collector(usage.clone()),
            None => metrics,
        };
        metrics
            .with_streams(self.streams.metrics())
            .with_collector(self.impact_metrics.clone())
            .with_holds(self.holds.metrics())
    }

    /// Tells OpenFeature clients about changes of toggles.
    pub(super) async fn publish(&self) -> Result<(), ApiError> {
        match &self.api {
            Some(api) => api.publish().await,
            None => Ok(()),
        }
    }

    /// `keep` is the time after which ended holds are deleted.
    pub(super) fn spawn_tasks(&self, keep: Duration) -> [JoinHandle<()>; 2] {
        [
            // Sends comments on event streams, so that their connections stay open.
            spawn(self.streams.clone().send_comments()),
            // Ends holds at their time, and exchanges them with the database.
            spawn(self.holds.clone().run(keep)),
        ]
    }
}
