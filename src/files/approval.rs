//! Plans that another person than the maker must apply (`apply-needs-another-person`).
//!
//! A plan is a file, which cannot prove the identity of its maker. Flagdeck signs its content ([`Plan::content_digest`]) with the name of the
//! person who requests the signature, and checks the signature and the person before the plan is applied. The key is in the
//! database, so that it survives restarts and all instances with the database have the same. Nothing else is stored.
//!
//! The changes of a plan are ordinary requests. Therefore this ensures that a plan has two persons, and not that each change has: a user
//! with the permission can change the same toggles without a plan.
//!
//! # Persons
//!
//! Two requests are of the same person if the sign-in confirms anything in common: the account, the id at the identity provider, the
//! email address, or the id at the flag service ([`ConfirmedPerson`]). A new name or another way to sign in therefore does not make
//! another person. The signature contains keyed hashes of these identities.
//!
//! # Events between signature and application
//!
//! | event | effect |
//! |---|---|
//! | the content of the plan is changed | refused: the digest differs |
//! | the plan is applied again | its toggles are already as planned; changed ones are refused by their own digests |
//! | restart, another instance with the same database | none: the key is in the database |
//! | another database, or a restored one from before the first signature | refused: the key is another one |
//! | the setting is turned on after the plan was made | refused: the plan has no signature |
//! | the setting is turned off | these endpoints do not exist, and nothing is checked |
//! | the maker gets another name, or signs in in another way | still the same person |
//! | the session ends after the review | refused: the person is confirmed again for each request |

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};
use data_encoding::HEXLOWER;
use jiff::{SignedDuration, Timestamp};
use ring::hmac;
use serde_json::{Value, json};

use super::endpoints::invalid_body;
use crate::api::{ApprovalRequest, ConfirmedPerson, PlanApproval, PlanSignature, SignatureRequest};
use crate::config::DataLocation;
use crate::error::{ApiError, DomainError};
use crate::flags::database::{DataLock, Database};
use crate::flags::{OpenError, open_database};
use crate::journal::{Attempt, Item, Notes};

#[cfg(doc)]
use super::plan::Plan;

/// Age at which a signature is no longer accepted, in days: a plan that nobody applied for a month should be made again.
const MAX_AGE_DAYS: i64 = 30;
/// Length of the digest of a plan: SHA-256 in hexadecimal.
const DIGEST_LENGTH: usize = 64;
/// Length of the hash of an identity in bytes: enough to make collisions unlikely.
const IDENTITY_LENGTH: usize = 16;
/// Number of digits of a digest that name a plan in the journal.
const SHORT_DIGEST: usize = 12;

/// Signs plans, and checks the persons who apply them. Clones share the database.
#[derive(Debug, Clone)]
pub struct Approvals {
    database: Database,
    /// Prevents another server from using the database file; `None` if it belongs to another part of the program.
    lock: Option<Arc<DataLock>>,
}

/// An endpoint of approvals.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ApprovalEndpoint {
    /// `POST /-/plans/signatures`: signs a plan as made by the user.
    Sign,
    /// `POST /-/plans/permissions`: returns whether the user may apply a plan.
    Check,
    /// `POST /-/plans/approvals`: the same, before a plan is applied. It has a line in the journal.
    Approve,
}

/// The key of an installation.
struct PlanKey(hmac::Key);

/// The reasons for which a person may not apply a plan. `examples/refusals.md` lists them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ApprovalRefusal {
    /// The plan has no signature.
    Unsigned,
    /// The signature is not of this key.
    Unknown,
    /// The content is not the signed one.
    Changed(PlanSignature),
    /// The signature is too old.
    Expired(PlanSignature),
    /// The person made the plan.
    Own(PlanSignature),
    /// Nothing confirms the identity of the person.
    Anonymous,
}

impl Approvals {
    /// Uses the database of the embedded flag service, or of the sessions in front of an upstream.
    pub(crate) fn new(database: Database) -> Self {
        Self { database, lock: None }
    }

    /// Opens a database that only contains the key, for an upstream at which users sign in.
    pub(crate) fn open(data: &DataLocation) -> Result<Self, OpenError> {
        let lock = Some(Arc::new(DataLock::acquire(data)?));
        Ok(Self { database: open_database(data)?, lock })
    }

