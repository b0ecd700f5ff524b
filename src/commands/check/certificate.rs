//! How long a certificate is still good for. Pure.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use rustls::client::verify_server_name;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::server::ParsedCertificate;
use x509_cert::Certificate;
use x509_cert::der::Decode as _;

use super::finding::Finding;

/// Whoever has to ask somebody else for a new one needs some weeks.
const SOON: Duration = Duration::from_hours(30 * 24);

/// Whether it is valid, and will be for a while. `renew` says what to do when it will not.
pub(super) fn validity(
    about: &'static str,
    certificate: &CertificateDer<'_>,
    now: SystemTime,
    renew: &str,
) -> Finding {
    let Ok(parsed) = Certificate::from_der(certificate) else {
        return Finding::note(about, "it cannot be read, so that nobody knows when it expires", "");
    };
    let validity = parsed.tbs_certificate().validity();
    let [from, until] =
        [validity.not_before, validity.not_after].map(|time| UNIX_EPOCH + time.to_unix_duration());
    let (Ok(left), Ok(_)) = (until.duration_since(now), now.duration_since(from)) else {
        return if now < from {
            let what = format!("it is valid only from {} on", day(from));
            Finding::fault(about, what, "see whether the clock of this machine is right")
        } else {
            Finding::fault(about, format!("it expired on {}", day(until)), renew)
        };
    };
    if left < SOON {
        let days = left.as_secs() / Duration::from_hours(24).as_secs();
        return Finding::note(about, format!("it expires in {days} days, on {}", day(until)), renew);
    }
    Finding::fine(about, format!("it is valid until {}", day(until)))
}

/// Whether browsers take it for this host; nothing where they do.
pub(super) fn name(about: &'static str, certificate: &CertificateDer<'_>, host: &str) -> Option<Finding> {
    let name = ServerName::try_from(host.trim_matches(['[', ']'])).ok()?;
    let parsed = ParsedCertificate::try_from(certificate).ok()?;
    let what = || format!("it is not for {host}, the host of public-url");
    let remedy = "browsers warn of it, unless a proxy in front has another; get one for that name";
    verify_server_name(&parsed, &name).err().map(|_other| Finding::note(about, what(), remedy))
}

fn day(time: SystemTime) -> String {
    Timestamp::try_from(time)
        .map_or_else(|_far| "a far day".to_owned(), |time| time.strftime("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use rcgen::{CertificateParams, KeyPair, date_time_ymd};
    use rustls::pki_types::CertificateDer;

    use super::super::finding::Verdict::{Fault, Fine, Note};
    use super::{name, validity};

    const DAY: Duration = Duration::from_hours(24);

    /// Valid from 2030-01-01 to 2031-01-01, for `flags.example`.
    fn certificate() -> CertificateDer<'static> {
        let mut parameters = CertificateParams::new(vec!["flags.example".to_owned()]).unwrap();
        parameters.not_before = date_time_ymd(2030, 1, 1);
        parameters.not_after = date_time_ymd(2031, 1, 1);
        parameters.self_signed(&KeyPair::generate().unwrap()).unwrap().der().clone()
    }

    #[test]
    fn the_end_of_a_certificate_is_told_in_time() {
        let (certificate, end) = (certificate(), SystemTime::from(date_time_ymd(2031, 1, 1)));
        for (now, verdict, words) in [
            (end - 366 * DAY, Fault, "valid only from 2030-01-01 on"),
            (end - 31 * DAY, Fine, "valid until 2031-01-01"),
            (end - 12 * DAY, Note, "expires in 12 days, on 2031-01-01"),
            (end + DAY, Fault, "expired on 2031-01-01"),
        ] {
            let finding = validity("certificate", &certificate, now, "renew it");
            assert!(finding.verdict == verdict && finding.what.contains(words), "{finding}");
        }
        let broken = validity("certificate", &CertificateDer::from(vec![1]), end, "");
        assert_eq!(broken.verdict, Note);
    }

    #[test]
    fn the_host_of_the_public_address_has_to_be_in_it() {
        let certificate = certificate();
        assert!(name("certificate", &certificate, "flags.example").is_none());
        assert_eq!(name("certificate", &certificate, "other.example").unwrap().verdict, Note);
    }
}
