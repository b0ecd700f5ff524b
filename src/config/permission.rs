//! The names of permissions.

use std::fmt;

/// A permission that a change requires. Reading requires none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(rename = "PermissionName", rename_all = "SCREAMING_SNAKE_CASE")
)]
pub enum Permission {
    /// Everything.
    Admin,
    /// Create and copy toggles.
    CreateFeature,
    /// Edit, switch, mark, tag and revive toggles.
    UpdateFeature,
    /// Archive toggles.
    DeleteFeature,
    /// Add strategies.
    CreateStrategy,
    /// Edit, deprecate and reactivate strategies.
    UpdateStrategy,
    /// Delete strategies.
    DeleteStrategy,
    /// Describe and delete applications.
    UpdateApplication,
    /// Add context fields.
    CreateContextField,
    /// Edit context fields.
    UpdateContextField,
    /// Delete context fields.
    DeleteContextField,
    /// Add segments.
    CreateSegment,
    /// Edit segments.
    UpdateSegment,
    /// Delete segments.
    DeleteSegment,
    /// Add projects.
    CreateProject,
    /// Edit projects.
    UpdateProject,
    /// Delete projects.
    DeleteProject,
    /// Add tag types.
    CreateTagType,
    /// Edit tag types.
    UpdateTagType,
    /// Delete tag types.
    DeleteTagType,
    /// Add tags.
    CreateTag,
    /// Delete tags.
    DeleteTag,
    /// Add addons.
    CreateAddon,
    /// Edit addons.
    UpdateAddon,
    /// Delete addons.
    DeleteAddon,
    /// Add API tokens.
    CreateApiToken,
    /// Delete API tokens.
    DeleteApiToken,
}

impl fmt::Display for Permission {
    /// Writes the name in the API, such as `CREATE_FEATURE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = clap::ValueEnum::to_possible_value(self);
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}
