//! The commands of `files.md`, from top to bottom, in an empty folder.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::example;
use crate::support::binary::{free_port, output_of};

/// Returns the text of all blocks of commands.
fn commands(document: &str) -> String {
    let blocks = document.split("```sh\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap()).collect()
}

#[test]
fn commands_of_the_document_about_files_run_in_their_order() {
    let folder = TempDir::new().unwrap();
    let (work, program) = (folder.path().join("work"), folder.path().join("flagdeck"));
    fs::create_dir(&work).unwrap();
    // Records the exit code of each command, with its output.
    let wrapper = "#!/bin/sh\n\"$REAL\" \"$@\" > \"$0.out\" 2> \"$0.err\"\ncode=$?\ncat \"$0.out\"\n\
                   printf '%s\\n' \"exit $code $*\" >> \"$0.log\"\ntest \"$code\" -eq 0 || cat \"$0.out\" \"$0.err\" >> \"$0.log\"\nexit $code\n";
    fs::write(&program, wrapper).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let ports = [free_port(), free_port()].map(|port| port.to_string());
    let document = example("files.md").replace("4251", &ports[0]).replace("4252", &ports[1]);
    // The servers run until the end, and are not recorded.
    let script = commands(&document).replace("flagdeck --auth", "\"$REAL\" --auth");
    let mut shell = Command::new("bash");
    shell.args(["-c", &script]).current_dir(&work).env_clear().stdin(Stdio::null());
    shell.env("PATH", format!("{}:/usr/bin:/bin", folder.path().display()));
    shell.env("REAL", env!("CARGO_BIN_EXE_flagdeck"));
    let output = output_of(&mut shell);
    let said = String::from_utf8(output.stdout).unwrap();
    let log = fs::read_to_string(folder.path().join("flagdeck.log")).unwrap();
    assert!(output.status.success(), "{log}{}", String::from_utf8_lossy(&output.stderr));
    for line in log.lines().filter_map(|line| line.strip_prefix("exit ")) {
        let (code, command) = line.split_once(' ').unwrap();
        let finds_changes = ["plan ", "drift "].iter().any(|start| command.starts_with(start));
        let is_waiting = command.starts_with("health ");
        assert!(code == "0" || is_waiting || (code == "2" && finds_changes), "{line}\n{log}");
    }
    for command in
        ["apply plan.json", "apply promotion.json", "plan --offline flags/", "drift prod stage flags/"]
    {
        assert!(log.contains(&format!(" {command}\n")), "{command} is missing: {log}");
    }
    // The plan that the document shows, which the next one applies.
    let shown = document.split("```\nprod: 1 change").nth(1).unwrap().split("```").next().unwrap();
    assert!(said.contains(&format!("prod: 1 change{shown}")), "{shown}\n{said}");
    assert!(said.contains("prod: shop.checkout is created"), "{said}");
    assert!(said.contains("\n- archive shop.old: "), "{said}");
}
