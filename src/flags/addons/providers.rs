//! The kinds of addons: what each needs to know, what it listens to, and whom it tells.

use crate::flags::model::{AddonParameter, AddonProvider, Tag, TagType};

/// What shows in the place of a secret.
pub const MASK: &str = "*****";

/// What happens to toggles, which is all that addons can listen to: deliveries are events as well, and are never
/// delivered themselves.
const EVENTS: [&str; 6] = [
    "feature-created",
    "feature-updated",
    "feature-archived",
    "feature-revived",
    "feature-stale-on",
    "feature-stale-off",
];

/// A kind of addons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Posts events to a URL.
    Webhook,
    /// Posts messages to channels.
    Slack,
    /// Comments on issues.
    JiraComment,
}

impl Provider {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Webhook, Self::Slack, Self::JiraComment];

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name() == name)
    }

    /// What addons call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Slack => "slack",
            Self::JiraComment => "jira-comment",
        }
    }

    /// The tag type by which toggles name their own channel or issue.
    #[must_use]
    pub fn tag_type(self) -> Option<TagType> {
        let (name, description, icon) = match self {
            Self::Webhook => return None,
            Self::Slack => ("slack", "The Slack channel that hears of changes to the toggle.", "S"),
            Self::JiraComment => ("jira", "The Jira issue that changes to the toggle are noted on.", "J"),
        };
        let (name, description, icon) =
            (name.to_owned(), Some(description.to_owned()), Some(icon.to_owned()));
        Some(TagType { name, description, icon })
    }

    /// The requests that an event about a toggle with these tags takes: the channel or issue of each, nothing for the
    /// addon's own.
    #[must_use]
    pub fn targets(self, tags: &[Tag]) -> Vec<Option<String>> {
        let kind = self.tag_type().map(|tag_type| tag_type.name);
        let named: Vec<_> = tags
            .iter()
            .filter(|tag| Some(&tag.kind) == kind.as_ref())
            .map(|tag| Some(tag.value.clone()))
            .collect();
        // There is no issue that all toggles share.
        if named.is_empty() && self != Self::JiraComment { vec![None] } else { named }
    }

    /// What it needs to know.
    #[must_use]
    pub fn parameters(self) -> Vec<AddonParameter> {
        match self {
            Self::Webhook => webhook(),
            Self::Slack => slack(),
            Self::JiraComment => jira_comment(),
        }
    }

    /// The types of events that it can listen to.
    #[must_use]
    pub fn events(self) -> &'static [&'static str] {
        &EVENTS
    }

    /// All of it, for people.
    #[must_use]
    pub fn definition(self) -> AddonProvider {
        let (display_name, description, documentation) = match self {
            Self::Webhook => (
                "Webhook",
                "Posts each event to a URL of your choice, as JSON or in a format of your own.",
                "https://docs.getunleash.io/docs/addons/webhook",
            ),
            Self::Slack => (
                "Slack",
                "Tells Slack channels who changed which toggle.",
                "https://api.slack.com/messaging/webhooks",
            ),
            Self::JiraComment => (
                "Jira comment",
                "Comments on the Jira issues that toggles are tagged with.",
                "https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-comments/",
            ),
        };
        AddonProvider {
            name: self.name().to_owned(),
            display_name: display_name.to_owned(),
            description: description.to_owned(),
            documentation_url: Some(documentation.to_owned()),
            parameters: self.parameters(),
            events: self.events().iter().map(|&event| event.to_owned()).collect(),
            tag_types: self.tag_type().into_iter().collect(),
        }
    }
}

fn webhook() -> Vec<AddonParameter> {
    let template = "{\n  \"event\": \"{{event.type}}\",\n  \"toggle\": \"{{event.data.name}}\",\n  \"by\": \"{{event.createdBy}}\"\n}";
    vec![
        secret("url", "Webhook URL", "url", "Where each event is posted to. It is never shown again."),
        optional(
            "contentType",
            "Content-Type",
            "text",
            "The media type of what is posted: application/json unless told.",
            "application/json",
        ),
        optional(
            "bodyTemplate",
            "Body template",
            "textfield",
            "A Mustache template of what is posted. Without one it is the event as JSON.",
            template,
        ),
    ]
}

fn slack() -> Vec<AddonParameter> {
    vec![
        secret(
            "url",
            "Slack webhook URL",
            "url",
            "The incoming webhook of your workspace. It is never shown again.",
        ),
        optional("username", "Username", "text", "Who the messages seem to come from.", "Flagdeck"),
        optional(
            "emojiIcon",
            "Emoji icon",
            "text",
            "The picture beside the messages.",
            ":triangular_flag_on_post:",
        ),
        AddonParameter {
            required: true,
            ..optional(
                "defaultChannel",
                "Default channel",
                "text",
                "Where changes to toggles without a tag of the type slack are told.",
                "general",
            )
        },
    ]
}

fn jira_comment() -> Vec<AddonParameter> {
    vec![
        AddonParameter {
            required: true,
            ..optional("baseUrl", "Jira URL", "url", "Where your Jira is.", "https://example.atlassian.net")
        },
        secret("apiKey", "Jira API token", "text", "A token of the user below. It is never shown again."),
        AddonParameter {
            required: true,
            ..optional(
                "user",
                "Jira user",
                "text",
                "Who comments: an account of its own is a good idea.",
                "flagdeck@example.com",
            )
        },
    ]
}

fn secret(name: &str, display_name: &str, kind: &str, description: &str) -> AddonParameter {
    AddonParameter {
        name: name.to_owned(),
        display_name: display_name.to_owned(),
        description: Some(description.to_owned()),
        placeholder: None,
        kind: kind.to_owned(),
        required: true,
        sensitive: true,
    }
}

fn optional(
    name: &str,
    display_name: &str,
    kind: &str,
    description: &str,
    placeholder: &str,
) -> AddonParameter {
    AddonParameter {
        name: name.to_owned(),
        display_name: display_name.to_owned(),
        description: Some(description.to_owned()),
        placeholder: Some(placeholder.to_owned()),
        kind: kind.to_owned(),
        required: false,
        sensitive: false,
    }
}

#[cfg(test)]
mod tests {
    use super::Provider;
    use crate::flags::model::Tag;

    #[test]
    fn tags_name_channels_and_issues() {
        let tag = |kind: &str, value: &str| Tag { kind: kind.to_owned(), value: value.to_owned() };
        let tags = [tag("jira", "FD-1"), tag("simple", "x"), tag("slack", "ops"), tag("slack", "web")];
        let some = |values: &[&str]| values.iter().map(|&value| Some(value.to_owned())).collect::<Vec<_>>();
        assert_eq!(Provider::Webhook.targets(&tags), [None]);
        assert_eq!(Provider::Slack.targets(&tags), some(&["ops", "web"]));
        assert_eq!(Provider::Slack.targets(&[]), [None]);
        assert_eq!(Provider::JiraComment.targets(&tags), some(&["FD-1"]));
        assert_eq!(Provider::JiraComment.targets(&[]), []);
    }
}
