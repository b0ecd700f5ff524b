//! The hash that assigns ids to rollouts and variants: 32-bit `MurmurHash3` of `group:id`.

use std::num::NonZeroU32;

use super::library::Library;

/// Returns the bucket of an id: 1 to `buckets`.
///
/// The Node libraries hash one byte of each UTF-16 code unit, and thereby select other ids outside ASCII.
pub(super) fn bucket(group: &str, id: &str, buckets: NonZeroU32, seed: u32, library: Option<Library>) -> u32 {
    let mut hash = Murmur3 { hash: seed, ..Murmur3::default() };
    let hashes_units = matches!(library, Some(Library::Node | Library::Node3));
    for part in [group, ":", id] {
        if hashes_units && !part.is_ascii() {
            part.encode_utf16().for_each(|unit| hash.write(&[unit.to_le_bytes()[0]]));
        } else {
            hash.write(part.as_bytes());
        }
    }
    hash.finish() % buckets + 1
}

/// A hash of texts that are added one after the other.
#[derive(Default)]
struct Murmur3 {
    hash: u32,
    /// The last bytes, if they are fewer than a block of four.
    pending: u32,
    length: u32,
}

impl Murmur3 {
    fn write(&mut self, bytes: &[u8]) {
        let (blocks, rest) = bytes.as_chunks();
        let shift = 8 * (self.length % 4);
        for block in blocks {
            let block = u32::from_le_bytes(*block);
            self.add_block(self.pending | block << shift);
            self.pending = block.checked_shr(32 - shift).unwrap_or_default();
            self.length = self.length.wrapping_add(4);
        }
        for byte in rest {
            self.pending |= u32::from(*byte) << (8 * (self.length % 4));
            self.length = self.length.wrapping_add(1);
            if self.length.is_multiple_of(4) {
                self.add_block(self.pending);
                self.pending = 0;
            }
        }
    }

    fn add_block(&mut self, block: u32) {
        self.hash = (self.hash ^ scramble(block)).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }

    fn finish(self) -> u32 {
        let mut hash = self.hash ^ scramble(self.pending) ^ self.length;
        hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
        hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
        hash ^ (hash >> 16)
    }
}

/// Mixes the bits of a block of four bytes. The result for 0 is 0.
fn scramble(block: u32) -> u32 {
    block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
}

/// Returns the cost of hashing a group with an id, in comparisons.
pub(super) fn hash_cost(group: &str) -> usize {
    4 + group.len() / 64
}

#[cfg(test)]
mod tests {
    use super::Murmur3;

    #[test]
    fn hashes_like_the_reference_implementation() {
        for (text, seed, hash) in [
            ("", 0, 0),
            ("", 1, 0x514e_28b7),
            ("a", 0x9747_b28c, 0x7fa0_9ea6),
            ("aaa", 0x9747_b28c, 0x283e_0130),
            ("aaaa", 0x9747_b28c, 0x5a97_808a),
            ("Hello, world!", 0x9747_b28c, 0x2488_4cba),
            ("ππππππππ", 0x9747_b28c, 0xd580_63c1),
        ] {
            for split in (0..=text.len()).filter(|split| text.is_char_boundary(*split)) {
                let mut parts = Murmur3 { hash: seed, ..Murmur3::default() };
                let (start, end) = text.split_at(split);
                parts.write(start.as_bytes());
                parts.write(end.as_bytes());
                assert_eq!(parts.finish(), hash, "{start} and {end}, {seed}");
            }
        }
    }
}
