//! The colours of bodies and fields, the same in every picture and in the viewer's `palette.ts` and `colourmap.ts`.

/// Colours of the first bodies: warm and cool in turn, so that neighbours differ (sRGB).
pub const BODIES: [[u8; 3]; 10] = [
    [240, 113, 90],  // coral
    [42, 169, 160],  // teal
    [242, 178, 62],  // amber
    [127, 120, 234], // violet
    [75, 163, 227],  // sky
    [229, 111, 156], // rose
    [143, 191, 82],  // green
    [238, 139, 69],  // orange
    [90, 116, 220],  // indigo
    [79, 196, 146],  // mint
];

/// Obstacles stand back behind the bodies (sRGB). Lighter than in the viewer, which lights them from more sides.
pub const OBSTACLE: [u8; 3] = [205, 209, 216];

/// The colour of a body by its number. Behind the table hues go round by the golden angle.
pub fn of_body(number: usize) -> [u8; 3] {
    BODIES.get(number).copied().unwrap_or_else(|| of_hue((number as f64 * 137.508 % 360.0).round()))
}

/// A colour of this hue \[degrees\], saturation 62 %, lightness 60 % (CSS).
fn of_hue(hue: f64) -> [u8; 3] {
    let (saturation, lightness) = (0.62, 0.6f64);
    let reach = saturation * lightness.min(1.0 - lightness);
    [0.0, 8.0, 4.0].map(|shift| {
        let place = (shift + hue / 30.0) % 12.0;
        let channel = lightness - reach * (place - 3.0).min(9.0 - place).clamp(-1.0, 1.0);
        (255.0 * channel).round() as u8
    })
}

/// Stops of the colour scale for fields, from the lowest value to the highest, at equal distances (sRGB): viridis by van
/// der Walt and Smith (CC0). Dark to light in even steps, so that it also reads in grey.
pub const SCALE: [[u8; 3]; 17] = [
    [68, 1, 84],
    [72, 24, 106],
    [71, 45, 123],
    [66, 64, 134],
    [59, 82, 139],
    [51, 99, 141],
    [44, 114, 142],
    [38, 130, 142],
    [33, 145, 140],
    [31, 160, 136],
    [40, 174, 128],
    [63, 188, 115],
    [94, 201, 98],
    [132, 212, 75],
    [173, 220, 48],
    [216, 226, 25],
    [253, 231, 37],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hues_behind_the_table_are_those_of_css() {
        // hsl(0 62% 60%) and hsl(120 62% 60%), by hand: 0.6 ± 0.62 · 0.4.
        assert_eq!(of_hue(0.0), [216, 90, 90]);
        assert_eq!(of_hue(120.0), [90, 216, 90]);
        assert_eq!(of_body(0), BODIES[0]);
        assert_ne!(of_body(10), of_body(11));
    }

    #[test]
    fn the_page_has_the_same_colours() {
        let page = |file: &str| {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/draw").join(file);
            std::fs::read_to_string(path).unwrap()
        };
        let hex = |[r, g, b]: [u8; 3]| format!("{r:02x}{g:02x}{b:02x}");
        let bodies = BODIES.map(|color| format!("\"#{}\"", hex(color))).join(", ");
        assert!(page("palette.ts").contains(&bodies), "{bodies}");
        let scale = SCALE.map(hex).concat();
        assert!(page("colourmap.ts").contains(&scale), "{scale}");
    }
}
