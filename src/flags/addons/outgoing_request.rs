//! Builds the HTTP request for an event. Pure functions.

use std::collections::BTreeMap;

use awc::http::Uri;
use serde_json::{Value, json};
use url::Url;

use super::providers::Provider;
use super::template::{OutputTooLarge, Template, TemplateError};
use crate::api::Event;
use crate::flags::events::message;
use crate::upstream::outgoing_request::{JSON, OutgoingRequest};

/// Error of [`compose`]. The message contains no secret.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    /// The stored URL is not valid.
    #[error("its URL is invalid")]
    Url,
    /// The stored template is not valid.
    #[error("its body template {0}")]
    Template(#[from] TemplateError),
    /// The rendered body is too large.
    #[error(transparent)]
    TooLarge(#[from] OutputTooLarge),
    /// The event cannot be serialized.
    #[error("the event cannot be serialized: {0}")]
    Event(#[from] serde_json::Error),
}

/// Builds the request that reports an event to `target`, or to the default receiver of the addon.
pub(crate) fn compose(
    provider: Provider,
    parameters: &BTreeMap<String, String>,
    event: &Event,
    target: Option<&str>,
) -> Result<OutgoingRequest, ComposeError> {
    let parameter = |name: &str| parameters.get(name).map(String::as_str);
    match provider {
        Provider::Webhook => {
            let content_type = parameter("contentType").unwrap_or(JSON).to_owned();
            let body = webhook_body(parameter("bodyTemplate"), event)?;
            build_request(parse_http_url(parameter("url"))?, content_type, body)
        }
        Provider::Slack => {
            let body = slack_body(&parameter, event, target);
            build_request(parse_http_url(parameter("url"))?, JSON.to_owned(), body.to_string())
        }
        Provider::JiraComment => {
            let url = comment_url(parse_http_url(parameter("baseUrl"))?, target.unwrap_or_default())?;
            let credentials = (
                parameter("user").unwrap_or_default().to_owned(),
                parameter("apiKey").unwrap_or_default().to_owned(),
            );
            let outgoing = build_request(url, JSON.to_owned(), jira_body(event).to_string())?;
            Ok(OutgoingRequest { credentials: Some(credentials), ..outgoing })
        }
    }
}

/// Returns true if the text is an http or https URL with a host.
#[must_use]
pub fn is_http_url(text: &str) -> bool {
    parse_http_url(Some(text)).is_ok_and(|url| url.as_str().parse::<Uri>().is_ok())
}

/// Returns true if the URL contains a user name or a password.
#[must_use]
pub fn has_credentials(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| !url.username().is_empty() || url.password().is_some())
}

fn parse_http_url(text: Option<&str>) -> Result<Url, ComposeError> {
    let url = Url::parse(text.unwrap_or_default()).map_err(|_not_a_url| ComposeError::Url)?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    if is_web { Ok(url) } else { Err(ComposeError::Url) }
}

fn build_request(url: Url, content_type: String, body: String) -> Result<OutgoingRequest, ComposeError> {
    OutgoingRequest::new(url, content_type, body).ok_or(ComposeError::Url)
}

fn webhook_body(template: Option<&str>, event: &Event) -> Result<String, ComposeError> {
    match template {
        Some(template) => Ok(Template::parse(template)?.render(&json!({ "event": event }))?),
        None => Ok(serde_json::to_string(event)?),
    }
}

fn slack_body<'p>(
    parameter: &impl Fn(&str) -> Option<&'p str>,
    event: &Event,
    target: Option<&str>,
) -> Value {
    let message = message::describe(event);
    let (author, toggle, details) =
        (escape_slack(&message.author), escape_slack(&message.toggle), escape_slack(&message.details));
    let channel = target.or(parameter("defaultChannel")).unwrap_or_default();
    // Tags contain channels with or without `#`; `@` is a person.
    let channel = if channel.starts_with(['#', '@']) { channel.to_owned() } else { format!("#{channel}") };
    json!({
        "username": parameter("username").unwrap_or("Flagdeck"),
        "icon_emoji": parameter("emojiIcon").unwrap_or(":triangular_flag_on_post:"),
        "channel": channel,
        "text": format!("{author} {} *{toggle}*{details}", message.action),
    })
}

