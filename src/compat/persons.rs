//! The users of sessions at the flag service, for the journal and for plans that another person must apply.

use std::collections::BTreeSet;
use std::time::Duration;

use actix_web::http::Method;
use moka::future::Cache;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;

use super::caller::Caller;
use super::failure::Failure;
use super::user_key::UserKey;
use crate::api::ConfirmedPerson;
use crate::journal::{Journal, Person, PersonSource};

/// Time for which the user of a session is remembered. A sign-in through this program ends it.
const FRESH: Duration = Duration::from_mins(5);
/// Maximum number of remembered users.
const MAX_REMEMBERED: u64 = 10_000;
/// Time for the request. A change waits for it once in a while.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The users of sessions.
#[derive(Debug)]
pub(super) struct Persons(Cache<UserKey, Person>);

/// The response to `GET user`. Newer servers wrap the user.
#[derive(Deserialize)]
struct UserResponse {
    user: Option<User>,
    #[serde(flatten)]
    plain: User,
}

#[derive(Deserialize)]
struct User {
    id: Option<Value>,
    name: Option<String>,
    username: Option<String>,
    email: Option<String>,
}

impl Default for Persons {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MAX_REMEMBERED).time_to_live(FRESH).build())
    }
}

impl Persons {
    /// Returns the user whom the flag service reports for the credentials of a request, or else a digest of the credentials.
    /// Only users are remembered, so that an outage does not hide later ones.
    pub(super) async fn find(&self, caller: &Caller, user: UserKey, journal: &Journal) -> Person {
        if let Some(person) = self.0.get(&user).await {
            return person;
        }
        let reply = timeout(TIMEOUT, caller.send(Method::GET, "/user", None)).await;
        let reply = reply.ok().and_then(Result::ok).filter(|reply| reply.status.is_success());
        let found = reply.and_then(|reply| User::parse(&reply.body));
        if let Some(person) = found.and_then(|user| user.into_person(caller.server())) {
            self.0.insert(user, person.clone()).await;
            return person;
        }
        let digest = journal.digest(&caller.credentials());
        Person {
            iss: Some(caller.server()),
            sub: Some(format!("session {digest}")),
            name: None,
            known: PersonSource::SessionDigest,
        }
    }
}

/// Asks the flag service for the user of a request. Returns the person for the journal, and everything that it confirms.
/// Servers that require no sign-in confirm nothing.
///
/// # Errors
/// The response of the flag service if the user must sign in; the failure if it does not respond.
pub(super) async fn confirm(caller: &Caller) -> Result<(Option<Person>, ConfirmedPerson), Failure> {
    let reply = match caller.request(Method::GET, "/user", None).await {
        Err(failure) if failure.has_status(404) => None,
        result => Some(result?),
    };
    let user = reply.and_then(|reply| User::parse(&reply.body));
    let identities = user.as_ref().map(|user| user.identities(&caller.server())).unwrap_or_default();
    let person = user.and_then(|user| user.into_person(caller.server()));
    let name = person.as_ref().and_then(|person| person.sub.clone()).unwrap_or_default();
    Ok((person, ConfirmedPerson { name, identities }))
}

impl User {
    /// Parses the response to `GET user`; `None` if it does not describe a user.
    fn parse(body: &[u8]) -> Option<Self> {
        let response: UserResponse = serde_json::from_slice(body).ok()?;
        Some(response.user.unwrap_or(response.plain))
    }

    /// Returns everything that identifies the user. Several tokens of programs can have the same id, which is negative.
    fn identities(&self, server: &str) -> BTreeSet<String> {
        let id = self.id.as_ref().filter(|id| id.as_u64().is_some_and(|id| id > 0));
        let parts = [
            id.map(|id| format!("id {id}")),
            self.email.as_ref().map(|email| format!("email {}", email.to_lowercase())),
            self.username.as_ref().map(|name| format!("user name {}", name.to_lowercase())),
        ];
        let is_empty = |part: &String| part.ends_with(' ');
        parts
            .into_iter()
            .flatten()
            .filter(|part| !is_empty(part))
            .map(|part| format!("{part} at {server}"))
            .collect()
    }

    fn into_person(self, server: String) -> Option<Person> {
        let id = self.id.map(|id| id.to_string());
        let sub = self.email.clone().or_else(|| self.username.clone()).or(id)?;
        let name = self.name.or(self.username);
        Some(Person { iss: Some(server), sub: Some(sub), name, known: PersonSource::Upstream })
    }
}
