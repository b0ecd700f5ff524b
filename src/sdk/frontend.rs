//! The browser API of Unleash: `/api/frontend` and `/api/proxy`.

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETag, EntityTag, HeaderName, HeaderValue};
use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::context::{self, RequestContext};
use super::definitions::VisibleToggle;
use super::{SdkApi, access};
use crate::error::ApiError;
use crate::evaluation::{PayloadDefinition, Resolution, Run, Variant};
use crate::json_body::JsonBody;
use crate::middleware::client;
use crate::negotiation::{if_none_match, matches_entity_tag, tag_digits};

/// Name of the variant of toggles without variants.
pub(super) const NO_VARIANT: &str = "disabled";
/// Instance id of reports without one, which not all SDKs send.
const DEFAULT_INSTANCE: &str = "browser";

/// The results for a context.
#[derive(Serialize)]
struct ToggleResults<'d> {
    toggles: Vec<ToggleResult<'d>>,
}

/// The result of a toggle.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToggleResult<'d> {
    name: &'d str,
    enabled: bool,
    impression_data: bool,
    variant: VariantResult<'d>,
}

/// The result of the variants of a toggle.
#[derive(Serialize)]
struct VariantResult<'d> {
    name: &'d str,
    enabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<Payload<'d>>,
    feature_enabled: bool,
    /// The same in the notation of newer servers.
    #[serde(rename = "featureEnabled")]
    is_feature_enabled: bool,
}

#[derive(Serialize)]
struct Payload<'d> {
    #[serde(rename = "type")]
    kind: &'d str,
    value: &'d str,
}

/// Evaluates all toggles, and returns those that are on.
pub(super) async fn evaluate_all(
    request: HttpRequest,
    sdk: Data<SdkApi>,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    evaluate(request, sdk, body, |resolution| resolution.is_on).await
}

/// Evaluates all toggles, and also returns those that are off.
pub(super) async fn evaluate_with_off(
    request: HttpRequest,
    sdk: Data<SdkApi>,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    evaluate(request, sdk, body, |_| true).await
}

/// Evaluates all toggles, and returns those whose results are `listed`.
async fn evaluate(
    request: HttpRequest,
    sdk: Data<SdkApi>,
    body: web::Payload,
    listed: fn(&Resolution<'_>) -> bool,
) -> Result<HttpResponse, ApiError> {
    let context = read_context(&request, body).await?;
    let (caller, tag) = (access::caller(&request)?, context.start_tag());
    let current = sdk.source.current(&caller).await?;
    let context = context.into_session()?;
    let (headers, definitions) = (current.headers(&caller.scope), current.definitions);
    let body = sdk.evaluate(&request, move |work| {
        let mut run = Run::new(&context, work);
        let mut toggles = Vec::new();
        for toggle in definitions.visible(&caller.scope) {
            let resolution = definitions.resolve(toggle, &mut run)?;
            if listed(&resolution) {
                toggles.push(ToggleResult::new(toggle, resolution));
            }
        }
        Ok(serde_json::to_vec(&ToggleResults { toggles }))
    });
    Ok(respond(&request, headers, tag, "no-cache", body.await?))
}

/// Evaluates one toggle.
pub(super) async fn evaluate_one(
    request: HttpRequest,
    name: Path<String>,
    sdk: Data<SdkApi>,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let context = read_context(&request, body).await?;
    let caller = access::caller(&request)?;
    let current = sdk.source.current(&caller).await?;
    let (headers, definitions) = (current.headers(&caller.scope), current.definitions);
    let scope = caller.scope;
    if definitions.find(&name, &scope).is_none() {
        return Err(ApiError::NotFound(format!("There is no toggle {:?} for this token", *name)));
    }
    let tag = context.start_tag();
    let context = context.into_session()?;
    let body = sdk.evaluate(&request, move |work| {
        let toggle = definitions.find(&name, &scope);
        let mut run = Run::new(&context, work);
        let resolve = |toggle| Ok(ToggleResult::new(toggle, definitions.resolve(toggle, &mut run)?));
        Ok(serde_json::to_vec(&toggle.map(resolve).transpose()?))
    });
    Ok(respond(&request, headers, tag, "no-cache", body.await?))
}

/// Counts a report of an SDK. Toggles that its token cannot see are ignored, because frontend tokens are public.
pub(super) async fn metrics(
    request: HttpRequest,
    sdk: Data<SdkApi>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let mut report = with_instance(body.0);
    let caller = access::caller(&request)?;
    let definitions = sdk.source.current(&caller).await?.definitions;
    if let Some(toggles) = report.pointer_mut("/bucket/toggles").and_then(Value::as_object_mut) {
        toggles.retain(|name, _| definitions.find(name, &caller.scope).is_some());
    }
    let client = client::from_request(&request)?;
    sdk.source.count(&caller, &report, &client.address_text()).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Registers an instance of an application.
pub(super) async fn register(
    request: HttpRequest,
    sdk: Data<SdkApi>,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let (caller, client) = (access::caller(&request)?, client::from_request(&request)?);
    sdk.source.register(&caller, &with_instance(body.0), &client.address_text()).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Responds with JSON and an entity tag, or with 304 if the client has the same. `tag` contains the context, so that a
/// response is never confirmed for another context. `headers` describe the definitions.
pub(super) fn respond(
    request: &HttpRequest,
    headers: Vec<(HeaderName, HeaderValue)>,
    tag: Sha256,
    cache_control: &'static str,
    body: Vec<u8>,
) -> HttpResponse {
    let tag = EntityTag::new_weak(tag_digits(&tag.chain_update(&body).finalize()));
    let is_known = matches_entity_tag(&if_none_match(request), &tag);
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header(ETag(tag)).insert_header((CACHE_CONTROL, cache_control));
    for header in headers {
        response.insert_header(header);
    }
    if is_known {
        return response.finish();
    }
    response.insert_header((CONTENT_TYPE, "application/json")).body(body)
}

async fn read_context(request: &HttpRequest, body: web::Payload) -> Result<RequestContext, ApiError> {
    let mut context = if *request.method() == Method::POST {
        RequestContext::from_unleash(context::read_object(body).await?)?
    } else {
        RequestContext::from_query(request.query_string())?
    };
    context.add_request(request)?;
    Ok(context)
}

fn with_instance(mut report: Value) -> Value {
    if let Some(fields) = report.as_object_mut() {
        fields.entry("instanceId").or_insert_with(|| DEFAULT_INSTANCE.into());
    }
    report
}

impl<'d> ToggleResult<'d> {
    fn new(toggle: VisibleToggle<'d>, resolution: Resolution<'d>) -> Self {
        let Resolution { is_on, variant, .. } = resolution;
        Self {
            name: toggle.toggle.name(),
            enabled: is_on,
            impression_data: toggle.properties.impression_data,
            variant: VariantResult {
                name: variant.map_or(NO_VARIANT, Variant::name),
                enabled: variant.is_some(),
                payload: variant.and_then(Variant::payload).and_then(Payload::new),
                feature_enabled: is_on,
                is_feature_enabled: is_on,
            },
        }
    }
}

impl<'d> Payload<'d> {
    fn new(payload: &'d PayloadDefinition) -> Option<Self> {
        Some(Self { kind: &payload.kind, value: payload.value.as_deref()? })
    }
}
