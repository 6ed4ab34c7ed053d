//! What a frame does not hold, so that a run continues bit for bit.
//!
//! The file, all numbers little-endian:
//!
//! | what | bytes |
//! |---|---|
//! | `aspic checkpoint 1\n` | 19 |
//! | scene hash (u64), time \[s\] (f64), step \[s\] (f64), number of the next frame (u64) | 32 |
//! | counts (u64): positions, velocities, accounts, counters | 32 |
//! | positions \[m\], velocities \[m/s\] (3 f64 each), accounts (f64), counters (u64) | 24, 24, 8, 8 each |
//! | FNV-1a checksum of everything before it (u64) | 8 |

use std::path::Path;

use aspic::Vec3;

use crate::error::read_bytes;
use crate::{OutputError, Place, ReadError, atomic};

const MAGIC: &[u8] = b"aspic checkpoint 1\n";
/// Bytes of everything but the arrays: magic, eight numbers, checksum.
const FIXED: usize = MAGIC.len() + 8 * 8 + 8;
const CURE: &str = "restore the run folder from a copy, or delete the checkpoint: `aspic resume` will then run the scene again from the start";

/// The state of a run between two steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// Tells whether the scene is still the one that was run.
    pub scene_hash: u64,
    /// Simulated time \[s\].
    pub t: f64,
    /// Length of the next step \[s\].
    pub step: f64,
    /// Number of the next frame to write.
    pub next_frame: usize,
    /// Positions  \[m\]  (nodes)
    pub positions: Vec<Vec3>,
    /// Velocities  \[m/s\]  (nodes)
    pub velocities: Vec<Vec3>,
    /// Running sums of the ledger \[J\].
    pub accounts: Vec<f64>,
    /// Running counts: steps, rejections and the like.
    pub counters: Vec<u64>,
}

impl Checkpoint {
    /// Writes the file whole or not at all; it is on the disk when this returns.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        let bytes = self.to_bytes();
        atomic::write_to_disk(path, |w| w.write_all(&bytes))
    }

    /// Reads the file, every bit as it was written.
    pub fn read(path: &Path) -> Result<Checkpoint, ReadError> {
        let bytes = read_bytes(path)?;
        Checkpoint::from_bytes(&bytes).map_err(|cause| ReadError::format(path, Place::File, cause, CURE))
    }

    fn to_bytes(&self) -> Vec<u8> {
        let counts = [self.positions.len(), self.velocities.len(), self.accounts.len(), self.counters.len()];
        let head = [self.scene_hash, self.t.to_bits(), self.step.to_bits(), self.next_frame as u64];
        let vectors = self.positions.iter().chain(&self.velocities).flat_map(|v| [v.x, v.y, v.z]);
        let mut bytes = MAGIC.to_vec();
        let words = (head.into_iter())
            .chain(counts.map(|n| n as u64))
            .chain(vectors.chain(self.accounts.iter().copied()).map(f64::to_bits))
            .chain(self.counters.iter().copied());
        words.for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, String> {
        if !bytes.starts_with(MAGIC) {
            return Err(not_ours(bytes));
        }
        if bytes.len() < FIXED {
            return Err(format!("the checkpoint is cut off after {} bytes", bytes.len()));
        }
        let mut words = Words(&bytes[MAGIC.len()..bytes.len() - 8]);
        let [scene_hash, t, step, next_frame] = words.four();
        let counts = words.four();
        check_length(bytes.len(), counts)?;
        let checksum = Words(&bytes[bytes.len() - 8..]).next();
        if fnv1a(&bytes[..bytes.len() - 8]) != checksum {
            return Err("the checkpoint was altered: its checksum does not fit".into());
        }
        let [positions, velocities, accounts, counters] = counts.map(|n| n as usize);
        Ok(Checkpoint {
            scene_hash,
            t: f64::from_bits(t),
            step: f64::from_bits(step),
            next_frame: next_frame as usize,
            positions: (0..positions).map(|_| words.vector()).collect(),
            velocities: (0..velocities).map(|_| words.vector()).collect(),
            accounts: (0..accounts).map(|_| words.number()).collect(),
            counters: (0..counters).map(|_| words.next()).collect(),
        })
    }
}

fn not_ours(bytes: &[u8]) -> String {
    if MAGIC.starts_with(bytes) {
        format!("the checkpoint is cut off after {} bytes", bytes.len())
    } else if bytes.starts_with(b"aspic checkpoint ") {
        "the checkpoint was written by another version of aspic".into()
    } else {
        "this is not a checkpoint of aspic".into()
    }
}

