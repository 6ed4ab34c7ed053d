//! Scenes thrown by dice: bodies of every kind, from jelly to steel, hurled at each other and at walls.

use std::fmt::Write;

/// A small generator of random numbers (splitmix64): the same scene for the same seed on every machine.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(0x1234_5678_9abc_def1))
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Every decade alike.
    fn decades(&mut self, low: f64, high: f64) -> f64 {
        self.within(low.ln(), high.ln()).exp()
    }

    fn happens(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[((self.unit() * list.len() as f64) as usize).min(list.len() - 1)]
    }

    fn vector(&mut self, length: f64) -> [f64; 3] {
        loop {
            let v = [0; 3].map(|_| self.within(-1.0, 1.0));
            let norm = v.iter().map(|c| c * c).sum::<f64>().sqrt();
            if (0.1..1.0).contains(&norm) {
                return v.map(|c| c * length / norm);
            }
        }
    }
}

/// A scene, and whether nothing acts on its bodies from outside.
pub struct Throw {
    pub text: String,
    pub closed: bool,
}

/// Room for each body: cells of a grid, within which it may be turned any way  \[m\]
const CELL: f64 = 1.35;

/// The scene of a seed.
pub fn throw(seed: u64) -> Throw {
    let mut dice = Dice::new(seed);
    let closed = dice.happens(0.25);
    let weightless = closed || dice.happens(0.3);
    let friction = if dice.happens(0.4) { 0.0 } else { dice.within(0.05, 1.0) };
    let duration = dice.pick(&[0.2, 0.3, 0.4]);
    let gravity = if weightless { "gravity = 0\n" } else { "" };
    let mut text = format!(
        "duration = {duration}\n{gravity}[output]\nframe_rate = {}\n[contact]\nfriction = {friction}\n[time]\n{}",
        dice.pick(&[50, 60, 100]),
        dice.pick(&["", "", "", "", "", "", "method = \"backward-euler\"\n", "method = \"trapezoid\"\n"])
    );
    let mut places: Vec<[i32; 3]> = (0..18).map(|k| [k % 3 - 1, k / 3 % 3 - 1, k / 9]).collect();
    for number in 0..dice.pick(&[2, 2, 3, 3, 4, 6]) {
        let place = places.swap_remove((dice.unit() * places.len() as f64) as usize);
        body(&mut text, &mut dice, number, place);
    }
    if !closed {
        walls(&mut text, &mut dice);
    }
    Throw { text, closed }
}

fn body(text: &mut String, dice: &mut Dice, number: u32, place: [i32; 3]) {
    let young = dice.decades(2e3, 2e9);
    let density = dice.decades(50.0, 8000.0);
    let poisson = dice.pick(&[0.0, 0.2, 0.3, 0.4, 0.45, 0.49]);
    let center = [CELL * f64::from(place[0]), CELL * f64::from(place[1]), 0.81 + CELL * f64::from(place[2])];
    // Towards the middle, and a little beside it.
    let speed = dice.decades(0.3, 40.0);
    let (aside, distance) = (dice.vector(0.3), center.map(|c| c * c).iter().sum::<f64>().sqrt());
    let velocity: [f64; 3] = std::array::from_fn(|i| speed * (aside[i] - center[i]) / (distance + 0.3));
    let axis = dice.vector(1.0);
    let angle = dice.within(0.0, std::f64::consts::TAU);
    let _ =
        write!(text, "[materials.m{number}]\nyoung = {young:e}\npoisson = {poisson}\ndensity = {density}\n");
    let _ = writeln!(
        text,
        "law = \"{}\"",
        dice.pick(&["ls-stable", "ls-stable", "ls", "neo-hookean", "corotated", "st-venant"])
    );
    if dice.happens(0.4) {
        let _ = writeln!(text, "shear_viscosity = {}", young * dice.decades(1e-5, 1e-2));
    }
    let _ = write!(
        text,
        "[bodies.b{number}]\nmaterial = \"m{number}\"\nposition = {center:?}\nvelocity = {velocity:?}\n\
         rotation = {{ axis = {axis:?}, angle = {angle} }}\n"
    );
    if dice.happens(0.4) {
        let spin = dice.decades(1.0, 20.0);
        let _ = writeln!(text, "spin = {:?}", dice.vector(spin));
    }
    text.push_str(&shape(dice));
}

