//! Every call of the service, in the order of its URL table (`flags.rs`).

mod client;
mod definitions;
mod reports;
mod toggles;

use super::operation::Operation;

pub(super) fn all() -> Vec<Operation> {
    [toggles::operations(), definitions::operations(), reports::operations(), client::operations()]
        .into_iter()
        .flatten()
        .collect()
}