/// Escapes the characters that start links and mentions in Slack messages.
fn escape_slack(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn comment_url(mut base: Url, issue: &str) -> Result<Url, ComposeError> {
    base.set_query(None);
    base.path_segments_mut()
        .map_err(|()| ComposeError::Url)?
        .pop_if_empty()
        .extend(["rest", "api", "3", "issue", issue, "comment"]);
    Ok(base)
}

/// Returns a comment in the document format of Jira's REST API, version 3.
fn jira_body(event: &Event) -> Value {
    let text = message::describe(event).to_text();
    let paragraph = json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] });
    json!({ "body": { "type": "doc", "version": 1, "content": [paragraph] } })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::{compose, is_http_url};
    use crate::api::Event;
    use crate::flags::addons::providers::Provider;
    use crate::upstream::outgoing_request::OutgoingRequest;

    fn event() -> Event {
        let event = json!({
            "id": 7, "type": "feature-archived", "createdBy": "<!channel> & co", "createdAt": "2026",
            "data": { "name": "probe" }, "tags": [], "diffs": null,
        });
        serde_json::from_value(event).unwrap()
    }

    fn composed(provider: Provider, parameters: &[(&str, &str)], target: Option<&str>) -> OutgoingRequest {
        let parameters: BTreeMap<_, _> =
            parameters.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        compose(provider, &parameters, &event(), target).unwrap_or_else(|cause| panic!("{cause}"))
    }

    fn json_of(outgoing: &OutgoingRequest) -> Value {
        serde_json::from_str(&outgoing.body).unwrap()
    }

    #[test]
    fn webhooks_post_the_event_or_a_rendered_template() {
        let plain = composed(Provider::Webhook, &[("url", "https://u:p%40ss@hook.test/x?y=1#z")], None);
        assert_eq!(plain.url.to_string(), "https://hook.test/x?y=1");
        assert_eq!(plain.credentials, Some(("u".to_owned(), "p@ss".to_owned())));
        assert_eq!((plain.content_type.as_str(), &json_of(&plain)["id"]), ("application/json", &json!(7)));
        let parameters =
            [("url", "http://hook.test"), ("contentType", "text/plain"), ("bodyTemplate", "{{event.type}}!")];
        let templated = composed(Provider::Webhook, &parameters, None);
        assert_eq!(
            (templated.content_type.as_str(), templated.body.as_str()),
            ("text/plain", "feature-archived!")
        );
        assert_eq!(templated.credentials, None);
    }

    #[test]
    fn slack_messages_escape_mentions() {
        let parameters = [("url", "http://slack.test/hook"), ("defaultChannel", "general")];
        let text = "&lt;!channel&gt; &amp; co archived the toggle *probe*";
        for (target, channel) in
            [(None, "#general"), (Some("ops"), "#ops"), (Some("#ops"), "#ops"), (Some("@ann"), "@ann")]
        {
            assert_eq!(
                json_of(&composed(Provider::Slack, &parameters, target)),
                json!({
                    "username": "Flagdeck", "icon_emoji": ":triangular_flag_on_post:", "channel": channel, "text": text,
                })
            );
        }
        let custom = [&parameters[..], &[("username", "Ops"), ("emojiIcon", ":x:")]].concat();
        let custom = json_of(&composed(Provider::Slack, &custom, None));
        assert_eq!((&custom["username"], &custom["icon_emoji"]), (&json!("Ops"), &json!(":x:")));
    }

    #[test]
    fn jira_requests_add_a_comment_to_the_issue() {
        for (base, issue, url) in [
            ("https://jira.test", "FD-1", "https://jira.test/rest/api/3/issue/FD-1/comment"),
            (
                "https://jira.test/base/?q",
                "a/b ?",
                "https://jira.test/base/rest/api/3/issue/a%2Fb%20%3F/comment",
            ),
        ] {
            let parameters = [("baseUrl", base), ("user", "ann"), ("apiKey", "k:y")];
            let outgoing = composed(Provider::JiraComment, &parameters, Some(issue));
            assert_eq!(outgoing.url.to_string(), url);
            assert_eq!(outgoing.credentials, Some(("ann".to_owned(), "k:y".to_owned())));
            let text = &json_of(&outgoing)["body"]["content"][0]["content"][0]["text"];
            assert_eq!(text, "<!channel> & co archived the toggle probe");
        }
    }

    #[test]
    fn accepts_http_urls_only() {
        for (text, is_valid) in [
            ("http://localhost:1/x", true),
            ("https://[::1]/{a}|^", true),
            ("ftp://x/", false),
            ("file:///etc/passwd", false),
            ("x", false),
            ("http://", false),
            ("", false),
        ] {
            assert_eq!(is_http_url(text), is_valid, "{text}");
        }
    }
}
