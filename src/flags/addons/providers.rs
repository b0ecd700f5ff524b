//! The addon providers: their parameters, event types and targets.

use crate::api::{AddonParameter, AddonProvider, Tag, TagType};

/// Text that replaces a secret in responses.
pub const MASK: &str = "*****";

/// Event types of toggles. Addons cannot subscribe to those about deliveries, which would be delivered as well.
const EVENTS: [&str; 6] = [
    "feature-created",
    "feature-updated",
    "feature-archived",
    "feature-revived",
    "feature-stale-on",
    "feature-stale-off",
];

/// Event type of a checkpoint of the operators' journal. It exists only while an addon subscribes to it.
pub const CHECKPOINT_EVENT: &str = "journal-checkpoint-created";

/// Event types of the start and the end of a hold. They exist only while an addon subscribes to them.
pub const HOLD_START_EVENT: &str = "hold-started";
/// See [`HOLD_START_EVENT`].
pub const HOLD_END_EVENT: &str = "hold-ended";

/// Event types of webhooks, which can store a checkpoint on another machine, and raise or end an alarm about a hold.
const WEBHOOK_EVENTS: [&str; 9] = [
    EVENTS[0],
    EVENTS[1],
    EVENTS[2],
    EVENTS[3],
    EVENTS[4],
    EVENTS[5],
    CHECKPOINT_EVENT,
    HOLD_START_EVENT,
    HOLD_END_EVENT,
];

/// Provider of an addon.
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
    /// All providers.
    pub const ALL: [Self; 3] = [Self::Webhook, Self::Slack, Self::JiraComment];

    /// Returns the provider with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name() == name)
    }

    /// Returns the name that addons refer to.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Slack => "slack",
            Self::JiraComment => "jira-comment",
        }
    }

    /// Returns the tag type that sets the channel or issue of a toggle.
    #[must_use]
    pub fn tag_type(self) -> Option<TagType> {
        let (name, description, icon) = match self {
            Self::Webhook => return None,
            Self::Slack => ("slack", "Slack channel for messages about the toggle.", "S"),
            Self::JiraComment => ("jira", "Jira issue for comments about the toggle.", "J"),
        };
        let (name, description, icon) =
            (name.to_owned(), Some(description.to_owned()), Some(icon.to_owned()));
        Some(TagType { name, description, icon })
    }

    /// Returns the targets of an event about a toggle with these tags: a channel or issue each, `None` for the
    /// default.
    #[must_use]
    pub fn targets(self, tags: &[Tag]) -> Vec<Option<String>> {
        let kind = self.tag_type().map(|tag_type| tag_type.name);
        let named: Vec<_> = tags
            .iter()
            .filter(|tag| Some(&tag.kind) == kind.as_ref())
            .map(|tag| Some(tag.value.clone()))
            .collect();
        // Jira has no default issue.
        if named.is_empty() && self != Self::JiraComment { vec![None] } else { named }
    }

    /// Returns the definitions of the parameters.
    #[must_use]
    pub fn parameters(self) -> Vec<AddonParameter> {
        match self {
            Self::Webhook => webhook_parameters(),
            Self::Slack => slack_parameters(),
            Self::JiraComment => jira_comment_parameters(),
        }
    }

    /// Returns the event types that an addon can subscribe to.
    #[must_use]
    pub fn events(self) -> &'static [&'static str] {
        if self == Self::Webhook { &WEBHOOK_EVENTS } else { &EVENTS }
    }

    /// Returns the definition of the provider for the API.
    #[must_use]
    pub fn definition(self) -> AddonProvider {
        let (display_name, description, documentation) = match self {
            Self::Webhook => (
                "Webhook",
                "Posts each event to a URL, as JSON or in a custom format.",
                "https://docs.getunleash.io/docs/addons/webhook",
            ),
            Self::Slack => (
                "Slack",
                "Posts messages about toggle changes to Slack channels.",
                "https://api.slack.com/messaging/webhooks",
            ),
            Self::JiraComment => (
                "Jira comment",
                "Adds comments about toggle changes to the Jira issues in the toggles' tags.",
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

fn webhook_parameters() -> Vec<AddonParameter> {
    let template = "{\n  \"event\": \"{{event.type}}\",\n  \"toggle\": \"{{event.data.name}}\",\n  \"by\": \"{{event.createdBy}}\"\n}";
    vec![
        secret_parameter(
            "url",
            "Webhook URL",
            "url",
            "URL that receives the events. It is hidden after saving.",
        ),
        optional_parameter(
            "contentType",
            "Content-Type",
            "text",
            "Media type of the request body. Default: application/json.",
            "application/json",
        ),
        optional_parameter(
            "bodyTemplate",
            "Body template",
            "textfield",
            "Mustache template of the request body. Default: the event as JSON.",
            template,
        ),
    ]
}

fn slack_parameters() -> Vec<AddonParameter> {
    vec![
        secret_parameter(
            "url",
            "Slack webhook URL",
            "url",
            "Incoming webhook of your Slack workspace. It is hidden after saving.",
        ),
        optional_parameter("username", "Username", "text", "Sender name of the messages.", "Flagdeck"),
        optional_parameter(
            "emojiIcon",
            "Emoji icon",
            "text",
            "Emoji beside the messages.",
            ":triangular_flag_on_post:",
        ),
        AddonParameter {
            required: true,
            ..optional_parameter(
                "defaultChannel",
                "Default channel",
                "text",
                "Channel for toggles without a tag of type slack.",
                "general",
            )
        },
    ]
}

fn jira_comment_parameters() -> Vec<AddonParameter> {
    vec![
        AddonParameter {
            required: true,
            ..optional_parameter(
                "baseUrl",
                "Jira URL",
                "url",
                "Base URL of your Jira site.",
                "https://example.atlassian.net",
            )
        },
        secret_parameter(
            "apiKey",
            "Jira API token",
            "text",
            "API token of the user below. It is hidden after saving.",
        ),
        AddonParameter {
            required: true,
            ..optional_parameter(
                "user",
                "Jira user",
                "text",
                "Author of the comments. A dedicated account is recommended.",
                "flagdeck@example.com",
            )
        },
    ]
}

fn secret_parameter(name: &str, display_name: &str, kind: &str, description: &str) -> AddonParameter {
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

fn optional_parameter(
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
    use crate::api::Tag;

    #[test]
    fn tags_determine_channels_and_issues() {
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
