//! The webhook for holds, `hold-webhook`, and the time for which ended holds are kept.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use awc::http::Uri;
use rustls::ClientConfig;
use url::Url;

use super::kind::{Optional, read_at_file};
use super::recorder::RECORDER_KEEP;
use super::setting::Setting;
use super::upstream_tls::default_client_config;
use super::{BackendSettings, ConfigError, Declaration, RetryPolicy, Settings};

pub(super) static SETTINGS: &[&dyn Declaration] = &[&HOLD_WEBHOOK];

pub(super) static HOLD_WEBHOOK: Setting<Optional<Url>> = Setting {
    name: "hold-webhook",
    help: "URL that gets a message when a hold starts or ends, such as an incoming webhook of a chat service; in a file if the URL contains a secret; with upstream, it needs replica",
    default: "none",
    kind: Optional("URL|@FILE", parse_webhook),
};

/// Settings of holds.
#[derive(Debug, Clone)]
pub struct Hold {
    /// `RECORDER_KEEP`: age at which ended holds are deleted.
    pub keep: Duration,
    /// `HOLD_WEBHOOK`: receiver of messages about holds.
    pub webhook: Option<HoldWebhook>,
}

/// The receiver of messages about holds. Its `Debug` output hides the URL, which can contain a secret.
#[derive(Clone)]
pub struct HoldWebhook {
    /// The URL, with the scheme http or https.
    pub url: Url,
    /// Trusted authorities of connections to the receiver.
    pub tls: Arc<ClientConfig>,
    /// Timing and retries. Not a setting.
    pub retry_policy: RetryPolicy,
    /// Maximum time at shutdown in which the request that is being sent can end. Not a setting.
    pub shutdown_timeout: Duration,
}

impl fmt::Debug for HoldWebhook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.origin())
    }
}

impl HoldWebhook {
    fn new(url: Url) -> Result<Self, ConfigError> {
        let tls = default_client_config().map_err(|error| HOLD_WEBHOOK.error(error))?;
        let retry_policy =
            RetryPolicy { max_backoff: Duration::from_secs(10), max_attempts: 3, ..RetryPolicy::default() };
        Ok(Self { url, tls, retry_policy, shutdown_timeout: Duration::from_secs(3) })
    }

    /// Returns the scheme, the host and the port. The rest of the URL can contain a secret.
    #[must_use]
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }
}

impl Hold {
    pub(super) fn resolve(settings: &Settings, backend: &BackendSettings) -> Result<Self, ConfigError> {
        let webhook = HOLD_WEBHOOK.resolve(settings)?;
        let can_hold = !matches!(backend, BackendSettings::Upstream(upstream) if upstream.replica.is_none());
        if webhook.is_some() && !can_hold {
            return Err(HOLD_WEBHOOK.error(
                "needs replica with upstream, because SDKs get toggles from Flagdeck only with it; set replica, or remove hold-webhook",
            ));
        }
        let keep = RECORDER_KEEP.resolve(settings)?;
        Ok(Self { keep, webhook: webhook.map(HoldWebhook::new).transpose()? })
    }
}

/// Returns the value for the output of `flagdeck check`. A URL is shown without its path, which can be a secret.
pub(super) fn redact_webhook(value: &str) -> String {
    match Url::parse(value) {
        Ok(url) if !value.starts_with('@') => format!("{}/…", url.origin().ascii_serialization()),
        _ => value.to_owned(),
    }
}

/// Parses a URL, or reads the file that contains it. No error contains the value or the text of the file, because both can
/// be secrets.
fn parse_webhook(text: &str) -> Result<Url, String> {
    if !text.starts_with('@') {
        return parse_url(text).ok_or_else(|| {
            "the value is not an http or https URL; write a URL, or @ and a file with one, such as @/run/secrets/hold-webhook"
                .to_owned()
        });
    }
    let (file, content) = read_at_file(text, "a URL", "/run/secrets/hold-webhook")?;
    parse_url(content.trim())
        .ok_or_else(|| format!("{file} does not contain an http or https URL; write one line with the URL"))
}

fn parse_url(text: &str) -> Option<Url> {
    let mut url = Url::parse(text).ok()?;
    url.set_fragment(None);
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    (is_web && url.as_str().parse::<Uri>().is_ok()).then_some(url)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::{HOLD_WEBHOOK, HoldWebhook, redact_webhook};
    use crate::config::Settings;

    #[test]
    fn reads_a_url_or_a_file_with_one_and_never_prints_it() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"https://chat.test/services/s3cret\n").unwrap();
        let read = |text: &str| HOLD_WEBHOOK.resolve(&Settings::default().with(&HOLD_WEBHOOK, text));
        let at_file = format!("@{}", file.path().display());
        for text in ["https://chat.test/services/s3cret", &at_file] {
            let url = read(text).unwrap().unwrap();
            assert_eq!(url.path(), "/services/s3cret");
            let webhook = HoldWebhook::new(url).unwrap();
            assert_eq!(format!("{webhook:?}"), "https://chat.test");
        }
        assert_eq!(
            redact_webhook("https://u:s3cret@chat.test:8443/s3cret?s3cret"),
            "https://chat.test:8443/…"
        );
        assert_eq!(redact_webhook(&at_file), at_file);
        let mut invalid = tempfile::NamedTempFile::new().unwrap();
        invalid.write_all(b"chat.test/s3cret").unwrap();
        let invalid = format!("@{}", invalid.path().display());
        for text in
            ["", "s3cret", "ftp://chat.test/s3cret", "https://", "chat:s3cret", &invalid, "@/no/such/s3"]
        {
            let fault = read(text).unwrap_err().to_string();
            assert!(fault.starts_with("hold-webhook: ") && !fault.contains("s3cret"), "{fault}");
        }
    }
}
