//! OpenFeature Remote Evaluation Protocol (OFREP) 0.3.0.

pub(super) mod events;
mod flag;

use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

use self::events::EventStream;
use self::flag::{Flag, FlagResult, View};
use super::context::{self, RequestContext};
use super::frontend::respond;
use super::source::Caller;
use super::{SdkApi, access};
use crate::config::{BasePath, TokenKind, TokenScope};
use crate::error::ApiError;
use crate::evaluation::Run;

/// A response is for one context, and a client must ask whether it is current.
const CACHE_CONTROL: &str = "private, no-cache";

/// All flags for a context.
#[derive(Serialize)]
struct AllFlags<'d> {
    flags: Vec<Flag<'d>>,
    metadata: NoMetadata,
    #[serde(rename = "eventStreams")]
    event_streams: &'d [EventStream; 1],
}

#[derive(Serialize)]
struct NoMetadata {}

/// An error in the format of the protocol.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Failure<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'r str>,
    error_code: &'static str,
    error_details: String,
}

/// Evaluates all flags. It never counts as usage, because an application does not use all flags.
pub(super) async fn evaluate_all(
    request: HttpRequest,
    sdk: Data<SdkApi>,
    base_path: Data<BasePath>,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let caller = access::caller(&request)?;
    let context = match read_context(&request, &caller.scope, body).await {
        Ok(context) => context,
        Err(error) => return fail(None, error),
    };
    let (current, tag) = (sdk.source.current(&caller).await?, context.start_tag());
    let context = context.into_context()?;
    let headers = current.headers(&caller.scope);
    let Caller { scope, token } = caller;
    let event_streams = [EventStream::for_token(token, &base_path)];
    let definitions = current.definitions;
    let body = sdk.evaluate(&request, move |work| {
        let mut run = Run::new(&context, work);
        let mut flags = Vec::new();
        for toggle in definitions.visible(&scope) {
            let result = FlagResult::new(&definitions, toggle, &mut run)?;
            flags.extend(View::all(toggle.toggle).iter().map(|view| result.flag(*view)));
        }
        let all = AllFlags { flags, metadata: NoMetadata {}, event_streams: &event_streams };
        Ok(serde_json::to_vec(&all))
    });
    Ok(respond(&request, headers, tag, CACHE_CONTROL, body.await?))
}

/// Evaluates one flag.
pub(super) async fn evaluate_one(
    request: HttpRequest,
    key: Path<String>,
    sdk: Data<SdkApi>,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let caller = access::caller(&request)?;
    let context = match read_context(&request, &caller.scope, body).await {
        Ok(context) => context,
        Err(error) => return fail(Some(&key), error),
    };
    let current = sdk.source.current(&caller).await?;
    let (headers, definitions) = (current.headers(&caller.scope), current.definitions);
    let scope = caller.scope;
    let Some((name, view)) = View::from_key(&key) else { return Ok(not_found(&key)) };
    if definitions.find(name, &scope).is_none() {
        return Ok(not_found(&key));
    }
    let (tag, name) = (context.start_tag(), name.to_owned());
    let context = context.into_context()?;
    let body = sdk.evaluate(&request, move |work| {
        let toggle = definitions.find(&name, &scope);
        let mut run = Run::new(&context, work);
        let result = toggle.map(|toggle| FlagResult::new(&definitions, toggle, &mut run)).transpose()?;
        Ok(serde_json::to_vec(&result.map(|result| result.flag(view))))
    });
    Ok(respond(&request, headers, tag, CACHE_CONTROL, body.await?))
}

async fn read_context(
    request: &HttpRequest,
    scope: &TokenScope,
    body: web::Payload,
) -> Result<RequestContext, ApiError> {
    let mut context = RequestContext::from_ofrep(context::read_object(body).await?)?;
    // The address of a server is not the address of the user.
    if scope.kind == TokenKind::Frontend {
        context.add_request(request)?;
    }
    Ok(context)
}

/// Converts the errors of a request's body. Other errors have the format of this program.
fn fail(key: Option<&str>, error: ApiError) -> Result<HttpResponse, ApiError> {
    let error_code = match error {
        ApiError::BadBody(_) => "PARSE_ERROR",
        ApiError::Invalid(_) => "INVALID_CONTEXT",
        error => return Err(error),
    };
    Ok(HttpResponse::BadRequest().json(Failure { key, error_code, error_details: error.to_string() }))
}

fn not_found(key: &str) -> HttpResponse {
    let error_details = format!("There is no toggle {key:?} for this token");
    HttpResponse::NotFound().json(Failure { key: Some(key), error_code: "FLAG_NOT_FOUND", error_details })
}
