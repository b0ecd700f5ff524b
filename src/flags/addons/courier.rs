//! Takes what is due out of the outbox and sends it, beside the threads that serve HTTP.
//!
//! Each delivery is sent at least once: one that was sent when the program was killed is sent again, under the same
//! id, as is one that took longer than its lease.

use std::time::{Duration, SystemTime};

use actix_web::http::header::{self, HttpDate};
use awc::http::Version;
use awc::{ClientResponse, Connector};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use jiff::Timestamp;
use ring::rand::{SecureRandom as _, SystemRandom};

use super::outgoing::Outgoing;
use super::retries::{Outcome, Pace, Verdict};
use super::{Parcel, pack, settle};
use crate::error::ApiError;
use crate::flags::Flags;
use crate::flags::events::Actor;
use crate::proxy::connection;
use crate::proxy::outcome::reason;

/// How many requests may be under way, each to another addon.
const MOST_UNDER_WAY: usize = 16;
/// How long an answer's end is waited for when the program is asked to end.
const PARTING: Duration = Duration::from_secs(3);
/// How long the outbox is left alone after the database failed.
const DATABASE_PAUSE: Duration = Duration::from_secs(10);
/// What a lease lasts beyond the request: the time to note how it ended.
const NOTING: Duration = Duration::from_secs(20);
/// By which receivers tell a delivery that they had before.
const DELIVERY: &str = "x-flagdeck-delivery";
/// Who signs deliveries in the history.
const SIGNATURE: &str = "flagdeck";

