//! Asks the flag service two questions as the console would, by the connection that the proxy would use.

use std::time::{Instant, SystemTime};

use actix_web::error::ParseError;
use actix_web::http::header;
use awc::error::{ConnectError, SendRequestError};
use rustls::{CertificateError, Error as TlsError};

use super::answers::{self, Answer};
use super::certificate;
use super::finding::Finding;
use crate::config::{Public, Upstream};
use crate::proxy::{client, connection, outcome};

/// More of an answer than what is looked at in it.
const BODY_LIMIT: usize = 1 << 20;

/// What keeps the console from working beside it, and what is worth knowing.
pub(super) async fn probe(upstream: &Upstream, public: &Public) -> Vec<Finding> {
    // awc panics while it builds a TLS connector when no provider was chosen.
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = client::build(upstream);
    let start = Instant::now();
    let user = match ask(&client, upstream, "/api/admin/user").await {
        Ok(answer) => answer,
        Err(fault) => return vec![fault],
    };
    let took = start.elapsed().as_millis();
    let reachable = format!("{} answered after {took} ms", upstream.authority);
    let config = ask(&client, upstream, "/api/admin/ui-config").await.ok();
    let mut findings = vec![Finding::fine("connection", reachable), answers::transport(upstream)];
    findings.extend(validity(upstream).await);
    let https = public.url.as_ref().map_or(public.has_tls, |url| url.scheme == "https");
    findings.extend(answers::judge(&user, config.as_ref(), SystemTime::now(), https));
    findings
}

/// Asked for once more: it is not to be seen behind an answer.
async fn validity(upstream: &Upstream) -> Option<Finding> {
    let shown =
        tokio::time::timeout(upstream.connect_timeout, connection::certificate(upstream)).await.ok()??;
    let renew = "let whoever runs the flag service renew it: without that the console loses the connection";
    Some(certificate::validity("certificate", &shown, SystemTime::now(), renew))
}

async fn ask(client: &awc::Client, upstream: &Upstream, path: &str) -> Result<Answer, Finding> {
    let url = format!("{}{}{path}", upstream.dialled, upstream.path);
    let host = upstream.authority.as_str();
    let mut request = client
        .get(url)
        .insert_header((header::HOST, host))
        .insert_header((header::ACCEPT, "application/json"));
    for (name, value) in &upstream.added {
        request = request.insert_header((name.clone(), value.clone()));
    }
    let mut answer = tokio::time::timeout(upstream.head_timeout, request.send())
        .await
        .map_err(|_elapsed| too_slow(upstream))?
        .map_err(|error| unreachable(upstream, &error))?;
    let read = tokio::time::timeout(upstream.idle_timeout, answer.body().limit(BODY_LIMIT)).await;
    let body = read.ok().and_then(Result::ok).unwrap_or_default();
    Ok(Answer { status: answer.status(), headers: answer.headers().clone(), body: body.to_vec() })
}

fn too_slow(upstream: &Upstream) -> Finding {
    let what =
        format!("{} did not answer within {} s", upstream.authority, upstream.head_timeout.as_secs_f64());
    Finding::fault("connection", what, "see whether it is overloaded, or raise upstream-head-timeout")
}

fn unreachable(upstream: &Upstream, error: &SendRequestError) -> Finding {
    let what = format!("{} cannot be reached: {}", upstream.authority, outcome::reason(error));
    Finding::fault("connection", what, remedy(error))
}

fn remedy(error: &SendRequestError) -> &'static str {
    match (of_tls(error), error) {
        (Some(TlsError::InvalidCertificate(fault)), _) => of_certificate(fault),
        (Some(TlsError::AlertReceived(_)), _) => {
            "it refuses us: see whether it asks for upstream-client-cert, or whether upstream-server-name is right"
        }
        (_, SendRequestError::Connect(ConnectError::Timeout) | SendRequestError::Timeout) => {
            "a firewall may swallow what is sent to it; see whether this machine may connect there"
        }
        (_, SendRequestError::Connect(ConnectError::Resolver(_) | ConnectError::NoRecords)) => {
            "see whether the name in upstream is right, and whether this machine's name servers know it"
        }
        (None, SendRequestError::Connect(ConnectError::Io(_))) => {
            "see whether the flag service runs, and whether host and port in upstream are right"
        }
        _ => SCHEME,
    }
}

/// What TLS says of it, in the handshake or behind it: servers refuse a missing certificate only then.
fn of_tls(error: &SendRequestError) -> Option<&TlsError> {
    let (SendRequestError::Connect(ConnectError::Io(error))
    | SendRequestError::Send(error)
    | SendRequestError::Response(ParseError::Io(error))) = error
    else {
        return None;
    };
    error.get_ref()?.downcast_ref()
}

/// Of what is no HTTP, or no TLS.
const SCHEME: &str = "see whether it is http:// or https:// that the flag service speaks at this port";

fn of_certificate(fault: &CertificateError) -> &'static str {
    match fault {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "let whoever runs the flag service renew its certificate, or set the clock of this machine if that is wrong"
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "see whether the clock of this machine is right"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "write a name that is in the certificate in upstream, or into upstream-server-name"
        }
        _ => "let the flag service send its whole chain; an authority of your own goes into upstream-ca",
    }
}
