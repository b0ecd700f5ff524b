//! Detects the kind of the flag service by requesting endpoints that only some versions have.
//!
//! Servers refuse all requests without credentials. Therefore requests of signed-in users detect the kind. The result has
//! these parts:
//!
//! - [`Facts`] depend on the program of the server: its version, and whether it has environments. They are the same for all
//!   users, and are detected once for all.
//! - The names of projects and environments depend on the user. Each user has a [`View`], which is never used for others.
//! - The version of a server without environments is only needed for the settings of the console. It is kept for each user
//!   who has read it, so that the settings describe the server to users that it accepts, for at most [`FRESH`].
//!
//! The first two are refreshed after [`MAX_AGE`] and with page loads. After a failure of the upstream, one request verifies
//! the version.

mod probe;

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use moka::future::Cache;
use parking_lot::Mutex;
use tokio::time::Instant;

pub(super) use self::probe::detect;
use super::caller::Caller;
use super::failure::Failure;
use super::user_key::{SignIns, UserKey};
use crate::console_api::NewerServer;

/// Age after which the next request of a user detects the kind again.
const MAX_AGE: Duration = Duration::from_mins(5);
/// Age up to which a page load and a missing item do not detect the kind again.
pub(super) const FRESH: Duration = Duration::from_secs(30);
/// Maximum number of users whose projects and environments are kept.
const MAX_VIEWS: u64 = 1000;
/// Pause after a verification of the version. It doubles with each failure.
const MIN_PAUSE: Duration = Duration::from_secs(1);
/// Longest pause after a verification.
const MAX_PAUSE: Duration = Duration::from_mins(1);

/// Kind of a flag service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A server up to 4.2 without environments, whose API is the API of the console.
    Older,
    /// A server with projects and environments.
    Newer(Arc<NewerServer>),
}

/// Properties of the server that do not depend on the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    /// Version; `None` if the server does not report it, or if the kind was known without it.
    version: Option<String>,
    has_environments: bool,
}

/// The last detected kind, which all workers share.
#[derive(Debug)]
pub(super) struct Detection {
    state: Mutex<State>,
    views: Cache<ViewKey, View>,
    /// Versions of a server without environments, which it has reported to users.
    versions: Cache<ViewKey, Option<String>>,
    sign_ins: SignIns,
}

#[derive(Debug)]
struct State {
    /// The facts and the time of their detection.
    facts: Option<(Facts, Instant)>,
    /// Changes with the facts. It is part of the keys of views, because they contain the facts.
    generation: u64,
    /// True if the server may have been replaced since the detection.
    is_suspected: bool,
    /// Time from which a request may verify the version.
    verify_from: Instant,
    /// Pause after the next verification.
    pause: Duration,
    /// Facts in the log, which contains each change once.
    logged: Option<Facts>,
}

/// Identifies a view: the user, and the generation of the facts.
type ViewKey = (UserKey, u64);

/// The server as one user can see it.
#[derive(Debug, Clone)]
struct View {
    kind: Kind,
    at: Instant,
}

/// The selection of the operator (`--upstream-environment`, `--upstream-project`).
#[derive(Debug, Clone, Default)]
pub(super) struct Fixed {
    /// Name of the environment.
    pub(super) environment: Option<String>,
    /// Id of the project.
    pub(super) project: Option<String>,
}

impl Default for Detection {
    fn default() -> Self {
        Self {
            state: Mutex::new(State {
                facts: None,
                generation: 0,
                is_suspected: false,
                verify_from: Instant::now(),
                pause: MIN_PAUSE,
                logged: None,
            }),
            views: Cache::builder().max_capacity(MAX_VIEWS).time_to_live(MAX_AGE).build(),
            versions: Cache::builder().max_capacity(MAX_VIEWS).time_to_live(FRESH).build(),
            sign_ins: SignIns::default(),
        }
    }
}

impl Detection {
    /// Returns true if requests are forwarded without a detection: the server has no environments, and nothing indicates
    /// that it has been replaced.
    #[must_use]
    pub(super) fn is_older(&self) -> bool {
        let mut state = self.state.lock();
        !state.may_verify() && state.recent_facts().is_some_and(|facts| !facts.has_environments)
    }

    /// Returns the version of a server with environments; empty if the server does not report it.
    #[must_use]
    pub(super) fn version(&self) -> Option<String> {
        let state = self.state.lock();
        let (facts, _) = state.facts.as_ref()?;
        facts.has_environments.then(|| facts.version.clone().unwrap_or_default())
    }

