//! Verifies a journal: finds the first line that was changed, lost, swapped or added.

use std::io::{self, BufRead, Read as _};

use super::key::is_signed;
use super::record::{LineKind, NO_PREVIOUS, StoredLine};

/// A longer line is not a line of a journal. Bytes.
const MAX_LINE: u64 = 1 << 20;

/// The state of the verification between two lines, also of different files.
#[derive(Debug, Default)]
pub struct Verifier {
    /// Public key of the checkpoints. Without it, the first one in the journal counts.
    key: Option<String>,
    /// A checkpoint that was stored elsewhere.
    wanted: Option<StoredLine>,
    last: Option<StoredLine>,
    summary: Summary,
}

/// The result of the verification of intact lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of lines.
    pub lines: u64,
    /// Numbers of the first and of the last line.
    pub range: Option<(u64, u64)>,
    /// True if the journal starts with its first line, and not with a later one of a rotated file.
    pub has_start: bool,
    /// Number of signed checkpoints.
    pub checkpoints: u64,
    /// Number of lines after the last checkpoint. They could be cut off unnoticed.
    pub unsigned_lines: u64,
    /// Number of lines that gap lines count.
    pub lost: u64,
    /// Numbers of the start lines after which an incomplete line was removed.
    pub removed: Vec<u64>,
    /// Public key of the checkpoints.
    pub key: Option<String>,
}

/// The first damage of a journal. Each message is one sentence.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// A line is not byte for byte a line with the right hash.
    #[error("line {line} was changed: its hash does not match its content")]
    Changed {
        /// Number of the line in its file.
        line: u64,
    },
    /// The line before this one was replaced, or this line belongs to another journal.
    #[error("line {line} does not follow the line before it: one of them was replaced")]
    Replaced {
        /// Number of the line in its file.
        line: u64,
    },
    /// Lines are missing.
    #[error("lines before line {line} were lost or swapped: number {found} follows number {last}")]
    Lost {
        /// Number of the line in its file.
        line: u64,
        /// Number in the line.
        found: u64,
        /// Number in the line before.
        last: u64,
    },
    /// A line is there again, or at another place.
    #[error("line {line} was added or swapped: number {found} follows number {last}")]
    Added {
        /// Number of the line in its file.
        line: u64,
        /// Number in the line.
        found: u64,
        /// Number in the line before.
        last: u64,
    },
    /// A checkpoint has a wrong signature, or another key.
    #[error("the checkpoint in line {line} is not signed with the key {key}")]
    Signature {
        /// Number of the line in its file.
        line: u64,
        /// The expected public key.
        key: String,
    },
    /// The journal does not contain the given checkpoint.
    #[error(
        "the end was cut off: the given checkpoint has number {wanted}, and the last line has number {last}"
    )]
    CutOff {
        /// Number of the checkpoint.
        wanted: u64,
        /// Number of the last line.
        last: u64,
    },
    /// The journal contains another line in the place of the given checkpoint.
    #[error("the given checkpoint with number {wanted} is not in the journal: its lines were replaced")]
    OtherCheckpoint {
        /// Number of the checkpoint.
        wanted: u64,
    },
    /// The last line has no line feed. All lines before it are intact.
    #[error(
        "line {line} is incomplete: the program was killed while it wrote the line, or the end of the file was cut off. All lines before it are intact"
    )]
    Incomplete {
        /// Number of the line in its file.
        line: u64,
    },
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Read(#[from] io::Error),
}

impl Verifier {
    /// Creates the verifier. `key` is the public key of the checkpoints in hex digits, and `wanted` a checkpoint that must be
    /// in the journal.
    #[must_use]
    pub fn new(key: Option<String>, wanted: Option<StoredLine>) -> Self {
        Self { key, wanted, ..Self::default() }
    }

