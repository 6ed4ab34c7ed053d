//! What several formats say about how an actor looks.

use crate::open;

/// Whether a surface has an edge that only one triangle has: it is seen from both sides.
pub(super) fn is_open(triangles: &[[u32; 3]]) -> bool {
    open::edges(triangles).chunk_by(|a, b| a[..2] == b[..2]).any(|edge| edge.len() == 1)
}

/// A colour in linear light, from 0 to 1 (IEC 61966-2-1).
pub(super) fn linear(color: [u8; 3]) -> [f32; 3] {
    color.map(|channel| {
        let s = f64::from(channel) / 255.0;
        let linear = if s <= 0.04045 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) };
        linear as f32
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middle_grey_is_a_fifth_of_the_light() {
        assert_eq!(linear([0, 255, 128]).map(|c| (c * 1e4).round()), [0.0, 10000.0, 2159.0]);
    }
}
