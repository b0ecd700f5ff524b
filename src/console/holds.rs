//! Holds of toggles for SDKs: their list, the effect of a new one, and their changes. The routes and the listener for monitoring
//! check who sends a request.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::Value;

use crate::error::{ApiError, DomainError};
use crate::hold::{self, HeldCopy, HoldDraft, HoldPreview, Holds, NewHold, ReleasedHolds};
use crate::journal::{Item, Notes};

/// Project of toggles of servers that send none.
const DEFAULT_PROJECT: &str = "default";

/// The holds, and the toggles that SDKs get from this process.
pub(crate) struct HoldTarget<'h> {
    /// The holds.
    pub(crate) holds: &'h Holds,
    /// The toggles of each token.
    pub(crate) copies: Vec<HeldCopy>,
    /// True if requests of browsers are forwarded to the flag service.
    pub(crate) forwards_browsers: bool,
}

#[derive(Deserialize)]
struct ToggleProject {
    project: Option<String>,
}

impl HoldTarget<'_> {
    /// Returns the effect that a hold would have.
    fn preview(&self, toggle: &str, environment: Option<&str>) -> HoldPreview {
        let preview = hold::preview(toggle, environment, &self.copies);
        HoldPreview { forwards_browsers: self.forwards_browsers, ..preview }
    }

    /// Holds a toggle for a person.
    pub(crate) async fn create(&self, draft: HoldDraft, person: &str) -> Result<NewHold, ApiError> {
        let mut new = self.holds.create(draft, person, &self.copies).await?;
        new.effect.forwards_browsers = self.forwards_browsers;
        Ok(new)
    }

    /// Returns the project of a toggle, for permissions; `None` if no SDK gets the toggle, so that its project is not known.
    pub(crate) fn project_of(&self, toggle: &str) -> Option<String> {
        let found = self.copies.iter().find_map(|copy| hold::find_toggle(&copy.body, toggle))?;
        let project = serde_json::from_str::<ToggleProject>(found).ok()?.project;
        Some(project.unwrap_or_else(|| DEFAULT_PROJECT.to_owned()))
    }
}

/// Responds with the holds.
pub(crate) fn list(holds: &Holds) -> HttpResponse {
    HttpResponse::Ok().json(holds.list())
}

/// Responds with the effect that a hold would have.
pub(crate) fn preview(target: &HoldTarget<'_>, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(target.preview(&toggle_of(request)?, environment_of(request).as_deref())))
}

/// Reads the body of a request for a hold.
pub(crate) fn parse_draft(body: Value) -> Result<HoldDraft, ApiError> {
    if !body.is_object() {
        let message = "The hold must be an object with the properties toggle and reason".to_owned();
        return Err(ApiError::invalid("hold", message));
    }
    serde_json::from_value(body)
        .map_err(|cause| ApiError::invalid("hold", format!("The hold is not valid: {cause}")))
}

/// Holds a toggle, notes that in the journal, and responds with the hold and its effect.
pub(crate) async fn create(
    target: &HoldTarget<'_>,
    request: &HttpRequest,
    draft: HoldDraft,
    person: &str,
) -> Result<HttpResponse, ApiError> {
    let new = target.create(HoldDraft { person: None, ..draft }, person).await?;
    note(request, || describe_new(&new));
    Ok(HttpResponse::Created().json(new))
}

/// Ends the holds of the toggle in the path.
pub(crate) async fn release(
    holds: &Holds,
    request: &HttpRequest,
    person: &str,
) -> Result<HttpResponse, ApiError> {
    let (toggle, released) = release_toggle(holds, request, person).await?;
    note(request, || describe_release(&toggle));
    Ok(HttpResponse::Ok().json(released))
}

/// Ends the holds of the toggle in the path. Returns its name.
pub(crate) async fn release_toggle(
    holds: &Holds,
    request: &HttpRequest,
    person: &str,
) -> Result<(String, ReleasedHolds), ApiError> {
    let toggle = toggle_of(request)?;
    match holds.release(&toggle, environment_of(request).as_deref(), person).await {
        0 => Err(ApiError::NotFound(format!(
            "The toggle {toggle:?} is not held; it may have been released already"
        ))),
        released => Ok((toggle, ReleasedHolds { released: u32::try_from(released).unwrap_or(u32::MAX) })),
    }
}

/// Returns the item and the words of a new hold, for the journal.
pub(crate) fn describe_new(new: &NewHold) -> (Item, String) {
    let hold = &new.hold;
    let environment = hold.environment.as_ref().map(|name| format!(" of {name}")).unwrap_or_default();
    let state = hold.at.as_ref().map_or_else(|| "off".to_owned(), |at| format!("as of {at}"));
    let words = format!(
        "hold the toggle {} {state} for SDKs{environment} until {}: {}",
        hold.toggle, hold.expires, hold.reason
    );
    (item(&hold.toggle), words)
}

/// Returns the item and the words of a release, for the journal.
pub(crate) fn describe_release(toggle: &str) -> (Item, String) {
    (item(toggle), format!("release the hold of the toggle {toggle}"))
}

/// Notes a change for the journal, if there is one.
fn note(request: &HttpRequest, describe: impl FnOnce() -> (Item, String)) {
    if let Some(notes) = Notes::from_request(request) {
        let (item, words) = describe();
        notes.events().add_unrecorded(item, words);
    }
}

fn item(toggle: &str) -> Item {
    Item { kind: "toggle".to_owned(), name: toggle.to_owned() }
}

/// Returns the error of a program whose SDKs get toggles from elsewhere.
pub(crate) fn unavailable() -> ApiError {
    let message = "Toggles cannot be held, because SDKs get them from the flag service and not from Flagdeck. Set replica, and start Flagdeck again";
    DomainError::new("no_replica", StatusCode::NOT_FOUND, message).into()
}

/// Returns the name of the toggle in the path, decoded.
pub(crate) fn toggle_of(request: &HttpRequest) -> Result<String, ApiError> {
    let name = request.match_info().query("name");
    let name = percent_decode_str(name)
        .decode_utf8()
        .map_err(|_cause| ApiError::UnknownPath(request.path().to_owned()))?;
    Ok(name.into_owned())
}

fn environment_of(request: &HttpRequest) -> Option<String> {
    let query = url::form_urlencoded::parse(request.query_string().as_bytes());
    query.into_iter().find(|(key, _)| key == "environment").map(|(_, value)| value.into_owned())
}
