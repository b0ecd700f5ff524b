//! The projects whose toggles a user of the flag service can see.

use std::sync::Arc;

use super::caller::Caller;
use super::detection::{Detection, Fixed, Kind};
use super::profile::Profile;
use super::sessions::Acceptance;
use super::user_key::UserKey;

/// The projects whose toggles a user can see.
#[derive(Debug)]
pub(crate) enum VisibleProjects {
    /// All projects.
    All,
    /// Some projects.
    Listed(ListedProjects),
}

/// The projects that the flag service lists for a user.
#[derive(Debug)]
pub(crate) struct ListedProjects {
    /// Their ids; empty while the flag service does not respond.
    ids: Vec<String>,
    /// The user, who also sees the toggles that the user may update.
    profile: Option<Arc<Profile>>,
}

impl VisibleProjects {
    /// Finds the projects of a user whom the flag service accepts, or has accepted before its outage. Servers without environments
    /// have no private projects.
    pub(super) async fn find(
        acceptance: &Acceptance,
        detection: &Detection,
        fixed: &Fixed,
        caller: &Caller,
        user: UserKey,
    ) -> Self {
        let profile = acceptance.profile().cloned();
        if !acceptance.is_verified || profile.as_ref().is_some_and(|profile| profile.is_administrator()) {
            return Self::All;
        }
        let ids = match detection.kind(caller, user, fixed).await {
            Ok(Kind::Older) => return Self::All,
            Ok(Kind::Newer(server)) => server.projects.clone(),
            Err(_) => Vec::new(),
        };
        Self::Listed(ListedProjects { ids, profile })
    }
}

impl ListedProjects {
    /// Returns true if the user can see the toggles of a project; without one, those of a project that is not known.
    pub(crate) fn contains(&self, project: Option<&str>) -> bool {
        project.is_some_and(|project| self.ids.iter().any(|id| id == project))
            || self.profile.as_ref().is_some_and(|profile| profile.may_update(project))
    }
}
