//! Handlers that need the identity provider and the sessions of this program: sign-in by OpenID Connect, and sign-out.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{LOCATION, RETRY_AFTER, SET_COOKIE};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, ResponseError as _};
use tokio::time::timeout;

use super::UpstreamAccess;
use crate::config::BasePath;
use crate::console_api::LoggedOut;
use crate::database::Database;
use crate::error::{ApiError, StorageFault};
use crate::flags::auth::{Access, EndedSession, ProviderSignIn, ProviderUser};
use crate::journal::{LineKind, Notes};
use crate::middleware::{accept, client};
use crate::proxy::Proxy;
use crate::sign_in::{Finished, Identity, Refusal, Refused, SignIn, refusal_page};

/// Sends the browser to the identity provider.
pub(crate) async fn start(
    sign_in: Arc<SignIn>,
    request: HttpRequest,
    base_path: Data<BasePath>,
) -> Result<HttpResponse, ApiError> {
    match sign_in.start(&request).await {
        Ok(response) => Ok(response),
        Err(refused) => refuse(refused, &request, &base_path),
    }
}

/// Ends the sign-in: starts a session, and returns the browser to the page where it started.
pub(crate) async fn finish(
    sign_in: Arc<SignIn>,
    request: HttpRequest,
    base_path: Data<BasePath>,
    access: Data<Access>,
    database: Data<Database>,
) -> Result<HttpResponse, ApiError> {
    let notes = Notes::from_request(&request);
    let note_sign_in = || {
        if let Some(notes) = &notes {
            notes.set_session_change(LineKind::SignIn);
        }
    };
    note_sign_in();
    let limit = DatabaseLimit { time: sign_in.database_timeout(), is_shared: database.is_shared() };
    if let Err(error) = limit.apply(access.acquire_provider_sign_in(&request, &database)).await {
        if error.status_code() != StatusCode::TOO_MANY_REQUESTS {
            return Err(error);
        }
        let refused = Refusal::TooManyAttempts.because(error.to_string());
        let mut response = refuse(refused, &request, &base_path).unwrap_or_else(HttpResponse::from_error);
        if let Some(delay) = error.error_response().headers().get(RETRY_AFTER) {
            response.headers_mut().insert(RETRY_AFTER, delay.clone());
        }
        return Ok(response);
    }
    let callback = sign_in.finish(&request).await;
    if callback.outcome.is_ok() {
        drop(timeout(limit.time, access.record_provider_success(&request, &database)).await);
    }
    let mut cookies: Vec<_> = callback.cookie.iter().map(ToString::to_string).collect();
    let mut response = HttpResponse::SeeOther();
    response.insert_header((LOCATION, callback.location));
    let mut refused = None;
    match callback.outcome {
        Ok(Finished::SignedIn(identity)) => {
            let user = to_provider_user(identity.clone());
            let started = access.sign_in_by_provider(user, callback.is_silent, &request, &database);
            match limit.apply(started).await? {
                ProviderSignIn::Started(started) => cookies.extend(started),
                // Only the user may sign in again.
                ProviderSignIn::Revoked => {
                    cookies.extend(limit.apply(access.sign_out(&request, &database)).await?.set_cookies);
                }
                ProviderSignIn::Disabled => {
                    let reason = format!("the account of the subject {} is disabled", identity.subject);
                    let because = Refusal::AccountDisabled.because(reason);
                    refused = Some(Refused { identity: Some(Box::new(identity)), ..because });
                }
            }
        }
        Ok(Finished::NeedsUser) => {
            match limit.apply(access.authenticate(&request, &database)).await {
                // A link of another site has started the sign-in: the console renews only sessions that are no longer valid.
                Ok(authorized) => {
                    cookies.extend(authorized.set_cookie);
                    if let Some(notes) = &notes {
                        notes.clear_session_change();
                    }
                }
                // The user has signed out at the provider, or must answer a question there.
                Err(ApiError::SignIn(_)) => {
                    cookies.extend(limit.apply(access.sign_out(&request, &database)).await?.set_cookies);
                }
                Err(error) => return Err(error),
            }
        }
        Err(error) => refused = Some(error),
    }
    if let Some(mut refused) = refused {
        if refused.refusal.ends_session() {
            cookies.extend(limit.apply(access.sign_out(&request, &database)).await?.set_cookies);
            // Ending the session is the consequence of a refused sign-in.
            note_sign_in();
        }
        if let Some(identity) = refused.identity.take() {
            Access::note_refused_user(&request, to_provider_user(*identity));
        }
        let mut response = refuse(refused, &request, &base_path).unwrap_or_else(HttpResponse::from_error);
        for cookie in cookies {
            let value = cookie.try_into().map_err(ApiError::internal)?;
            response.headers_mut().append(SET_COOKIE, value);
        }
        return Ok(response);
    }
    Ok(add_cookies(&mut response, cookies).finish())
}

