//! Holds of toggles for SDKs: their list, the effect of a new one, and their changes. The routes and the listener for monitoring
//! check who sends a request.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::rt::task::spawn_blocking;
use actix_web::{HttpRequest, HttpResponse};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::config::DEFAULT_PROJECT;
use crate::error::{ApiError, DomainError};
use crate::hold::{self, HeldCopy, Hold, HoldDraft, HoldPreview, Holds, NewHold, ReleasedHolds, words};
use crate::journal::{Attempt, Item, Notes};

/// The holds, and the toggles that SDKs get from this process.
pub(crate) struct HoldTarget<'h> {
    /// The holds.
    pub(crate) holds: &'h Holds,
    /// The toggles of each token.
    pub(crate) copies: Arc<[HeldCopy]>,
    /// True if requests of browsers are forwarded to the flag service.
    pub(crate) forwards_browsers: bool,
}

#[derive(Deserialize)]
struct ToggleProject {
    project: Option<String>,
}

impl HoldTarget<'_> {
    /// Returns the effect that a hold would have.
    async fn preview(&self, toggle: &str, environment: Option<&str>) -> Result<HoldPreview, ApiError> {
        let preview = hold::preview(toggle, environment, &self.copies).await?;
        Ok(HoldPreview { forwards_browsers: self.forwards_browsers, ..preview })
    }

    /// Makes a hold active.
    async fn create(&self, hold: Hold) -> Result<NewHold, ApiError> {
        let mut new = self.holds.create(hold, &self.copies).await?;
        new.effect.forwards_browsers = self.forwards_browsers;
        Ok(new)
    }

    /// Returns the project of a toggle, for permissions; `None` if no SDK gets the toggle, so that its project is not known.
    pub(crate) async fn project_of(&self, toggle: &str) -> Result<Option<String>, ApiError> {
        Ok(self.projects_of(BTreeSet::from([toggle.to_owned()])).await?.remove(toggle))
    }

    /// Returns the projects of these toggles, by name. It has no entry for a toggle that no SDK gets.
    async fn projects_of(&self, toggles: BTreeSet<String>) -> Result<BTreeMap<String, String>, ApiError> {
        let copies = Arc::clone(&self.copies);
        let find = move || {
            let mut projects = BTreeMap::new();
            for copy in copies.iter() {
                let missing = |name: &str| toggles.contains(name) && !projects.contains_key(name);
                let found: Vec<_> = hold::find_toggles(&copy.body, missing)
                    .into_iter()
                    .filter_map(|(name, toggle)| Some((name, project_of(toggle)?)))
                    .collect();
                projects.extend(found);
            }
            projects
        };
        spawn_blocking(find).await.map_err(ApiError::internal)
    }
}

/// Responds with the holds.
pub(crate) fn list(holds: &Holds) -> HttpResponse {
    HttpResponse::Ok().json(holds.list())
}

/// Responds with the holds of toggles in the projects that the user can see.
pub(crate) async fn list_visible(
    target: &HoldTarget<'_>,
    is_visible: impl Fn(Option<&str>) -> bool,
) -> Result<HttpResponse, ApiError> {
    let mut list = target.holds.list();
    let held = list.holds.iter().map(|hold| &hold.toggle);
    let names = held.chain(list.ended.iter().map(|hold| &hold.toggle)).cloned().collect();
    let projects = target.projects_of(names).await?;
    let is_visible = |toggle: &str| is_visible(projects.get(toggle).map(String::as_str));
    list.holds.retain(|hold| is_visible(&hold.toggle));
    list.ended.retain(|hold| is_visible(&hold.toggle));
    Ok(HttpResponse::Ok().json(list))
}

/// Responds with the effect that a hold would have.
pub(crate) async fn preview(
    target: &HoldTarget<'_>,
    request: &HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let preview = target.preview(&toggle_of(request)?, environment_of(request).as_deref()).await?;
    Ok(HttpResponse::Ok().json(preview))
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

/// Holds a toggle, notes that in the journal, and responds with the hold and its effect. The journal also names a hold that was
/// refused, or whose client has disconnected.
pub(crate) async fn create(
    target: &HoldTarget<'_>,
    request: &HttpRequest,
    draft: HoldDraft,
    person: &str,
) -> Result<HttpResponse, ApiError> {
    let hold = target.holds.prepare(draft, person)?;
    let (item, words) = describe_hold(&hold);
    note_attempt(request, &item, &words);
    let new = target.create(hold).await?;
    note(request, item, words);
    Ok(HttpResponse::Created().json(new))
}

/// Ends the holds of the toggle in the path.
pub(crate) async fn release(
    holds: &Holds,
    request: &HttpRequest,
    person: &str,
) -> Result<HttpResponse, ApiError> {
    let toggle = toggle_of(request)?;
    let (item, words) = describe_release(&toggle);
    note_attempt(request, &item, &words);
    let released = end_holds(holds, &toggle, environment_of(request).as_deref(), person).await?;
    note(request, item, words);
    Ok(HttpResponse::Ok().json(released))
}

async fn end_holds(
    holds: &Holds,
    toggle: &str,
    environment: Option<&str>,
    person: &str,
) -> Result<ReleasedHolds, ApiError> {
    match holds.release(toggle, environment, person).await {
        0 if environment.is_some() && is_held_everywhere(holds, toggle) => Err(ApiError::NotFound(format!(
            "The toggle {toggle:?} is held for all environments; leave out the environment"
        ))),
        0 => Err(ApiError::NotFound(format!(
            "The toggle {toggle:?} is not held; it may have been released already"
        ))),
        released => Ok(ReleasedHolds {
            released: u32::try_from(released).unwrap_or(u32::MAX),
            storage_fault: holds.storage_fault(),
        }),
    }
}

fn is_held_everywhere(holds: &Holds, toggle: &str) -> bool {
    holds.list().holds.iter().any(|hold| hold.toggle == toggle && hold.environment.is_none())
}

/// Returns the item and the words of a hold, for the journal.
fn describe_hold(hold: &Hold) -> (Item, String) {
    (item(&hold.toggle), words::describe_request(hold))
}

/// Returns the item and the words of a release, for the journal.
fn describe_release(toggle: &str) -> (Item, String) {
    (item(toggle), format!("release the hold of the toggle {toggle}"))
}

/// Notes what a request attempts, for a line in the journal with another status than success.
fn note_attempt(request: &HttpRequest, item: &Item, words: &str) {
    if let Some(notes) = Notes::from_request(request) {
        notes.set_attempt(Attempt { item: item.clone(), words: words.to_owned() });
    }
}

/// Notes a change for the journal, if there is one.
fn note(request: &HttpRequest, item: Item, words: String) {
    if let Some(notes) = Notes::from_request(request) {
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

/// Returns the project of a toggle of a list; `None` if the list has another format.
pub(super) fn project_of(toggle: &RawValue) -> Option<String> {
    let project = serde_json::from_str::<ToggleProject>(toggle.get()).ok()?.project;
    Some(project.unwrap_or_else(|| DEFAULT_PROJECT.to_owned()))
}

/// Returns the environment in the query.
pub(super) fn environment_of(request: &HttpRequest) -> Option<String> {
    let query = url::form_urlencoded::parse(request.query_string().as_bytes());
    query.into_iter().find(|(key, _)| key == "environment").map(|(_, value)| value.into_owned())
}
