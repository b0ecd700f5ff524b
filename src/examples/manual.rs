//! Writes the manual pages and the shell completions to a folder (`make manual`). A separate program, which keeps the
//! generators out of the binary.

use std::error::Error;
use std::path::Path;
use std::{env, fs, io};

use clap::{CommandFactory as _, ValueEnum as _};
use clap_complete::Shell;
use flagdeck::cli::Arguments;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).ok_or("usage: manual FOLDER")?;
    Ok(write(Path::new(&folder))?)
}

/// Writes `man1/` with a page for the program and each command, and `completions/` with a file for each shell.
fn write(folder: &Path) -> io::Result<()> {
    let [pages, completions] = ["man1", "completions"].map(|name| folder.join(name));
    for folder in [&pages, &completions] {
        fs::create_dir_all(folder)?;
    }
    let mut command = Arguments::command();
    clap_mangen::generate_to(command.clone(), pages)?;
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut command, "flagdeck", &completions)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use clap::CommandFactory as _;
    use flagdeck::cli::Arguments;
    use tempfile::TempDir;

    use super::write;

    #[test]
    fn manual_and_completions_contain_every_setting_and_command() {
        let folder = TempDir::new().unwrap();
        write(folder.path()).unwrap();
        let page = fs::read_to_string(folder.path().join("man1/flagdeck.1")).unwrap().replace("\\-", "-");
        let completion = folder.path().join("completions/flagdeck.bash");
        let bash = fs::read_to_string(&completion).unwrap();
        let command = Arguments::command();
        let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set());
        for name in arguments.filter_map(clap::Arg::get_long) {
            assert!(page.contains(&format!("--{name}")) && bash.contains(&format!("--{name}")), "{name}");
        }
        for name in command.get_subcommands().map(clap::Command::get_name) {
            assert!(folder.path().join(format!("man1/flagdeck-{name}.1")).exists(), "{name}");
            assert!(bash.contains(name), "{name}");
        }
        assert!(Command::new("bash").arg("-n").arg(completion).status().unwrap().success());
    }
}
