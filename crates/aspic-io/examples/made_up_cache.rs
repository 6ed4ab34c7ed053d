//! A made-up run in every format, and the positions that other programs should find in it.
//!
//! `made_up_cache FOLDER` writes a wobbling ball, a waving cloth, a swinging rope and a block that stands still: 24 frames.
//! `made_up_cache FOLDER speed [FORMAT]` writes 100 frames of a sheet of 100 000 vertices instead and says how fast.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use aspic::Vec3;
use aspic_io::OutputError;
use aspic_io::cache::povray::Floor;
use aspic_io::cache::{Actor, Cache, Cast, Pose, Up, csv, npz, obj, ply, povray, usd};

const FLOOR: Floor = Floor { normal: Vec3::new(0.0, 0.0, 1.0), height: -1.2 };

type Begun = Result<Box<dyn Cache>, OutputError>;
type Format = (&'static str, fn(&Path, &Cast) -> Begun);

const FORMATS: [Format; 8] = [
    ("made_up.usda", usd::begin_text),
    ("made_up.usdc", usd::begin_binary),
    ("made_up.usdz", usd::begin_archive),
    ("obj", obj::begin),
    ("ply", ply::begin),
    ("povray", |path, cast| povray::begin(path, cast, Some(FLOOR))),
    ("made_up.csv", |path, cast| csv::begin(path, cast, &[])),
    ("expected.npz", npz::begin),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("which folder?")?);
    std::fs::create_dir_all(&folder)?;
    match arguments.next() {
        Some(_) => measure(&folder, arguments.next()),
        None => write_all(&folder),
    }
}

fn write_all(folder: &Path) -> Result<(), Box<dyn Error>> {
    let ball = ball(2);
    let cast = cast(&ball);
    for (name, begin) in FORMATS {
        let mut cache = begin(&folder.join(name), &cast)?;
        for place in 0..cast.frames {
            let t = 2.0 * place as f64 / 24.0;
            let positions = positions(&ball.0, t);
            let later = self::positions(&ball.0, t + 1e-6);
            let velocities: Vec<Vec3> = positions.iter().zip(later).map(|(a, b)| (b - a) / 1e-6).collect();
            let pose = Pose { place, number: 3 * place, t, positions: &positions, velocities: &velocities };
            cache.push(&pose)?;
        }
        cache.finish()?;
    }
    Ok(())
}

fn cast((points, triangles): &(Vec<Vec3>, Vec<[u32; 3]>)) -> Cast {
    let actor = |name: &str, color, points, triangles| Actor {
        name: name.into(),
        color,
        points,
        triangles,
        ..Actor::default()
    };
    let box_sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let block = box_sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let rope = Actor {
        edges: (0..15).map(|k| [k, k + 1]).collect(),
        radius: 0.04,
        ..actor("Seil 3", [242, 178, 62], 16, Vec::new())
    };
    Cast {
        title: "A made-up run".into(),
        actors: vec![
            actor("wobbling ball", [240, 113, 90], points.len(), triangles.clone()),
            actor("Tücher/rot", [42, 169, 160], 21 * 21, sheet(21)),
            rope,
            actor("4 corners", [205, 209, 216], 8, block),
        ],
        up: Up::Z,
        meters_per_unit: 1.0,
        rate: 24.0,
        frames: 24,
    }
}

fn positions(ball: &[Vec3], t: f64) -> Vec<Vec3> {
    let wobble = |p: &Vec3| {
        let swell = 1.0 + 0.2 * (2.0 * t).sin() * (3.0 * p.z + p.x).sin();
        p * swell + Vec3::new(0.2 * t, 0.0, 0.1 * t.sin())
    };
    let cloth = (0..21 * 21).map(|k| {
        let (x, y) = (0.1 * f64::from(k / 21), 0.1 * f64::from(k % 21));
        Vec3::new(x - 4.0, y - 1.0, 0.2 * (3.0 * x + 4.0 * t).sin() + 0.1 * y)
    });
    let rope = (0..16).map(|k| {
        let (s, angle) = (0.1 * f64::from(k), 0.5 * (3.0 * t).sin());
        Vec3::new(2.2 + s * angle.sin(), -0.5, 1.2 - s * angle.cos())
    });
    let block = (0..8).map(|k: i32| {
        let side = |bit: i32| f64::from(k >> bit & 1) - 0.5;
        Vec3::new(3.8 + side(0), side(1), -0.7 + side(2))
    });
    ball.iter().map(wobble).chain(cloth).chain(rope).chain(block).collect()
}

/// Triangles of a square sheet with `side` vertices along each side, seen from above.
fn sheet(side: u32) -> Vec<[u32; 3]> {
    let corner = |i: u32, j: u32| side * i + j;
    let quads = (0..side - 1).flat_map(|i| (0..side - 1).map(move |j| (i, j)));
    let split = |(i, j)| {
        let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    quads.flat_map(split).collect()
}

/// An octahedron whose triangles are split in four again and again, blown up to a ball.
fn ball(splits: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut points = vec![Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::x(), -Vec3::y(), -Vec3::z()];
    let mut triangles =
        vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    for _ in 0..splits + 1 {
        let mut middles = std::collections::HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                points.push((points[a as usize] + points[b as usize]).normalize());
                points.len() as u32 - 1
            })
        };
        let split = |[a, b, c]: [u32; 3]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    (points, triangles)
}

/// Time to write 100 frames of a sheet of 316 × 316 vertices, and the bytes that come out.
fn measure(folder: &Path, only: Option<String>) -> Result<(), Box<dyn Error>> {
    let side = 316u32;
    let sheet = Actor { points: (side * side) as usize, triangles: sheet(side), ..Actor::default() };
    let cast = Cast { actors: vec![sheet], meters_per_unit: 1.0, rate: 24.0, frames: 100, ..Cast::default() };
    let position = |k: u32, t: f64| {
        let (x, y) = (0.01 * f64::from(k / side), 0.01 * f64::from(k % side));
        Vec3::new(x + 1e-3 * t, y, 0.2 * (3.0 * x + 4.0 * t).sin())
    };
    let chosen = FORMATS.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name));
    for (name, begin) in chosen {
        let mut cache = begin(&folder.join(name), &cast)?;
        let mut seconds = 0.0;
        for place in 0..cast.frames {
            let t = place as f64 / 24.0;
            let positions: Vec<Vec3> = (0..side * side).map(|k| position(k, t)).collect();
            let pose = Pose { place, number: place, t, positions: &positions, velocities: &[] };
            let start = Instant::now();
            cache.push(&pose)?;
            seconds += start.elapsed().as_secs_f64();
        }
        let start = Instant::now();
        let files = cache.finish()?;
        seconds += start.elapsed().as_secs_f64();
        let sizes: Result<Vec<u64>, std::io::Error> = files.iter().map(|f| Ok(f.metadata()?.len())).collect();
        let megabytes = sizes?.iter().sum::<u64>() as f64 / 1e6;
        println!("{name:14} {megabytes:7.1} MB {seconds:6.2} s {:7.1} MB/s", megabytes / seconds);
    }
    Ok(())
}
