//! Letters of strokes, enough for the names and units of fields: no font file is needed.
//!
//! Each letter is a few lines on a small grid, with corners cut twice so that they are round (Chaikin). A place is two
//! digits, x from 0 and y from 0; letters stand on y = 2, small ones reach up to 6, capitals and figures to 8.

use super::{Image, V};

/// Half the width of a stroke, in units of the grid.
const STROKE: f32 = 0.36;
/// From letter to letter, in units of the grid.
const GAP: f32 = 1.7;
/// Height of a capital, in units of the grid.
const CAPITAL: f32 = 6.0;

/// The strokes of a letter; empty for what is not known.
fn strokes(letter: char) -> &'static [&'static str] {
    match letter {
        '0' => &["04 06 18 38 46 44 32 12 04"],
        '1' => &["06 28", "28 22"],
        '2' => &["07 18 38 47 46 35 02", "02 42"],
        '3' | '³' => &["07 18 38 47 46 35 25", "25 35 44 43 32 12 03"],
        '4' => &["32 38", "38 04", "04 44"],
        '5' => &["48 08", "08 05", "05 35 44 43 32 12 03"],
        '6' => &["38 18 06 04 12 32 43 44 35 15 04"],
        '7' => &["08 48", "48 12"],
        '8' => &["15 06 07 18 38 47 46 35 15", "15 04 03 12 32 43 44 35 15"],
        '9' => &["12 32 44 46 38 18 07 06 15 35 46"],
        '.' => &["02 02"],
        '/' => &["01 38"],
        'a' => &["36 32", "35 26 16 05 03 12 22 33"],
        'c' => &["35 26 16 05 03 12 22 33"],
        'd' => &["38 32", "35 26 16 05 03 12 22 33"],
        'e' => &["04 34", "34 35 26 16 05 03 12 22 33"],
        'f' => &["38 28 17 15 12", "06 26"],
        'g' => &["36 31 20 10 01", "35 26 16 05 03 12 22 33"],
        'i' => &["02 06", "08 08"],
        'k' => &["02 08", "36 04", "15 32"],
        'l' => &["02 08"],
        'm' => &["02 06", "04 05 16 26 35 34 32", "34 35 46 56 65 64 62"],
        'n' => &["02 06", "04 05 16 26 35 34 32"],
        'o' => &["05 16 26 35 33 22 12 03 05"],
        'p' => &["00 06", "05 16 26 35 33 22 12 03"],
        'r' => &["02 06", "04 05 16 26"],
        's' => &["35 26 16 05 14 24 33 22 12 03"],
        't' => &["18 14 13 22 32", "06 36"],
        'y' => &["06 22", "36 10"],
        'µ' => &["00 06", "04 03 12 22 33 34", "36 32"],
        'G' => &["47 38 18 06 04 12 32 43 45", "45 25"],
        'J' => &["38 34 33 22 12 03"],
        'M' => &["02 08", "08 24", "24 48", "48 42"],
        'N' => &["02 08", "08 42", "42 48"],
        'P' => &["02 08", "08 28 38 47 46 35 25 05"],
        _ => &[],
    }
}

/// Lines of a text, from the left end of its foot, in units of the grid; and how wide it is.
fn lines(text: &str) -> (Vec<[[f32; 2]; 2]>, f32) {
    let (mut lines, mut pen) = (vec![], 0.0);
    for letter in text.chars() {
        let (scale, lift) = if letter == '³' { (0.55, 3.4) } else { (1.0, 0.0) };
        let mut width = 0f32;
        for stroke in strokes(letter) {
            let places: Vec<[f32; 2]> = stroke.split(' ').map(place).collect();
            width = places.iter().fold(width, |most, p| most.max(p[0]));
            let round = rounded(&rounded(&places));
            let at = |p: [f32; 2]| [pen + scale * p[0], lift + scale * (p[1] - 2.0)];
            lines.extend(round.windows(2).map(|pair| [at(pair[0]), at(pair[1])]));
        }
        pen += if strokes(letter).is_empty() { 2.0 } else { scale * width } + GAP;
    }
    (lines, (pen - GAP).max(0.0))
}

fn place(digits: &str) -> [f32; 2] {
    let mut digits = digits.bytes().map(|digit| f32::from(digit.saturating_sub(b'0')));
    [digits.next().unwrap_or(0.0), digits.next().unwrap_or(0.0)]
}

/// Corners cut off; the ends stay, but the end of a loop is a corner too.
fn rounded(places: &[[f32; 2]]) -> Vec<[f32; 2]> {
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else { return vec![] };
    let between = |a: [f32; 2], b: [f32; 2], t: f32| [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
    let cuts = places.windows(2).flat_map(|p| [between(p[0], p[1], 0.25), between(p[0], p[1], 0.75)]);
    let mut round: Vec<[f32; 2]> = cuts.collect();
    let looped = first == last && places.len() > 2;
    if looped {
        round.extend(round.first().copied());
    } else {
        round.insert(0, first);
        round.push(last);
    }
    round
}

/// Writes a text into a picture: its foot at a place, capitals this high \[px\], in a colour (sRGB). `along` moves it
/// to the left by that share of its width.
pub(super) fn write(
    image: &mut Image,
    text: &str,
    [x, y]: [f32; 2],
    height: f32,
    color: [u8; 3],
    along: f32,
) {
    let unit = height / CAPITAL;
    let (lines, width) = lines(text);
    let shift = x - along * width * unit;
    let lines: Vec<[[f32; 2]; 2]> =
        lines.iter().map(|line| line.map(|p| [shift + p[0] * unit, y - p[1] * unit])).collect();
    let half = (STROKE * unit).max(0.5);
    let range = |from: f32, to: f32, most: u32| {
        (from - half - 1.0).clamp(0.0, most as f32) as u32..(to + half + 2.0).clamp(0.0, most as f32) as u32
    };
    for row in range(y - 6.5 * unit, y + 2.0 * unit, image.height) {
        for column in range(shift, shift + width * unit, image.width) {
            let middle = [column as f32 + 0.5, row as f32 + 0.5];
            let near = lines.iter().map(|line| distance(middle, line)).fold(f32::INFINITY, f32::min);
            let share = (half - near + 0.5).clamp(0.0, 1.0);
            if share > 0.0 {
                image.blend(column, row, color, share);
            }
        }
    }
}

fn distance(p: [f32; 2], [a, b]: &[[f32; 2]; 2]) -> f32 {
    let [p, a, b] = [p, *a, *b].map(|[x, y]| V::new(x, y, 0.0));
    let (way, line) = (p - a, b - a);
    let along =
        if line.norm_squared() > 0.0 { (way.dot(&line) / line.norm_squared()).clamp(0.0, 1.0) } else { 0.0 };
    (way - line * along).norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_that_legends_need_has_strokes() {
        let needed =
            "speed stress energy density displacement contact force 0123456789. m/s kPa MPa GPa µ n J/m³ N";
        for letter in needed.chars().filter(|letter| *letter != ' ') {
            assert!(!strokes(letter).is_empty(), "{letter}");
        }
    }

    #[test]
    fn a_text_stands_where_it_is_put() {
        let mut image = Image { width: 60, height: 30, rgb: vec![255; 3 * 60 * 30] };
        write(&mut image, "1", [10.0, 20.0], 12.0, [0; 3], 0.0);
        let dark = |x: u32, y: u32| image.pixel(x, y)[0] < 128;
        // The stem of the 1 stands two units of 12/6 px to the right, from the foot up to the height of a capital.
        assert!(dark(14, 19) && dark(14, 9) && !dark(14, 22) && !dark(14, 5) && !dark(20, 15));
    }
}
