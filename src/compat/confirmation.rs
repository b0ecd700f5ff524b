//! Questions that a user must answer before a change, because the flag service would change more than requested.

use actix_web::http::StatusCode;

use crate::error::{ApiError, DomainError};

/// An additional change that the flag service makes. The client confirms it by repeating the request with the query
/// parameter `confirm=CODE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Confirmation {
    /// Switching on adds a strategy that turns the toggle on for everyone.
    AddRollout,
    /// Switching on enables all strategies.
    EnableStrategies,
    /// Removing or disabling the last enabled strategy switches the toggle off.
    DisableToggle,
    /// The server stores variants in strategies, and variants of the toggle are deprecated.
    DeprecatedVariants,
}

impl Confirmation {
    /// Returns the error code.
    #[must_use]
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::AddRollout => "would_add_rollout",
            Self::EnableStrategies => "would_enable_strategies",
            Self::DisableToggle => "would_disable_toggle",
            Self::DeprecatedVariants => "variants_deprecated",
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::AddRollout => {
                "The toggle has no strategy in this environment: the flag service would add a 100 % rollout to everyone"
            }
            Self::EnableStrategies => {
                "All strategies of the toggle are disabled in this environment: the flag service would enable them"
            }
            Self::DisableToggle => {
                "No enabled strategy would remain: the flag service would switch the toggle off in this environment"
            }
            Self::DeprecatedVariants => {
                "This flag service stores variants in strategies; variants of the toggle are deprecated"
            }
        }
    }
}

impl From<Confirmation> for ApiError {
    fn from(question: Confirmation) -> Self {
        DomainError::new(question.code(), StatusCode::CONFLICT, question.message()).into()
    }
}
