//! In whose name a handler changes something.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest};

use super::Permission;
use crate::error::ApiError;
use crate::flags::events::Actor;
use crate::flags::model::User;

/// A user who was allowed what the route asks for.
#[derive(Debug, Clone)]
pub struct Editor(String);

impl Editor {
    /// This user if they have the permission. Changes are signed with the email, else with the user name.
    ///
    /// # Errors
    /// [`ApiError::Forbidden`].
    pub fn with(permission: Permission, user: &User) -> Result<Self, ApiError> {
        if !user.may(permission) {
            return Err(ApiError::Forbidden(permission));
        }
        Ok(Self(user.email.clone().or_else(|| user.username.clone()).unwrap_or_default()))
    }

    /// This user at this moment.
    #[must_use]
    pub fn now(&self) -> Actor {
        Actor::now(&self.0)
    }
}

impl FromRequest for Editor {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    /// Whom `gate` let pass. A route that names no permission is for administrators.
    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let extensions = request.extensions();
        ready(match (extensions.get::<Self>(), extensions.get()) {
            (Some(editor), _) => Ok(editor.clone()),
            (None, Some(user)) => Self::with(Permission::Admin, user),
            (None, None) => Err(ApiError::Forbidden(Permission::Admin)),
        })
    }
}

#[cfg(test)]
mod tests {
    use actix_web::dev::Payload;
    use actix_web::test::TestRequest;
    use actix_web::{FromRequest as _, HttpMessage as _};

    use super::{Editor, Permission};
    use crate::flags::model::User;

    #[actix_web::test]
    async fn a_route_that_names_no_permission_is_for_administrators() {
        let everything = User { username: Some("anna".to_owned()), ..User::default() };
        let nothing = User { permissions: Some(Vec::new()), ..everything.clone() };
        for (user, fine) in [(None, false), (Some(nothing.clone()), false), (Some(everything), true)] {
            let request = TestRequest::default().to_http_request();
            if let Some(user) = user.clone() {
                request.extensions_mut().insert(user);
            }
            let editor = Editor::from_request(&request, &mut Payload::None).await;
            assert_eq!(editor.is_ok(), fine, "{user:?}");
        }
        assert!(Editor::with(Permission::CreateTag, &nothing).is_err());
    }
}
