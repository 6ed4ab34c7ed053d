//! Fills surfaces and prints what came out: `trial COUNT FILE.obj…`, or `trial COUNT bumps` for a made surface of 1.3
//! million triangles. Reads only the lines `v` and `f` of triangles.

use std::time::Instant;

use aspic::Vec3;
use aspic::mesh::generate;
use aspic_mesh::{Cell, Keep, Soup, examine, lattice, stuff};

fn read(path: &str) -> Soup {
    let mut soup = Soup::default();
    let text = std::fs::read_to_string(path).unwrap_or_default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let c: Vec<f64> = words.filter_map(|w| w.parse().ok()).collect();
                soup.positions.push(Vec3::new(c[0], c[1], c[2]));
            }
            Some("f") => {
                let c: Vec<u32> = words.filter_map(|w| w.split('/').next()?.parse().ok()).collect();
                soup.triangles.push([c[0] - 1, c[1] - 1, c[2] - 1]);
            }
            _ => {}
        }
    }
    soup
}

/// A ball with waves, cut fine.
fn bumps() -> Soup {
    let Ok(ball) = generate::sphere_surface(1.0, 7) else { return Soup::default() };
    let mut soup = Soup::from(ball);
    // One more cut in four: 1 310 720 triangles, corners not shared at first.
    let mut fine = Soup::default();
    for t in 0..soup.triangles.len() {
        let [a, b, c] = soup.triangles[t].map(|v| soup.positions[v as usize]);
        let [p, q, r] = [(a + b).normalize(), (b + c).normalize(), (c + a).normalize()];
        for corners in [[a, p, r], [p, b, q], [r, q, c], [p, q, r]] {
            let n = fine.positions.len() as u32;
            fine.positions.extend(corners);
            fine.triangles.push([n, n + 1, n + 2]);
        }
    }
    soup = aspic_mesh::merge(&fine, 0.0).soup;
    for x in &mut soup.positions {
        *x *= 1.0 + 0.1 * (8.0 * x.x).sin() * (9.0 * x.y).sin() * (7.0 * x.z).cos();
    }
    soup
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let count: usize = words.first().and_then(|w| w.parse().ok()).unwrap_or(10_000);
    for path in words.iter().skip(1) {
        let soup = if path == "bumps" { bumps() } else { read(path) };
        println!("== {path}: {} triangles", soup.triangles.len());
        let start = Instant::now();
        let report = examine(&soup);
        println!("{report}\nexamined in {:.2} s", start.elapsed().as_secs_f64());
        let start = Instant::now();
        match stuff(&soup, Cell::Count(count), Keep::All) {
            Ok(filled) => {
                println!("{}\nstuffed in {:.2} s", filled.report, start.elapsed().as_secs_f64());
                let start = Instant::now();
                let again = stuff(&soup, Cell::Size(filled.report.cell), Keep::All);
                let seconds = start.elapsed().as_secs_f64();
                println!("with that size alone: {seconds:.2} s, same: {}", again.is_ok_and(|a| a == filled));
            }
            Err(error) => println!("{error}"),
        }
        let start = Instant::now();
        match lattice(&soup, Cell::Count(count)) {
            Ok(made) => println!("{}\nlattice in {:.2} s", made.report, start.elapsed().as_secs_f64()),
            Err(error) => println!("{error}"),
        }
    }
}
