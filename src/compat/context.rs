//! Context fields. Newer servers store a description with each legal value.

mod values;

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};

use self::values::ValueChange;
use super::failure::Failure;
use super::{Call, encode, json as json_response};
use crate::error::ApiError;

/// Responds with one context field, or with all.
pub(super) async fn read(call: &Call, name: Option<&str>) -> Result<HttpResponse, Failure> {
    let path = name.map_or_else(|| "/context".to_owned(), field_path);
    let mut fields: Value = call.caller.read(&path).await?;
    match fields.as_array_mut() {
        Some(fields) => fields.iter_mut().for_each(values::to_texts),
        None => values::to_texts(&mut fields),
    }
    respond(StatusCode::OK, &fields)
}

/// Creates a context field.
pub(super) async fn create(call: &Call) -> Result<HttpResponse, Failure> {
    let mut body = call.body.clone();
    values::to_objects(&mut body, &Value::Null);
    let reply = call.caller.request(Method::POST, "/context", Some(&body)).await?;
    let mut created: Value = reply.parse("/context")?;
    values::to_texts(&mut created);
    respond(reply.status, &created)
}

/// Replaces a context field, and keeps the descriptions of the remaining values.
///
/// Servers from 6 move a replaced field to the first position. Therefore single values are added and removed without a
/// replacement if nothing else changes.
pub(super) async fn update(call: &Call, name: &str) -> Result<HttpResponse, Failure> {
    let _lock = call.locks.lock(&format!("context field {name}")).await;
    let path = field_path(name);
    let stored: Value = call.caller.read(&path).await?;
    if let Some(changes) = values::single_changes(&stored, &call.body)
        && change_values(call, &path, changes).await?
    {
        return Ok(HttpResponse::Ok().finish());
    }
    let mut body = call.body.clone();
    values::to_objects(&mut body, &stored);
    Ok(call.caller.request(Method::PUT, &path, Some(&body)).await?.into_response())
}

/// Adds and removes single values. Returns false if the server has no endpoints for this; nothing has changed then.
async fn change_values(call: &Call, path: &str, changes: Vec<ValueChange<'_>>) -> Result<bool, Failure> {
    let path = format!("{path}/legal-values");
    for change in changes {
        let sent = match change {
            ValueChange::Add(value) => {
                call.caller.request(Method::POST, &path, Some(&json!({ "value": value }))).await
            }
            ValueChange::Remove(value) => {
                let path = format!("{path}/{}", encode(value));
                call.caller.request(Method::DELETE, &path, None).await
            }
        };
        match sent {
            Err(failure) if failure.has_status(404) => return Ok(false),
            sent => sent?,
        };
    }
    Ok(true)
}

fn field_path(name: &str) -> String {
    format!("/context/{}", encode(name))
}

fn respond(status: StatusCode, body: &Value) -> Result<HttpResponse, Failure> {
    Ok(json_response(status, serde_json::to_vec(body).map_err(ApiError::internal)?))
}
