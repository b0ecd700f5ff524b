//! Applications that use toggles.

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::{Call, encode, json as json_response};
use crate::error::ApiError;

/// The toggles that applications request and that do not exist.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct UnknownToggles {
    unknown_flags: Vec<UnknownToggle>,
}

#[derive(Deserialize)]
struct UnknownToggle {
    name: String,
    reports: Vec<Report>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    app_name: String,
}

/// Responds with an application and all toggles that it requests.
///
/// 8.2 lists toggles that do not exist separately. Older servers have no such list, and include them. The application is
/// more important than this list: its failure is ignored.
pub(super) async fn read(call: &Call, name: &str) -> Result<HttpResponse, Failure> {
    let mut application: Map<String, Value> = call.caller.read(&path_of(name)).await?;
    let unknown: UnknownToggles = call.caller.read("/metrics/unknown-flags").await.unwrap_or_default();
    if let Some(toggles) = application.get_mut("seenToggles").and_then(Value::as_array_mut) {
        let requests = |toggle: &UnknownToggle| toggle.reports.iter().any(|report| report.app_name == name);
        let unknown = unknown.unknown_flags.into_iter().filter(requests);
        toggles.extend(unknown.map(|toggle| json!({ "name": toggle.name, "notFound": true })));
    }
    Ok(json_response(StatusCode::OK, serde_json::to_vec(&application).map_err(ApiError::internal)?))
}

/// Stores metadata of an application. Servers require its name in the body too.
pub(super) async fn describe(call: &Call, name: &str) -> Result<HttpResponse, Failure> {
    let mut body = call.body.clone();
    if let Some(metadata) = body.as_object_mut() {
        metadata.insert("appName".to_owned(), name.into());
    }
    Ok(call.caller.request(Method::POST, &path_of(name), Some(&body)).await?.into_response())
}

fn path_of(name: &str) -> String {
    format!("/metrics/applications/{}", encode(name))
}
