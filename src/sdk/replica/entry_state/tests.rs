//! Table tests of the state of a cache entry.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use bytes::Bytes;

use super::{Answer, EntryState, Fault, Outcome, REFUSAL, Reply, Step, Timing};
use crate::sdk::replica::copy::ToggleCopy;

const TIMING: Timing = Timing { refresh: 10_000, max_stale: 60_000, idle: 300_000 };

fn copy(body: &'static str) -> Outcome {
    Outcome::Changed(Arc::new(
        ToggleCopy::new(Bytes::from_static(body.as_bytes()), &HeaderMap::new()).unwrap(),
    ))
}

fn reply(status: StatusCode) -> Outcome {
    Outcome::Reply(Arc::new(Reply { status, content_type: None, body: Bytes::new() }))
}

/// Describes the step of a request in short.
fn show(step: &Step) -> String {
    match step {
        Step::Start => "start".to_owned(),
        Step::Wait(u64::MAX) => "wait".to_owned(),
        Step::Wait(until) => format!("wait until {until}"),
        Step::Respond(Answer::Unavailable(Fault::Silent)) => "unavailable".to_owned(),
        Step::Respond(Answer::Unavailable(fault)) => format!("unavailable: {fault:?}"),
        Step::Respond(Answer::Reply(reply)) => reply.status.as_str().to_owned(),
        Step::Respond(Answer::Copy(source, age)) => {
            let text = str::from_utf8(&source.list.body).unwrap();
            format!("{text} of {}{}", age.millis, if age.is_stale { " stale" } else { "" })
        }
    }
}

/// An event: a request of a client with the expected step, or a result of the upstream (time of the request, result).
enum Event {
    Request(&'static str),
    Result(u64, Outcome),
    Restore(Arc<ToggleCopy>, u64),
    Idle,
    Hold,
    Purge,
}
use Event::{Hold, Idle, Purge, Request, Restore, Result};

/// Runs events at increasing times. A request that must start a task does so.
fn run(mut state: EntryState, events: Vec<(u64, Event)>) {
    for (now, event) in events {
        match event {
            Request(expected) => {
                let step = state.step(now, TIMING);
                assert_eq!(show(&step), expected, "at {now}");
                assert_eq!(state.activate(now), matches!(step, Step::Start), "at {now}");
            }
            Result(sent, outcome) => state.apply(outcome, sent, now, TIMING),
            Restore(copy, confirmed_at) => state.restore(copy, confirmed_at, now),
            Idle => state.deactivate(),
            Hold => state.hold(),
            Purge => state.purge(),
        }
    }
}

#[test]
fn one_task_reads_a_new_key_and_keeps_it_fresh() {
    run(
        EntryState::default(),
        vec![
            (100_000, Request("start")),
            (100_001, Request("wait")),
            (100_500, Result(100_000, copy("a"))),
            (100_600, Request("a of 600")),
            (110_050, Request("a of 10050")),
            (110_100, Result(110_000, Outcome::Unchanged)),
            (110_200, Request("a of 200")),
            (120_100, Result(120_000, copy("b"))),
            (120_200, Request("b of 200")),
        ],
    );
}

#[test]
fn copy_is_served_during_an_outage_until_it_is_too_old() {
    run(
        EntryState::default(),
        vec![
            (100_000, Request("start")),
            (100_000, Result(100_000, copy("a"))),
            (110_000, Result(110_000, Outcome::Failed(Fault::Silent))),
            (110_001, Request("a of 10001 stale")),
            (120_000, Result(120_000, reply(StatusCode::NOT_FOUND))),
            (160_000, Request("a of 60000 stale")),
            (160_001, Request("unavailable: Unusable")),
            (161_000, Result(160_500, Outcome::Unchanged)),
            (161_001, Request("a of 501")),
        ],
    );
}

#[test]
fn copy_without_a_result_becomes_stale_after_two_intervals() {
    run(
        EntryState::default(),
        vec![
            (0, Request("start")),
            (0, Result(0, copy("a"))),
            (19_999, Request("a of 19999")),
            (20_000, Request("a of 20000 stale")),
        ],
    );
}

#[test]
fn refusal_replaces_the_copy_and_is_cached() {
    let end = 110_000 + REFUSAL;
    for status in [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN] {
        let refused = if status == StatusCode::FORBIDDEN { "403" } else { "401" };
        run(
            EntryState::default(),
            vec![
                (100_000, Request("start")),
                (100_000, Result(100_000, copy("a"))),
                (109_500, Hold),
                (109_501, Request("wait")),
                (110_000, Result(109_000, reply(status))),
                (110_001, Request(refused)),
                (end - 1, Request(refused)),
                (end, Request("start")),
                (end, Request("wait")),
                (end + 1, Result(end, Outcome::Failed(Fault::Silent))),
                (end + 2, Request(refused)),
            ],
        );
    }
}

#[test]
fn upstream_without_a_response_is_asked_once_in_each_interval() {
    run(
        EntryState::default(),
        vec![
            (100_000, Request("start")),
            (130_000, Result(100_000, Outcome::Failed(Fault::Silent))),
            (130_001, Request("unavailable")),
            (139_999, Request("unavailable")),
            (140_000, Request("start")),
            (140_001, Result(140_000, reply(StatusCode::BAD_REQUEST))),
            (140_002, Request("400")),
            (150_000, Request("start")),
        ],
    );
}

#[test]
fn unconfirmed_copy_waits_for_the_upstream_only_for_a_moment() {
    let Outcome::Changed(restored) = copy("a") else { panic!() };
    run(
        EntryState::default(),
        vec![
            (99_999, Request("start")),
            (99_999, Request("wait")),
            (100_000, Restore(restored, 90_000)),
            (100_001, Request("wait until 101000")),
            (101_000, Request("a of 11000")),
            (130_000, Result(100_000, Outcome::Failed(Fault::Silent))),
            (130_001, Request("a of 40001 stale")),
            (131_000, Idle),
            (139_999, Request("a of 49999 stale")),
            (140_000, Request("start")),
            (140_001, Result(140_000, reply(StatusCode::UNAUTHORIZED))),
            (140_002, Request("401")),
        ],
    );
}

#[test]
fn purged_copy_is_read_again_at_once() {
    run(
        EntryState::default(),
        vec![
            (100_000, Request("start")),
            (100_000, Result(100_000, copy("a"))),
            (100_001, Purge),
            (100_002, Request("wait")),
            (100_003, Result(100_002, Outcome::Failed(Fault::Silent))),
            (100_004, Request("unavailable")),
            (110_003, Request("start")),
        ],
    );
}
