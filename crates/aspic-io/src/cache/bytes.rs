//! Arrays as bytes: single precision, three numbers for each point.

use aspic::Vec3;

/// Positions one behind another, each number as `encode` says. The memory is used again.
pub(crate) fn fill(bytes: &mut Vec<u8>, positions: &[Vec3], encode: impl Fn(f32) -> [u8; 4]) {
    bytes.resize(12 * positions.len(), 0);
    for (bytes, position) in bytes.chunks_exact_mut(12).zip(positions) {
        for (bytes, &x) in bytes.chunks_exact_mut(4).zip(position.iter()) {
            bytes.copy_from_slice(&encode(x as f32));
        }
    }
}

/// The same, little endian.
pub(crate) fn fill_little(bytes: &mut Vec<u8>, positions: &[Vec3]) {
    fill(bytes, positions, f32::to_le_bytes);
}

/// Whole numbers, little endian.
pub(crate) fn of_indices(indices: impl IntoIterator<Item = u32>) -> Vec<u8> {
    indices.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// A colour channel from sRGB to linear light (IEC 61966-2-1).
pub(crate) fn linear(channel: u8) -> f32 {
    let c = f64::from(channel) / 255.0;
    (if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_take_twelve_bytes_and_the_memory_follows_their_number() {
        let mut bytes = vec![9; 100];
        fill_little(&mut bytes, &[Vec3::new(1.0, -2.0, 0.5)]);
        assert_eq!(bytes, [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f]);
        fill(&mut bytes, &[Vec3::new(1.0, 0.0, 0.0)], f32::to_be_bytes);
        assert_eq!(bytes[..4], [0x3f, 0x80, 0, 0]);
    }

    #[test]
    fn middle_grey_is_a_fifth_of_the_light() {
        // Published pairs: 0 -> 0, 10 -> 0.003035, 128 -> 0.215861, 255 -> 1.
        for (channel, light) in [(0, 0.0), (10, 0.003035), (128, 0.215861), (255, 1.0)] {
            assert!((linear(channel) - light).abs() < 5e-7, "{channel}");
        }
    }
}
