//! Surfaces for tests.

use std::f64::consts::TAU;

use aspic::Vec3;
use aspic::mesh::generate;

use crate::soup::Soup;

/// Numbers in 0..1 that look random and are the same on every run (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| 2.0 * self.roll() - 1.0)
    }
}

pub fn ball(radius: f64, divisions: usize) -> Soup {
    generate::sphere_surface(radius, divisions).unwrap().into()
}

pub fn cube(edge: f64) -> Soup {
    generate::box_surface(Vec3::repeat(edge)).unwrap().into()
}

pub fn cuboid(size: Vec3) -> Soup {
    generate::box_surface(size).unwrap().into()
}

/// A ring of radius `ring` with a round section of radius `pipe`.
pub fn torus(ring: f64, pipe: f64, around: usize, section: usize) -> Soup {
    let place = |n: usize, m: usize| {
        let (p, q) = (TAU * n as f64 / around as f64, TAU * m as f64 / section as f64);
        let r = ring + pipe * q.cos();
        Vec3::new(r * p.cos(), r * p.sin(), pipe * q.sin())
    };
    let number = |n: usize, m: usize| ((n % around) * section + m % section) as u32;
    let mut soup = Soup::default();
    for (n, m) in (0..around).flat_map(|n| (0..section).map(move |m| (n, m))) {
        soup.positions.push(place(n, m));
        let [a, b, c, d] = [number(n, m), number(n + 1, m), number(n + 1, m + 1), number(n, m + 1)];
        soup.triangles.extend([[a, b, c], [a, c, d]]);
    }
    soup
}

/// Both soups in one.
pub fn joined(mut a: Soup, b: &Soup) -> Soup {
    let shift = a.positions.len() as u32;
    a.positions.extend(&b.positions);
    a.triangles.extend(b.triangles.iter().map(|t| t.map(|v| v + shift)));
    a
}

pub fn moved(mut soup: Soup, by: Vec3) -> Soup {
    soup.positions.iter_mut().for_each(|x| *x += by);
    soup
}

/// Turned about an axis of any length, by that many radians.
pub fn turned(mut soup: Soup, axis: Vec3) -> Soup {
    let turn = nalgebra::Rotation3::new(axis);
    soup.positions.iter_mut().for_each(|x| *x = turn * *x);
    soup
}

pub fn inverted(mut soup: Soup) -> Soup {
    soup.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    soup
}

/// Two overlapping unit balls `apart`.
pub fn two_balls(apart: f64) -> Soup {
    joined(ball(1.0, 3), &moved(ball(1.0, 3), Vec3::new(apart, 0.0, 0.0)))
}

/// A few balls, boxes and plates, turned and overlapping.
pub fn pile(seed: u64) -> Soup {
    let mut dice = Dice(seed);
    let mut soup = Soup::default();
    for _ in 0..2 + (dice.roll() * 4.0) as usize {
        let kind = dice.roll();
        let size = 0.2 + 0.6 * dice.roll();
        let part = if kind < 0.4 {
            ball(size, 2)
        } else if kind < 0.7 {
            cuboid(Vec3::from_fn(|_, _| 0.1 + dice.roll()))
        } else {
            cuboid(Vec3::new(1.0, 0.5 + dice.roll(), 0.03 + 0.1 * dice.roll()))
        };
        soup = joined(soup, &moved(turned(part, dice.vector() * 3.0), dice.vector() * 0.6));
    }
    soup
}

/// Every triangle with corners of its own.
pub fn torn(soup: &Soup) -> Soup {
    let positions: Vec<Vec3> = soup.triangles.iter().flatten().map(|&v| soup.positions[v as usize]).collect();
    let triangles = (0..soup.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Soup { positions, triangles }
}
