//! The context field that decides about shares of users. Pure.

use super::context::Context;

/// The context field whose value keeps its result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stickiness {
    /// `userId`, else `sessionId`, else random.
    Default,
    Random,
    Field(Box<str>),
}

impl Stickiness {
    pub(super) fn from_name(name: Option<&str>) -> Self {
        match name {
            None | Some("" | "default") => Self::Default,
            Some("random") => Self::Random,
            Some(field) => Self::Field(field.into()),
        }
    }

    /// Returns the context field that decides and its value; `None` if the context has no such field.
    pub(super) fn id<'c>(&'c self, context: &'c Context) -> Option<(&'c str, &'c str)> {
        let read = |field: &'c str| context.get(field).map(|id| (field, id));
        match self {
            Self::Default => read("userId").or_else(|| read("sessionId")),
            Self::Random => None,
            Self::Field(field) => read(field),
        }
    }
}
