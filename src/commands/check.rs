//! `flagdeck check`: prints the effective settings, and checks that the program would work with them: the ports, the
//! certificates, and the flag service (`--upstream`) or the database and the sign-in provider. It changes nothing.

mod certificate;
mod database;
mod definitions;
mod environments;
mod finding;
mod hold;
mod journal;
mod listen;
mod oidc;
mod recorder;
mod replica;
mod responses;
mod upstream;
mod upstream_sign_in;

use self::finding::{Finding, Verdict};
use super::CommandError;
use crate::config::{BackendSettings, Config};
use crate::terminal;

pub(super) async fn run(config: &Config) -> Result<(), CommandError> {
    let mut output = format_settings(config);
    let warnings = config.warnings.iter().chain(&config.unused);
    let mut findings: Vec<_> = warnings.map(|warning| Finding::note("settings", warning, "")).collect();
    findings.extend(listen::check(config));
    findings.extend(match &config.backend {
        BackendSettings::Upstream(upstream) => {
            let mut findings = upstream::check(upstream, &config.public, &config.limits).await;
            findings.extend(replica::check(config, upstream).await);
            findings.extend(upstream.data.iter().flat_map(database::check));
            if let Some(sign_in) = &upstream.sign_in {
                // Users do not sign in at the upstream.
                findings.retain(|finding| finding.subject != responses::SIGN_IN);
                findings.extend(upstream_sign_in::check(sign_in, upstream).await);
                findings.extend(oidc::check(&sign_in.auth, &config.listen).await);
            }
            findings
        }
        BackendSettings::Embedded(embedded) => {
            let mut findings = database::check(&embedded.data);
            findings.extend(config.backend.definitions().into_iter().flat_map(definitions::check));
            findings.extend(oidc::check(&embedded.auth, &config.listen).await);
            findings
        }
    });
    findings.extend(journal::check(config));
    findings.extend(recorder::check(config));
    findings.extend(hold::check(config).await);
    output.extend(findings.iter().map(Finding::to_string));
    // Standard output may be closed, which is not an error.
    drop(terminal::print(&output.join("\n")));
    match findings.iter().filter(|finding| finding.verdict == Verdict::Fail).count() {
        0 => Ok(()),
        failures => Err(CommandError::Check { failures, checks: findings.len() }),
    }
}

/// Returns the settings, one per line, with their values and sources.
fn format_settings(config: &Config) -> Vec<String> {
    let width = config.effective.iter().map(|setting| setting.name.len()).max().unwrap_or_default();
    config
        .effective
        .iter()
        .map(|setting| format!("{:width$}  {}  ({})", setting.name, setting.value, setting.source))
        .collect()
}
