//! Numbers for people: as many digits as say something.

use aspic::Vec3;

/// Five significant digits.
pub fn figures(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || !x.is_finite() {
        format!("{x:.0}")
    } else if (1e-3..1e6).contains(&size) {
        let decimals = 4 - size.log10().floor() as i32;
        format!("{x:.0$}", decimals.max(0) as usize)
    } else {
        format!("{x:.4e}")
    }
}

/// The coordinates of a point, to a ten-thousandth of a size.
pub fn point(x: &Vec3, size: f64) -> String {
    let decimals = if size > 0.0 { (4.0 - size.log10().floor()).clamp(0.0, 12.0) } else { 4.0 };
    // adding zero makes 0 of what is rounded to −0
    let unit = 10f64.powf(decimals);
    let [x, y, z] =
        [x.x, x.y, x.z].map(|x| format!("{:.*}", decimals as usize, (x * unit).round() / unit + 0.0));
    format!("({x}, {y}, {z})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_numbers_keep_five_digits() {
        let shown = [0.0, 1.5733, 0.0123456, 123456.7, 4e-7, -98.7654321, 3e12].map(figures);
        assert_eq!(shown, ["0", "1.5733", "0.012346", "123457", "4.0000e-7", "-98.765", "3.0000e12"]);
    }

    #[test]
    fn a_point_shows_what_its_body_can_tell_apart() {
        let x = Vec3::new(0.1, -1e-17, 0.012345678);
        assert_eq!(point(&x, 0.26), "(0.10000, 0.00000, 0.01235)");
        assert_eq!(point(&(x * 1e-3), 0.26e-3), "(0.00010000, 0.00000000, 0.00001235)");
        assert_eq!(point(&(x * 1e6), 0.26e6), "(100000, 0, 12346)");
    }
}