    /// Returns the sign-ins, which are part of the keys of users.
    pub(super) fn sign_ins(&self) -> &SignIns {
        &self.sign_ins
    }

    /// Returns the key of the user who sent a request.
    pub(super) async fn user_of(&self, caller: &Caller) -> UserKey {
        self.sign_ins.key(caller.credentials()).await
    }

    /// Returns the kind that was last detected for this user, and its age. Verifies it first if the server may have been
    /// replaced.
    pub(super) async fn last(&self, caller: &Caller, user: UserKey) -> Option<(Kind, Duration)> {
        self.verify(caller).await;
        let generation = {
            let state = self.state.lock();
            let (facts, at) = state.facts.as_ref()?;
            if !facts.has_environments {
                return Some((Kind::Older, at.elapsed()));
            }
            state.generation
        };
        self.views.get(&(user, generation)).await.map(|view| (view.kind, view.at.elapsed()))
    }

    /// Returns the version of a server without environments; `None` if it does not report it. This verifies the user,
    /// unless the server has reported the version to the same user within [`FRESH`].
    pub(super) async fn older_version(
        &self,
        caller: &Caller,
        user: UserKey,
    ) -> Result<Option<String>, Failure> {
        let generation = self.state.lock().generation;
        let version = self.versions.try_get_with((user, generation), probe::read_version(caller)).await;
        version.map_err(|failure: Arc<Failure>| Failure::clone(&failure))
    }

    /// Notes the status of a response. It may indicate another server, or that a failing server works again.
    ///
    /// During an upgrade the server is unavailable for a moment. Afterwards some endpoints are missing; toggles can be
    /// missing too, so that this counts only if the facts are not [`FRESH`].
    pub(super) fn observe(&self, status: StatusCode) {
        let mut state = self.state.lock();
        match status {
            StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
                state.is_suspected = true;
            }
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                state.is_suspected |= state.facts.as_ref().is_some_and(|(_, at)| at.elapsed() >= FRESH);
            }
            status if status.is_success() => state.resume(),
            _ => {}
        }
    }

    /// Returns the kind for this user, and detects it with requests of the user if necessary. Simultaneous requests of
    /// the same user wait for one detection; requests of other users never do.
    pub(super) async fn kind(&self, caller: &Caller, user: UserKey, fixed: &Fixed) -> Result<Kind, Failure> {
        self.verify(caller).await;
        let (facts, generation) = {
            let mut state = self.state.lock();
            (state.recent_facts().cloned(), state.generation)
        };
        if facts.as_ref().is_some_and(|facts| !facts.has_environments) {
            return Ok(Kind::Older);
        }
        let detect = async {
            let (facts, kind) = detect(caller, fixed, facts).await?;
            self.learn(generation, &facts, &kind);
            Ok::<_, Failure>(View { kind, at: Instant::now() })
        };
        let view = self.views.try_get_with((user, generation), detect).await;
        view.map(|view| view.kind).map_err(|failure: Arc<Failure>| Failure::clone(&failure))
    }

    /// Detects the kind with requests of this user.
    pub(super) async fn refresh(&self, caller: &Caller, fixed: &Fixed) -> Result<Kind, Failure> {
        let user = self.user_of(caller).await;
        let generation = self.state.lock().generation;
        let (facts, kind) = detect(caller, fixed, None).await?;
        let generation = self.learn(generation, &facts, &kind);
        self.views.insert((user, generation), View { kind: kind.clone(), at: Instant::now() }).await;
        Ok(kind)
    }

    /// Verifies the version with one request if the server may have been replaced. Other requests use the known facts
    /// meanwhile, so that a failing server gets one such request after each pause.
    async fn verify(&self, caller: &Caller) {
        let (version, generation) = {
            let mut state = self.state.lock();
            if !state.start_verification() {
                return;
            }
            let version = state.facts.as_ref().and_then(|(facts, _)| facts.version.clone());
            (version, state.generation)
        };
        let is_same = match version {
            None => Some(false),
            Some(version) => {
                let present = probe::read_version(caller).await.ok();
                present.map(|present| present.as_ref() == Some(&version))
            }
        };
        let mut state = self.state.lock();
        if state.generation == generation
            && let Some(is_same) = is_same
        {
            state.is_suspected = false;
            state.pause = MIN_PAUSE;
            if !is_same {
                state.forget();
            }
        }
    }

    /// Stores facts that were detected in this generation. Returns the generation to which they belong.
    fn learn(&self, generation: u64, facts: &Facts, kind: &Kind) -> u64 {
        let mut state = self.state.lock();
        let is_known = state.facts.as_ref().is_some_and(|(known, _)| known == facts);
        if !is_known && state.generation != generation {
            // Another request has detected a replaced server meanwhile. This result may be older.
            return generation;
        }
        if !is_known && state.facts.is_some() {
            state.generation += 1;
        }
        state.facts = Some((facts.clone(), Instant::now()));
        if state.logged.as_ref() != Some(facts) {
            state.logged = Some(facts.clone());
            kind.log();
        }
        state.generation
    }
}

