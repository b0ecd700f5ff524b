//! The author of a change.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{EntityTag, IfMatch};
use actix_web::{FromRequest, HttpMessage as _, HttpRequest};

use super::Permission;
use crate::api::User;
use crate::error::{ApiError, FailedCondition};
use crate::flags::events::Actor;
use crate::journal::Notes;
use crate::journal::notes::RecordedEvents;
use crate::negotiation::{if_match, matches_strong_tag};

/// The name of an authorized user, under which a change is recorded.
#[derive(Debug, Clone)]
pub struct Author {
    name: String,
    /// Receives the events of the change, for the journal.
    recorded: Option<RecordedEvents>,
}

impl Author {
    /// Creates the author if the user has the permission. The name is the email, otherwise the user name.
    pub(crate) fn authorize(permission: Permission, user: &User) -> Result<Self, ApiError> {
        if !user.has_permission(permission) {
            return Err(ApiError::Forbidden(permission));
        }
        let name = user.recorded_name().unwrap_or_default().to_owned();
        Ok(Self { name, recorded: None })
    }

    /// Adds the events of the change to the line of the request in the journal.
    #[must_use]
    pub(crate) fn recorded_for(self, request: &HttpRequest) -> Self {
        let recorded = Notes::from_request(request).map(|notes| notes.events().clone());
        Self { recorded, ..self }
    }

    /// Returns the name, under which changes are recorded.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the actor of a change that happens now.
    #[must_use]
    pub fn actor_now(&self) -> Actor {
        Actor::now(&self.name).with_recorded_events(self.recorded.clone())
    }
}

impl FromRequest for Author {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(find_author(request).map(|author| author.recorded_for(request)))
    }
}

/// Returns the author that `guards` authorized. A route without a permission requires ADMIN.
fn find_author(request: &HttpRequest) -> Result<Author, ApiError> {
    let extensions = request.extensions();
    match (extensions.get::<Author>(), extensions.get()) {
        (Some(author), _) => Ok(author.clone()),
        (None, Some(user)) => Author::authorize(Permission::Admin, user),
        (None, None) => Err(ApiError::Forbidden(Permission::Admin)),
    }
}

/// The author of a change of one item, and the condition `If-Match` of the change
/// ([RFC 9110, section 13.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1)).
///
/// Its actor can only be obtained by checking the condition.
#[derive(Debug, Clone)]
pub struct ConditionalAuthor {
    author: Author,
    condition: Option<IfMatch>,
}

impl ConditionalAuthor {
    /// Returns the actor of a change that happens now, if the condition holds. `read_tag` returns the entity tag of the stored
    /// item in the transaction of the change, so that no other change can follow the comparison. It is called only if there is
    /// a condition.
    ///
    /// # Errors
    /// [`ApiError::PreconditionFailed`] if the condition does not hold, or the errors of `read_tag`.
    pub(crate) fn actor_if_match(
        &self,
        read_tag: impl FnOnce() -> Result<EntityTag, ApiError>,
    ) -> Result<Actor, ApiError> {
        let Some(condition) = &self.condition else { return Ok(self.author.actor_now()) };
        if matches_strong_tag(condition, &read_tag()?) {
            return Ok(self.author.actor_now());
        }
        let can_match = matches!(condition, IfMatch::Items(tags) if tags.iter().any(|tag| !tag.weak));
        let reason = if can_match { FailedCondition::Changed } else { FailedCondition::NoStrongTag };
        Err(ApiError::PreconditionFailed(reason))
    }
}

impl FromRequest for ConditionalAuthor {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(
            find_author(request)
                .map(|author| Self { author: author.recorded_for(request), condition: if_match(request) }),
        )
    }
}

#[cfg(test)]
mod tests {
    use actix_web::dev::Payload;
    use actix_web::test::TestRequest;
    use actix_web::{FromRequest as _, HttpMessage as _};

    use super::{Author, Permission};
    use crate::api::User;

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
