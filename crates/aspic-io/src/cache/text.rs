//! Numbers as text, the shortest that reads back as the same number.

use aspic::Vec3;

/// In small letters, as other programs read it.
const NOT_A_NUMBER: &[u8] = b"nan";

/// Appends a number.
pub(super) fn float(text: &mut Vec<u8>, number: f32) {
    if number.is_nan() {
        return text.extend_from_slice(NOT_A_NUMBER);
    }
    text.extend_from_slice(zmij::Buffer::new().format(number).as_bytes());
}

/// Appends a number in full precision.
pub(super) fn double(text: &mut Vec<u8>, number: f64) {
    if number.is_nan() {
        return text.extend_from_slice(NOT_A_NUMBER);
    }
    text.extend_from_slice(zmij::Buffer::new().format(number).as_bytes());
}

/// Appends a whole number.
pub(super) fn integer(text: &mut Vec<u8>, mut number: u32) {
    let mut digits = [0; 10];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return text.extend_from_slice(&digits[first..]);
        }
    }
}

/// Appends `x`, `y` and `z` with something between.
pub(super) fn triple(text: &mut Vec<u8>, [x, y, z]: [f32; 3], between: &[u8]) {
    float(text, x);
    text.extend_from_slice(between);
    float(text, y);
    text.extend_from_slice(between);
    float(text, z);
}

/// In single precision, as most programs keep positions.
pub(super) fn single(v: &Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_as_they_were() {
        let mut text = Vec::new();
        for number in [0.1f32, -1e-30, 3.0e20, 0.0, 16777216.0] {
            text.clear();
            float(&mut text, number);
            assert_eq!(std::str::from_utf8(&text).unwrap().parse::<f32>().unwrap(), number);
        }
        text.clear();
        triple(&mut text, [f32::NAN, f32::INFINITY, f32::NEG_INFINITY], b" ");
        assert_eq!(text, b"nan inf -inf");
        for number in [0, 9, 10, u32::MAX] {
            text.clear();
            integer(&mut text, number);
            assert_eq!(std::str::from_utf8(&text).unwrap(), number.to_string());
        }
    }
}
