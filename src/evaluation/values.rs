//! Reads texts as numbers, times, addresses and versions, in the way of client libraries.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

use super::semantic_version::SemanticVersion;

/// Largest whole number that JavaScript represents exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;
/// Maximum length of a version in the Node library.
const MAX_VERSION_LENGTH: usize = 256;
const MILLISECONDS_PER_DAY: i64 = 86_400_000;

/// Removes white space as JavaScript does.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Returns true for white space of JavaScript.
pub(super) fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

/// Removes white space as the rules of the Python library do.
pub(super) fn trim_rule(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

/// Reads a number as `Number` of JavaScript does; `None` for `NaN`.
pub(super) fn parse_number(text: &str) -> Option<f64> {
    let text = trim(text);
    if text.is_empty() {
        return Some(0.0);
    }
    for (prefixes, radix) in [(["0x", "0X"], 16), (["0b", "0B"], 2), (["0o", "0O"], 8)] {
        if let Some(digits) = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix)) {
            return parse_digits(digits, radix);
        }
    }
    match text {
        "Infinity" | "+Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => parse_decimal(text),
    }
}

fn parse_digits(digits: &str, radix: u32) -> Option<f64> {
    let mut number = 0.0;
    for digit in digits.chars() {
        number = number * f64::from(radix) + f64::from(digit.to_digit(radix)?);
    }
    (!digits.is_empty()).then_some(number)
}

pub(super) fn parse_decimal(text: &str) -> Option<f64> {
    let is_decimal = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-');
    text.bytes().all(is_decimal).then(|| text.parse().ok())?
}

/// Reads a number that all libraries read equally.
pub(super) fn parse_plain_number(text: &str) -> Option<f64> {
    let text = trim_rule(text);
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    unsigned.starts_with(|first: char| first.is_ascii_digit()).then(|| parse_decimal(text))?
}

/// A point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Instant {
    /// Milliseconds since 1970.
    pub(super) milliseconds: i64,
    /// The rest below a millisecond in nanoseconds. JavaScript ignores it.
    pub(super) rest: u32,
}

/// A time with its notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WrittenTime {
    pub(super) instant: Instant,
    /// Whether it has seconds and an offset.
    pub(super) is_complete: bool,
    pub(super) fraction_digits: usize,
}

/// Reads the notation of ECMAScript for a date, or for a date with a time and an offset. Local times and the notations that
/// each JavaScript engine reads in its own way are not supported.
pub(super) fn parse_time(text: &str) -> Option<WrittenTime> {
    let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
    let mut parts = date.splitn(3, '-');
    let year = parse_fixed(parts.next()?, 4)?;
    let month = parts.next().map_or(Some(1), |month| parse_fixed(month, 2))?;
    let day = parts.next().map_or(Some(1), |day| parse_fixed(day, 2))?;
    let start = days_since_1970(year, month, day)? * MILLISECONDS_PER_DAY;
    let Some(time) = time else {
        let instant = Instant { milliseconds: start, rest: 0 };
        return Some(WrittenTime { instant, is_complete: false, fraction_digits: 0 });
    };
    let (time, offset) = split_offset(time)?;
    let mut parts = time.splitn(3, ':');
    let hour = parse_fixed(parts.next()?, 2).filter(|hour| *hour < 24)?;
    let minute = parse_fixed(parts.next()?, 2).filter(|minute| *minute < 60)?;
    let second = parts.next();
    let (whole, fraction) = second.map_or(("00", None), |second| {
        second.split_once('.').map_or((second, None), |(whole, fraction)| (whole, Some(fraction)))
    });
    let whole = parse_fixed(whole, 2).filter(|second| *second < 60)?;
    let (milliseconds, rest) = fraction.map_or(Some((0, 0)), parse_fraction)?;
    let seconds = (hour * 60 + minute - offset) * 60 + whole;
    let instant = Instant { milliseconds: start + seconds * 1_000 + milliseconds, rest };
    let is_complete = second.is_some() && date.len() == "2001-01-01".len();
    // Only complete dates can have a time.
    (date.len() == "2001-01-01".len()).then_some(WrittenTime {
        instant,
        is_complete,
        fraction_digits: fraction.map_or(0, str::len),
    })
}

/// Returns true for a date, or a date with a time and an offset, that every JavaScript engine reads.
pub(crate) fn is_written_time(text: &str) -> bool {
    parse_time(text).is_some()
}

/// Reads a time that all libraries read equally.
pub(super) fn parse_plain_time(text: &str) -> Option<Instant> {
    let time = parse_time(text)?;
    (time.is_complete && matches!(time.fraction_digits, 0 | 3)).then_some(time.instant)
}

/// Returns true for a time whose last second is a leap second, which only the Python library reads.
pub(super) fn is_leap_second(text: &str) -> bool {
    let (minute, rest) = (text.get(.."2001-01-01T00:00:".len()), text.get("2001-01-01T00:00:60".len()..));
    let Some((minute, rest)) = minute.zip(rest) else { return false };
    text.get(minute.len()..).is_some_and(|seconds| seconds.starts_with("60"))
        && parse_plain_time(&format!("{minute}59{rest}")).is_some()
}

