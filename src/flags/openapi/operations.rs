//! All operations of the service in the order of its URL table (`flags.rs`).

mod addons;
mod client;
mod definitions;
mod reports;
mod session;
mod toggles;

use super::operation::Operation;

pub(super) fn all() -> Vec<Operation> {
    [
        session::operations(),
        toggles::operations(),
        definitions::operations(),
        addons::operations(),
        reports::operations(),
        client::operations(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
