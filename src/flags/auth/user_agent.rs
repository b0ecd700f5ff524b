//! Names the browser and the system of a `User-Agent` header, without their versions: administrators recognize a session by
//! them, and more is not stored.

/// Maximum length of the name of an unknown program in characters.
const MAX_LENGTH: usize = 40;

/// Marks of browsers. Browsers contain the marks of others, so that the order matters.
const BROWSERS: [(&str, &str); 6] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Marks of systems. Android contains the mark of Linux, and iPads may contain that of macOS.
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// Returns the name, such as `Firefox on Linux`, or the name of another program, such as `curl`; `None` without one.
pub(super) fn describe(user_agent: &str) -> Option<String> {
    let find = |marks: &[(&str, &'static str)]| {
        marks.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => Some(format!("{browser} on {system}")),
        (Some(browser), None) => Some(browser.to_owned()),
        (None, _) => {
            let program = user_agent.split(['/', ' ']).next().unwrap_or_default();
            let program: String = program.chars().filter(char::is_ascii_graphic).take(MAX_LENGTH).collect();
            Some(program).filter(|program| !program.is_empty())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::describe;

    #[test]
    fn names_browser_and_system() {
        let webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
        for (user_agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                Some("Firefox on Linux"),
            ),
            (
                &format!("Mozilla/5.0 (Windows NT 10.0) {webkit} Chrome/140.0 Safari/537.36"),
                Some("Chrome on Windows"),
            ),
            (
                &format!("Mozilla/5.0 (Windows NT 10.0) {webkit} Chrome/140.0 Safari/537.36 Edg/140.0"),
                Some("Edge on Windows"),
            ),
            (
                &format!("Mozilla/5.0 (Linux; Android 15) {webkit} Chrome/140.0 Mobile Safari/537.36"),
                Some("Chrome on Android"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15",
                Some("Safari on macOS"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1",
                Some("Safari on iOS"),
            ),
            ("Firefox/1", Some("Firefox")),
            ("curl/8.5.0", Some("curl")),
            (&"x".repeat(100), Some(&*"x".repeat(40))),
            ("\u{1b}[31mred", Some("[31mred")),
            (" ", None),
            ("", None),
        ] {
            assert_eq!(describe(user_agent).as_deref(), expected, "{user_agent}");
        }
    }
}
