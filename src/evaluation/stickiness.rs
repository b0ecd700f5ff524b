//! The context field that decides about shares of users. Pure.

use super::context::{CURRENT_TIME, Context};
use super::library::Library;

/// The context field whose value keeps its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stickiness {
    /// `userId`, else `sessionId`, else random.
    Default,
    /// An empty text. Some libraries take it for the default, others for the name of a field.
    Empty,
    Random,
    Field(Box<str>),
}

impl Stickiness {
    pub(super) fn from_name(name: Option<&str>) -> Self {
        match name {
            None | Some("default") => Self::Default,
            Some("") => Self::Empty,
            Some("random") => Self::Random,
            Some(field) => Self::Field(field.into()),
        }
    }

    /// Returns the context field that decides about a rollout and its value; `None` if the context has no such field.
    pub(super) fn id<'c>(
        &'c self,
        context: &'c Context,
        library: Option<Library>,
    ) -> Option<(&'c str, &'c str)> {
        match self {
            Self::Empty if library == Some(Library::Python) => read("", context, library),
            Self::Default | Self::Empty => read_user(context, library),
            Self::Random => None,
            Self::Field(field) => read(field, context, library),
        }
    }

    /// Returns the context field that decides about a variant and its value.
    pub(super) fn variant_id<'c>(
        &'c self,
        context: &'c Context,
        library: Option<Library>,
    ) -> Option<(&'c str, &'c str)> {
        match self {
            Self::Default if matches!(library, Some(Library::Node | Library::Node3)) => {
                read_user(context, library).or_else(|| read("remoteAddress", context, library))
            }
            Self::Default => read_user(context, library),
            Self::Empty => read("", context, library),
            Self::Random => read("random", context, library),
            Self::Field(field) if library == Some(Library::Python) && **field == *CURRENT_TIME => None,
            Self::Field(field) => read(field, context, library),
        }
    }

    /// Returns true if all libraries read the name equally.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Self::Default | Self::Random => true,
            Self::Empty => false,
            Self::Field(field) => !is_refused_name(field),
        }
    }
}

fn read_user(context: &Context, library: Option<Library>) -> Option<(&'static str, &str)> {
    read("userId", context, library).or_else(|| read("sessionId", context, library))
}

/// Reads an id. An empty one counts only in the Python library.
fn read<'n, 'c>(
    field: &'n str,
    context: &'c Context,
    library: Option<Library>,
) -> Option<(&'n str, &'c str)> {
    let value = context.get(field)?;
    (!value.is_empty() || library == Some(Library::Python)).then_some((field, value))
}

/// Returns true if the Python library refuses a toggle with this name of a field or group, because of its quotes.
pub(super) fn is_refused_name(name: &str) -> bool {
    name.contains('"') || name.ends_with('\\')
}