/// The counts fix the length of the file, so nothing is allocated for a file that lies.
fn check_length(length: usize, [positions, velocities, accounts, counters]: [u64; 4]) -> Result<(), String> {
    let vectors = u128::from(positions) + u128::from(velocities);
    let words = 3 * vectors + u128::from(accounts) + u128::from(counters);
    let expected = FIXED as u128 + 8 * words;
    match (length as u128).cmp(&expected) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Less => {
            Err(format!("the checkpoint is cut off: {length} of {expected} bytes are there"))
        }
        std::cmp::Ordering::Greater => {
            Err(format!("the checkpoint was altered: {length} bytes instead of {expected}"))
        }
    }
}

/// Reads eight bytes at a time. The caller has checked the length.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn next(&mut self) -> u64 {
        let mut word = [0; 8];
        word.copy_from_slice(&self.0[..8]);
        self.0 = &self.0[8..];
        u64::from_le_bytes(word)
    }

    fn four(&mut self) -> [u64; 4] {
        std::array::from_fn(|_| self.next())
    }

    fn number(&mut self) -> f64 {
        f64::from_bits(self.next())
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.number())
    }
}

/// The 64-bit hash of Fowler, Noll and Vo, variant 1a: finds accidents, not forgers.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every bit pattern, so also −0, subnormals, infinities and NaNs with a payload.
    fn any_number() -> impl Strategy<Value = f64> {
        prop_oneof![Just(-0.0), Just(5e-324), Just(f64::NAN), any::<u64>().prop_map(f64::from_bits)]
    }

    fn any_vectors() -> impl Strategy<Value = Vec<Vec3>> {
        let vector = [any_number(), any_number(), any_number()].prop_map(Vec3::from);
        proptest::collection::vec(vector, 0..9)
    }

    fn bits(c: &Checkpoint) -> Vec<u64> {
        let vectors = c.positions.iter().chain(&c.velocities).flat_map(|v| [v.x, v.y, v.z]);
        let numbers = vectors.chain(c.accounts.iter().copied()).chain([c.t, c.step]).map(f64::to_bits);
        numbers.chain(c.counters.iter().copied()).chain([c.scene_hash, c.next_frame as u64]).collect()
    }

    fn example() -> Checkpoint {
        Checkpoint {
            scene_hash: 7,
            t: 0.5,
            step: 1e-3,
            next_frame: 12,
            positions: vec![Vec3::new(1.0, -0.0, 5e-324)],
            velocities: vec![Vec3::new(1e300, 2.0, 3.0)],
            accounts: vec![0.1],
            counters: vec![u64::MAX],
        }
    }

    proptest! {
        #[test]
        fn every_bit_survives_the_file(
            scene_hash: u64, t in any_number(), step in any_number(), next_frame in 0usize..1 << 40,
            positions in any_vectors(), velocities in any_vectors(),
            accounts in proptest::collection::vec(any_number(), 0..9),
            counters in proptest::collection::vec(any::<u64>(), 0..9),
        ) {
            let sent = Checkpoint { scene_hash, t, step, next_frame, positions, velocities, accounts, counters };
            let received = Checkpoint::from_bytes(&sent.to_bytes()).unwrap();
            prop_assert_eq!(bits(&sent), bits(&received));
            prop_assert_eq!(sent.positions.len(), received.positions.len());
            prop_assert_eq!(sent.accounts.len(), received.accounts.len());
        }
    }

    #[test]
    fn every_truncation_is_noticed() {
        let bytes = example().to_bytes();
        for length in 0..bytes.len() {
            let cause = Checkpoint::from_bytes(&bytes[..length]).unwrap_err();
            assert!(cause.contains("cut off"), "{length}: {cause}");
        }
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let bytes = example().to_bytes();
        for bit in 0..8 * bytes.len() {
            let mut altered = bytes.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            assert!(Checkpoint::from_bytes(&altered).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn damaged_file_is_named_with_a_cure() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        example().write(&path).unwrap();
        assert_eq!(Checkpoint::read(&path).unwrap(), example());
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..60]).unwrap();
        let text = Checkpoint::read(&path).unwrap_err().to_string();
        assert!(
            text.contains("checkpoint") && text.contains("cut off") && text.contains("run the scene again"),
            "{text}"
        );
    }

    /// Published values of the hash: draft-eastlake-fnv, section 5.
    #[test]
    fn checksum_is_fnv1a() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
