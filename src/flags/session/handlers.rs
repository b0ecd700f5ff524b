//! Handlers for sign-in, sign-out and the signed-in user.

use actix_web::http::header::{LOCATION, SET_COOKIE};
use actix_web::web::{Data, Json, ReqData};
use actix_web::{HttpRequest, HttpResponse};

use crate::api::{SignedOut, User};
use crate::config::Public;
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::auth::Access;
use crate::flags::auth::access::AuthorizedUser;
use crate::flags::auth::rules::{Credentials, Email};
use crate::flags::validation::RequestBody as _;
use crate::json_body::JsonBody;
use crate::api_path::EndpointClass;
use crate::middleware::{accept, client, cross_site};

pub(super) async fn sign_in_by_email(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let email = Email::parse(&body.0)?.0;
    Ok(signed_in_response(&access, access.sign_in_by_email(email, &request, &database).await?))
}

pub(super) async fn sign_in_by_password(
    access: Data<Access>,
    database: Data<Database>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let credentials = Credentials::parse(&body.0)?;
    Ok(signed_in_response(&access, access.sign_in_by_password(credentials, &request, &database).await?))
}

/// Ends the session and redirects to the console. Returns 200 if `Accept` names JSON.
///
/// Unleash signs out by GET, a method that pages of other sites may send. The cross-site check for unsafe methods
/// applies here because the request ends a session.
pub(super) async fn sign_out(
    access: Data<Access>,
    database: Data<Database>,
    public: Data<Public>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let client = client::from_request(&request)?;
    cross_site::check(&public, &client, EndpointClass::Session, request.headers())?;
    let ended = access.sign_out(&request, &database).await?;
    let mut response = if accept::lists_media_type(request.headers(), accept::JSON) {
        HttpResponse::Ok()
    } else {
        let mut redirect = HttpResponse::Found();
        redirect.insert_header((LOCATION, access.console_path()));
        redirect
    };
    for cookie in ended.set_cookies {
        response.append_header((SET_COOKIE, cookie));
    }
    Ok(response.json(SignedOut { signed_out: true }))
}

pub(super) async fn user(access: Data<Access>, user: ReqData<User>) -> Json<User> {
    Json(access.with_avatar(user.into_inner()))
}

fn signed_in_response(access: &Access, authorized: AuthorizedUser) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    if let Some(cookie) = authorized.set_cookie {
        response.insert_header((SET_COOKIE, cookie));
    }
    response.json(access.with_avatar(authorized.user))
}
