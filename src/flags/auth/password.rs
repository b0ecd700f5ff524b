//! Password rules and password hashing.

use std::sync::LazyLock;

use actix_web::web;
use argon2::Argon2;
use argon2::password_hash::{Error, PasswordHasher as _, PasswordVerifier as _};
use data_encoding::BASE32_NOPAD;
use tokio::sync::Semaphore;

use crate::config::MIN_PASSWORD_LENGTH;
use crate::error::ApiError;

/// Maximum length of a password in bytes, which limits the cost of hashing.
pub const MAX_BYTES: usize = 1024;

/// Limits concurrent hashing: each takes 19 MiB and a core, so that more would not be faster.
static HASHING: Semaphore = Semaphore::const_new(2);

/// Hash to compare with if the user does not exist, so that both cases take the same time.
static DUMMY_HASH: LazyLock<String> = LazyLock::new(|| hash("dummy password").unwrap_or_default());

/// Returns the Argon2id hash of a password with a random salt. The costs are the library's defaults, OWASP's first
/// recommendation (19 MiB, two passes, one lane). Blocks.
pub(crate) fn hash(password: &str) -> Result<String, ApiError> {
    let hash = Argon2::default().hash_password(password.as_bytes()).map_err(ApiError::internal)?;
    Ok(hash.to_string())
}

/// Returns the hash of a password like [`hash`], without blocking the caller's thread.
pub(in crate::flags) async fn hash_limited(password: String) -> Result<String, ApiError> {
    run_limited(&HASHING, move || hash(&password)).await?
}

/// Creates a random one-time password of 80 bits, in groups that a person can read out.
pub(in crate::flags) fn random() -> Result<String, ApiError> {
    let mut bytes = [0; 10];
    getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
    let text = BASE32_NOPAD.encode(&bytes).to_lowercase();
    let (groups, _) = text.as_bytes().as_chunks::<4>();
    let groups: Vec<_> = groups.iter().map(|group| String::from_utf8_lossy(group)).collect();
    Ok(groups.join("-"))
}

/// Returns true if the password matches the stored hash; always false without a stored hash.
pub(super) async fn verify(password: String, stored: Option<String>) -> Result<bool, ApiError> {
    let verify = move || {
        let compared = stored.as_deref().unwrap_or(&DUMMY_HASH);
        match Argon2::default().verify_password(password.as_bytes(), compared) {
            Ok(()) => Ok(stored.is_some()),
            Err(Error::PasswordInvalid) => Ok(false),
            Err(cause) => Err(ApiError::internal(cause)),
        }
    };
    run_limited(&HASHING, verify).await?
}

/// Runs work with a permit on a thread that may block.
async fn run_limited<T: Send + 'static>(
    permits: &'static Semaphore,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let permit = permits.acquire().await.map_err(ApiError::internal)?;
    let run = move || {
        // The permit belongs to the work, which continues after the client has disconnected.
        let _permit = permit;
        work()
    };
    web::block(run).await.map_err(ApiError::internal)
}

/// Computes the dummy hash in advance, so that the first sign-in does not wait for it.
pub(super) fn prepare_dummy_hash() {
    LazyLock::force(&DUMMY_HASH);
}

/// Checks the length of a new password.
pub(crate) fn check(password: &str) -> Result<(), ApiError> {
    let message = if password.chars().count() < MIN_PASSWORD_LENGTH {
        format!("The password is too short: use at least {MIN_PASSWORD_LENGTH} characters")
    } else if password.len() > MAX_BYTES {
        format!("The password is too long: use at most {MAX_BYTES} bytes")
    } else {
        return Ok(());
    };
    Err(ApiError::invalid("password", message))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use tokio::sync::Semaphore;

    use super::{DUMMY_HASH, check, hash, run_limited, verify};

    #[actix_web::test]
    async fn disconnected_client_keeps_its_permit_until_the_work_ends() {
        static PERMITS: Semaphore = Semaphore::const_new(1);
        let (end, ended) = channel::<()>();
        let mut running = Box::pin(run_limited(&PERMITS, move || ended.recv().is_ok()));
        assert!(futures_util::poll!(&mut running).is_pending());
        drop(running);
        assert_eq!(PERMITS.available_permits(), 0);
        end.send(()).unwrap();
        run_limited(&PERMITS, || ()).await.unwrap();
    }

    #[actix_web::test]
    async fn verifies_only_the_same_password() {
        let stored = hash("correct horse").unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, hash("correct horse").unwrap(), "the salt is random");
        assert!(verify("correct horse".to_owned(), Some(stored.clone())).await.unwrap());
        assert!(!verify("correct horses".to_owned(), Some(stored)).await.unwrap());
        assert!(!verify("dummy password".to_owned(), None).await.unwrap());
        assert!(verify("x".to_owned(), Some("damaged".to_owned())).await.is_err());
    }

    #[test]
    fn unknown_user_takes_as_long_as_wrong_password() {
        let costs = |hash: &str| hash.split('$').take(4).collect::<Vec<_>>().join("$");
        assert_eq!(costs(&DUMMY_HASH), costs(&hash("another password").unwrap()));
    }

    #[test]
    fn accepts_passwords_of_8_characters_to_1024_bytes() {
        for (password, is_valid) in [
            ("1234567", false),
            ("12345678", true),
            ("ääääääää", true),
            ("🦀🦀🦀🦀", false),
            (&"x".repeat(1024), true),
            (&"x".repeat(1025), false),
        ] {
            assert_eq!(check(password).is_ok(), is_valid, "{password}");
        }
    }
}
