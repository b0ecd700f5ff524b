//! Times in arguments: a date, a time or both, in the zone of this machine unless the text contains another one.

use jiff::civil::{Date, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, ToSpan as _, Zoned};

/// Form of a date. `0` is any digit.
const DATE: &str = "0000-00-00";
/// Forms of the time of a day, without the fraction of a second.
const TIMES: [&str; 2] = ["00:00", "00:00:00"];
/// Forms of an offset from UTC, without the sign.
const OFFSETS: [&str; 3] = ["00:00", "0000", "00"];

/// Parses a time.
pub(super) fn parse_time(text: &str) -> Result<Timestamp, String> {
    parse_at(text, &Zoned::now())
}

/// Parses a time. Without a date, it is the last such time before now; a date alone is the start of its day.
fn parse_at(text: &str, now: &Zoned) -> Result<Timestamp, String> {
    read(text, now).ok_or_else(|| {
        "it must be a time such as 14:05, \"2026-11-24 14:05\", 2026-11-24T14:05:00Z or 2026-11-24".to_owned()
    })
}

/// Reads a time. The forms are checked first, because the parsers of dates and times of `jiff` also accept a longer text and ignore
/// the rest of it: a date before the time, or an offset after it.
fn read(text: &str, now: &Zoned) -> Option<Timestamp> {
    let date = text.get(..DATE.len()).filter(|date| has_form(date, DATE));
    let Some(date) = date else {
        let (time, zone) = read_time_and_zone(text, now)?;
        let now = now.with_time_zone(zone.clone());
        let today = now.date().to_datetime(time).to_zoned(zone.clone()).ok()?;
        if today <= now {
            return Some(today.timestamp());
        }
        let yesterday = now.date().checked_sub(1.day()).ok()?;
        return Some(yesterday.to_datetime(time).to_zoned(zone).ok()?.timestamp());
    };
    let rest = text.get(DATE.len()..)?;
    let (time, zone) = match rest {
        "" => (Time::midnight(), now.time_zone().clone()),
        rest => read_time_and_zone(rest.strip_prefix([' ', 'T', 't'])?, now)?,
    };
    let date: Date = date.parse().ok()?;
    // Of an hour that exists twice, the first one counts; one that does not exist is the hour after it.
    Some(date.to_datetime(time).to_zoned(zone).ok()?.timestamp())
}

/// Reads the time of a day, and the zone after it.
fn read_time_and_zone(text: &str, now: &Zoned) -> Option<(Time, TimeZone)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit() && !matches!(letter, ':' | '.'));
    let (time, zone) = text.split_at(end.unwrap_or(text.len()));
    let has_time = match time.split_once('.') {
        Some((seconds, fraction)) => {
            has_form(seconds, "00:00:00") && !fraction.is_empty() && !fraction.contains([':', '.'])
        }
        None => TIMES.iter().any(|form| has_form(time, form)),
    };
    if !has_time {
        return None;
    }
    let zone = match zone.strip_prefix(' ').unwrap_or(zone) {
        "" if zone.is_empty() => now.time_zone().clone(),
        "Z" | "z" => TimeZone::UTC,
        offset if offset.starts_with(['+', '-']) => read_offset(offset)?.to_time_zone(),
        name => TimeZone::get(name).ok()?,
    };
    Some((time.parse().ok()?, zone))
}

/// Reads an offset from UTC, such as `+01:00`.
fn read_offset(text: &str) -> Option<Offset> {
    let (sign, digits) = text.split_at_checked(1)?;
    if !OFFSETS.iter().any(|form| has_form(digits, form)) {
        return None;
    }
    let hours: i32 = digits.get(..2)?.parse().ok()?;
    let minutes: i32 = digits.get(2..)?.trim_start_matches(':').parse().unwrap_or(0);
    if hours > 23 || minutes > 59 {
        return None;
    }
    let seconds = (hours * 60 + minutes) * 60;
    Offset::from_seconds(if sign == "-" { -seconds } else { seconds }).ok()
}

/// Returns true if a text has a form, in which `0` is any digit.
fn has_form(text: &str, form: &str) -> bool {
    let matches =
        |(letter, form): (u8, u8)| if form == b'0' { letter.is_ascii_digit() } else { letter == form };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(matches)
}

#[cfg(test)]
mod tests {
    use jiff::Zoned;

    use super::parse_at;

    #[test]
    fn times_are_local_unless_they_have_a_zone() {
        let now: Zoned = "2026-11-24T14:10:00+01:00[Europe/Berlin]".parse().unwrap();
        for (text, expected) in [
            ("14:05", Some("2026-11-24T13:05:00Z")),
            ("14:05:10", Some("2026-11-24T13:05:10Z")),
            ("14:11", Some("2026-11-23T13:11:00Z")),
            ("00:30", Some("2026-11-23T23:30:00Z")),
            ("13:05Z", Some("2026-11-24T13:05:00Z")),
            ("14:05Z", Some("2026-11-23T14:05:00Z")),
            ("22:05+09:00", Some("2026-11-24T13:05:00Z")),
            // Another day than today, in winter and in summer.
            ("2026-11-20 14:05", Some("2026-11-20T13:05:00Z")),
            ("2026-11-20T14:05", Some("2026-11-20T13:05:00Z")),
            ("2026-07-20 14:05:10", Some("2026-07-20T12:05:10Z")),
            ("2026-07-20", Some("2026-07-19T22:00:00Z")),
            ("2027-01-02 03:04", Some("2027-01-02T02:04:00Z")),
            ("2026-11-20T14:05Z", Some("2026-11-20T14:05:00Z")),
            ("2026-11-20 14:05 UTC", Some("2026-11-20T14:05:00Z")),
            ("2026-11-20T14:05:00.5+02:00", Some("2026-11-20T12:05:00.5Z")),
            ("2026-11-20 14:05:00 -0330", Some("2026-11-20T17:35:00Z")),
            ("2026-11-20 14:05 Asia/Tokyo", Some("2026-11-20T05:05:00Z")),
            // The hour that does not exist, and the first of the two that exist.
            ("2026-03-29 02:30", Some("2026-03-29T01:30:00Z")),
            ("2026-10-25 02:30", Some("2026-10-25T00:30:00Z")),
        ] {
            let parsed = parse_at(text, &now);
            assert_eq!(parsed.as_ref().ok().map(ToString::to_string).as_deref(), expected, "{text:?}");
        }
        for text in [
            "yesterday",
            "yesterday 14:05",
            "25:00",
            "24:00",
            "14",
            "14:5",
            "1405",
            "T14:05",
            "",
            " 14:05",
            "14:05 ",
            "14:05 x",
            "2 pm",
            "2026-11",
            "2026-11-24 ",
            "2026-11-24  14:05",
            "2026-11-24x14:05",
            "2026-11-24 14",
            "2026-11-24 1405",
            "2026-11-24 14:05:1",
            "2026-11-24 14:05:10.",
            "2026-11-24 14:05 +1",
            "2026-11-24 14:05+99:00",
            "2026-11-24 14:05 Nowhere/City",
            "2026-11-31 14:05",
            "26-11-24 14:05",
            "24.11.2026 14:05",
            "11/24/2026 14:05",
            "20261124T140500",
            "-002026-11-24 14:05",
        ] {
            let refused = parse_at(text, &now);
            assert!(
                refused.as_ref().is_err_and(|fault| fault.contains("such as 14:05")),
                "{text:?} {refused:?}"
            );
        }
    }
}
