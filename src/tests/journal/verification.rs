//! The keys with which `flagdeck journal verify` checks checkpoints, and files that are no journals.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Folder, lines, verify};
use crate::support::binary::{flagdeck, output_of};

/// Writes a journal of one start, which ends with a checkpoint, and its key beside it.
async fn write_journal(folder: &Folder) -> PathBuf {
    folder.start(&["--data", ":memory:"]).await.stop().await;
    let text = fs::read_to_string(folder.journal()).unwrap();
    assert!(text.lines().last().unwrap().contains(r#""kind":"checkpoint""#), "{text}");
    folder.journal()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[actix_web::test]
async fn given_key_is_used_for_any_file() {
    let (folder, foreign) = (Folder::new(), Folder::new());
    let (journal, rewritten) = (write_journal(&folder).await, write_journal(&foreign).await);
    let key = lines(&journal).last().unwrap()["key"].as_str().unwrap().to_owned();
    // With and without the setting `journal`, which may name another file.
    for settings in [vec![], vec!["--journal", text(&journal)], vec!["--journal", text(&rewritten)]] {
        let check =
            |file: &Path| verify(&[&[text(file), "--public-key", &key], settings.as_slice()].concat());
        assert_eq!(check(&journal).0, 0);
        let (code, output) = check(&rewritten);
        assert!(code == 1 && output.contains("is not signed with the key"), "{code}: {output}");
    }
}

#[actix_web::test]
async fn damaged_key_beside_the_journal_is_an_error() {
    let folder = Folder::new();
    let journal = write_journal(&folder).await;
    let key = folder.0.path().join("journal.key");
    fs::write(&key, "short").unwrap();
    let (code, output) = verify(&[text(&journal)]);
    assert_eq!(code, 2, "{output}");
    assert!(output.contains(text(&key)) && output.contains("it is not a key file"), "{output}");
    assert!(output.contains("--public-key"), "the remedy is missing: {output}");
}

#[actix_web::test]
async fn key_beside_the_journal_is_found_for_rotated_files() {
    let (folder, foreign) = (Folder::new(), Folder::new());
    let (journal, rewritten) = (write_journal(&folder).await, write_journal(&foreign).await);
    let place = folder.0.path();
    fs::rename(place.join("journal.key"), place.join("journal.jsonl.key")).unwrap();
    // The key of the secrets of addons has the same length.
    fs::write(place.join("journal.db.key"), [1; 32]).unwrap();
    for name in ["journal.jsonl", "journal.jsonl.1", "journal.jsonl-20260301", "journal-20260301.jsonl"] {
        let file = place.join(name);
        fs::copy(&journal, &file).unwrap();
        assert_eq!(verify(&[text(&file)]).0, 0, "{name}");
        fs::copy(&rewritten, &file).unwrap();
        let (code, output) = verify(&[text(&file)]);
        assert!(code == 1 && output.contains("is not signed with the key"), "{name}: {code}: {output}");
        fs::remove_file(&file).unwrap();
    }
}

#[actix_web::test]
async fn signatures_without_a_trusted_key_are_not_called_intact() {
    let (folder, other) = (Folder::new(), Folder::new());
    let journal = write_journal(&folder).await;
    let copy = other.0.path().join("copy");
    fs::copy(&journal, &copy).unwrap();
    let (code, output) = verify(&[text(&copy)]);
    assert_eq!(code, 4, "{output}");
    assert!(output.contains("signatures were not checked against a trusted key"), "{output}");
    let key = lines(&journal)[0]["key"].as_str().unwrap().to_owned();
    assert_eq!(verify(&[text(&copy), "--public-key", &key]).0, 0);
    // A checkpoint that was stored elsewhere contains the key.
    let stored = fs::read_to_string(&journal).unwrap();
    let checkpoint = stored.lines().last().unwrap();
    assert_eq!(verify(&[text(&copy), "--checkpoint", checkpoint]).0, 0);
}

#[actix_web::test]
async fn lines_without_a_checkpoint_are_reported_as_unprotected() {
    let folder = Folder::new();
    let journal = write_journal(&folder).await;
    let whole = fs::read_to_string(&journal).unwrap();
    let (first, _) = whole.split_once('\n').unwrap();
    fs::write(&journal, format!("{first}\n")).unwrap();
    let (code, output) = verify(&[text(&journal)]);
    assert_eq!(code, 0, "{output}");
    assert!(output.contains("No checkpoint protects line 1"), "{output}");
    fs::write(&journal, &whole).unwrap();
    let (code, output) = verify(&[text(&journal)]);
    assert!(code == 0 && !output.contains("No checkpoint protects"), "{output}");
}

#[actix_web::test]
async fn cut_end_is_described_as_such() {
    let folder = Folder::new();
    let journal = write_journal(&folder).await;
    let whole = fs::read_to_string(&journal).unwrap();
    let checkpoint = whole.lines().last().unwrap().to_owned();
    for (name, length) in [("in a line", whole.len() - 20), ("everything", 0)] {
        fs::write(&journal, &whole[..length]).unwrap();
        let (code, output) = verify(&[text(&journal), "--checkpoint", &checkpoint]);
        assert!(code == 1 && output.contains("the end was cut off"), "{name}: {code}: {output}");
    }
    // Without a checkpoint, nobody can know whether the program was killed.
    fs::write(&journal, &whole[..whole.len() - 20]).unwrap();
    let (code, output) = verify(&[text(&journal)]);
    assert!(code == 3 && output.contains("or the end of the file was cut off"), "{code}: {output}");
    fs::write(&journal, "").unwrap();
    let (code, output) = verify(&[text(&journal)]);
    assert!(code == 0 && output.contains("--checkpoint"), "{code}: {output}");
}

/// Starts a server that must fail, and returns its error.
fn start_error(arguments: &[&str]) -> String {
    let own = ["--listen", "127.0.0.1:0", "--data", ":memory:", "--log-level", "off"];
    let output = output_of(flagdeck().args(own).args(arguments));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    error
}

#[test]
fn file_that_is_no_journal_is_refused_and_not_changed() {
    let folder = Folder::new();
    let (file, path, long) = (folder.journal(), folder.path(), "x".repeat(700_000));
    for content in [
        "listen = \"127.0.0.1:4242\"".as_bytes(),
        b"listen = \"127.0.0.1:4242\"\n",
        b"a\nb\nc",
        b"{\"other\":1}\n{\"other\":2",
        b"{}",
        &[7; 32],
        &[0; 4096],
        long.as_bytes(),
    ] {
        fs::write(&file, content).unwrap();
        let error = start_error(&["--journal", &path]);
        assert!(error.contains(&format!("journal: {path} is not a journal")), "{error}");
        assert!(error.contains("set journal to another file"), "{error}");
        let check = output_of(flagdeck().args(["check", "--data", ":memory:", "--journal", &path]));
        let findings = String::from_utf8(check.stdout).unwrap();
        assert!(!check.status.success() && findings.contains("is not a journal"), "{findings}");
        assert_eq!(fs::read(&file).unwrap(), content);
    }
    // Commands have a file of their own.
    let (commands, data) = (format!("{path}.commands"), folder.data());
    fs::write(&file, "").unwrap();
    fs::write(&commands, "notes").unwrap();
    let command = ["token", "add", "--name", "a", "--journal", &path, "--data", text(&data)];
    let output = output_of(flagdeck().args(command));
    assert!(!output.status.success(), "{output:?}");
    assert_eq!(fs::read_to_string(&commands).unwrap(), "notes");
}

#[actix_web::test]
async fn incomplete_line_of_a_journal_is_removed_and_other_text_is_kept() {
    let folder = Folder::new();
    let journal = write_journal(&folder).await;
    let whole = fs::read(&journal).unwrap();
    for tail in ["{", "{\"sequence\":3,\"time\":\"20", "\0\0\0"] {
        fs::write(&journal, [&whole, tail.as_bytes()].concat()).unwrap();
        folder.start(&["--data", ":memory:"]).await.stop().await;
        assert_eq!(lines(&journal)[2]["removedBytes"], tail.len(), "{tail:?}");
    }
    let changed = [&whole, "a note of an administrator".as_bytes()].concat();
    fs::write(&journal, &changed).unwrap();
    folder.start(&["--data", ":memory:"]).await.stop().await;
    assert_eq!(fs::read(&journal).unwrap(), changed);
}

#[test]
fn one_file_cannot_have_two_purposes() {
    let folder = Folder::new();
    let path = folder.path();
    let beside = folder.0.path().join(".").join("journal");
    let key = format!("{path}.key");
    for arguments in [
        vec!["--journal", &path, "--data", &path],
        vec!["--journal", &path, "--data", text(&beside)],
        vec!["--journal", &path, "--data", &key],
    ] {
        let output = output_of(flagdeck().args(["--listen", "127.0.0.1:0"]).args(&arguments));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains("is also the file of"), "{arguments:?}: {error}");
        assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 0, "{arguments:?}");
    }
}
