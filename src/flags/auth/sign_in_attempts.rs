//! Counts sign-in attempts: in memory, or in a database that several processes share.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::http::StatusCode;
use jiff::Timestamp;
use parking_lot::Mutex;

use super::sign_in_limiter::{MAX_KEYS, SignInLimiter};
use super::token::hash;
use crate::database::{Database, Transaction};
use crate::error::{ApiError, DomainError};

/// The counters of this process. They are not used if the database is shared.
#[derive(Debug, Default)]
pub(super) struct SignInAttempts(Mutex<SignInLimiter>);

/// A change of the counters of an attempt, at a time.
type Change = fn(&mut SignInLimiter, &str, IpAddr, Timestamp) -> Result<(), ApiError>;

impl SignInAttempts {
    /// Counts an attempt to sign in to `account` from `address`.
    /// Fails if a limit is exceeded.
    pub(super) async fn acquire(
        &self,
        account: &str,
        address: IpAddr,
        database: &Database,
    ) -> Result<(), ApiError> {
        let acquire: Change = |limiter, account, address, now| {
            limiter.try_acquire(account, address, now).map_err(too_many_attempts)
        };
        if database.is_shared() {
            // Most rejected attempts need no write transaction.
            let account = account.to_owned();
            database.read(move |tx| load(tx, &account, address, acquire).map(drop)).await?;
        }
        self.change(account, address, database, acquire).await
    }

    /// Removes a successful attempt from the counters.
    pub(super) async fn record_success(
        &self,
        account: &str,
        address: IpAddr,
        database: &Database,
    ) -> Result<(), ApiError> {
        let record: Change = |limiter, account, address, _now| {
            limiter.record_success(account, address);
            Ok(())
        };
        self.change(account, address, database, record).await
    }

    async fn change(
        &self,
        account: &str,
        address: IpAddr,
        database: &Database,
        change: Change,
    ) -> Result<(), ApiError> {
        if !database.is_shared() {
            return change(&mut self.0.lock(), account, address, Timestamp::now());
        }
        let account = account.to_owned();
        let write = move |tx: &Transaction<'_>| {
            let limiter = load(tx, &account, address, change)?;
            limiter.save(&account, address, |key, arrival| {
                tx.save_sign_in_attempts(&hash(key), arrival.map(Timestamp::as_millisecond))
            })?;
            let max = u32::try_from(MAX_KEYS).unwrap_or(u32::MAX);
            Ok(tx.delete_sign_in_attempts(tx.now_milliseconds()?, max)?)
        };
        database.write(write).await
    }
}

/// Loads the counters of an attempt and changes them.
fn load(
    tx: &Transaction<'_>,
    account: &str,
    address: IpAddr,
    change: Change,
) -> Result<SignInLimiter, ApiError> {
    let mut limiter = SignInLimiter::load(account, address, |key| {
        let arrival = tx.find_sign_in_attempts(&hash(key))?;
        Ok::<_, ApiError>(arrival.and_then(|arrival| Timestamp::from_millisecond(arrival).ok()))
    })?;
    let now = Timestamp::from_millisecond(tx.now_milliseconds()?).map_err(ApiError::internal)?;
    change(&mut limiter, account, address, now)?;
    Ok(limiter)
}

fn too_many_attempts(wait: Duration) -> ApiError {
    let seconds = wait.as_secs().saturating_add(1);
    let message = format!("Too many failed sign-in attempts. Try again in {seconds} s");
    let error = DomainError::new("too_many_attempts", StatusCode::TOO_MANY_REQUESTS, message);
    error.of_service().retry_after(seconds).into()
}
