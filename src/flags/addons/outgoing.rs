//! What is sent to a receiver about one event: pure.

use std::collections::BTreeMap;

use awc::http::Uri;
use serde_json::{Value, json};
use url::Url;

use super::message;
use super::providers::Provider;
use super::template::{Template, TemplateFault, TooLarge};
use crate::flags::model::Event;

/// What a webhook posts unless told otherwise.
const JSON: &str = "application/json";

/// A request to be sent. It holds secrets: nothing prints it.
pub struct Outgoing {
    /// http or https.
    pub url: Uri,
    /// User and password of basic authentication.
    pub login: Option<(String, String)>,
    /// The media type of the body.
    pub content_type: String,
    /// All of it.
    pub body: String,
}

/// Why there is nothing that could be sent; none of these tells a secret.
#[derive(Debug, thiserror::Error)]
pub enum Unsendable {
    /// Something was stored that the rules would refuse today.
    #[error("its address cannot be used")]
    Address,
    /// The template was stored before a rule that it breaks.
    #[error("its body template {0}")]
    Template(#[from] TemplateFault),
    /// The template makes too much of the event.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The event cannot be written as JSON.
    #[error("the event cannot be written: {0}")]
    Event(#[from] serde_json::Error),
}

/// Makes the request that tells `target`, or else the addon's own receiver, about an event.
///
/// # Errors
/// See [`Unsendable`].
pub fn compose(
    provider: Provider,
    parameters: &BTreeMap<String, String>,
    event: &Event,
    target: Option<&str>,
) -> Result<Outgoing, Unsendable> {
    let parameter = |name: &str| parameters.get(name).map(String::as_str);
    match provider {
        Provider::Webhook => {
            let content_type = parameter("contentType").unwrap_or(JSON).to_owned();
            let body = webhook_body(parameter("bodyTemplate"), event)?;
            to(address(parameter("url"))?, content_type, body)
        }
        Provider::Slack => {
            let body = slack_body(&parameter, event, target);
            to(address(parameter("url"))?, JSON.to_owned(), body.to_string())
        }
        Provider::JiraComment => {
            let url = comments(address(parameter("baseUrl"))?, target.unwrap_or_default())?;
            let login = (
                parameter("user").unwrap_or_default().to_owned(),
                parameter("apiKey").unwrap_or_default().to_owned(),
            );
            let outgoing = to(url, JSON.to_owned(), jira_body(event).to_string())?;
            Ok(Outgoing { login: Some(login), ..outgoing })
        }
    }
}

/// True for what a request can be sent to.
#[must_use]
pub fn is_address(text: &str) -> bool {
    address(Some(text)).is_ok_and(|url| uri(&url).is_some())
}

/// True for an address with a user or password inside.
#[must_use]
pub fn holds_login(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| !url.username().is_empty() || url.password().is_some())
}

fn address(text: Option<&str>) -> Result<Url, Unsendable> {
    let url = Url::parse(text.unwrap_or_default()).map_err(|_no_url| Unsendable::Address)?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    if is_web { Ok(url) } else { Err(Unsendable::Address) }
}

fn uri(url: &Url) -> Option<Uri> {
    url.as_str().parse().ok()
}

/// A user and password in the address become a header.
fn to(mut url: Url, content_type: String, body: String) -> Result<Outgoing, Unsendable> {
    let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let login = (!url.username().is_empty() || url.password().is_some())
        .then(|| (decoded(url.username()), decoded(url.password().unwrap_or_default())));
    url.set_fragment(None);
    url.set_username("").and_then(|()| url.set_password(None)).map_err(|()| Unsendable::Address)?;
    Ok(Outgoing { url: uri(&url).ok_or(Unsendable::Address)?, login, content_type, body })
}

fn webhook_body(template: Option<&str>, event: &Event) -> Result<String, Unsendable> {
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
    let message = message::of(event);
    let (who, toggle, more) =
        (slack_text(&message.who), slack_text(&message.toggle), slack_text(&message.more));
    let channel = target.or(parameter("defaultChannel")).unwrap_or_default();
    // People write tags either way; `@` is a person.
    let channel = if channel.starts_with(['#', '@']) { channel.to_owned() } else { format!("#{channel}") };
    json!({
        "username": parameter("username").unwrap_or("Flagdeck"),
        "icon_emoji": parameter("emojiIcon").unwrap_or(":triangular_flag_on_post:"),
        "channel": channel,
        "text": format!("{who} {} *{toggle}*{more}", message.did),
    })
}

/// The three characters by which Slack tells links and mentions from text.
fn slack_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn comments(mut base: Url, issue: &str) -> Result<Url, Unsendable> {
    base.set_query(None);
    base.path_segments_mut()
        .map_err(|()| Unsendable::Address)?
        .pop_if_empty()
        .extend(["rest", "api", "3", "issue", issue, "comment"]);
    Ok(base)
}

/// The document format of Jira's API, version 3.
fn jira_body(event: &Event) -> Value {
    let text = message::of(event).plain();
    let paragraph = json!({ "type": "paragraph", "content": [{ "type": "text", "text": text }] });
    json!({ "body": { "type": "doc", "version": 1, "content": [paragraph] } })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::{Outgoing, compose, is_address};
    use crate::flags::addons::providers::Provider;
    use crate::flags::model::Event;

    fn event() -> Event {
        let event = json!({
            "id": 7, "type": "feature-archived", "createdBy": "<!channel> & co", "createdAt": "2026",
            "data": { "name": "probe" }, "tags": [], "diffs": null,
        });
        serde_json::from_value(event).unwrap()
    }

    fn composed(provider: Provider, parameters: &[(&str, &str)], target: Option<&str>) -> Outgoing {
        let parameters: BTreeMap<_, _> =
            parameters.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        compose(provider, &parameters, &event(), target).unwrap_or_else(|cause| panic!("{cause}"))
    }

    fn json_of(outgoing: &Outgoing) -> Value {
        serde_json::from_str(&outgoing.body).unwrap()
    }

    #[test]
    fn webhooks_post_the_event_or_what_a_template_makes_of_it() {
        let plain = composed(Provider::Webhook, &[("url", "https://u:p%40ss@hook.test/x?y=1#z")], None);
        assert_eq!(plain.url.to_string(), "https://hook.test/x?y=1");
        assert_eq!(plain.login, Some(("u".to_owned(), "p@ss".to_owned())));
        assert_eq!((plain.content_type.as_str(), &json_of(&plain)["id"]), ("application/json", &json!(7)));
        let parameters =
            [("url", "http://hook.test"), ("contentType", "text/plain"), ("bodyTemplate", "{{event.type}}!")];
        let templated = composed(Provider::Webhook, &parameters, None);
        assert_eq!(
            (templated.content_type.as_str(), templated.body.as_str()),
            ("text/plain", "feature-archived!")
        );
        assert_eq!(templated.login, None);
    }

    #[test]
    fn slack_is_told_in_words_that_mention_nobody() {
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
        let own = [&parameters[..], &[("username", "Ops"), ("emojiIcon", ":x:")]].concat();
        let own = json_of(&composed(Provider::Slack, &own, None));
        assert_eq!((&own["username"], &own["icon_emoji"]), (&json!("Ops"), &json!(":x:")));
    }

    #[test]
    fn jira_issues_are_commented_on() {
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
            assert_eq!(outgoing.login, Some(("ann".to_owned(), "k:y".to_owned())));
            let text = &json_of(&outgoing)["body"]["content"][0]["content"][0]["text"];
            assert_eq!(text, "<!channel> & co archived the toggle probe");
        }
    }

    #[test]
    fn addresses_are_of_the_web() {
        for (text, usable) in [
            ("http://localhost:1/x", true),
            ("https://[::1]/{a}|^", true),
            ("ftp://x/", false),
            ("file:///etc/passwd", false),
            ("x", false),
            ("http://", false),
            ("", false),
        ] {
            assert_eq!(is_address(text), usable, "{text}");
        }
    }
}
