//! Arguments of `flagdeck user` and `flagdeck token`.

use clap::{Args, Subcommand};

use crate::config::{MIN_PASSWORD_LENGTH, Permission, TokenKind};

/// A command of `flagdeck user`.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add a user, who can read everything and change only what the permissions allow
    #[command(after_help = password_help())]
    Add(NewUserArguments),
    /// List the users and their permissions
    List,
    /// Remove a user and end their sessions
    Remove {
        /// User name
        name: String,
    },
    /// Change the password of a user and end their sessions
    #[command(after_help = password_help())]
    Passwd {
        /// User name
        name: String,
    },
    /// Disable a user, who cannot sign in any more, and end their sessions
    Disable {
        /// User name
        name: String,
    },
    /// Enable a disabled user
    Enable {
        /// User name
        name: String,
    },
    /// Grant permissions to a user, from the next request on
    Grant {
        /// User name
        name: String,
        /// Permissions to grant; ADMIN allows everything
        #[arg(required = true, value_name = "PERMISSION", value_delimiter = ',')]
        permissions: Vec<Permission>,
    },
    /// Revoke permissions of a user, from the next request on
    Revoke {
        /// User name
        name: String,
        /// Permissions to revoke
        #[arg(required = true, value_name = "PERMISSION", value_delimiter = ',')]
        permissions: Vec<Permission>,
    },
    /// List the persons who have signed in at the identity provider, and the users to which they are linked
    Identities,
    /// Link a person of the identity provider to a user, from the next request on
    #[command(
        after_help = "The person then acts as the user: changes are recorded under the user's name, and the user's permissions are added to those of the groups. Persons are never linked by email address."
    )]
    Link {
        /// User name
        name: String,
        /// ID of the person at the provider (the claim sub); `flagdeck user identities` lists it
        #[arg(long, value_name = "ID")]
        subject: String,
        /// Issuer of the provider, as `flagdeck check` prints it [default: that of the person who has signed in]
        #[arg(long, value_name = "URL")]
        issuer: Option<String>,
    },
    /// Remove the links of a user to persons of the identity provider, from the next request on
    Unlink {
        /// User name
        name: String,
        /// ID of the person at the provider [default: all persons who are linked to the user]
        #[arg(long, value_name = "ID")]
        subject: Option<String>,
    },
}

/// Passwords are never arguments, because all users of a machine can read the arguments of a process.
fn password_help() -> String {
    format!(
        "The password has at least {MIN_PASSWORD_LENGTH} characters. It is read from the terminal, or else from the \
         first line of standard input."
    )
}

/// Arguments of `flagdeck user add`.
#[derive(Debug, Args)]
pub struct NewUserArguments {
    /// User name: letters, digits and . _ - @ +
    pub name: String,

    /// Email address; changes are then recorded under it instead of the user name
    #[arg(long)]
    pub email: Option<String>,

    /// Full name
    #[arg(long = "name", value_name = "FULL NAME")]
    pub full_name: Option<String>,

    /// Permissions to grant, separated by commas
    #[arg(long = "permission", value_name = "PERMISSION", value_delimiter = ',')]
    pub permissions: Vec<Permission>,

    /// Grant all permissions
    #[arg(long, conflicts_with = "permissions")]
    pub admin: bool,
}

/// A command of `flagdeck token`.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Add a token and print it once
    #[command(
        after_help = "A client token lets a server read the definitions of all toggles; from the first one on, client libraries without a token are refused. A frontend token is for browsers and phones, which get results only."
    )]
    Add(NewTokenArguments),
    /// List the tokens with kind, scope and last use, without their secrets
    List,
    /// Remove a token; the last client token only after confirmation
    #[command(
        after_help = "Without any client tokens, requests of all client libraries are accepted, unless --require-client-tokens is set."
    )]
    Remove {
        /// Name of the token
        name: String,
        /// Remove the last client token without asking, for scripts
        #[arg(long)]
        yes: bool,
    },
}

/// Arguments of `flagdeck token add`.
#[derive(Debug, Args)]
pub struct NewTokenArguments {
    /// Name of the token, such as the application that uses it
    #[arg(long)]
    pub name: String,

    /// Kind of the token
    #[arg(long, value_name = "KIND", default_value = TokenKind::Client.as_str())]
    pub kind: TokenKind,

    /// Origin of pages that may use the frontend token: scheme, host and optional port, or * for every origin; repeatable
    #[arg(long = "origin", value_name = "ORIGIN")]
    pub origins: Vec<String>,

    /// Project whose toggles the frontend token gets; repeatable [default: all]
    #[arg(long = "project", value_name = "ID")]
    pub projects: Vec<String>,

    /// Tag of the toggles that the frontend token gets; repeatable [default: all toggles]
    #[arg(long = "tag", value_name = "TYPE:VALUE")]
    pub tags: Vec<String>,
}
