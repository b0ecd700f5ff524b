//! The password file of libpq, `~/.pgpass`: lines `host:port:database:user:password`.

use std::fs;
use std::path::Path;

/// Returns the password of the first line that matches the fields: host, port, database and user. Returns `None` if the
/// file cannot be read, or if other users can read it, as libpq does.
pub(super) fn find_password(file: &Path, fields: &[String; 4]) -> Option<String> {
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&fs::metadata(file).ok()?.permissions()) & 0o077 != 0 {
        return None;
    }
    let lines = fs::read_to_string(file).ok()?;
    lines.lines().find_map(|line| password_of(line, fields))
}

/// Returns the password of a line if its other fields match. `*` matches any value.
fn password_of(line: &str, fields: &[String; 4]) -> Option<String> {
    if line.starts_with('#') {
        return None;
    }
    let parts = split(line);
    let (password, patterns) = parts.split_last()?;
    let matches = patterns.len() == fields.len()
        && patterns.iter().zip(fields).all(|(pattern, field)| pattern == "*" || pattern == field);
    matches.then(|| password.clone())
}

/// Splits a line at colons. A backslash escapes a colon or a backslash.
fn split(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        let next = match character {
            ':' => {
                parts.push(String::new());
                continue;
            }
            '\\' => characters.next(),
            other => Some(other),
        };
        if let Some(part) = parts.last_mut() {
            part.extend(next);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::password_of;

    #[test]
    fn finds_the_password_of_a_connection() {
        let fields = ["db", "5432", "flags", "anna"].map(str::to_owned);
        for (line, password) in [
            ("db:5432:flags:anna:s3cret", Some("s3cret")),
            ("*:*:*:anna:s3:cret", None),
            (r"*:*:*:anna:s3\:cr\\et", Some(r"s3:cr\et")),
            ("other:5432:flags:anna:s3cret", None),
            ("# db:5432:flags:anna:s3cret", None),
            ("", None),
        ] {
            assert_eq!(password_of(line, &fields).as_deref(), password, "{line}");
        }
    }
}
