//! The part of a newer upstream that the console shows: `upstream-environment` and `upstream-project`.

use super::kind::{Optional, quoted};
use super::setting::Setting;

pub(super) static ENVIRONMENT: Setting<Optional<String>> = Setting {
    name: "upstream-environment",
    help: "Environment of the upstream that the console shows and changes, such as production, for servers with environments; or environment of the export in definitions",
    default: "the only enabled one, otherwise users choose",
    kind: Optional("NAME", parse_name),
};

pub(super) static PROJECT: Setting<Optional<String>> = Setting {
    name: "upstream-project",
    help: "Project of the upstream that the console shows and changes; only for servers with environments",
    default: "all projects",
    kind: Optional("ID", parse_name),
};

/// Parses the name of an environment or the id of a project, which servers limit to characters of URLs.
fn parse_name(text: &str) -> Result<String, String> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.~".contains(letter);
    if text.chars().all(is_allowed) && !matches!(text, "" | "." | "..") {
        Ok(text.to_owned())
    } else {
        Err(format!("{} is not a name; names have letters, digits and - _ . ~", quoted(text)))
    }
}
