//! The user who sent a request to an endpoint of this program, as the flag service knows the user.

use actix_web::{HttpRequest, HttpResponse};
use tokio::sync::OnceCell;

use super::administrator::{self, AdministratorPurpose};
use super::caller::Caller;
use super::failure::Failure;
use super::sessions::Acceptance;
use super::user_key::UserKey;
use super::visible_projects::VisibleProjects;
use super::{Compat, CompatState, editor};
use crate::console::evaluation::ClientId;
use crate::error::ApiError;
use crate::journal::{Journal, LineKind, Notes, Person, PersonSource};

/// A user of the flag service. Each check returns the response of the flag service if the user must sign in; other errors if the user
/// lacks a right, or if the flag service does not respond and has not reported the right before.
pub(crate) struct Visitor {
    caller: Caller,
    user: UserKey,
    state: CompatState,
    /// Set by the first check.
    acceptance: OnceCell<Acceptance>,
}

impl Compat {
    /// Identifies the user who sent a request. The flag service has not accepted the user yet.
    ///
    /// # Errors
    /// If the address of the client is not known.
    pub(crate) async fn identify(&self, request: &HttpRequest) -> Result<Visitor, ApiError> {
        let caller = Caller::new(&self.proxy, request)?;
        let user = self.state.detection.user_of(&caller).await;
        Ok(Visitor { caller, user, state: self.state.clone(), acceptance: OnceCell::new() })
    }

    /// Notes the user of a request for the journal, if the request has a line there.
    pub(crate) async fn note_person(&self, request: &HttpRequest, journal: Option<&Journal>) {
        // The user before a sign-in is somebody else.
        let has_line =
            Notes::from_request(request).is_some_and(|notes| notes.kind() != Some(LineKind::SignIn));
        if journal.is_some()
            && has_line
            && let Ok(visitor) = self.identify(request).await
        {
            visitor.note_person(request, journal).await;
        }
    }
}

impl Visitor {
    /// Returns the acceptance of the user. All checks of a request use the same, so that they ask a flag service that does not respond
    /// only once.
    async fn acceptance(&self) -> Result<&Acceptance, Failure> {
        let verify = || self.state.caches.sessions.verify_profile(&self.caller, self.user);
        self.acceptance.get_or_try_init(verify).await
    }

    /// Verifies that the user is signed in, unless the flag service requires no sign-in. Returns the user to whom limits apply.
    pub(crate) async fn verify_session(&self) -> Result<ClientId, actix_web::Error> {
        Ok(self.acceptance().await?.owner())
    }

    /// Verifies that the user may read the records of toggles.
    pub(crate) async fn verify_reader(&self) -> Result<(), actix_web::Error> {
        Ok(administrator::verify_reader(self.acceptance().await?)?)
    }

    /// Verifies that the flag service accepts the user, who wants to hold or release a toggle.
    pub(crate) async fn verify_holder(&self) -> Result<(), actix_web::Error> {
        Ok(editor::replace_outage(self.acceptance().await).map(drop)?)
    }

    /// Verifies that the user may update the toggles of the project, or of all projects without one. Returns the name of the user,
    /// which is empty if the flag service requires no sign-in, and notes it for the journal.
    pub(crate) async fn verify_editor(
        &self,
        request: &HttpRequest,
        project: Option<&str>,
    ) -> Result<String, actix_web::Error> {
        let name = editor::verify(&self.state.caches.sessions, &self.caller, self.user, project).await?;
        if let (Some(notes), false) = (Notes::from_request(request), name.is_empty()) {
            let (iss, sub) = (Some(self.caller.server()), Some(name.clone()));
            notes.set_person(Person { iss, sub, name: None, known: PersonSource::Upstream });
        }
        Ok(name)
    }

    /// Verifies that the user is an administrator of the flag service.
    pub(crate) async fn verify_administrator(
        &self,
        purpose: AdministratorPurpose,
    ) -> Result<(), actix_web::Error> {
        Ok(administrator::verify(&self.caller, purpose).await?)
    }

    /// Returns the projects whose toggles the user can see.
    pub(crate) async fn visible_projects(&self) -> Result<VisibleProjects, actix_web::Error> {
        let CompatState { detection, fixed, .. } = &self.state;
        let acceptance = self.acceptance().await?;
        Ok(VisibleProjects::find(acceptance, detection, fixed, &self.caller, self.user).await)
    }

    /// Notes the user for the journal, if the request has a line there.
    pub(crate) async fn note_person(&self, request: &HttpRequest, journal: Option<&Journal>) {
        let (Some(journal), Some(notes)) = (journal, Notes::from_request(request)) else { return };
        notes.set_person(self.state.caches.persons.find(&self.caller, self.user, journal).await);
    }

    /// Passes on the session that the flag service has renewed.
    pub(crate) fn add_cookies(&self, response: &mut HttpResponse) {
        self.caller.add_cookies(response);
    }
}
