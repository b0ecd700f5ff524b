//! The hash that assigns ids to rollouts and variants: 32-bit `MurmurHash3` of `group:id`.

use std::num::NonZeroU32;

/// Returns the bucket of an id: 1 to `buckets`.
pub(super) fn bucket(group: &str, id: &str, buckets: NonZeroU32, seed: u32) -> u32 {
    let bytes = group.bytes().chain(std::iter::once(b':')).chain(id.bytes());
    murmur3(bytes, seed) % buckets + 1
}

fn murmur3(bytes: impl Iterator<Item = u8>, seed: u32) -> u32 {
    let (mut hash, mut block, mut length) = (seed, 0_u32, 0_u32);
    for byte in bytes {
        block |= u32::from(byte) << (8 * (length % 4));
        length = length.wrapping_add(1);
        if length.is_multiple_of(4) {
            hash = (hash ^ scramble(block)).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
            block = 0;
        }
    }
    hash ^= scramble(block) ^ length;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

/// Mixes the bits of a block of four bytes. The result for 0 is 0.
fn scramble(block: u32) -> u32 {
    block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
}

#[cfg(test)]
mod tests {
    use super::murmur3;

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
            assert_eq!(murmur3(text.bytes(), seed), hash, "{text} {seed}");
        }
    }
}