fn shape(dice: &mut Dice) -> String {
    let thin = dice.unit();
    if thin < 0.12 {
        let (bend, radius) = (dice.within(-0.2, 0.2), dice.within(0.002, 0.012));
        let segments = dice.pick(&[12, 20, 30]);
        return format!(
            "rope = {{ path = [[-0.5, 0, 0], [0, {bend}, 0], [0.5, 0, 0.1]], segments = {segments}, radius = {radius} }}\n"
        );
    }
    if thin < 0.24 {
        let (a, b, thickness) = (dice.within(0.3, 0.8), dice.within(0.3, 0.8), dice.decades(2e-4, 4e-3));
        let cells = dice.pick(&[5, 6, 10]);
        return format!(
            "cloth = {{ size = [{a}, {b}], cells = [{cells}, {cells}], thickness = {thickness} }}\n"
        );
    }
    let form = dice.pick(&[0, 1, 2, 3, 4]);
    let solid = match form {
        0 => format!("ball = {{ radius = {}, rings = {} }}", dice.within(0.05, 0.4), dice.pick(&[1, 2, 3])),
        1 => {
            let size = [0; 3].map(|_| dice.within(0.05, 0.5));
            format!("box = {{ size = {size:?}, cells = {:?} }}", [0; 3].map(|_| dice.pick(&[1, 2, 3])))
        }
        2 => {
            let radii = [0; 3].map(|_| dice.within(0.15, 0.5));
            format!("ellipsoid = {{ radii = {radii:?}, rings = {} }}", dice.pick(&[2, 3]))
        }
        3 => format!(
            "cylinder = {{ radius = {}, height = {}, rings = {}, layers = {} }}",
            dice.within(0.02, 0.2),
            dice.within(0.15, 0.7),
            dice.pick(&[1, 2]),
            dice.pick(&[2, 4])
        ),
        _ => format!(
            "torus = {{ ring_radius = 0.35, tube_radius = {}, sections = {}, sides = {} }}",
            dice.within(0.05, 0.12),
            dice.pick(&[10, 14]),
            dice.pick(&[6, 7])
        ),
    };
    // Boundary elements want triangles that are not much longer than high.
    let round = matches!(form, 0 | 2 | 4);
    let kinds =
        ["", "", "", "kind = \"affine\"\n", "kind = \"affine\"\n", "block = {}\n", "kind = \"boundary\"\n"];
    let kind = dice.pick(if round { &kinds[..] } else { &kinds[..6] });
    format!("shape = {{ {solid} }}\n{kind}")
}

fn walls(text: &mut String, dice: &mut Dice) {
    let mut wall = |name: &str, point: [f64; 3], normal: [f64; 3]| {
        let _ = write!(
            text,
            "[obstacles.{name}]\nshape = {{ plane = {{ point = {point:?}, normal = {normal:?} }} }}\n"
        );
    };
    wall("floor", [0.0, 0.0, -0.1], [0.0, 0.0, 1.0]);
    if dice.happens(0.6) {
        wall("west", [-2.1, 0.0, 0.0], [1.0, 0.0, 0.0]);
        wall("east", [2.1, 0.0, 0.0], [-1.0, 0.0, 0.0]);
        wall("south", [0.0, -2.1, 0.0], [0.0, 1.0, 0.0]);
        wall("north", [0.0, 2.1, 0.0], [0.0, -1.0, 0.0]);
        wall("lid", [0.0, 0.0, 3.1], [0.0, 0.0, -1.0]);
    }
}