/// Ends the session of the user, and returns the URL that ends the session at the identity provider.
pub(crate) async fn sign_out(
    sign_in: Option<Arc<SignIn>>,
    request: HttpRequest,
    access: Data<Access>,
    database: Data<Database>,
) -> Result<HttpResponse, ApiError> {
    let ended = access.sign_out(&request, &database).await?;
    signed_out(sign_in.as_ref(), &request, ended).await
}

async fn signed_out(
    sign_in: Option<&Arc<SignIn>>,
    request: &HttpRequest,
    ended: EndedSession,
) -> Result<HttpResponse, ApiError> {
    let (mut cookies, mut location) = (ended.set_cookies, None);
    if let Some(sign_in) = sign_in {
        cookies.extend(sign_in.cancel_all(request).iter().map(ToString::to_string));
        if ended.was_by_provider {
            location = sign_in.sign_out_url().await;
        }
    }
    Ok(add_cookies(&mut HttpResponse::Ok(), cookies).json(LoggedOut { location }))
}

/// Ends the session of the user here and at the upstream, and returns the URL that ends the session at the identity provider.
pub(crate) async fn sign_out_of_upstream(
    upstream: &UpstreamAccess,
    proxy: &Proxy,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let ended = upstream.access.sign_out(request, &upstream.database).await?;
    upstream.end_upstream_session(ended.email.as_deref(), proxy, request).await;
    signed_out(Some(&upstream.sign_in), request, ended).await
}

/// Limits the uses of the database.
struct DatabaseLimit {
    /// Maximum time of each use.
    time: Duration,
    /// True if several processes use the database.
    is_shared: bool,
}

impl DatabaseLimit {
    async fn apply<T>(&self, work: impl Future<Output = Result<T, ApiError>>) -> Result<T, ApiError> {
        let fault = if self.is_shared { StorageFault::Unreachable } else { StorageFault::Busy };
        timeout(self.time, work).await.unwrap_or(Err(ApiError::Storage(fault)))
    }
}

/// Logs a refusal. Browsers get a page, and programs an error.
fn refuse(refused: Refused, request: &HttpRequest, base_path: &BasePath) -> Result<HttpResponse, ApiError> {
    let address = client::from_request(request)?.address;
    tracing::warn!(code = refused.refusal.code(), reason = refused.reason, %address, "sign-in refused");
    if accept::lists_media_type(request.headers(), accept::HTML) {
        return Ok(refusal_page(refused, base_path.as_str()));
    }
    Err(refused.into())
}

fn to_provider_user(Identity { issuer, subject, name, email, groups }: Identity) -> ProviderUser {
    ProviderUser { issuer, subject, name, email, groups }
}

fn add_cookies(response: &mut HttpResponseBuilder, cookies: Vec<String>) -> &mut HttpResponseBuilder {
    for cookie in cookies {
        response.append_header((SET_COOKIE, cookie));
    }
    response
}
