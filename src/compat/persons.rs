//! The users of sessions at the flag service, for the journal.

use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use moka::future::Cache;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;

use super::caller::Caller;
use super::user_key::UserKey;
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
        let reply = reply.ok().and_then(Result::ok);
        // Servers without sign-in have no user: old ones respond 404.
        let is_without_sign_in = reply.as_ref().is_some_and(|reply| reply.status == StatusCode::NOT_FOUND);
        let found = reply.filter(|reply| reply.status.is_success());
        let found = found.and_then(|reply| User::parse(&reply.body));
        if let Some(person) = found.and_then(|user| user.into_person(caller.server())) {
            self.0.insert(user, person.clone()).await;
            return person;
        }
        let digest = journal.digest(&caller.credentials());
        Person {
            iss: Some(caller.server()),
            sub: Some(format!("session {digest}")),
            name: None,
            known: if is_without_sign_in { PersonSource::NoSignIn } else { PersonSource::SessionDigest },
        }
    }
}

impl User {
    /// Parses the response to `GET user`; `None` if it does not describe a user.
    fn parse(body: &[u8]) -> Option<Self> {
        let response: UserResponse = serde_json::from_slice(body).ok()?;
        Some(response.user.unwrap_or(response.plain))
    }

    fn into_person(self, server: String) -> Option<Person> {
        let id = self.id.map(|id| id.to_string());
        let sub = self.email.clone().or_else(|| self.username.clone()).or(id)?;
        let name = self.name.or(self.username);
        Some(Person { iss: Some(server), sub: Some(sub), name, known: PersonSource::Upstream })
    }
}
