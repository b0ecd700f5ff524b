//! What can be typed about users and tokens.

use clap::{Args, Subcommand};

use crate::flags::auth::Permission;

/// What is done about those who sign in with a password.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add a user, who may see everything and change nothing unless permissions are given
    #[command(after_help = PASSWORD_HELP)]
    Add(NewUserArguments),
    /// List the users and what they may do
    List,
    /// Remove a user, who is signed out at once
    Remove {
        /// User name
        name: String,
    },
    /// Give a user another password; the user is signed out at once
    #[command(after_help = PASSWORD_HELP)]
    Passwd {
        /// User name
        name: String,
    },
    /// Give a user permissions; they hold from the next call on
    Grant {
        /// User name
        name: String,
        /// What to allow; ADMIN allows everything
        #[arg(required = true, value_name = "PERMISSION", value_delimiter = ',')]
        permissions: Vec<Permission>,
    },
    /// Take permissions from a user; they are gone from the next call on
    Revoke {
        /// User name
        name: String,
        /// What to take away
        #[arg(required = true, value_name = "PERMISSION", value_delimiter = ',')]
        permissions: Vec<Permission>,
    },
}

/// Passwords are never arguments: everybody on a machine can read those.
const PASSWORD_HELP: &str = "The password, of at least 8 characters, is asked for on a terminal; elsewhere it is the first line of standard input.";

/// A user to be.
#[derive(Debug, Args)]
pub struct NewUserArguments {
    /// User name: letters, digits and . _ - @ +
    pub name: String,

    /// Email address, which then signs what the user changes in place of the user name
    #[arg(long)]
    pub email: Option<String>,

    /// Name as people write it
    #[arg(long = "name", value_name = "FULL NAME")]
    pub full_name: Option<String>,

    /// What to allow; several are separated by commas
    #[arg(long = "permission", value_name = "PERMISSION", value_delimiter = ',')]
    pub permissions: Vec<Permission>,

    /// Allow everything
    #[arg(long, conflicts_with = "permissions")]
    pub admin: bool,
}

/// What is done about the tokens that client libraries show.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    /// Add a token and show it once; from then on client libraries without one are refused
    Add {
        /// What to call it, such as the application that gets it
        #[arg(long)]
        name: String,
    },
    /// List the names of the tokens
    List,
    /// Remove a token; once there is none, every client library is answered
    Remove {
        /// Its name
        name: String,
    },
}
