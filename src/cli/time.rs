//! Times in arguments: RFC 3339, or the local time of this machine.

use jiff::civil::{DateTime, Time};
use jiff::{Timestamp, ToSpan as _, Zoned};

/// Parses a time.
pub(super) fn parse_time(text: &str) -> Result<Timestamp, String> {
    parse_at(text, &Zoned::now())
}

/// Parses a time. Without a date, it is the last such time before now.
fn parse_at(text: &str, now: &Zoned) -> Result<Timestamp, String> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    let zone = now.time_zone().clone();
    let time = if let Ok(time) = text.parse::<Time>() {
        let today = now.date().to_datetime(time).to_zoned(zone.clone());
        match today {
            Ok(today) if today > *now => {
                now.date().checked_sub(1.day()).and_then(|day| day.to_datetime(time).to_zoned(zone))
            }
            today => today,
        }
    } else {
        text.parse::<DateTime>().and_then(|time| time.to_zoned(zone))
    };
    time.map(|time| time.timestamp()).map_err(|_cause| {
        "it must be a time such as 14:05, \"2026-11-24 14:05\" or 2026-11-24T14:05:00Z".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use jiff::Zoned;

    use super::parse_at;

    #[test]
    fn times_are_local_unless_they_have_an_offset() {
        let now: Zoned = "2026-11-24T14:10:00+01:00[+01:00]".parse().unwrap();
        for (text, expected) in [
            ("14:05", Some("2026-11-24T13:05:00Z")),
            ("14:05:10", Some("2026-11-24T13:05:10Z")),
            ("14:11", Some("2026-11-23T13:11:00Z")),
            ("00:30", Some("2026-11-23T23:30:00Z")),
            ("2026-11-24 14:05", Some("2026-11-24T13:05:00Z")),
            ("2026-11-24T14:05", Some("2026-11-24T13:05:00Z")),
            ("2026-11-24T14:05Z", Some("2026-11-24T14:05:00Z")),
            ("2026-11-24T14:05:00.5+02:00", Some("2026-11-24T12:05:00.5Z")),
            ("yesterday", None),
            ("25:00", None),
            ("", None),
        ] {
            let parsed = parse_at(text, &now);
            assert_eq!(parsed.as_ref().ok().map(ToString::to_string).as_deref(), expected, "{text:?}");
            assert!(parsed.is_ok() || parsed.is_err_and(|fault| fault.contains("such as 14:05")));
        }
    }
}
