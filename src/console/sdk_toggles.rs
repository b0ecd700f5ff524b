//! The toggles that SDKs get from this program, also while the flag service does not respond: somebody who opens the console during
//! an outage finds the toggle to hold. The routes check that the user is signed in.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::rt::task::spawn_blocking;
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::holds::{environment_of, project_of};
use crate::api::SdkToggles;
use crate::error::ApiError;
use crate::evaluation::{RawToggles, name_of};
use crate::hold::HeldCopy;

#[derive(Deserialize)]
struct SegmentId {
    id: Value,
}

/// Responds with the toggles of the environment in the query, or else of the first one, in the projects that the user can see.
pub(crate) async fn list(
    copies: Vec<HeldCopy>,
    request: &HttpRequest,
    is_visible: impl Fn(Option<&str>) -> bool + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let environment = environment_of(request);
    let merge = move || merge(&copies, environment, is_visible);
    Ok(HttpResponse::Ok().json(spawn_blocking(merge).await.map_err(ApiError::internal)?))
}

/// Merges the lists of the tokens of an environment. Each toggle and segment occurs once.
fn merge(
    copies: &[HeldCopy],
    environment: Option<String>,
    is_visible: impl Fn(Option<&str>) -> bool,
) -> SdkToggles {
    let environments: BTreeSet<_> = copies.iter().filter_map(|copy| copy.scope.environment.clone()).collect();
    let environment = environment.or_else(|| environments.first().cloned());
    let (mut features, mut segments) = (BTreeMap::new(), BTreeMap::new());
    let is_selected =
        |copy: &&HeldCopy| copy.scope.environment.is_none() || copy.scope.environment == environment;
    for copy in copies.iter().filter(is_selected) {
        // Lists that no SDK could read contain no toggles.
        let Ok(list) = serde_json::from_slice::<RawToggles<'_>>(&copy.body) else { continue };
        for toggle in &list.features {
            if let Ok(name) = name_of(toggle)
                && !features.contains_key(name.as_ref())
                && is_visible(project_of(toggle).as_deref())
            {
                features.insert(name.into_owned(), (*toggle).to_owned());
            }
        }
        for segment in list.segments::<&RawValue>().unwrap_or_default() {
            if let Ok(SegmentId { id }) = serde_json::from_str(segment.get()) {
                segments.entry(id.to_string()).or_insert_with(|| segment.to_owned());
            }
        }
    }
    SdkToggles {
        environment,
        environments: environments.into_iter().collect(),
        features: features.into_values().collect(),
        segments: segments.into_values().collect(),
    }
}