    /// Lets another server use a database that only contains the key.
    pub(crate) fn close(&self) {
        if let Some(lock) = &self.lock {
            lock.release();
        }
    }

    /// Responds to a person whom the sign-in confirms for this request.
    pub(crate) async fn respond(
        &self,
        endpoint: ApprovalEndpoint,
        request: &HttpRequest,
        person: &ConfirmedPerson,
        body: Value,
    ) -> Result<HttpResponse, ApiError> {
        let now = Timestamp::now();
        if let ApprovalEndpoint::Sign = endpoint {
            let SignatureRequest { digest } = serde_json::from_value(body).map_err(invalid_body)?;
            check_digest(&digest)?;
            let key = PlanKey::new(&self.database.plan_key().await?);
            return Ok(HttpResponse::Ok().json(key.sign(&digest, person, now)?));
        }
        let ApprovalRequest { digest, signature } = serde_json::from_value(body).map_err(invalid_body)?;
        check_digest(&digest)?;
        let key = PlanKey::new(&self.database.plan_key().await?);
        let result = key.check(&digest, signature.as_ref(), person, now);
        if let (ApprovalEndpoint::Approve, Some(notes)) = (endpoint, Notes::from_request(request)) {
            let name: String = digest.chars().take(SHORT_DIGEST).collect();
            let words = describe_attempt(&name, &result);
            notes.set_attempt(Attempt { item: Item { kind: "plan".to_owned(), name }, words });
        }
        Ok(HttpResponse::Ok().json(result?))
    }
}

impl PlanKey {
    fn new(key: &[u8]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }

    /// Signs the content of a plan as made by a person.
    fn sign(
        &self,
        digest: &str,
        person: &ConfirmedPerson,
        now: Timestamp,
    ) -> Result<PlanSignature, ApprovalRefusal> {
        if person.identities.is_empty() {
            return Err(ApprovalRefusal::Anonymous);
        }
        let mut signature = PlanSignature {
            made_by: person.name.clone(),
            made_at: format!("{now:.0}"),
            identities: self.hash_identities(person),
            digest: digest.to_owned(),
            mac: String::new(),
        };
        signature.mac = HEXLOWER.encode(hmac::sign(&self.0, signed_text(&signature).as_bytes()).as_ref());
        Ok(signature)
    }

    /// Checks that another person than the maker applies a plan with this content.
    fn check(
        &self,
        digest: &str,
        signature: Option<&PlanSignature>,
        person: &ConfirmedPerson,
        now: Timestamp,
    ) -> Result<PlanApproval, ApprovalRefusal> {
        if person.identities.is_empty() {
            return Err(ApprovalRefusal::Anonymous);
        }
        let signature = signature.ok_or(ApprovalRefusal::Unsigned)?;
        let mac = HEXLOWER.decode(signature.mac.as_bytes()).unwrap_or_default();
        let is_own = hmac::verify(&self.0, signed_text(signature).as_bytes(), &mac).is_ok();
        let made_at: Timestamp = match signature.made_at.parse() {
            Ok(made_at) if is_own => made_at,
            _ => return Err(ApprovalRefusal::Unknown),
        };
        if signature.digest != digest {
            return Err(ApprovalRefusal::Changed(signature.clone()));
        }
        // The clocks of instances differ: a signature from the future is new.
        if now.duration_since(made_at) > SignedDuration::from_hours(24 * MAX_AGE_DAYS) {
            return Err(ApprovalRefusal::Expired(signature.clone()));
        }
        let identities = self.hash_identities(person);
        if identities.iter().any(|identity| signature.identities.contains(identity)) {
            return Err(ApprovalRefusal::Own(signature.clone()));
        }
        let PlanSignature { made_by, made_at, .. } = signature.clone();
        Ok(PlanApproval { made_by, made_at, applied_by: person.name.clone() })
    }

    fn hash_identities(&self, person: &ConfirmedPerson) -> Vec<String> {
        let hash = |identity: &String| {
            let tag = hmac::sign(&self.0, format!("flagdeck identity\n{identity}").as_bytes());
            let bytes: Vec<_> = tag.as_ref().iter().take(IDENTITY_LENGTH).copied().collect();
            HEXLOWER.encode(&bytes)
        };
        person.identities.iter().map(hash).collect()
    }
}

