//! The documents of the settings (`--help` and `examples/flagdeck.toml`) agree with the declarations. The tables of
//! `examples/settings.md` are generated.

use config::{Config, File, FileFormat};
use flagdeck::config::{Declaration, ESSENTIAL_HEADING, declarations, headings};
use tempfile::TempDir;

use crate::cli::{fault, flagdeck, settings_file, start};

const EXAMPLE: &str = include_str!("../../examples/flagdeck.toml");
/// Bounds of most durations. The documents state them once, for all of these settings.
const USUAL_BOUNDS: &str = "1ms to 24h";

/// Returns the example file with all settings set.
fn uncommented_example() -> String {
    let lines = EXAMPLE.lines();
    let is_commented = |line: &str| line.contains(" = ") && !line.contains("----") || line.starts_with("# [");
    let uncommented = lines.map(|line| if is_commented(line) { line.trim_start_matches("# ") } else { line });
    uncommented.collect::<Vec<_>>().join("\n")
}

/// Returns the table of a setting in the settings file, which may be empty, and its key there.
fn table_and_key(name: &str) -> (&str, &str) {
    name.strip_prefix("oidc-").map_or(("", name), |key| ("oidc", key))
}

/// Checks that the description of a setting contains its bounds.
fn assert_states_bounds(setting: &dyn Declaration, document: &str, description: &str) {
    let plain = |text: &str| text.replace(['`', '"'], "").replace("\n# ", " ");
    if let Some(bounds) = setting.bounds() {
        let text = if bounds == USUAL_BOUNDS { document } else { description };
        assert!(plain(text).contains(&bounds), "{} {bounds}: {}", setting.name(), plain(text));
    }
}

#[test]
fn help_contains_every_setting() {
    let help = String::from_utf8(flagdeck(&["--help"]).output().unwrap().stdout).unwrap();
    for setting in declarations() {
        assert!(help.contains(&format!("--{}", setting.name())), "{}", setting.name());
        assert!(help.contains(&setting.help()), "{}", setting.help());
        assert_states_bounds(setting, &help, &setting.help());
    }
}

/// Returns the long flags that a help text lists.
fn listed_flags(arguments: &[&str]) -> Vec<String> {
    let help = String::from_utf8(flagdeck(arguments).output().unwrap().stdout).unwrap();
    let flags =
        help.lines().filter_map(|line| line.trim_start().trim_start_matches("-h, ").strip_prefix("--"));
    flags.map(|flag| flag.split([' ', '[', '<']).next().unwrap().to_owned()).collect()
}

#[test]
fn help_of_a_command_shows_only_the_settings_that_it_uses() {
    let settings: Vec<_> = declarations().map(Declaration::name).collect();
    let shown = |arguments: &[&str]| -> Vec<String> {
        let mut flags = listed_flags(arguments);
        flags.retain(|flag| settings.contains(&flag.as_str()));
        flags
    };
    for command in ["backup", "export"] {
        assert_eq!(shown(&[command, "--help"]), ["data"], "{command}");
    }
    let journal = ["journal", "journal-required"];
    let changes = [&["data"][..], &journal].concat();
    for command in [&["import"][..], &["user"], &["token"], &["user", "add"]] {
        assert_eq!(shown(&[command, &["--help"]].concat()), changes, "{command:?}");
    }
    assert_eq!(shown(&["health", "--help"]), ["listen", "public-url", "base-path", "tls-cert"]);
    assert_eq!(shown(&["move", "--help"]), [&["data-key"][..], &journal].concat());
    assert_eq!(shown(&["replica", "purge", "--help"]), ["admin-listen"]);
    assert_eq!(shown(&["state", "--help"]), ["data"]);
    for (command, is_change) in [
        (&["toggle"][..], true),
        (&["apply"], true),
        (&["plan"], false),
        (&["pull"], false),
        (&["drift"], false),
    ] {
        let shown = shown(&[command, &["--help"]].concat());
        assert!(shown.contains(&"upstream-header".to_owned()), "{command:?}");
        assert_eq!(shown.contains(&"journal".to_owned()), is_change, "{command:?}");
    }
    assert_eq!(shown(&["check", "--help"]), settings);
    let sources = shown(&["why", "--help"]);
    let names = |name: &str| sources.iter().any(|source| source == name);
    assert!(sources.len() == 10 && names("data") && names("admin-listen"), "{sources:?}");
    // The others are accepted, so that the same flags work for every command.
    let (code, said) = fault(&mut flagdeck(&["backup", "x", "--log-level", "x"]));
    assert_eq!(code, Some(1));
    assert!(said.starts_with("flagdeck: log-level: "), "{said}");
}

