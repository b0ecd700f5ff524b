//! The user whom the provider has identified.

use std::fmt;

/// A user whom the provider has identified.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    /// The issuer, exactly as the provider spells it. Together with the subject it identifies the user.
    pub issuer: String,
    /// The id of the user at the provider.
    pub subject: String,
    /// The name to show.
    pub name: Option<String>,
    /// The email address, if the provider has verified it. It is only a label: accounts are never matched by it.
    pub email: Option<String>,
    /// The groups that have an effect here.
    pub groups: Vec<String>,
}

impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Identity").field("subject", &self.subject).finish_non_exhaustive()
    }
}