/// Returns the text that the MAC confirms. The prefix separates it from other uses of the key.
fn signed_text(signature: &PlanSignature) -> String {
    let PlanSignature { made_by, made_at, identities, digest, mac: _ } = signature;
    format!("flagdeck plan\n{}", json!([made_by, made_at, identities, digest]))
}

/// Describes for the journal that a person applies a plan. The maker is named if the signature confirms it, also if the person may not
/// apply the plan.
fn describe_attempt(plan: &str, result: &Result<PlanApproval, ApprovalRefusal>) -> String {
    match result {
        Ok(PlanApproval { made_by, made_at, .. })
        | Err(
            ApprovalRefusal::Own(PlanSignature { made_by, made_at, .. })
            | ApprovalRefusal::Expired(PlanSignature { made_by, made_at, .. }),
        ) => format!("apply the plan {plan} that {made_by} made at {made_at}"),
        Err(ApprovalRefusal::Changed(PlanSignature { made_by, made_at, .. })) => {
            format!("apply the plan {plan}, which was changed after {made_by} made it at {made_at}")
        }
        Err(ApprovalRefusal::Unsigned | ApprovalRefusal::Unknown) => {
            format!("apply the plan {plan}, whose maker is unknown")
        }
        Err(ApprovalRefusal::Anonymous) => format!("apply the plan {plan}"),
    }
}

impl ApprovalRefusal {
    /// Returns the code and the message with the remedy.
    fn describe(&self) -> (&'static str, String) {
        match self {
            Self::Unsigned => (
                "plan_unsigned",
                "The plan has no signature of this Flagdeck, so that its maker is unknown. Save it on the page Plans, or make it with flagdeck plan -o; another person must apply it".to_owned(),
            ),
            Self::Unknown => (
                "plan_signature_unknown",
                "The signature of the plan is not of this Flagdeck, or was changed. Make the plan again, with this Flagdeck as the target"
                    .to_owned(),
            ),
            Self::Changed(PlanSignature { made_by, .. }) => (
                "plan_changed",
                format!("The plan was changed after {made_by} made it. Make a new plan"),
            ),
            Self::Expired(PlanSignature { made_by, made_at, .. }) => (
                "plan_expired",
                format!(
                    "{made_by} made this plan at {}, and plans can be applied for {MAX_AGE_DAYS} days. Make a new plan",
                    short_time(made_at)
                ),
            ),
            Self::Own(PlanSignature { made_by, made_at, .. }) => (
                "plan_own",
                format!("{made_by} made this plan at {}. Another person must apply it", short_time(made_at)),
            ),
            Self::Anonymous => (
                "plan_person_unknown",
                "Plans need two persons, and nothing confirms who you are, because the flag service requires no sign-in. Ask your administrator to require one, or to remove apply-needs-another-person".to_owned(),
            ),
        }
    }
}

impl From<ApprovalRefusal> for ApiError {
    fn from(refusal: ApprovalRefusal) -> Self {
        let (code, message) = refusal.describe();
        DomainError::new(code, StatusCode::FORBIDDEN, message).into()
    }
}

/// Returns `2026-01-31 14:05 UTC` for `2026-01-31T14:05:59Z`.
fn short_time(time: &str) -> String {
    let minute: String = time.chars().take("2026-01-31T14:05".len()).collect();
    format!("{} UTC", minute.replace('T', " "))
}

fn check_digest(digest: &str) -> Result<(), ApiError> {
    let is_digest = digest.len() == DIGEST_LENGTH && HEXLOWER.decode(digest.as_bytes()).is_ok();
    if is_digest {
        return Ok(());
    }
    let message =
        "\"digest\" must be a SHA-256 in hexadecimal, in lower case; copy it from the review of the plan";
    Err(ApiError::invalid("digest", message.to_owned()))
}

