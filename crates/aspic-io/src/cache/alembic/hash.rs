//! MurmurHash3 by Austin Appleby (public domain), the variant of 128 bits for 64-bit machines, seed 0.
//!
//! It is the key of samples in Alembic files: equal keys mean equal data.

/// 16 bytes that stand for data.
pub(super) type Digest = [u8; 16];

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// The hash of some bytes.
pub(super) fn murmur(bytes: &[u8]) -> Digest {
    let (mut h1, mut h2) = (0u64, 0u64);
    let mut blocks = bytes.chunks_exact(16);
    for block in &mut blocks {
        let (k1, k2) = halves(block);
        h1 = (h1 ^ first(k1)).rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 = (h2 ^ second(k2)).rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    // What is left over is filled up with zeros, which both mixers leave alone.
    let mut rest = [0; 16];
    rest[..blocks.remainder().len()].copy_from_slice(blocks.remainder());
    let (k1, k2) = halves(&rest);
    h1 ^= first(k1) ^ bytes.len() as u64;
    h2 ^= second(k2) ^ bytes.len() as u64;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    (h1, h2) = (scatter(h1), scatter(h2));
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    (u128::from(h1) | u128::from(h2) << 64).to_le_bytes()
}

fn halves(block: &[u8]) -> (u64, u64) {
    let mut words = [[0; 8]; 2];
    words.as_flattened_mut().copy_from_slice(block);
    (u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1]))
}

fn first(k: u64) -> u64 {
    k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

fn second(k: u64) -> u64 {
    k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

fn scatter(mut k: u64) -> u64 {
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        k = (k ^ k >> 33).wrapping_mul(factor);
    }
    k ^ k >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(digest: Digest) -> String {
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn keys_are_those_that_blender_writes() {
        // Read out of a file that Blender 5.0.1 (Alembic 1.8.3) wrote: a flag, four face counts, twelve face indices.
        assert_eq!(hex(murmur(&[1])), "16fe7483905cce7a85670e43e4678877");
        let counts: Vec<u8> = [3u32; 4].iter().flat_map(|n| n.to_le_bytes()).collect();
        assert_eq!(hex(murmur(&counts)), "9477de1889bfc8bc81ce33b06de6550c");
        let indices: Vec<u8> =
            [1u32, 2, 0, 3, 1, 0, 2, 3, 0, 3, 2, 1].iter().flat_map(|n| n.to_le_bytes()).collect();
        assert_eq!(hex(murmur(&indices)), "9118d0c4a71aaf6e1737c41658fae843");
        assert_eq!(hex(murmur(&[1, 0, 0, 0])), "feca28aff5a3958840bee985ee7de4d3");
        assert_eq!(hex(murmur(&[])), "0".repeat(32));
    }
}
