//! Passwords: what they have to be, and how they are kept.

use std::sync::LazyLock;

use actix_web::web;
use argon2::Argon2;
use argon2::password_hash::{Error, PasswordHasher as _, PasswordVerifier as _};
use tokio::sync::Semaphore;

use crate::error::ApiError;

/// The shortest password: NIST SP 800-63B asks for 8 characters, and for no rules on which.
pub const SHORTEST: usize = 8;
/// The longest, in bytes: more could only be meant to keep the server busy.
pub const LONGEST: usize = 1024;

/// Each takes 19 MiB and one core for a while: more at once would only slow each other down.
static HASHING: Semaphore = Semaphore::const_new(2);

/// What is compared with where there is no such user, so that it takes as long as where there is.
static OF_NOBODY: LazyLock<String> = LazyLock::new(|| hash("nobody's password").unwrap_or_default());

/// Hashes a password for keeping: Argon2id with OWASP's first choice of costs (19 MiB, two passes, one lane), which are
/// the library's own defaults, and a random salt. Blocks.
///
/// # Errors
/// [`ApiError::Internal`] when the system has no random numbers.
pub fn hash(password: &str) -> Result<String, ApiError> {
    let hash = Argon2::default().hash_password(password.as_bytes()).map_err(ApiError::internal)?;
    Ok(hash.to_string())
}

/// Whether this is the password whose hash is stored; never where there is none.
///
/// # Errors
/// [`ApiError::Internal`] when the stored hash cannot be read.
pub(super) async fn is_right(password: String, stored: Option<String>) -> Result<bool, ApiError> {
    let _turn = HASHING.acquire().await.map_err(ApiError::internal)?;
    let verify = move || {
        let compared = stored.as_deref().unwrap_or(&OF_NOBODY);
        match Argon2::default().verify_password(password.as_bytes(), compared) {
            Ok(()) => Ok(stored.is_some()),
            Err(Error::PasswordInvalid) => Ok(false),
            Err(cause) => Err(ApiError::internal(cause)),
        }
    };
    web::block(verify).await.map_err(ApiError::internal)?
}

/// Has the hash for nobody ready before the first who needs it would wait for it.
pub(super) fn prepare() {
    LazyLock::force(&OF_NOBODY);
}

/// Tells what is wrong with a password that somebody chose.
///
/// # Errors
/// [`ApiError::Invalid`].
pub fn check(password: &str) -> Result<(), ApiError> {
    let fault = if password.chars().count() < SHORTEST {
        format!("The password is too short: it takes at least {SHORTEST} characters")
    } else if password.len() > LONGEST {
        format!("The password is too long: it takes at most {LONGEST} bytes")
    } else {
        return Ok(());
    };
    Err(ApiError::invalid("password", fault))
}

#[cfg(test)]
mod tests {
    use super::{OF_NOBODY, check, hash, is_right};

    #[actix_web::test]
    async fn only_the_same_password_is_right() {
        let stored = hash("correct horse").unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, hash("correct horse").unwrap(), "the salt is random");
        assert!(is_right("correct horse".to_owned(), Some(stored.clone())).await.unwrap());
        assert!(!is_right("correct horses".to_owned(), Some(stored)).await.unwrap());
        assert!(!is_right("nobody's password".to_owned(), None).await.unwrap());
        assert!(is_right("x".to_owned(), Some("damaged".to_owned())).await.is_err());
    }

    #[test]
    fn nobody_costs_as_much_as_somebody() {
        let costs = |hash: &str| hash.split('$').take(4).collect::<Vec<_>>().join("$");
        assert_eq!(costs(&OF_NOBODY), costs(&hash("somebody's password").unwrap()));
    }

    #[test]
    fn a_password_is_eight_characters_to_a_kibibyte_of_anything() {
        for (password, fine) in [
            ("1234567", false),
            ("12345678", true),
            ("ääääääää", true),
            ("🦀🦀🦀🦀", false),
            (&"x".repeat(1024), true),
            (&"x".repeat(1025), false),
        ] {
            assert_eq!(check(password).is_ok(), fine, "{password}");
        }
    }
}
