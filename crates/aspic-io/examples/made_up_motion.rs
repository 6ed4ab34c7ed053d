//! Writes a made-up motion in all formats of this crate's caches, and what other programs should find in them.
//!
//! `made_up_motion <folder> [z|y]`: `cast.json` names the actors, `expected.bin` holds the positions of all points in
//! all frames (f64, little endian). The checks in `tests/outside` read both.

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use aspic::Vec3;
use aspic_io::OutputError;
use aspic_io::cache::{Actor, Cache, Cast, Pose, Up, alembic, gltf, mdd, pc2};
use serde_json::json;

const FRAMES: usize = 24;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("give me a folder")?;
    let up = if arguments.next().as_deref() == Some("y") { Up::Y } else { Up::Z };
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    let (cast, rest) = made_up(up);
    let frames: Vec<Vec<Vec3>> = (0..FRAMES).map(|place| pose(&cast, &rest, place)).collect();
    write_expected(folder, &cast, &frames)?;
    for cache in caches(folder, &cast)? {
        for path in write(cache, &frames, cast.rate)? {
            println!("{}", path.display());
        }
    }
    Ok(())
}

fn caches(folder: &Path, cast: &Cast) -> Result<Vec<Box<dyn Cache>>, OutputError> {
    Ok(vec![
        pc2::begin(&folder.join("pc2"), cast)?,
        mdd::begin(&folder.join("mdd"), cast)?,
        alembic::begin(&folder.join("motion.abc"), cast)?,
        gltf::begin(&folder.join("motion.glb"), cast)?,
        gltf::begin(&folder.join("in two.gltf"), cast)?,
    ])
}

fn write(
    mut cache: Box<dyn Cache>,
    frames: &[Vec<Vec3>],
    rate: f64,
) -> Result<Vec<std::path::PathBuf>, OutputError> {
    for (place, positions) in frames.iter().enumerate() {
        let t = place as f64 / rate;
        cache.push(&Pose { place, number: place, t, positions, velocities: &[] })?;
    }
    cache.finish()
}

fn write_expected(folder: &Path, cast: &Cast, frames: &[Vec<Vec3>]) -> std::io::Result<()> {
    let actor = |actor: &Actor| {
        json!({
            "name": actor.name, "points": actor.points, "triangles": actor.triangles,
            "edges": actor.edges, "radius": actor.radius, "color": actor.color,
        })
    };
    let actors: Vec<_> = cast.actors.iter().map(actor).collect();
    let up = if cast.up == Up::Y { "y" } else { "z" };
    let scale = cast.meters_per_unit;
    let text = json!({
        "actors": actors, "frames": frames.len(), "rate": cast.rate, "up": up, "meters_per_unit": scale,
    });
    fs::write(folder.join("cast.json"), text.to_string())?;
    let numbers = frames.iter().flatten().flat_map(|position| position.iter().copied().collect::<Vec<f64>>());
    fs::write(folder.join("expected.bin"), numbers.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
}

/// A ball, a cloth, a rope with a ring at its end, a ball with a tail, and a block that stands still.
fn made_up(up: Up) -> (Cast, Vec<Vec3>) {
    let (ball, ball_triangles) = ball(2);
    let (cloth, cloth_triangles) = cloth(12);
    let (block, block_triangles) = block();
    let tail: Vec<Vec3> = (0..6).map(|i| Vec3::new(0.0, 0.0, -1.1 - 0.2 * f64::from(i))).collect();
    let tail_edges: Vec<[u32; 2]> =
        (0..5).map(|i| [ball.len() as u32 + i, ball.len() as u32 + i + 1]).collect();
    let rope: Vec<Vec3> = (0..20).map(|i| Vec3::new(0.1 * f64::from(i), 3.0, 0.5)).collect();
    let mut rope_edges: Vec<[u32; 2]> = (0..19).map(|i| [i, i + 1]).collect();
    rope_edges.push([19, 14]);
    let with_tail = [ball.clone(), tail].concat();
    let parts = [
        ("Würfel / rund", ball, ball_triangles.clone(), vec![]),
        ("cloth", cloth, cloth_triangles, vec![]),
        ("ein Seil", rope, vec![], rope_edges),
        ("Würfel_/_rund", with_tail, ball_triangles, tail_edges),
        ("block (still)", block, block_triangles, vec![]),
    ];
    let colors = [[240, 113, 90], [42, 169, 160], [242, 178, 62], [127, 120, 234], [205, 209, 216]];
    let mut cast = Cast {
        title: "made up; = a test".into(),
        up,
        meters_per_unit: 0.5,
        rate: 25.0,
        frames: FRAMES,
        ..Cast::default()
    };
    let mut rest = vec![];
    for ((name, points, triangles, edges), color) in parts.into_iter().zip(colors) {
        let (name, number) = (name.into(), points.len());
        cast.actors.push(Actor { name, color, points: number, triangles, edges, radius: 0.05 });
        rest.extend(points);
    }
    if up == Up::Y {
        rest.iter_mut().for_each(|p| *p = Vec3::new(p.x, p.z, -p.y));
    }
    (cast, rest)
}

/// All but the block fall, turn and wobble; the cloth stands still at first.
fn pose(cast: &Cast, rest: &[Vec3], place: usize) -> Vec<Vec3> {
    let t = place as f64 / FRAMES as f64;
    let mut out = vec![];
    for (number, (actor, points)) in cast.parts(rest).enumerate() {
        let s = if actor.name == "cloth" { (t - 0.3).max(0.0) } else { t };
        let moved = |p: &Vec3| {
            let wave = 0.2 * (TAU * s + 3.0 * p.x + p.y).sin() - 0.2 * (3.0 * p.x + p.y).sin();
            let (sin, cos) = (TAU * s / 3.0).sin_cos();
            Vec3::new(cos * p.x - sin * p.y + number as f64 * s, sin * p.x + cos * p.y, p.z + wave - s * s)
        };
        let still = actor.name.contains("still");
        out.extend(points.iter().map(|p| if still { *p } else { moved(p) }));
    }
    out
}

fn block() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let corner = |i: usize| Vec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2 & 1) as f64) * 2.0;
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(|i| corner(i) - Vec3::new(1.0, 1.0, 5.0)).collect(), triangles)
}

fn cloth(n: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let at = |row: u32, column: u32| row * (n + 1) + column;
    let point = |i: u32| {
        let (row, column) = (i / (n + 1), i % (n + 1));
        Vec3::new(f64::from(column) / f64::from(n), f64::from(row) / f64::from(n), 2.0)
    };
    let cell = |i: u32| {
        let (a, b) = (at(i / n, i % n), at(i / n, i % n + 1));
        let (c, d) = (at(i / n + 1, i % n), at(i / n + 1, i % n + 1));
        [[a, b, d], [a, d, c]]
    };
    ((0..(n + 1) * (n + 1)).map(point).collect(), (0..n * n).flat_map(cell).collect())
}

/// An octahedron whose triangles are cut into four, again and again, and pushed out to the unit sphere.
fn ball(cuts: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let mut points: Vec<Vec3> = axes.iter().flat_map(|axis| [*axis, -axis]).collect();
    let mut triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    for _ in 0..cuts {
        let mut middles = std::collections::BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                points.push((points[a as usize] + points[b as usize]).normalize());
                points.len() as u32 - 1
            })
        };
        let cut = |[a, b, c]: [u32; 3]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(cut).collect();
    }
    (points, triangles)
}