fn parse_fixed(digits: &str, length: usize) -> Option<i64> {
    let is_number = digits.len() == length && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

/// Splits a time with an offset. Returns the offset in minutes.
fn split_offset(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix('Z') {
        return Some((time, 0));
    }
    let start = time.rfind(['+', '-'])?;
    let (time, offset) = (time.get(..start)?, time.get(start..)?);
    let (sign, offset) = match offset.strip_prefix('-') {
        Some(offset) => (-1, offset),
        None => (1, offset.strip_prefix('+')?),
    };
    let (hours, minutes) = offset.split_once(':')?;
    let hours = parse_fixed(hours, 2).filter(|hours| *hours < 24)?;
    let minutes = parse_fixed(minutes, 2).filter(|minutes| *minutes < 60)?;
    Some((time, sign * (hours * 60 + minutes)))
}

/// Reads a fraction of a second with up to nine digits, as milliseconds and nanoseconds.
fn parse_fraction(digits: &str) -> Option<(i64, u32)> {
    if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut nanoseconds = digits.parse::<u32>().ok()?;
    for _ in digits.len()..9 {
        nanoseconds = nanoseconds.checked_mul(10)?;
    }
    Some((i64::from(nanoseconds / 1_000_000), nanoseconds % 1_000_000))
}

fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let date =
        jiff::civil::Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    let start = jiff::civil::Date::constant(1970, 1, 1);
    Some(i64::from(start.until(date.ok()?).ok()?.get_days()))
}

/// Reads an address as the Node library does: with an optional length of a network. `Err` for notations whose reading is not
/// known.
pub(super) fn parse_node_network(text: &str) -> Result<Option<IpNet>, ()> {
    if text.contains('%') {
        return Err(());
    }
    let (address, length) = match text.rsplit_once('/') {
        Some((address, length)) if length.bytes().all(|byte| byte.is_ascii_digit()) => {
            (address, Some(length).filter(|length| !length.is_empty()))
        }
        _ => (text, None),
    };
    // A slash without a length stays a part of the address, which is then invalid.
    let address = if length.is_none() { text } else { address };
    let read_length = |max: usize, default: u8| match length {
        None => Some(default),
        Some(length) if length.len() <= max => length.parse().ok(),
        Some(_) => None,
    };
    let net = if let Ok(address) = address.parse::<Ipv4Addr>() {
        read_length(2, 32).and_then(|length| IpNet::new(address.into(), length).ok())
    } else if let Ok(address) = address.parse::<Ipv6Addr>() {
        read_length(3, 128).and_then(|length| IpNet::new(address.into(), length).ok())
    } else {
        None
    };
    Ok(net)
}

/// Reads a network or an address as the Python library does.
pub(super) fn parse_python_network(text: &str) -> Option<IpNet> {
    let Some((address, length)) = text.split_once('/') else {
        return text.parse::<IpAddr>().ok().map(IpNet::from);
    };
    let address: IpAddr = address.parse().ok()?;
    match length.parse::<u8>() {
        Ok(length) => IpNet::new(address, length).ok(),
        Err(_) => IpNet::with_netmask(address, length.parse().ok()?).ok(),
    }
}

/// Reads a network or an address that all libraries read equally.
pub(super) fn parse_plain_network(text: &str) -> Option<IpNet> {
    let has_usual_length =
        text.split_once('/').is_none_or(|(_, length)| length == "0" || !length.starts_with('0'));
    let net = parse_node_network(text).ok().flatten()?;
    (has_usual_length && parse_python_network(text) == Some(net)).then_some(net)
}

/// Reads a version as the Node library does.
pub(super) fn parse_node_version(text: &str) -> Option<SemanticVersion<&str>> {
    if text.len() > MAX_VERSION_LENGTH {
        return None;
    }
    let text = trim(text);
    let version = SemanticVersion::parse(text.strip_prefix('v').unwrap_or(text))?;
    version.has_only_numbers_up_to(MAX_SAFE_INTEGER).then_some(version)
}

/// Reads a version as the Python library does.
pub(super) fn parse_python_version(text: &str) -> Option<SemanticVersion<&str>> {
    SemanticVersion::parse(trim_rule(text))
}

#[cfg(test)]
mod tests {
    use super::{parse_number, parse_time};

    #[test]
    fn reads_numbers_as_javascript_does() {
        for (text, number) in [
            ("", Some(0.0)),
            (" 50 ", Some(50.0)),
            ("0x64", Some(100.0)),
            ("0b1100100", Some(100.0)),
            ("0o144", Some(100.0)),
            ("Infinity", Some(f64::INFINITY)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("1e2", Some(100.0)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            ("+4", Some(4.0)),
            ("\u{a0}5", Some(5.0)),
            ("-0x1", None),
            ("0x", None),
            ("inf", None),
            ("NaN", None),
            ("1_000", None),
            ("1e", None),
            ("e1", None),
            ("٣", None),
        ] {
            assert_eq!(parse_number(text), number, "{text:?}");
        }
    }

    #[test]
    fn reads_times_as_javascript_does() {
        // Computed with `Date.parse`.
        for (text, milliseconds) in [
            ("2001-01-01", Some(978_307_200_000)),
            ("2001", Some(978_307_200_000)),
            ("2001-01-01T00:00Z", Some(978_307_200_000)),
            ("2001-01-01T01:00:00+02:00", Some(978_303_600_000)),
            ("2001-01-01T00:00:00.123456Z", Some(978_307_200_123)),
            ("1969-12-31T23:59:59.999Z", Some(-1)),
            ("2000-02-29T12:00:00-00:30", Some(951_827_400_000)),
            ("2001-01-01T00:00:00", None),
            ("2001-02-30T00:00:00Z", None),
            ("2001T00:00:00Z", None),
            ("Jan 1, 2001", None),
        ] {
            let time = parse_time(text).map(|time| time.instant.milliseconds);
            assert_eq!(time, milliseconds, "{text:?}");
        }
    }
}
