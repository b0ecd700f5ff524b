//! Plans that another person must apply: `apply-needs-another-person`.

use super::embedded::{DATA, resolve_data};
use super::kind::Switch;
use super::setting::Setting;
use super::{AuthMode, BackendSettings, ConfigError, DataLocation, Declaration, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&ANOTHER_PERSON];

static ANOTHER_PERSON: Setting<Switch> = Setting {
    name: "apply-needs-another-person",
    help: "Let only another person than the maker apply a plan, in the console and with flagdeck apply; needs a sign-in, and in data a database for the key that signs plans",
    default: "false",
    kind: Switch,
};

/// The database with the key that signs plans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanKeyLocation {
    /// That of the embedded flag service, or of the sessions in front of an upstream.
    Shared,
    /// One that only contains the key, for an upstream at which users sign in.
    Own(DataLocation),
}

/// Returns the database with the key that signs plans; `None` if plans need no other person.
pub(super) fn resolve(
    settings: &Settings,
    backend: &BackendSettings,
) -> Result<Option<PlanKeyLocation>, ConfigError> {
    if !ANOTHER_PERSON.resolve(settings)? {
        return Ok(None);
    }
    if backend.auth().is_some_and(|auth| auth.mode == AuthMode::None) {
        return Err(ANOTHER_PERSON.error(
            "needs a sign-in, because all users are the same person without one; set auth to password or oidc",
        ));
    }
    let location = match backend.data() {
        Some(DataLocation::Memory) => None,
        Some(_) => Some(PlanKeyLocation::Shared),
        None if DATA.is_set(settings) => Some(PlanKeyLocation::Own(resolve_data(settings)?))
            .filter(|location| *location != PlanKeyLocation::Own(DataLocation::Memory)),
        None => None,
    };
    let missing = || {
        ANOTHER_PERSON.error(
            "needs a database for the key that signs plans, because plans made before a restart must stay valid; set data to a file, or to a PostgreSQL database that all instances use",
        )
    };
    location.map(Some).ok_or_else(missing)
}

/// Returns a warning if nothing proves the identity of users.
pub(super) fn warn(location: Option<&PlanKeyLocation>, backend: &BackendSettings) -> Option<String> {
    let is_unsecure = backend.auth().is_some_and(|auth| auth.mode == AuthMode::Unsecure);
    (location.is_some() && is_unsecure).then(|| {
        "apply-needs-another-person does not stop a person who enters another email address with auth = \"unsecure\"; set auth to password or oidc".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::super::auth::AUTH;
    use super::super::upstream::UPSTREAM;
    use super::{ANOTHER_PERSON, BackendSettings, DATA, Settings, resolve, warn};

    #[test]
    fn a_sign_in_and_a_database_that_survives_restarts_are_needed() {
        for (upstream, auth, data, expected) in [
            (false, None, Some("flags.db"), Err("needs a sign-in")),
            (false, Some("unsecure"), Some(":memory:"), Err("needs a database")),
            (false, Some("unsecure"), Some("flags.db"), Ok("Shared")),
            (false, Some("password"), Some("flags.db"), Ok("Shared")),
            (true, None, None, Err("needs a database")),
            (true, None, Some(":memory:"), Err("needs a database")),
            (true, None, Some("plans.db"), Ok("Own(File(\"plans.db\"))")),
        ] {
            let mut settings = Settings::default().with(&ANOTHER_PERSON, "true");
            for (setting, value) in [
                (UPSTREAM.name, upstream.then_some("http://127.0.0.1:1")),
                (AUTH.name, auth),
                (DATA.name, data),
            ] {
                if let Some(value) = value {
                    settings = match setting {
                        "upstream" => settings.with(&UPSTREAM, value),
                        "auth" => settings.with(&AUTH, value),
                        _ => settings.with(&DATA, value),
                    };
                }
            }
            let backend = BackendSettings::resolve(&settings).unwrap();
            let location = resolve(&settings, &backend).map_err(|error| error.to_string());
            let is_warned = warn(location.as_ref().ok().and_then(Option::as_ref), &backend).is_some();
            assert_eq!(is_warned, auth == Some("unsecure") && expected.is_ok(), "{auth:?} {data:?}");
            match (location, expected) {
                (Ok(location), Ok(expected)) => assert_eq!(format!("{:?}", location.unwrap()), expected),
                (Err(fault), Err(expected)) => assert!(fault.contains(expected), "{fault}"),
                (location, _) => panic!("{upstream} {auth:?} {data:?}: {location:?}"),
            }
        }
    }
}
