//! What each setting is set to, and by whom: for the person who wonders why the program does as it does.

use std::fmt;

use serde_json::Value;

use crate::cli::Settings;

/// One setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// As flags and files have it.
    pub name: String,
    /// As it was written, or the default as the help tells it.
    pub value: String,
    /// Who wrote it.
    pub by: Writer,
}

/// The layers, the strongest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writer {
    /// A flag.
    Flag,
    /// This variable.
    Variable(String),
    /// The settings file.
    File,
    /// Nobody.
    Default,
}

impl fmt::Display for Writer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => formatter.write_str("flag"),
            Self::Variable(name) => formatter.write_str(name),
            Self::File => formatter.write_str("file"),
            Self::Default => formatter.write_str("default"),
        }
    }
}

/// Every setting, in the order of the help. `variables` are those that were read.
pub(super) fn all(file: &Settings, variables: &[&str], flags: &Settings, joined: &Settings) -> Vec<Written> {
    let [file, flags, joined] = [file, flags, joined].map(|layer| serde_json::to_value(layer).ok());
    let find = |layer: &Option<Value>, name: &str| layer.as_ref().and_then(|layer| layer.get(name)).map(text);
    <Settings as clap::Args>::augment_args(clap::Command::new(""))
        .get_arguments()
        .filter_map(|argument| {
            let name = argument.get_long()?;
            let variable = format!("FLAGDECK_{}", argument.get_id());
            let variable = variables.iter().find(|read| read.eq_ignore_ascii_case(&variable));
            let by = match variable {
                _ if find(&flags, name).is_some() => Writer::Flag,
                Some(variable) => Writer::Variable((*variable).to_owned()),
                None if find(&file, name).is_some() => Writer::File,
                None => Writer::Default,
            };
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            let value = find(&joined, name).unwrap_or_else(|| default_of(&help));
            Some(Written { name: name.to_owned(), value, by })
        })
        .collect()
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// The help ends with it.
fn default_of(help: &str) -> String {
    let default = help.rsplit_once("[default: ").and_then(|(_, rest)| rest.strip_suffix(']'));
    default.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Writer, all};
    use crate::cli::Settings;

    #[test]
    fn the_strongest_layer_is_named_and_every_setting_has_a_value() {
        let set = |listen: &str| Settings { listen: Some(listen.to_owned()), ..Settings::default() };
        let (empty, file, flags) = (Settings::default(), set("file:1"), set("flag:1"));
        let variables = ["FLAGDECK_LISTEN"];
        for (file, variables, flags, joined, value, by) in [
            (&file, &variables[..], &flags, "flag:1", "flag:1", Writer::Flag),
            (&file, &variables[..], &empty, "env:1", "env:1", Writer::Variable("FLAGDECK_LISTEN".to_owned())),
            (&file, &[], &empty, "file:1", "file:1", Writer::File),
            (&empty, &[], &empty, "", "127.0.0.1:4242", Writer::Default),
        ] {
            let joined = if joined.is_empty() { Settings::default() } else { set(joined) };
            let written = all(file, variables, flags, &joined);
            let listen = written.iter().find(|one| one.name == "listen").unwrap();
            assert_eq!((listen.value.as_str(), &listen.by), (value, &by));
            for one in written {
                assert!(!one.value.is_empty(), "the help of {} tells no default", one.name);
            }
        }
    }
}
