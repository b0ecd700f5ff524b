//! Confirms the right of a user to use an endpoint below `/-/`, before the body of the request is read.

use std::rc::Rc;

use actix_web::http::header::{HeaderValue, SET_COOKIE};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use crate::compat::{AdministratorPurpose, Compat, VisibleProjects, Visitor};
use crate::console::evaluation::ClientId;
use crate::database::Database;
use crate::error::ApiError;
use crate::flags::auth::access::AuthorizedUser;
use crate::flags::auth::{Access, Author, Permission};

/// The right that an endpoint requires.
#[derive(Debug, Clone, Copy)]
pub(super) enum Requirement {
    /// None: the endpoint is for everybody, or confirms the user itself because it starts or ends a session.
    Nothing,
    /// A session, if users sign in here. Users of the upstream need none, also because it may not respond.
    OwnSession,
    /// A session.
    Session,
    /// The right to read earlier states: they contain toggles of projects that not every user can see.
    Reader,
    /// The right to create toggles.
    Creator,
    /// The right to update the toggle that the path or the body names ([`User::confirm_editor`]).
    Editor,
    /// The right of an administrator.
    Administrator(AdministratorPurpose),
}

/// Identifies users.
#[derive(Clone)]
pub(super) enum Gate {
    /// Users sign in here.
    Here { access: Data<Access>, database: Database },
    /// Users sign in at the upstream.
    Upstream(Rc<Compat>),
}

/// The user of a request.
pub(super) enum User {
    /// The endpoint requires no user, so that none was identified.
    Unknown,
    /// A user who has signed in here, or the operator if nobody signs in.
    Here { user: Box<AuthorizedUser>, client: ClientId },
    /// A user of the upstream.
    Upstream(Box<Visitor>),
}

impl Gate {
    /// Identifies the user of a request. A user of the upstream is not accepted yet.
    ///
    /// # Errors
    /// [`ApiError::SignIn`] without a valid session, if users sign in here.
    pub(super) async fn identify(
        &self,
        request: &HttpRequest,
        requirement: Requirement,
    ) -> Result<User, ApiError> {
        match (self, requirement) {
            (_, Requirement::Nothing) | (Self::Upstream(_), Requirement::OwnSession) => Ok(User::Unknown),
            (Self::Upstream(compat), _) => Ok(User::Upstream(Box::new(compat.identify(request).await?))),
            (Self::Here { access, database }, _) => {
                let user = Box::new(access.authenticate(request, database).await?);
                let session = access.session_hash(request).map(ClientId::User);
                let client = session.map_or_else(|| ClientId::from_request(request), Ok)?;
                Ok(User::Here { user, client })
            }
        }
    }
}

impl User {
    /// Confirms that the user meets a requirement.
    ///
    /// # Errors
    /// If the user lacks the right, or the flag service does not confirm it.
    pub(super) async fn confirm(&self, requirement: Requirement) -> Result<(), actix_web::Error> {
        match (self, requirement) {
            (Self::Here { .. }, Requirement::Administrator(_)) => self.authorize(Permission::Admin).map(drop),
            (Self::Here { .. }, Requirement::Editor) => self.authorize(Permission::UpdateFeature).map(drop),
            (Self::Here { .. }, Requirement::Creator) => self.authorize(Permission::CreateFeature).map(drop),
            (Self::Upstream(visitor), Requirement::Administrator(purpose)) => {
                visitor.verify_administrator(purpose).await
            }
            (Self::Upstream(visitor), Requirement::Reader) => visitor.verify_reader().await,
            (Self::Upstream(visitor), Requirement::Editor) => visitor.verify_holder().await,
            (Self::Upstream(visitor), _) => visitor.verify_session().await.map(drop),
            // The session of a user who signs in here is already confirmed.
            (Self::Here { .. } | Self::Unknown, _) => Ok(()),
        }
    }

    /// Confirms that the user may update the toggles of the project, or of all projects without one. Returns the name of the user.
    ///
    /// # Errors
    /// Those of [`Self::confirm`].
    pub(super) async fn confirm_editor(
        &self,
        request: &HttpRequest,
        project: Option<&str>,
    ) -> Result<String, actix_web::Error> {
        match self {
            Self::Upstream(visitor) => visitor.verify_editor(request, project).await,
            _ => Ok(self.authorize(Permission::UpdateFeature)?.name().to_owned()),
        }
    }

    /// Returns the author of a change of the embedded flag service.
    ///
    /// # Errors
    /// [`ApiError::Forbidden`] without the permission.
    pub(super) fn authorize(&self, permission: Permission) -> Result<Author, actix_web::Error> {
        match self {
            Self::Here { user, .. } => Ok(Author::authorize(permission, &user.user)?),
            _ => Err(ApiError::Forbidden(permission).into()),
        }
    }

    /// Returns the projects whose toggles the user can see.
    ///
    /// # Errors
    /// Those of [`Self::confirm`].
    pub(super) async fn visible_projects(&self) -> Result<VisibleProjects, actix_web::Error> {
        match self {
            Self::Upstream(visitor) => visitor.visible_projects().await,
            _ => Ok(VisibleProjects::All),
        }
    }

    /// Returns the user to whom limits apply.
    ///
    /// # Errors
    /// Those of [`Self::confirm`].
    pub(super) async fn client(&self, request: &HttpRequest) -> Result<ClientId, actix_web::Error> {
        match self {
            Self::Unknown => Ok(ClientId::from_request(request)?),
            Self::Here { client, .. } => Ok(*client),
            Self::Upstream(visitor) => visitor.verify_session().await,
        }
    }

    /// Adds the cookies of a session that was renewed.
    pub(super) fn add_cookies(&self, response: &mut HttpResponse) {
        match self {
            Self::Unknown => {}
            Self::Here { user, .. } => {
                let cookie = user.set_cookie.as_deref().map(HeaderValue::from_str);
                if let Some(Ok(cookie)) = cookie {
                    response.headers_mut().append(SET_COOKIE, cookie);
                }
            }
            Self::Upstream(visitor) => visitor.add_cookies(response),
        }
    }
}