#[test]
fn help_shows_the_essential_settings_first() {
    let (_, essential) = headings().next().unwrap();
    let essential: Vec<_> = essential.into_iter().map(Declaration::name).collect();
    for name in ["upstream", "upstream-token", "frontend-origin", "frontend-tokens"] {
        assert!(essential.contains(&name), "{name}");
    }
    let own = ["config", "help", "version"];
    let flags = |arguments: &[&str]| {
        let mut flags = listed_flags(arguments);
        flags.retain(|flag| !own.contains(&flag.as_str()));
        flags
    };
    assert_eq!(flags(&["-h"]), essential);
    assert_eq!(flags(&["--help"]), declarations().map(Declaration::name).collect::<Vec<_>>());
    let help = String::from_utf8(flagdeck(&["--help"]).output().unwrap().stdout).unwrap();
    let found = help.lines().filter_map(|line| line.strip_suffix(':'));
    let found: Vec<_> = found.skip_while(|heading| *heading != ESSENTIAL_HEADING).collect();
    assert_eq!(found, headings().map(|(heading, _)| heading).collect::<Vec<_>>());
}

#[test]
fn values_outside_of_the_bounds_are_refused() {
    let mut count = 0;
    for setting in declarations() {
        let value = match setting.placeholder() {
            "DURATION" => "9223372036854775807s",
            "BYTES" | "NUMBER" => "18446744073709551615",
            _ => continue,
        };
        count += 1;
        let (flag, bounds) = (format!("--{}", setting.name()), setting.bounds().unwrap());
        let upstream = ["--upstream", "http://x"];
        let prefixes = ["upstream", "replica", "report"];
        let needs_upstream = prefixes.iter().any(|prefix| setting.name().starts_with(prefix));
        let upstream = if needs_upstream { &upstream[..] } else { &[] };
        let (code, said) = fault(&mut flagdeck(&[&[flag.as_str(), value], upstream].concat()));
        assert_eq!(code, Some(1), "{flag}: {said}");
        assert!(said.starts_with(&format!("flagdeck: {}: ", setting.name())), "{said}");
        assert!(said.contains(&format!(" from {bounds}")), "{flag}: {said}");
    }
    assert_eq!(count, 12);
}

#[test]
fn example_file_contains_every_setting_with_its_default() {
    let lines = EXAMPLE.lines().filter(|line| !line.contains("----"));
    let keys = lines.filter_map(|line| line.trim_start_matches("# ").split_once(" = "));
    let keys: Vec<_> = keys.map(|(key, _)| key).collect();
    let declared = declarations().map(|setting| table_and_key(setting.name()).1);
    assert_eq!(keys, declared.collect::<Vec<_>>());
    let file = File::from_str(&uncommented_example(), FileFormat::Toml);
    let file = Config::builder().add_source(file).build().unwrap();
    for setting in declarations() {
        let (table, name) = table_and_key(setting.name());
        if setting.form().has_default() {
            let path = if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") };
            assert_eq!(file.get_string(&path).unwrap(), setting.default(), "{name}");
        }
        let key = format!("\n# {name} = ");
        let paragraph = EXAMPLE.split("\n\n").find(|paragraph| paragraph.contains(&key)).unwrap();
        assert_states_bounds(setting, EXAMPLE, paragraph);
    }
}

#[test]
fn example_file_is_valid() {
    let example = uncommented_example();
    let without =
        ["upstream", "frontend-", "data", "definitions", "override", "tls-", "journal =", "hold-webhook"];
    let lines = example.lines().filter(|line| !without.iter().any(|start| line.starts_with(start)));
    let file = settings_file(&lines.collect::<Vec<_>>().join("\n"));
    let arguments = ["--config", file.path().to_str().unwrap(), "--listen", "127.0.0.1:0"];
    let folder = TempDir::new().unwrap();
    let (mut child, url) = start(flagdeck(&arguments).env("HOME", folder.path()));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
}

#[test]
fn table_of_the_settings_file_contains_the_settings_with_its_prefix() {
    let run = |text: &str, more: &[&str]| {
        let file = settings_file(text);
        let arguments = [
            "check",
            "--config",
            file.path().to_str().unwrap(),
            "--listen",
            "127.0.0.1:0",
            "--data",
            ":memory:",
        ];
        let output = flagdeck(&[&arguments[..], more].concat()).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let table = "[oidc]\nissuer = \"https://login.example\"\nallow = [\"a\", \"b\"]\n";
    let text = run(table, &["--oidc-scopes", "openid groups"]);
    for line in
        ["oidc-issuer            https://login.example  (file)", "a,b  (file)", "openid groups  (flag)"]
    {
        assert!(
            text.split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .contains(&line.split_whitespace().collect::<Vec<_>>().join(" ")),
            "{line}: {text}"
        );
    }
    assert!(text.contains("oidc-issuer has no effect without auth = \"oidc\""), "{text}");
    for (text, fault) in [
        (
            "[oidc]\nisuer = \"x\"\n",
            "line 2: \"isuer\" is not a setting in the table [oidc]; did you mean oidc-issuer?",
        ),
        (
            "[oidc]\n\ndata = \"x\"\n",
            "line 3: \"data\" is not a setting in the table [oidc]; write it above [oidc]",
        ),
        ("oidc = 1\n", "\"oidc\" is not a setting"),
        ("[other]\nx = 1\n", "\"other\" is not a setting"),
    ] {
        let said = run(text, &[]);
        assert!(said.contains(fault), "{text}: {said}");
    }
    assert!(run("auth = \"oidc\"\n", &[]).contains("oidc-allow: is required"));
}
