//! Arguments of `flagdeck user` and `flagdeck token`.

use clap::{Args, Subcommand};

use crate::config::{MIN_PASSWORD_LENGTH, Permission};

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
    /// Add a token and print it once; client libraries without a token are refused from then on
    Add {
        /// Name of the token, such as the application that uses it
        #[arg(long)]
        name: String,
    },
    /// List the names of the tokens
    List,
    /// Remove a token; without any tokens, requests of all client libraries are accepted
    Remove {
        /// Name of the token
        name: String,
    },
}
