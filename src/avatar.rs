//! Avatars of users: initials on a colour, as SVG. Pure.
//!
//! The file name contains all that is drawn, such as `AO-7.svg`, so that nothing is stored and every instance draws the
//! same image. It contains nothing else, because a hash of an email address could be reversed by hashing guessed addresses.

use sha2::{Digest as _, Sha256};

/// Path of the folder, below the base path.
pub const FOLDER: &str = "/-/avatars";

/// Background colours. White text has a contrast of at least 4.5 on each of them.
const COLOURS: [&str; 12] = [
    "#b91c1c", "#c2410c", "#a16207", "#4d7c0f", "#15803d", "#0f766e", "#0e7490", "#0369a1", "#1d4ed8",
    "#6d28d9", "#a21caf", "#be185d",
];

/// The content of an avatar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Avatar {
    /// One or two letters or digits.
    initials: String,
    /// Index into [`COLOURS`].
    colour: usize,
}

impl Avatar {
    /// Creates the avatar of a user with this name or email address. `signature` is the name under which changes of the
    /// user are recorded; it determines the colour.
    #[must_use]
    pub fn new(name: &str, signature: &str) -> Self {
        // One of twelve colours reveals nothing about the address.
        let byte = Sha256::digest(signature.to_lowercase()).first().copied().unwrap_or_default();
        Self { initials: initials(name), colour: usize::from(byte) % COLOURS.len() }
    }

    /// Parses a file name. Only names that [`Self::file_name`] returns are accepted, so that nothing else can be drawn.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (initials, colour) = name.strip_suffix(".svg")?.rsplit_once('-')?;
        let colour = colour.parse().ok().filter(|colour| *colour < COLOURS.len())?;
        let is_valid = initials == "?" || initials.chars().all(char::is_alphanumeric);
        let is_valid = is_valid && (1..=2).contains(&initials.chars().count());
        let avatar = Self { initials: initials.to_owned(), colour };
        (is_valid && avatar.file_name() == name).then_some(avatar)
    }

    /// Returns the file name, not percent-encoded.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}-{}.svg", self.initials, self.colour)
    }

    /// Returns the image as SVG, without styles and scripts, so that the strictest content security policy allows it.
    #[must_use]
    pub fn svg(&self) -> String {
        let colour = COLOURS.get(self.colour).copied().unwrap_or_default();
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60" viewBox="0 0 60 60"><rect width="60" height="60" fill="{colour}"/><text x="30" y="31" fill="#ffffff" font-family="system-ui, sans-serif" font-size="23" font-weight="700" text-anchor="middle" dominant-baseline="central">{}</text></svg>"##,
            self.initials
        )
    }
}

/// Returns the first letters of the first two words, in upper case; `?` if there are none. The domain of an email address is
/// ignored.
fn initials(name: &str) -> String {
    let name = name.split('@').next().unwrap_or_default();
    let letters = name
        .split(|c: char| c.is_whitespace() || "._-".contains(c))
        .filter_map(|word| word.chars().find(|c| c.is_alphanumeric()))
        .filter_map(|letter| letter.to_uppercase().next());
    let initials: String = letters.take(2).collect();
    if initials.is_empty() { "?".to_owned() } else { initials }
}

#[cfg(test)]
mod tests {
    use super::{Avatar, COLOURS, initials};

    #[test]
    fn initials_are_the_first_letters_of_two_words() {
        for (name, expected) in [
            ("Ada Olsen", "AO"),
            ("ada.olsen@example.com", "AO"),
            ("ada@olsen.example", "A"),
            ("operator", "O"),
            ("Ada Marie Olsen", "AM"),
            ("åse øst", "ÅØ"),
            ("<script> &", "S"),
            ("李 明", "李明"),
            ("ß", "S"),
            ("@", "?"),
            ("", "?"),
        ] {
            assert_eq!(initials(name), expected, "{name}");
        }
    }

    #[test]
    fn parses_its_own_file_names_and_no_others() {
        for name in ["Ada Olsen", "operator", "李 明", "@"] {
            let avatar = Avatar::new(name, name);
            assert_eq!(Avatar::from_file_name(&avatar.file_name()), Some(avatar), "{name}");
        }
        assert_eq!(Avatar::new("x", "Ada@Example.com"), Avatar::new("x", "ada@example.com"));
        for name in [
            "AO-12.svg",
            "AO-07.svg",
            "AO-+7.svg",
            "AO--1.svg",
            "AOX-7.svg",
            "-7.svg",
            "<-7.svg",
            "A&-7.svg",
            "??-7.svg",
            "AO-7.png",
            "AO-7.svg.svg",
            "AO.svg",
            "../AO-7.svg",
            "",
        ] {
            assert_eq!(Avatar::from_file_name(name), None, "{name}");
        }
    }

    #[test]
    fn white_text_is_readable_on_every_colour() {
        for colour in COLOURS {
            let channel = |at: usize| {
                let part = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
                if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            };
            let luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
            assert!(1.05 / (luminance + 0.05) >= 4.5, "{colour}: {luminance}");
        }
    }
}
