//! Signing in and out.

use actix_web::http::header::SET_COOKIE;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::body::JsonBody;
use crate::error::ApiError;
use crate::flags::auth::Access;
use crate::flags::auth::access::Admitted;
use crate::flags::model::SignedOut;
use crate::flags::{Flags, rules};

pub(in crate::flags) async fn by_email(
    access: Data<Access>,
    flags: Data<Flags>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let email = rules::email(&body.0)?;
    Ok(welcome(access.sign_in_by_email(email, &request, &flags).await?))
}

pub(in crate::flags) async fn by_password(
    access: Data<Access>,
    flags: Data<Flags>,
    request: HttpRequest,
    body: JsonBody,
) -> Result<HttpResponse, ApiError> {
    let credentials = rules::credentials(&body.0)?;
    Ok(welcome(access.sign_in_by_password(credentials, &request, &flags).await?))
}

/// By a GET, as this API has it: the worst that another site can do with it is to sign somebody out.
pub(in crate::flags) async fn out(
    access: Data<Access>,
    flags: Data<Flags>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let cookie = access.sign_out(&request, &flags).await?;
    Ok(HttpResponse::Ok().insert_header((SET_COOKIE, cookie)).json(SignedOut { signed_out: true }))
}

fn welcome(admitted: Admitted) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    if let Some(cookie) = admitted.set_cookie {
        response.insert_header((SET_COOKIE, cookie));
    }
    response.json(admitted.user)
}