    /// Verifies the lines of a file, which continues the files before it.
    ///
    /// # Errors
    /// The first damage.
    pub fn read(&mut self, mut file: impl BufRead) -> Result<(), Damage> {
        for line in 1.. {
            let mut text = Vec::new();
            if file.by_ref().take(MAX_LINE).read_until(b'\n', &mut text)? == 0 {
                break;
            }
            if text.pop() != Some(b'\n') {
                return Err(self.find_missing_checkpoint().unwrap_or(Damage::Incomplete { line }));
            }
            let stored = StoredLine::parse(&text).ok_or(Damage::Changed { line })?;
            self.check(line, stored)?;
        }
        Ok(())
    }

    fn check(&mut self, line: u64, stored: StoredLine) -> Result<(), Damage> {
        let found = stored.line.sequence;
        if let Some(previous) = &self.last {
            let last = previous.line.sequence;
            if found > last + 1 {
                return Err(Damage::Lost { line, found, last });
            }
            if found <= last {
                return Err(Damage::Added { line, found, last });
            }
            if stored.line.previous != previous.hash {
                return Err(Damage::Replaced { line });
            }
        } else {
            let is_first = found == 1;
            if is_first != (stored.line.previous == NO_PREVIOUS) || stored.line.kind != LineKind::Start {
                return Err(Damage::Changed { line });
            }
            self.summary.has_start = is_first;
            self.summary.range = Some((found, found));
        }
        if let (LineKind::Checkpoint, Some(signature)) = (stored.line.kind, &stored.signature) {
            let own = stored.line.key.clone().unwrap_or_default();
            let key = self.key.get_or_insert(own);
            if stored.line.key.as_ref() != Some(key) || !is_signed(key, &stored.hash, signature) {
                return Err(Damage::Signature { line, key: key.clone() });
            }
            self.summary.checkpoints += 1;
            self.summary.unsigned_lines = 0;
        } else {
            self.summary.unsigned_lines += 1;
        }
        if self.wanted.as_ref().is_some_and(|wanted| wanted.line.sequence == found && *wanted != stored) {
            return Err(Damage::OtherCheckpoint { wanted: found });
        }
        self.summary.lines += 1;
        self.summary.lost += stored.line.lost.unwrap_or_default();
        if stored.line.removed_bytes.is_some() {
            self.summary.removed.push(found);
        }
        self.summary.range = self.summary.range.map(|(first, _)| (first, found));
        self.last = Some(stored);
        Ok(())
    }

    /// Ends the verification.
    ///
    /// # Errors
    /// [`Damage::CutOff`] or [`Damage::OtherCheckpoint`] if the given checkpoint is not in the journal.
    pub fn finish(self) -> Result<Summary, Damage> {
        match self.find_missing_checkpoint() {
            Some(damage) => Err(damage),
            None => Ok(Summary { key: self.key, ..self.summary }),
        }
    }

    /// Returns the damage if the given checkpoint is not in the lines that were read.
    fn find_missing_checkpoint(&self) -> Option<Damage> {
        let wanted = self.wanted.as_ref()?.line.sequence;
        let (first, last) = self.summary.range.unwrap_or_default();
        if wanted > last {
            return Some(Damage::CutOff { wanted, last });
        }
        (wanted < first).then_some(Damage::OtherCheckpoint { wanted })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Damage, Summary, Verifier};
    use crate::journal::key::JournalKey;
    use crate::journal::record::{
        Item, JournalLine, LineKind, NO_PREVIOUS, Person, PersonSource, StoredLine,
    };

    /// Returns the lines of a journal, which end with a checkpoint.
    fn journal(key: &JournalKey, changes: usize) -> Vec<Vec<u8>> {
        let mut previous = NO_PREVIOUS.to_owned();
        let kinds = std::iter::once(LineKind::Start)
            .chain(std::iter::repeat_n(LineKind::Change, changes))
            .chain([LineKind::Checkpoint]);
        let mut lines = Vec::new();
        for (kind, sequence) in kinds.zip(1..) {
            let mut line = JournalLine { sequence, previous, ..JournalLine::now(kind) };
            if kind == LineKind::Change {
                line.person = Some(Person {
                    sub: Some("anna \"ü\"".to_owned()),
                    known: PersonSource::Password,
                    ..Person::default()
                });
                line.item = Some(Item { kind: "toggle".to_owned(), name: format!("shop.{sequence}") });
                line.status = Some(200);
                line.events = vec![7, 8];
            } else {
                line.key = Some(key.public());
            }
            let (text, hash) = line.encode(key).unwrap();
            lines.push(text);
            previous = hash;
        }
        lines
    }

