//! Regular expressions: which of them all engines read equally.

/// Extent to which the engines of client libraries (RE2 and the crate `regex`) agree with this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreement {
    /// For all texts.
    Full,
    /// For texts in ASCII: outside, the engines disagree about digits, letters, white space and case.
    AsciiText,
    /// Unknown.
    None,
}

/// Returns the agreement about a pattern that compiles. It knows the common notations.
pub(super) fn agreement(pattern: &str, ignores_case: bool) -> Agreement {
    let mut agreement = if ignores_case { Agreement::AsciiText } else { Agreement::Full };
    if ignores_case && !pattern.is_ascii() {
        return Agreement::None;
    }
    let mut chars = pattern.chars().peekable();
    let (mut is_class, mut can_repeat) = (false, false);
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        match c {
            '\\' => match chars.next() {
                Some('d' | 'D' | 'w' | 'W' | 's' | 'S') => agreement = Agreement::AsciiText,
                Some(
                    '.' | '^' | '$' | '|' | '(' | ')' | '[' | ']' | '{' | '}' | '*' | '+' | '?' | '\\' | '-'
                    | '/',
                ) => {}
                _ => return Agreement::None,
            },
            '[' if is_class => return Agreement::None,
            '[' => {
                is_class = true;
                if next == Some('^') {
                    chars.next();
                }
                if chars.peek() == Some(&']') {
                    return Agreement::None;
                }
                continue;
            }
            ']' if is_class => is_class = false,
            '&' | '~' if is_class && next == Some(c) => return Agreement::None,
            '-' if is_class && next == Some('-') => return Agreement::None,
            _ if is_class => {}
            ']' | '}' => return Agreement::None,
            '(' => {
                if next == Some('?') && (chars.next(), chars.next()) != (Some('?'), Some(':')) {
                    return Agreement::None;
                }
                can_repeat = false;
                continue;
            }
            '{' | '*' | '+' | '?' => {
                if !can_repeat || (c == '{' && !skip_count(&mut chars)) {
                    return Agreement::None;
                }
                if chars.peek() == Some(&'?') {
                    chars.next();
                }
                can_repeat = false;
                continue;
            }
            '^' | '$' | '|' => {
                can_repeat = false;
                continue;
            }
            _ => {}
        }
        can_repeat = !is_class;
    }
    agreement
}

/// Skips the rest of a count such as `{2,3}`. Returns false for other notations.
fn skip_count(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    let count: String = chars.by_ref().take_while(|c| *c != '}').collect();
    let mut parts = count.split(',');
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let first = parts.next().is_some_and(|part| !part.is_empty() && is_number(part));
    first && parts.next().is_none_or(is_number) && parts.next().is_none()
}
