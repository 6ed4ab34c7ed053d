//! What colours stand for, in a corner of the picture: the name of the field, its scale, and the largest value.

use super::{ColorBy, Image, Theme, color, letters};

/// Narrower pictures have no room for it \[px\].
const NARROW: u32 = 240;

/// Draws the legend into the lower right corner; nothing where bodies have their own colours.
pub(super) fn draw(image: &mut Image, what: ColorBy, largest: f64, theme: Theme) {
    let Some((name, unit)) = words(what) else { return };
    if image.width < NARROW || largest <= 0.0 {
        return;
    }
    let ink = match theme {
        Theme::Light => [84, 92, 106],
        Theme::Dark => [176, 184, 198],
    };
    let (width, height) = (image.width as f32, image.height as f32);
    let letter = (0.019 * height.min(width)).max(6.5);
    let (left, right, foot) =
        (width - 2.4 * letter - 0.2 * width, width - 2.4 * letter, height - 2.4 * letter);
    let (top, bottom) = (foot - 2.6 * letter, foot - 1.7 * letter);
    bar(image, [left, right], [top, bottom]);
    letters::write(image, name, [left, top - 0.75 * letter], letter, ink, 0.0);
    letters::write(image, "0", [left, foot], letter, ink, 0.0);
    letters::write(image, &with_prefix(largest, unit), [right, foot], letter, ink, 1.0);
}

/// Name and unit of a field.
fn words(what: ColorBy) -> Option<(&'static str, &'static str)> {
    match what {
        ColorBy::Body => None,
        ColorBy::Speed => Some(("speed", "m/s")),
        ColorBy::Stress => Some(("stress", "Pa")),
        ColorBy::Energy => Some(("energy density", "J/m³")),
        ColorBy::Displacement => Some(("displacement", "m")),
        ColorBy::Contact => Some(("contact force", "N")),
    }
}

/// The scale, from left to right.
fn bar(image: &mut Image, [left, right]: [f32; 2], [top, bottom]: [f32; 2]) {
    let encoder = color::Encoder::new();
    for row in top.round() as u32..bottom.round() as u32 {
        for column in left.round() as u32..right.round() as u32 {
            let value = (column as f32 + 0.5 - left) / (right - left);
            let bytes = encoder.bytes(color::scale(value), column as usize, row as usize);
            image.blend(column, row, bytes, 1.0);
        }
    }
}

/// A value with three digits and the prefix that suits it.
fn with_prefix(value: f64, unit: &str) -> String {
    const PREFIXES: [(f64, &str); 6] =
        [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ")];
    // Rounding to three digits may reach the next prefix: 999.9 is 1.00 k.
    let fits = |(size, _): &&(f64, &str)| value >= 0.9995 * size;
    let (size, prefix) = PREFIXES.iter().find(fits).copied().unwrap_or((1e-9, "n"));
    let number = value / size;
    let digits = match number {
        n if n >= 99.95 => 0,
        n if n >= 9.995 => 1,
        _ => 2,
    };
    format!("{number:.digits$} {prefix}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette;

    #[test]
    fn values_have_three_digits_and_a_prefix() {
        let pairs = [
            (1234.0, "1.23 kPa"),
            (999.9, "1.00 kPa"),
            (0.0456, "45.6 mPa"),
            (7.0, "7.00 Pa"),
            (321.4, "321 Pa"),
            (2.5e7, "25.0 MPa"),
            (3e-8, "30.0 nPa"),
        ];
        for (value, text) in pairs {
            assert_eq!(with_prefix(value, "Pa"), text);
        }
    }

    #[test]
    fn the_bar_begins_and_ends_with_the_ends_of_the_scale() {
        let blank = Image { width: 1200, height: 300, rgb: vec![255; 3 * 1200 * 300] };
        let mut image = blank.clone();
        draw(&mut image, ColorBy::Body, 1.0, Theme::Light);
        assert_eq!(image, blank, "no legend for bodies");
        draw(&mut image, ColorBy::Stress, 5e4, Theme::Light);
        let row =
            (0..300).find(|&y| (0..1200).filter(|&x| image.pixel(x, y) != [255; 3]).count() > 200).unwrap();
        let bar: Vec<u32> = (0..1200).filter(|&x| image.pixel(x, row) != [255; 3]).collect();
        let near = |x: u32, color: [u8; 3]| (0..3).all(|i| image.pixel(x, row)[i].abs_diff(color[i]) < 6);
        assert!(near(bar[0], palette::SCALE[0]) && near(bar[bar.len() - 1], palette::SCALE[16]));
    }
}
