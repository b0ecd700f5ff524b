//! Semantic versions 2.0.0 (semver.org): validity and precedence.

use std::cmp::Ordering;

/// A version. Build metadata has no precedence and is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SemanticVersion<T> {
    core: [u64; 3],
    /// Pre-release identifiers with dots between them; empty for none.
    pre_release: T,
}

impl<'t> SemanticVersion<&'t str> {
    /// Parses a version; `None` if it is not valid.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let (rest, build) = split(text, '+');
        if build.is_some_and(|build| !identifiers(build).all(is_identifier)) {
            return None;
        }
        let (core, pre_release) = split(rest, '-');
        if pre_release.is_some_and(|pre| !identifiers(pre).all(|id| is_identifier(id) && is_canonical(id))) {
            return None;
        }
        let mut numbers = core.split('.').map(parse_number);
        let core = [numbers.next()??, numbers.next()??, numbers.next()??];
        numbers.next().is_none().then_some(Self { core, pre_release: pre_release.unwrap_or_default() })
    }

    /// Returns true if no number of the version is greater than `max`.
    pub(super) fn has_only_numbers_up_to(&self, max: u64) -> bool {
        self.core.iter().all(|number| *number <= max)
    }

    /// Returns a version that owns its text.
    pub(super) fn into_owned(self) -> SemanticVersion<Box<str>> {
        SemanticVersion { core: self.core, pre_release: self.pre_release.into() }
    }
}

impl SemanticVersion<Box<str>> {
    /// Returns a version that borrows its text.
    pub(super) fn as_ref(&self) -> SemanticVersion<&str> {
        SemanticVersion { core: self.core, pre_release: &self.pre_release }
    }

    /// Compares the precedence of two versions (section 11).
    pub(super) fn compare_to(&self, other: SemanticVersion<&str>) -> Ordering {
        other.core.cmp(&self.core).then_with(|| compare_pre_releases(other.pre_release, &self.pre_release))
    }
}

fn split(text: &str, separator: char) -> (&str, Option<&str>) {
    text.split_once(separator).map_or((text, None), |(head, tail)| (head, Some(tail)))
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split('.')
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_numeric(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns false for numbers with a leading zero.
fn is_canonical(identifier: &str) -> bool {
    identifier.len() == 1 || !identifier.starts_with('0') || !is_numeric(identifier)
}

fn parse_number(text: &str) -> Option<u64> {
    (is_identifier(text) && is_numeric(text) && is_canonical(text)).then(|| text.parse().ok())?
}

fn compare_pre_releases(one: &str, other: &str) -> Ordering {
    match (one.is_empty(), other.is_empty()) {
        (true, true) => Ordering::Equal,
        // A release is greater than its pre-releases.
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => compare_identifiers(one, other),
    }
}

fn compare_identifiers(one: &str, other: &str) -> Ordering {
    let (mut ones, mut others) = (identifiers(one), identifiers(other));
    loop {
        let (one, other) = match (ones.next(), others.next()) {
            (Some(one), Some(other)) => (one, other),
            (one, other) => return one.is_some().cmp(&other.is_some()),
        };
        let order = match (is_numeric(one), is_numeric(other)) {
            // Without leading zeros, the longer number is the greater one.
            (true, true) => one.len().cmp(&other.len()).then_with(|| one.cmp(other)),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => one.cmp(other),
        };
        if order.is_ne() {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::SemanticVersion;

    #[test]
    fn orders_versions_by_precedence() {
        let ascending = [
            "0.9.9",
            "1.0.0-0",
            "1.0.0-2",
            "1.0.0-10",
            "1.0.0-alpha",
            "1.0.0-alpha.1",
            "1.0.0-alpha.beta",
            "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.1",
            "1.2.0",
            "1.10.0",
            "2.0.0",
        ];
        for (index, one) in ascending.iter().enumerate() {
            for (other_index, other) in ascending.iter().enumerate() {
                let (this, that) = (SemanticVersion::parse(one), SemanticVersion::parse(other));
                let order = this.unwrap().into_owned().compare_to(that.unwrap());
                assert_eq!(order, other_index.cmp(&index), "{other} and {one}");
            }
        }
    }

    #[test]
    fn ignores_build_metadata() {
        let one = SemanticVersion::parse("1.0.0-rc.1+001").unwrap().into_owned();
        let other = SemanticVersion::parse("1.0.0-rc.1+exp.sha-5114f85").unwrap();
        assert_eq!(one.compare_to(other), Ordering::Equal);
    }

    #[test]
    fn rejects_invalid_versions() {
        for text in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "v1.2.3",
            "01.2.3",
            "1.2.3-",
            "1.2.3-01",
            "1.2.3-a..b",
            "1.2.3+",
            "1.2.3+a_b",
            "1.2.x",
            " 1.2.3",
            "1.2.3-é",
            "99999999999999999999.0.0",
            "-1.2.3",
            "+1.2.3",
        ] {
            assert_eq!(SemanticVersion::parse(text), None, "{text}");
        }
    }
}