impl State {
    /// Returns the facts. Forgets them if they are too old.
    fn recent_facts(&mut self) -> Option<&Facts> {
        if self.facts.as_ref().is_some_and(|(_, at)| at.elapsed() >= MAX_AGE) {
            self.forget();
        }
        self.facts.as_ref().map(|(facts, _)| facts)
    }

    /// Forgets the facts and all views.
    fn forget(&mut self) {
        self.facts = None;
        self.generation += 1;
    }

    /// Returns true if the caller must verify the version now. The pause starts at once, because the caller may be
    /// cancelled.
    fn start_verification(&mut self) -> bool {
        let may_verify = self.may_verify();
        if may_verify {
            self.verify_from = Instant::now() + self.pause;
            self.pause = self.pause.saturating_mul(2).min(MAX_PAUSE);
        }
        may_verify
    }

    /// Shortens the pause to the shortest one: the server responds again, and may have been replaced.
    fn resume(&mut self) {
        if self.is_suspected {
            self.verify_from = self.verify_from.min(Instant::now() + MIN_PAUSE);
            self.pause = MIN_PAUSE;
        }
    }

    /// Returns true if the version should be verified, and the last verification was long enough ago.
    fn may_verify(&self) -> bool {
        self.is_suspected && self.facts.is_some() && Instant::now() >= self.verify_from
    }
}

impl Kind {
    fn log(&self) {
        let Self::Newer(server) = self else {
            tracing::info!("the flag service has no environments: all requests are forwarded unchanged");
            return;
        };
        let version = server.version.as_deref().unwrap_or("unknown");
        let environments = server.environment_names();
        tracing::info!(version, environments, "the flag service has environments: requests are converted");
        for fault in server.faults() {
            tracing::warn!("{fault}");
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use tokio::time::{Instant, advance};

    use super::{Detection, FRESH, Facts, MAX_PAUSE, MIN_PAUSE};

    /// Each case: the status of a response, and whether it causes a verification at once and later.
    #[tokio::test(start_paused = true)]
    async fn missing_endpoints_count_only_after_a_while() {
        for (status, at_once, later) in [
            (StatusCode::NOT_FOUND, false, true),
            (StatusCode::GONE, false, true),
            (StatusCode::BAD_GATEWAY, true, true),
            (StatusCode::FORBIDDEN, false, false),
            (StatusCode::OK, false, false),
        ] {
            let detection = Detection::default();
            let facts = Facts { version: None, has_environments: false };
            detection.state.lock().facts = Some((facts, Instant::now()));
            detection.observe(status);
            assert_eq!(!detection.is_older(), at_once, "{status}");
            advance(FRESH).await;
            detection.observe(status);
            assert_eq!(!detection.is_older(), later, "{status}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_between_verifications_double_until_a_response_succeeds() {
        let detection = Detection::default();
        let facts = Facts { version: None, has_environments: true };
        detection.state.lock().facts = Some((facts, Instant::now()));
        let starts = || detection.state.lock().start_verification();
        assert!(!starts());
        detection.observe(StatusCode::BAD_GATEWAY);
        for pause in [1, 2, 4, 8, 16, 32, 60, 60].map(|seconds| seconds * MIN_PAUSE) {
            assert!(starts() && !starts());
            advance(pause.min(MAX_PAUSE).saturating_sub(MIN_PAUSE / 2)).await;
            detection.observe(StatusCode::SERVICE_UNAVAILABLE);
            assert!(!starts(), "{pause:?}");
            advance(MIN_PAUSE / 2).await;
        }
        assert!(starts());
        detection.observe(StatusCode::OK);
        advance(MIN_PAUSE).await;
        assert!(starts() && !starts());
    }
}
