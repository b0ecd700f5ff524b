//! Changes of projects, which only some editions of newer servers offer.

use actix_web::HttpResponse;
use serde_json::Value;

use super::Call;
use super::failure::{Failure, unsupported};

const UNSUPPORTED: &str =
    "This server cannot create, change or delete projects: that requires Unleash Enterprise.";

/// Sends the change to the server.
pub(super) async fn change(call: &Call, path: &str) -> Result<HttpResponse, Failure> {
    let body = (call.body != Value::Null).then_some(&call.body);
    match call.caller.request(call.request.method().clone(), path, body).await {
        Err(failure) if failure.has_status(404) => Err(unsupported(UNSUPPORTED).into()),
        reply => Ok(reply?.into_response()),
    }
}
