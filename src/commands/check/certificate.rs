//! Checks the validity period and the host name of a certificate. Pure.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use rustls::client::verify_server_name;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::server::ParsedCertificate;
use x509_cert::Certificate;
use x509_cert::der::Decode as _;

use super::finding::Finding;

/// Remaining validity below which the check warns: a renewal by another organization can take weeks.
const RENEWAL_PERIOD: Duration = Duration::from_hours(30 * 24);

/// Checks the validity period. `renew` is the remedy for a certificate that expires.
pub(super) fn check_validity(
    subject: &'static str,
    certificate: &CertificateDer<'_>,
    now: SystemTime,
    renew: &str,
) -> Finding {
    let Ok(parsed) = Certificate::from_der(certificate) else {
        return Finding::note(subject, "it cannot be parsed, so that its expiry date is unknown", "");
    };
    let validity = parsed.tbs_certificate.validity;
    let [from, until] =
        [validity.not_before, validity.not_after].map(|time| UNIX_EPOCH + time.to_unix_duration());
    let (Ok(left), Ok(_)) = (until.duration_since(now), now.duration_since(from)) else {
        return if now < from {
            let message = format!("it is valid only from {} on", format_date(from));
            Finding::fail(subject, message, "check the clock of this machine")
        } else {
            Finding::fail(subject, format!("it expired on {}", format_date(until)), renew)
        };
    };
    if left < RENEWAL_PERIOD {
        let days = left.as_secs() / Duration::from_hours(24).as_secs();
        return Finding::note(
            subject,
            format!("it expires in {days} days, on {}", format_date(until)),
            renew,
        );
    }
    Finding::pass(subject, format!("it is valid until {}", format_date(until)))
}

/// Checks the host name. Returns `None` if the certificate is valid for it.
pub(super) fn check_name(
    subject: &'static str,
    certificate: &CertificateDer<'_>,
    host: &str,
) -> Option<Finding> {
    let name = ServerName::try_from(host.trim_matches(['[', ']'])).ok()?;
    let parsed = ParsedCertificate::try_from(certificate).ok()?;
    let message = || format!("it is not valid for {host}, the host of public-url");
    let remedy = "get a certificate for this name, unless a reverse proxy has one; browsers reject this one";
    verify_server_name(&parsed, &name).err().map(|_other| Finding::note(subject, message(), remedy))
}

fn format_date(time: SystemTime) -> String {
    Timestamp::try_from(time)
        .map_or_else(|_far| "an unknown date".to_owned(), |time| time.strftime("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use rcgen::{CertificateParams, KeyPair, date_time_ymd};
    use rustls::pki_types::CertificateDer;

    use super::super::finding::Verdict::{Fail, Note, Pass};
    use super::{check_name, check_validity};

    const DAY: Duration = Duration::from_hours(24);

    /// Valid from 2030-01-01 to 2031-01-01, for `flags.example`.
    fn certificate() -> CertificateDer<'static> {
        let mut parameters = CertificateParams::new(vec!["flags.example".to_owned()]).unwrap();
        parameters.not_before = date_time_ymd(2030, 1, 1);
        parameters.not_after = date_time_ymd(2031, 1, 1);
        parameters.self_signed(&KeyPair::generate().unwrap()).unwrap().der().clone()
    }

    #[test]
    fn reports_certificates_that_expire_soon() {
        let (certificate, end) = (certificate(), SystemTime::from(date_time_ymd(2031, 1, 1)));
        for (now, verdict, words) in [
            (end - 366 * DAY, Fail, "valid only from 2030-01-01 on"),
            (end - 31 * DAY, Pass, "valid until 2031-01-01"),
            (end - 12 * DAY, Note, "expires in 12 days, on 2031-01-01"),
            (end + DAY, Fail, "expired on 2031-01-01"),
        ] {
            let finding = check_validity("certificate", &certificate, now, "renew it");
            assert!(finding.verdict == verdict && finding.message.contains(words), "{finding}");
        }
        let broken = check_validity("certificate", &CertificateDer::from(vec![1]), end, "");
        assert_eq!(broken.verdict, Note);
    }

    #[test]
    fn reports_certificates_without_the_public_host() {
        let certificate = certificate();
        assert!(check_name("certificate", &certificate, "flags.example").is_none());
        assert_eq!(check_name("certificate", &certificate, "other.example").unwrap().verdict, Note);
    }
}
