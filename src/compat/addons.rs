//! Addons.

use actix_web::HttpResponse;
use actix_web::http::Method;
use serde_json::{Map, Value};

use super::failure::Failure;
use super::{Call, encode};

/// Properties that the console does not edit. Servers reset them if a change does not contain them.
const PRESERVED: [&str; 2] = ["projects", "environments"];

/// Replaces an addon, and responds with it.
pub(super) async fn update(call: &Call, id: &str) -> Result<HttpResponse, Failure> {
    let path = format!("/addons/{}", encode(id));
    let _lock = call.locks.lock(&format!("addon {id}")).await;
    let stored: Map<String, Value> = call.caller.read(&path).await?;
    let mut body = call.body.clone();
    if let Some(addon) = body.as_object_mut() {
        for key in PRESERVED {
            if let Some(value) = stored.get(key).filter(|value| !value.is_null()) {
                addon.entry(key).or_insert_with(|| value.clone());
            }
        }
    }
    call.caller.request(Method::PUT, &path, Some(&body)).await?;
    // The response to the change contains the secrets on some servers.
    Ok(call.caller.request(Method::GET, &path, None).await?.into_response())
}