    fn key() -> JournalKey {
        let folder = tempfile::tempdir().unwrap();
        JournalKey::read_or_create(&folder.path().join("key")).unwrap()
    }

    fn join(lines: &[Vec<u8>]) -> Vec<u8> {
        lines.iter().flat_map(|line| line.iter().copied().chain([b'\n'])).collect()
    }

    fn verify(key: &JournalKey, checkpoint: &[u8], file: &[u8]) -> Result<Summary, Damage> {
        let mut verifier = Verifier::new(Some(key.public()), StoredLine::parse(checkpoint));
        verifier.read(file)?;
        verifier.finish()
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let key = key();
        let lines = journal(&key, 2);
        let checkpoint = lines.last().unwrap();
        let file = join(&lines);
        assert_eq!(verify(&key, checkpoint, &file).unwrap().lines, 4);
        for bit in 0..file.len() * 8 {
            let mut changed = file.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(verify(&key, checkpoint, &changed).is_err(), "bit {} of byte {}", bit % 8, bit / 8);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn every_lost_added_or_swapped_line_is_found(
            changes in 1_usize..12,
            places in proptest::collection::vec(any::<prop::sample::Index>(), 2),
            damage in 0..5,
        ) {
            let key = key();
            let lines = journal(&key, changes);
            let [one, two] = [places[0].index(lines.len()), places[1].index(lines.len())];
            let mut damaged = lines.clone();
            match damage {
                0 => drop(damaged.remove(one)),
                1 => damaged.insert(one, lines[two].clone()),
                2 => damaged.insert(one, journal(&key, changes)[two].clone()),
                3 => damaged.swap(one, two),
                _ => damaged.truncate(one),
            }
            let result = verify(&key, lines.last().unwrap(), &join(&damaged));
            if damaged == lines {
                prop_assert!(result.is_ok());
            } else {
                prop_assert!(result.is_err(), "{damaged:?}");
            }
        }
    }

    /// Forgery: all hashes are recomputed, with write access to the file and without the key file.
    #[test]
    fn rewritten_journal_needs_the_key() {
        let (key, other) = (key(), key());
        let (lines, forged) = (journal(&key, 3), journal(&other, 3));
        let checkpoint = lines.last().unwrap();
        assert!(matches!(verify(&key, b"", &join(&forged)), Err(Damage::Signature { line: 5, .. })));
        let mut verifier = Verifier::new(None, StoredLine::parse(checkpoint));
        let result = verifier.read(&*join(&forged));
        assert!(matches!(result, Err(Damage::OtherCheckpoint { wanted: 5 })), "{result:?}");
    }

    #[test]
    fn names_the_kind_of_damage() {
        let key = key();
        let lines = journal(&key, 4);
        let checkpoint = lines.last().unwrap();
        let damaged = |change: &dyn Fn(&mut Vec<Vec<u8>>)| {
            let mut lines = lines.clone();
            change(&mut lines);
            verify(&key, checkpoint, &join(&lines)).unwrap_err().to_string()
        };
        assert_eq!(
            damaged(&|lines| lines[2][20] ^= 1),
            "line 3 was changed: its hash does not match its content"
        );
        assert_eq!(
            damaged(&|lines| drop(lines.remove(2))),
            "lines before line 3 were lost or swapped: number 4 follows number 2"
        );
        assert_eq!(
            damaged(&|lines| lines.insert(3, lines[2].clone())),
            "line 4 was added or swapped: number 3 follows number 3"
        );
        assert_eq!(
            damaged(&|lines| lines.truncate(3)),
            "the end was cut off: the given checkpoint has number 6, and the last line has number 3"
        );
        let mut torn = join(&lines);
        torn.truncate(torn.len() - 30);
        let message = verify(&key, b"", &torn).unwrap_err().to_string();
        assert!(message.starts_with("line 6 is incomplete: "), "{message}");
    }
}
