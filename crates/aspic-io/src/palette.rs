//! The colours of bodies, the same in every picture and in the viewer.

/// Colours of the bodies, in turn (sRGB).
pub const BODIES: [[u8; 3]; 10] = [
    [224, 98, 78],   // coral
    [76, 134, 200],  // blue
    [240, 176, 72],  // amber
    [90, 166, 122],  // green
    [150, 116, 190], // violet
    [96, 182, 190],  // teal
    [214, 122, 164], // rose
    [150, 138, 118], // stone
    [134, 160, 74],  // olive
    [104, 114, 168], // indigo
];

/// Obstacles stand back behind the bodies (sRGB).
pub const OBSTACLE: [u8; 3] = [205, 209, 216];

/// The colour of a body by its number.
pub fn of_body(number: usize) -> [u8; 3] {
    BODIES[number % BODIES.len()]
}

/// Stops of the colour scale for fields, from the lowest value to the highest, at equal distances (sRGB).
/// Dark to light in even steps, so that it also reads in grey.
pub const SCALE: [[u8; 3]; 9] = [
    [48, 34, 106],
    [62, 62, 148],
    [50, 96, 166],
    [34, 130, 160],
    [40, 162, 134],
    [96, 190, 96],
    [168, 208, 66],
    [236, 210, 68],
    [255, 238, 170],
];