/// Returns the refusals for the table of all refusals: code, status and message.
#[cfg(test)]
pub(super) fn refusals() -> Vec<(&'static str, StatusCode, String)> {
    let signature = PlanSignature {
        made_by: "NAME".to_owned(),
        made_at: "2026-01-31T14:05:00Z".to_owned(),
        identities: Vec::new(),
        digest: String::new(),
        mac: String::new(),
    };
    let all = [
        ApprovalRefusal::Unsigned,
        ApprovalRefusal::Unknown,
        ApprovalRefusal::Changed(signature.clone()),
        ApprovalRefusal::Expired(signature.clone()),
        ApprovalRefusal::Own(signature),
        ApprovalRefusal::Anonymous,
    ];
    let describe = |refusal: ApprovalRefusal| {
        let (code, message) = refusal.describe();
        (code, StatusCode::FORBIDDEN, message.replace("2026-01-31 14:05 UTC", "TIME"))
    };
    all.map(describe).into()
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};

    use super::{ApprovalRefusal, ConfirmedPerson, PlanKey, PlanSignature};

    const DAY: SignedDuration = SignedDuration::from_hours(24);

    fn person(name: &str, identities: &[&str]) -> ConfirmedPerson {
        let identities = identities.iter().map(|&identity| identity.to_owned()).collect();
        ConfirmedPerson { name: name.to_owned(), identities }
    }

    /// Checks a signature of anna after a change of it. Returns the code of the refusal.
    fn check(
        change: impl FnOnce(&mut PlanSignature),
        key: &[u8],
        (by, age): (&ConfirmedPerson, SignedDuration),
    ) -> Option<&'static str> {
        let anna = person("anna", &["account anna", "email anna@example.com"]);
        let now: Timestamp = "2026-01-31T14:05:59Z".parse().unwrap();
        let mut signature = PlanKey::new(&[1; 32]).sign("d1", &anna, now).unwrap();
        change(&mut signature);
        let result = PlanKey::new(key).check("d1", Some(&signature), by, now + age);
        result.err().map(|refusal| refusal.describe().0)
    }

    #[test]
    fn only_another_person_may_apply_a_plan_within_30_days() {
        let bert = person("bert", &["account bert"]);
        let by = |person: &ConfirmedPerson| check(|_| {}, &[1; 32], (person, SignedDuration::ZERO));
        assert_eq!(by(&bert), None);
        // The same name does not make the same person, and another name does not make another one.
        assert_eq!(by(&person("anna", &["account bert"])), None);
        for identities in [
            &["account anna"][..],
            &["email anna@example.com"],
            &["account other", "subject 17 at https://login.example", "email anna@example.com"],
        ] {
            assert_eq!(by(&person("Anna B.", identities)), Some("plan_own"), "{identities:?}");
        }
        assert_eq!(by(&person("", &[])), Some("plan_person_unknown"));
        for (age, refusal) in [
            (DAY * -1, None),
            (DAY * 30, None),
            (DAY * 30 + SignedDuration::from_secs(1), Some("plan_expired")),
        ] {
            assert_eq!(check(|_| {}, &[1; 32], (&bert, age)), refusal, "{age}");
        }
    }

    #[test]
    fn each_property_of_a_signature_is_confirmed() {
        let bert = person("bert", &["account bert"]);
        let unknown = Some("plan_signature_unknown");
        let changes: [fn(&mut PlanSignature); 6] = [
            |signature| signature.made_by = "carl".to_owned(),
            |signature| signature.made_at = "2026-02-01T00:00:00Z".to_owned(),
            |signature| signature.identities.clear(),
            |signature| signature.digest = "d2".to_owned(),
            |signature| signature.mac.make_ascii_uppercase(),
            |signature| signature.mac.clear(),
        ];
        for change in changes {
            assert_eq!(check(change, &[1; 32], (&bert, SignedDuration::ZERO)), unknown);
        }
        assert_eq!(check(|_| {}, &[2; 32], (&bert, SignedDuration::ZERO)), unknown, "another installation");
        let key = PlanKey::new(&[1; 32]);
        let now = Timestamp::UNIX_EPOCH;
        let signature = key.sign("d2", &person("anna", &["account anna"]), now).unwrap();
        let other = key.check("d1", Some(&signature), &bert, now);
        assert_eq!(other, Err(ApprovalRefusal::Changed(signature)));
        assert_eq!(key.check("d1", None, &bert, now), Err(ApprovalRefusal::Unsigned));
    }
}
