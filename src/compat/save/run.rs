//! Sends the requests of a save, one after the other.

use std::cell::RefCell;

use actix_web::http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use super::plan::Step;
use super::strategies::{Position, StrategyChange};
use crate::compat::confirmation::Confirmation;
use crate::compat::failure::{Failure, toggle_changed};
use crate::compat::reply::Reply;
use crate::compat::{Call, encode, toggle};
use crate::error::{ApiError, DomainError};

/// First version that accepts tests in a JSON Patch. They narrow the time in which a change of another client is
/// overwritten.
const FIRST_WITH_TESTS: u32 = 8;

/// Part of the message of a server when a test in a patch fails.
const TEST_FAILED: &str = "TEST_OPERATION_FAILED";

/// A save that is running.
struct Run<'a> {
    call: &'a Call,
    name: &'a str,
    /// Path of the toggle.
    toggle: &'a str,
    environment: &'a str,
    /// Ids of the created strategies.
    created: Vec<String>,
    /// The last request, such as `POST /api/admin/projects/default/features/shop.pay/environments/production/on`.
    request: RefCell<String>,
}

/// Sends the requests of a save. `path` is the path of the toggle. `stored` is the number of requests of this save that succeeded before.
///
/// # Errors
/// The server's refusal if nothing is stored; otherwise an error with the stored state. Nothing is taken back, because that
/// could fail as well.
pub(super) async fn run(
    call: &Call,
    name: &str,
    path: &str,
    steps: &[Step],
    stored: usize,
) -> Result<(), Failure> {
    let (environment, created, request) = (call.environment()?, Vec::new(), RefCell::default());
    let mut run = Run { call, name, toggle: path, environment, created, request };
    for (done, step) in (stored..).zip(steps) {
        if let Err(failure) = run.send(step).await {
            return Err(if done == 0 {
                failure
            } else {
                half_saved(&run, &failure, done, stored + steps.len()).await
            });
        }
    }
    Ok(())
}

/// Returns the error of a save whose first `done` of `of` requests are stored.
async fn half_saved(run: &Run<'_>, failure: &Failure, done: usize, of: usize) -> Failure {
    let Run { call, name, request, .. } = run;
    let toggle = toggle::fetch(call, name).await.map_or(Value::Null, |(_, toggle)| Value::Object(toggle));
    // A client that gets a 401 signs in and repeats the save.
    let is_of_client = failure.status().is_client_error() && !failure.has_status(401);
    let status = if is_of_client { failure.status() } else { StatusCode::BAD_GATEWAY };
    let refused = failure.message();
    let message = format!(
        "The change is stored in part, with {done} of {of} requests. Then the flag service refused {}: {refused}",
        request.borrow()
    );
    let error = DomainError::new("half_saved", status, message).with_field("done", done).with_field("of", of);
    ApiError::from(error.with_field("refused", refused).with_field("toggle", toggle)).into()
}

/// The part of a created strategy that a save needs.
#[derive(Deserialize)]
struct Created {
    id: String,
}

impl Run<'_> {
    async fn send(&mut self, step: &Step) -> Result<(), Failure> {
        let strategies = self.path("strategies");
        match step {
            Step::Metadata(patch) => self.save_metadata(patch).await,
            Step::Strategy(StrategyChange::Replace { id, body }) => {
                let path = format!("{strategies}/{}", encode(id));
                self.request(Method::PUT, &path, Some(&json!(body))).await
            }
            Step::Strategy(StrategyChange::Create { body }) => {
                let reply = self.request(Method::POST, &strategies, Some(&json!(body))).await?;
                self.created.push(reply.parse::<Created>(&strategies)?.id);
                return Ok(());
            }
            Step::Strategy(StrategyChange::Delete { id }) => {
                self.request(Method::DELETE, &format!("{strategies}/{}", encode(id)), None).await
            }
            Step::Order(order) => {
                let path = format!("{strategies}/set-sort-order");
                self.request(Method::POST, &path, Some(&self.sort_order(order))).await
            }
            Step::Variants(variants) => self.save_variants(variants).await,
            Step::Parent(parent) => {
                self.request(Method::POST, &format!("{}/dependencies", self.toggle), Some(parent)).await
            }
            Step::NoParent => {
                self.request(Method::DELETE, &format!("{}/dependencies", self.toggle), None).await
            }
            Step::Tag(tag) => {
                let path = format!("/features/{}/tags", encode(self.name));
                self.request(Method::POST, &path, Some(tag)).await
            }
            Step::On(strategies) => {
                self.request(Method::POST, &self.path(strategies.switch_on()), None).await
            }
            Step::Off => self.request(Method::POST, &self.path("off"), None).await,
        }
        .map(drop)
    }

    async fn request(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Reply, Failure> {
        self.request.replace(format!("{method} /api/admin{path}"));
        self.call.caller.request(method, path, body).await
    }

    /// Returns a path below the path of the toggle's state in the environment.
    fn path(&self, rest: &str) -> String {
        format!("{}/environments/{}/{rest}", self.toggle, encode(self.environment))
    }

    fn sort_order(&self, order: &[Position]) -> Value {
        let ids = order.iter().filter_map(|position| match position {
            Position::Stored(id) => Some(id),
            Position::Created(index) => self.created.get(*index),
        });
        ids.enumerate().map(|(index, id)| json!({ "id": id, "sortOrder": index })).collect()
    }

    /// Changes the metadata. Servers before 8 refuse tests in a patch.
    async fn save_metadata(&self, patch: &Value) -> Result<Reply, Failure> {
        if self.call.server.major_version() >= FIRST_WITH_TESTS {
            return match self.request(Method::PATCH, self.toggle, Some(patch)).await {
                Err(failure) if failure.message().contains(TEST_FAILED) => Err(toggle_changed().into()),
                result => result,
            };
        }
        let is_change = |operation: &&Value| operation.get("op").is_some_and(|op| op != "test");
        let changes = patch.as_array().into_iter().flatten().filter(is_change).cloned().collect();
        self.request(Method::PATCH, self.toggle, Some(&changes)).await
    }

    /// Replaces the variants. From 6.10 on servers refuse the first variants of an environment, but still create them
    /// with a bulk request. The user must confirm that.
    async fn save_variants(&self, variants: &Value) -> Result<Reply, Failure> {
        match self.request(Method::PUT, &self.path("variants"), Some(variants)).await {
            Err(failure) if failure.is_invalid_operation() => {
                self.call.confirm(Confirmation::DeprecatedVariants)?;
                let body = json!({ "environments": [self.environment], "variants": variants });
                self.request(Method::PUT, &format!("{}/variants-batch", self.toggle), Some(&body)).await
            }
            result => result,
        }
    }
}
