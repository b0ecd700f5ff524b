//! The author of a change.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest};

use super::Permission;
use crate::error::ApiError;
use crate::flags::events::Actor;
use crate::flags::model::User;

/// The name of an authorized user, under which a change is recorded.
#[derive(Debug, Clone)]
pub struct Author(String);

impl Author {
    /// Creates the author if the user has the permission. The name is the email, otherwise the user name.
    ///
    /// # Errors
    /// [`ApiError::Forbidden`] without the permission.
    pub fn authorize(permission: Permission, user: &User) -> Result<Self, ApiError> {
        if !user.has_permission(permission) {
            return Err(ApiError::Forbidden(permission));
        }
        Ok(Self(user.email.clone().or_else(|| user.username.clone()).unwrap_or_default()))
    }

    /// Returns the actor of a change that happens now.
    #[must_use]
    pub fn actor_now(&self) -> Actor {
        Actor::now(&self.0)
    }
}

impl FromRequest for Author {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    /// Returns the author that `guards` authorized. A route without a permission requires ADMIN.
    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let extensions = request.extensions();
        ready(match (extensions.get::<Self>(), extensions.get()) {
            (Some(author), _) => Ok(author.clone()),
            (None, Some(user)) => Self::authorize(Permission::Admin, user),
            (None, None) => Err(ApiError::Forbidden(Permission::Admin)),
        })
    }
}

#[cfg(test)]
mod tests {
    use actix_web::dev::Payload;
    use actix_web::test::TestRequest;
    use actix_web::{FromRequest as _, HttpMessage as _};

    use super::{Author, Permission};
    use crate::flags::model::User;

    #[actix_web::test]
    async fn a_route_without_a_permission_requires_admin() {
        let administrator = User { username: Some("anna".to_owned()), ..User::default() };
        let without_permissions = User { permissions: Some(Vec::new()), ..administrator.clone() };
        for (user, is_allowed) in
            [(None, false), (Some(without_permissions.clone()), false), (Some(administrator), true)]
        {
            let request = TestRequest::default().to_http_request();
            if let Some(user) = user.clone() {
                request.extensions_mut().insert(user);
            }
            let author = Author::from_request(&request, &mut Payload::None).await;
            assert_eq!(author.is_ok(), is_allowed, "{user:?}");
        }
        assert!(Author::authorize(Permission::CreateTag, &without_permissions).is_err());
    }
}
