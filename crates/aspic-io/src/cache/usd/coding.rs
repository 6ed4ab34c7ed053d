//! How a binary stage packs its tables: LZ4 blocks, and integers as differences.
//!
//! The tables are small beside the samples, so nothing is squeezed: every block is one run of literals and every
//! difference takes its full width. Readers cannot tell that from a poor compression.
//!
//! | part | bytes |
//! |---|---|
//! | block | length; one byte 0 (a single chunk); LZ4: `0xF0`, length − 15 in steps of 255, the bytes |
//! | integers | most common difference; two bits a number (3: full width), four to a byte; the differences |

/// A block with its length before it.
pub(super) fn block(to: &mut Vec<u8>, bytes: &[u8]) {
    let start = to.len();
    to.extend([0; 8]);
    to.push(0);
    if bytes.len() < 15 {
        to.push((bytes.len() as u8) << 4);
    } else {
        let rest = bytes.len() - 15;
        to.push(0xf0);
        to.resize(to.len() + rest / 255, 255);
        to.push((rest % 255) as u8);
    }
    to.extend_from_slice(bytes);
    let length = (to.len() - start - 8) as u64;
    to[start..start + 8].copy_from_slice(&length.to_le_bytes());
}

/// Integers as a block.
pub(super) fn integers(to: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = i32>) {
    let count = numbers.len();
    let mut bytes = vec![0; 4];
    bytes.resize(4 + count / 4, 0xff);
    if !count.is_multiple_of(4) {
        bytes.push((1u8 << (2 * (count % 4))) - 1);
    }
    let mut before = 0i32;
    for number in numbers {
        bytes.extend(number.wrapping_sub(before).to_le_bytes());
        before = number;
    }
    block(to, if count == 0 { &[] } else { &bytes });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_blocks_say_their_length_in_steps_of_255() {
        let mut to = Vec::new();
        block(&mut to, &[7; 15 + 2 * 255 + 3]);
        assert_eq!(to[8..13], [0, 0xf0, 255, 255, 3]);
        assert_eq!(to[..8], (5 + 15 + 2 * 255 + 3u64).to_le_bytes());
        to.clear();
        block(&mut to, b"ab");
        assert_eq!(to[8..], [0, 0x20, b'a', b'b']);
    }

    #[test]
    fn integers_are_differences_of_full_width() {
        let mut to = Vec::new();
        integers(&mut to, [5, 3, 3, -1, 9].into_iter());
        let body: Vec<u8> = [5, -2, 0, -4, 10].iter().flat_map(|n: &i32| n.to_le_bytes()).collect();
        assert_eq!(to[10..17], [15 + 11 - 15, 0, 0, 0, 0, 0xff, 0x03]);
        assert_eq!(to[17..], body);
    }
}