/// Sends what is due until `stop` is done.
pub(in crate::flags) async fn run(flags: Flags, pace: Pace, stop: impl Future<Output = ()>) {
    let courier = Courier { client: client(&pace), flags, pace };
    let mut stop = std::pin::pin!(stop);
    let mut under_way = FuturesUnordered::new();
    loop {
        let room = MOST_UNDER_WAY - under_way.len();
        let pause = match courier.take(room).await {
            Ok((parcels, pause)) => {
                under_way.extend(parcels.into_iter().map(|parcel| courier.deliver(parcel)));
                pause
            }
            Err(cause) => {
                tracing::error!(%cause, "the outbox of the addons cannot be read");
                DATABASE_PAUSE
            }
        };
        tokio::select! {
            () = &mut stop => break,
            Some(()) = under_way.next() => {}
            () = courier.flags.wait_for_commit() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
    // What does not end by then is sent again when its lease has.
    let ended = tokio::time::timeout(PARTING, under_way.collect::<Vec<()>>()).await;
    drop(ended);
}

struct Courier {
    flags: Flags,
    client: awc::Client,
    pace: Pace,
}

impl Courier {
    /// What is due, and how long to wait for more.
    async fn take(&self, room: usize) -> Result<(Vec<Parcel>, Duration), ApiError> {
        let now = Timestamp::now().as_millisecond();
        // Reads first: an empty outbox costs no commit.
        let next = self.flags.read(|tx| Ok(tx.next_delivery_time()?)).await?;
        let Some(next) = next.filter(|_| room > 0) else { return Ok((Vec::new(), self.pace.look)) };
        if next > now {
            let wait = Duration::from_millis(u64::try_from(next - now).unwrap_or_default());
            return Ok((Vec::new(), wait.min(self.pace.look)));
        }
        let lease_end = later(now, self.pace.patience + NOTING);
        let secrets = self.flags.secrets();
        let parcels = self
            .flags
            .write(move |tx| {
                let taken = tx.lease_deliveries(now, lease_end, room)?;
                taken.into_iter().filter_map(|delivery| pack(tx, &secrets, delivery).transpose()).collect()
            })
            .await?;
        Ok((parcels, self.pace.look))
    }

    async fn deliver(&self, mut parcel: Parcel) {
        let content = std::mem::replace(&mut parcel.content, Err(Outcome::Hopeless(String::new())));
        let outcome = match content {
            Ok(outgoing) => self.send(outgoing, parcel.delivery.id).await,
            Err(outcome) => outcome,
        };
        let age = parcel.event.created_at.parse::<Timestamp>().map_or(Duration::ZERO, |written| {
            Duration::try_from(Timestamp::now().duration_since(written)).unwrap_or_default()
        });
        let verdict = self.pace.judge(outcome, parcel.delivery.attempts, age, chance());
        if let Err(cause) = self.note(parcel, verdict).await {
            tracing::error!(%cause, "the end of a delivery cannot be written: it will be made again");
        }
    }

    async fn send(&self, outgoing: Outgoing, delivery: i64) -> Outcome {
        let Outgoing { url, login, content_type, body } = outgoing;
        let mut request = self
            .client
            .post(url)
            .no_decompress()
            .insert_header((header::USER_AGENT, concat!("Flagdeck/", env!("CARGO_PKG_VERSION"))))
            // awc takes an interim answer for the final one, which would then be the answer to the next delivery.
            .force_close()
            .insert_header((header::ACCEPT, "*/*"))
            .insert_header((header::CONTENT_TYPE, content_type))
            .insert_header((DELIVERY, format!("{}-{delivery}", self.flags.instance_id())));
        if let Some((user, password)) = login {
            request = request.basic_auth(user, password);
        }
        match tokio::time::timeout(self.pace.patience, request.send_body(body)).await {
            // The rest of the answer is never read: it has no end that could be trusted, and says nothing.
            Ok(Ok(answer)) => {
                Outcome::Answered { status: answer.status().as_u16(), retry_after: retry_after(&answer) }
            }
            Ok(Err(error)) => {
                Outcome::Failed(format!("the receiver could not be reached: {}", reason(&error)))
            }
            Err(_) => {
                let seconds = self.pace.patience.as_secs_f64();
                Outcome::Failed(format!("the receiver did not answer within {seconds} s"))
            }
        }
    }

    async fn note(&self, parcel: Parcel, verdict: Verdict) -> Result<(), ApiError> {
        let (id, addon, attempt) = (parcel.delivery.id, parcel.delivery.addon, parcel.delivery.attempts);
        let actor = Actor::now(SIGNATURE);
        match verdict {
            Verdict::Delivered(status) => {
                tracing::info!(addon, delivery = id, status, "delivered");
                self.flags.write(move |tx| settle(tx, &parcel, Ok(status), &actor)).await
            }
            Verdict::Again(wait, reason) => {
                tracing::warn!(addon, delivery = id, attempt, reason, ?wait, "not delivered yet");
                let due_at = later(Timestamp::now().as_millisecond(), wait);
                self.flags.write(move |tx| Ok(tx.reschedule_delivery(id, due_at)?)).await
            }
            Verdict::GivenUp(reason) => {
                tracing::warn!(addon, delivery = id, attempt, reason, "not delivered, and given up");
                self.flags.write(move |tx| settle(tx, &parcel, Err(reason), &actor)).await
            }
        }
    }
}

/// Follows no redirects: whoever entered an address meant that one.
fn client(pace: &Pace) -> awc::Client {
    let connector = Connector::new()
        .connector(connection::connector())
        .timeout(pace.patience)
        .handshake_timeout(pace.patience)
        .max_http_version(Version::HTTP_11)
        .limit(MOST_UNDER_WAY);
    awc::Client::builder()
        .connector(connector)
        .max_http_version(Version::HTTP_11)
        .disable_redirects()
        .disable_timeout()
        .no_default_headers()
        .finish()
}

/// Seconds or a date (RFC 9110, 10.2.3).
fn retry_after<S>(answer: &ClientResponse<S>) -> Option<Duration> {
    let text = answer.headers().get(header::RETRY_AFTER)?.to_str().ok()?;
    let seconds = text.parse().map(Duration::from_secs).ok();
    seconds
        .or_else(|| SystemTime::from(text.parse::<HttpDate>().ok()?).duration_since(SystemTime::now()).ok())
}

fn later(now: i64, wait: Duration) -> i64 {
    now.saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX))
}

/// Without randomness all wait alike, which does no harm.
fn chance() -> u8 {
    let mut chance = u8::MAX;
    SystemRandom::new().fill(std::slice::from_mut(&mut chance)).map_or(u8::MAX, |()| chance)
}
