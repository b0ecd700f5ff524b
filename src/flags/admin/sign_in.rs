//! Signing in and out.

use actix_web::http::header::{LOCATION, SET_COOKIE};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::body::JsonBody;
use crate::config::Public;
use crate::error::ApiError;
use crate::flags::auth::Access;
use crate::flags::auth::access::Admitted;
use crate::flags::model::SignedOut;
use crate::flags::{Flags, rules};
use crate::middleware::endpoint_class::EndpointClass;
use crate::middleware::{accept, client, cross_site};

pub(in crate::flags) async fn by_email(
    access: Data<Access>,
    flags: Data<Flags>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let email = rules::email(&body.0)?;
    Ok(welcome(&access, access.sign_in_by_email(email, &request, &flags).await?))
}

pub(in crate::flags) async fn by_password(
    access: Data<Access>,
    flags: Data<Flags>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let credentials = rules::credentials(&body.0)?;
    Ok(welcome(&access, access.sign_in_by_password(credentials, &request, &flags).await?))
}

/// Signs out by GET, as servers of this API do, and redirects to the console. Clients that ask for JSON get 200.
///
/// GET is a safe method, which pages of other sites may send. Here it ends a session, so that the rule for unsafe
/// methods applies: browsers tell by `Sec-Fetch-Site` which site a request comes from.
pub(in crate::flags) async fn out(
    access: Data<Access>,
    flags: Data<Flags>,
    public: Data<Public>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    cross_site::check(&public, &client::from_request(&request), EndpointClass::Session, request.headers())?;
    let cookie = access.sign_out(&request, &flags).await?;
    let mut response = if accept::lists_media_type(request.headers(), accept::JSON) {
        HttpResponse::Ok()
    } else {
        let mut redirect = HttpResponse::Found();
        redirect.insert_header((LOCATION, access.console_path()));
        redirect
    };
    Ok(response.insert_header((SET_COOKIE, cookie)).json(SignedOut { signed_out: true }))
}

fn welcome(access: &Access, admitted: Admitted) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    if let Some(cookie) = admitted.set_cookie {
        response.insert_header((SET_COOKIE, cookie));
    }
    response.json(access.with_avatar(admitted.user))
}
