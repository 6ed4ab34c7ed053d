//! Contact springs: what it costs to look for meetings. `cargo bench -p aspic --bench events`.
//!
//! First the sorted lists by themselves, in coherent motion of many faces; then against the tree of the guaranteed contact,
//! both looking for every vertex near a face and every edge near an edge; then two balls of more and more tetrahedra that
//! collide, and the share of looking in their steps.

use std::error::Error;
use std::fmt::Write as _;
use std::time::Instant;

use aspic::body::SpringSettings;
use aspic::contact::{Candidates, ContactDistance, Part, Surface};
use aspic::event::{Bounds, Path, SweepAndPrune, sweep_boxes};
use aspic::mesh::generate;
use aspic::potential::material::Moduli;
use aspic::run::Settings;
use aspic::{Material, Simulation, Vec3, WorldBuilder};

type Scene = (Vec<[u32; 3]>, Box<dyn Fn(f64) -> Vec<Vec3>>);

/// A sheet of 2n² triangles with sides of 1, waving and drifting.
fn sheet(m: usize) -> Scene {
    let n = (m as f64 / 2.0).sqrt().round() as u32;
    let at = move |i: u32, j: u32| i * (n + 1) + j;
    let cells = (0..n).flat_map(move |i| (0..n).map(move |j| (i, j)));
    let faces = cells.flat_map(|(i, j)| {
        [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]]
    });
    let place = move |t: f64| {
        let points = (0..=n).flat_map(|i| (0..=n).map(move |j| (i as f64, j as f64)));
        points
            .map(|(x, y)| {
                let wave = Vec3::new(
                    (0.21 * y + 0.9 * t).sin(),
                    (0.17 * x + 1.1 * t).sin(),
                    3.0 * (0.3 * (x + y) - t).sin(),
                );
                Vec3::new(x + 0.01 * y, y - 0.013 * x, 0.0) + wave + Vec3::new(0.3, 0.2, 0.1) * t
            })
            .collect()
    };
    (faces.collect(), Box::new(place))
}

/// Tori of 100 triangles with sides of about 1, in a cube or in a row along its diagonal, turning and drifting each in
/// its own way.
fn tori(m: usize, row: bool) -> Scene {
    const RING: [u32; 2] = [10, 5];
    let count = (m / 100).max(1);
    let side = (count as f64).cbrt().ceil() as usize;
    let faces = (0..count as u32).flat_map(|k| {
        (0..RING[0]).flat_map(move |i| {
            (0..RING[1]).flat_map(move |j| {
                let at = |i: u32, j: u32| k * 50 + i % RING[0] * RING[1] + j % RING[1];
                [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]]
            })
        })
    });
    let place = move |t: f64| {
        let one = |k: usize| {
            let phase = k as f64 * 2.399;
            let cell = if row { [k; 3] } else { [k % side, k / side % side, k / side / side] }
                .map(|c| 5.0 * c as f64);
            let drift = Vec3::new(phase.sin(), (1.7 * phase).sin(), (2.3 * phase).sin());
            let center = Vec3::from(cell) + 1.5 * t.sin() * drift;
            let spin = nalgebra::Rotation3::new((phase + t) * drift);
            (0..50).map(move |p| {
                let (a, b) = (
                    std::f64::consts::TAU * (p / 5) as f64 / 10.0,
                    std::f64::consts::TAU * (p % 5) as f64 / 5.0,
                );
                let r = 1.6 + 0.7 * b.cos();
                center + spin * Vec3::new(r * a.cos(), r * a.sin(), 0.7 * b.sin())
            })
        };
        (0..count).flat_map(one).collect()
    };
    (faces.collect(), Box::new(place))
}

/// Mean swaps and time of a step  \[s\]; `dt` is about the way of a face in it, in sides.
fn measure(name: &str, (faces, place): Scene, dt: f64, table: &mut String) {
    const STEPS: usize = 20;
    let mut lists = SweepAndPrune::new();
    let mut boxes: Vec<Bounds> = vec![];
    let (mut swaps, mut spent, mut first, mut anew) = (0, 0.0, 0.0, 0);
    let shared = |a: &[u32; 3], b: &[u32; 3]| a.iter().any(|k| b.contains(k));
    for step in 0..=STEPS {
        let [a, b] = [step, step + 1].map(|k| place(dt * k as f64));
        let paths: Vec<Path> = a.iter().zip(&b).map(|(a, b)| Path::line(*a, *b)).collect();
        let clock = Instant::now();
        sweep_boxes(&paths, &[], &faces, 0.0, &mut boxes);
        lists.update(&boxes[paths.len()..], |i, j| !shared(&faces[i as usize], &faces[j as usize]));
        let time = clock.elapsed().as_secs_f64();
        if step == 0 {
            first = time;
        } else {
            (swaps, spent) = (swaps + lists.swaps().unwrap_or(0), spent + time);
            anew += usize::from(lists.swaps().is_none());
        }
    }
    let m = faces.len();
    let each = |x: f64| x / STEPS as f64;
    let (swaps, nanoseconds) = (each(swaps as f64) / m as f64, each(spent) * 1e9 / m as f64);
    println!(
        "{name:6} {m:6} faces, move {dt:7.4}: {swaps:8.2} swaps and {nanoseconds:7.1} ns a face; anew {anew}, first {:.2} ms",
        first * 1e3
    );
    let _ = writeln!(table, "{name},{m},{dt:.4},{swaps:.3},{nanoseconds:.2}");
}

/// The same motion looked at by sorted lists and by trees, every vertex against faces and every edge against edges:
/// ns a face and pairs of each. A body is a torus of 50 points, or the whole sheet, which meets itself.
fn compare(name: &str, (faces, place): Scene, dt: f64, table: &mut String) -> Result<(), Box<dyn Error>> {
    const STEPS: usize = 20;
    let rest = place(0.0);
    let (points, whole) = (rest.len() as u32, name == "sheet");
    let body = move |point: u32| if whole { 0 } else { point / 50 };
    let sides = faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut surface = Surface::new(rest.clone());
    for part in faces.chunk_by(|one, other| body(one[0]) == body(other[0])) {
        let plain = Part {
            body: body(part[0][0]),
            triangles: part,
            loose_edges: &[],
            loose_points: &[],
            radius: 0.0,
            fixed: false,
            self_contact: whole,
        };
        surface.add(&plain)?;
    }
    let near = ContactDistance::new(vec![1e-6; surface.parts().len()]);
    let (mut trees, mut lists, mut boxes) = (Candidates::new(&surface), SweepAndPrune::new(), vec![]);
    let (first_edge, first_face) = (points, points + edges.len() as u32);
    let keep = |i: u32, j: u32| {
        let corners = |k: u32| -> &[u32] {
            if k < first_face { &edges[(k - first_edge) as usize] } else { &faces[(k - first_face) as usize] }
        };
        let apart =
            |a: &[u32], b: &[u32]| (whole || body(a[0]) != body(b[0])) && a.iter().all(|k| !b.contains(k));
        match (i < first_edge, i < first_face, j < first_edge, j < first_face) {
            (true, _, false, false) => apart(&[i], corners(j)),
            (false, true, false, true) => apart(corners(i), corners(j)),
            _ => false,
        }
    };
    let mut spent = [0.0; 2];
    for step in 0..=STEPS {
        let [a, b] = [step, step + 1].map(|k| place(dt * k as f64));
        let paths: Vec<Path> = a.iter().zip(&b).map(|(a, b)| Path::line(*a, *b)).collect();
        let clock = Instant::now();
        sweep_boxes(&paths, &edges, &faces, 0.0, &mut boxes);
        lists.update(&boxes, keep);
        let by_lists = clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        trees.forget();
        trees.rebuild(&surface, &a, &b, &near);
        let by_trees = clock.elapsed().as_secs_f64();
        if step > 0 {
            spent = [spent[0] + by_lists, spent[1] + by_trees];
        }
    }
    let m = faces.len();
    let [one, other] = spent.map(|time| time / STEPS as f64 * 1e9 / m as f64);
    let pairs = [lists.pairs().len(), trees.pairs().len()];
    println!(
        "{name:6} {m:6} faces, move {dt:7.4}: lists {one:7.1} ns a face and {} pairs, trees {other:7.1} and {}",
        pairs[0], pairs[1]
    );
    let _ = writeln!(table, "{name},{m},{dt:.4},{one:.1},{},{other:.1},{}", pairs[0], pairs[1]);
    Ok(())
}

/// Two balls that collide: seconds a step, and those of looking for meetings.
fn collide(rings: usize) -> Result<[f64; 3], Box<dyn Error>> {
    let mut builder = WorldBuilder::new();
    let material = Material::elastic(1000.0, Moduli { bulk: 60e3, shear: 25e3 });
    let ball = generate::ball(0.05, rings)?;
    let mut other = ball.clone();
    other.positions.iter_mut().for_each(|x| *x += Vec3::new(0.102, 0.02, 0.01));
    builder.solid("one", &ball, &material, Default::default())?;
    builder.solid("other", &other, &material, Default::default())?;
    builder.springs(SpringSettings::default());
    let (world, mut state) = builder.build()?;
    state.v[..ball.positions.len()].iter_mut().for_each(|v| v.x = 1.0);
    let time = 0.02;
    let settings = Settings { duration: time, frame_interval: time, ..Settings::default() };
    let mut run = Simulation::new(world, state, settings);
    run.advance_to(time)?;
    let steps = run.statistics().steps as f64;
    Ok([2.0 * ball.tets.len() as f64, run.statistics().wall_s / steps, run.looking_s() / steps])
}

/// A picture with logarithmic axes: time of looking over tetrahedra, and the line of n^(2/3) through its first point.
fn plot(points: &[[f64; 2]]) -> String {
    let (left, top, width, height) = (70.0, 20.0, 420.0, 280.0);
    let decades = [[2.0, 5.0], [-2.0, 1.0]];
    let x = |n: f64| left + width * (n.log10() - decades[0][0]) / (decades[0][1] - decades[0][0]);
    let y = |ms: f64| top + height * (decades[1][1] - ms.log10()) / (decades[1][1] - decades[1][0]);
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 520 350\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"520\" height=\"350\" fill=\"white\"/>\n",
    );
    for k in 2..=5 {
        let at = x(10f64.powi(k));
        let _ = writeln!(svg, "<path d=\"M{at} {top}V{}\" stroke=\"#ccc\"/>", top + height);
        let _ = writeln!(
            svg,
            "<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\">10^{k}</text>",
            top + height + 18.0
        );
    }
    for k in -2..=1 {
        let at = y(10f64.powi(k));
        let _ = writeln!(svg, "<path d=\"M{left} {at}H{}\" stroke=\"#ccc\"/>", left + width);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{} ms</text>",
            left - 6.0,
            at + 4.0,
            10f64.powi(k)
        );
    }
    let [n, ms] = points[0];
    let end = points[points.len() - 1][0];
    let (x0, y0, x1, y1) = (x(n), y(ms), x(end), y(ms * (end / n).powf(2.0 / 3.0)));
    let _ = writeln!(
        svg,
        "<path d=\"M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}\" stroke=\"#888\" stroke-dasharray=\"5 4\"/>"
    );
    let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#888\">n^(2/3)</text>", x1 + 8.0, y1 + 4.0);
    for &[n, ms] in points {
        let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"#c33\"/>", x(n), y(ms));
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"340\" text-anchor=\"middle\">tetrahedra</text>\n</svg>",
        left + width / 2.0
    );
    svg
}

fn main() -> Result<(), Box<dyn Error>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let mut table = String::from("scene,faces,move in sides,swaps a face,ns a face\n");
    for m in [300, 3_000, 30_000] {
        [0.1, 0.01].into_iter().for_each(|dt| measure("row", tori(m, true), dt, &mut table));
    }
    for m in [300, 3_000, 30_000] {
        measure("heap", tori(m, false), 0.01, &mut table);
        measure("heap", tori(m, false), 0.1 * (300.0 / m as f64).powf(2.0 / 3.0), &mut table);
    }
    for m in [300, 3_000, 30_000] {
        measure("sheet", sheet(m), 0.01, &mut table);
    }
    table += "\nscene,faces,move in sides,ns a face by lists,pairs,ns a face by trees,pairs\n";
    for m in [300, 3_000, 30_000] {
        for dt in [0.1, 0.01] {
            compare("row", tori(m, true), dt, &mut table)?;
            compare("heap", tori(m, false), dt, &mut table)?;
            compare("sheet", sheet(m), dt, &mut table)?;
        }
    }
    table += "\ntetrahedra,ms a step,ms of looking\n";
    let mut ends: Vec<[f64; 2]> = vec![];
    for rings in [2, 3, 4, 6, 8] {
        let [tets, step, looking] = collide(rings)?;
        println!("{tets:6} tetrahedra: {:.4} ms a step, {:.4} ms of it looking", step * 1e3, looking * 1e3);
        let _ = writeln!(table, "{tets},{:.5},{:.5}", step * 1e3, looking * 1e3);
        ends.push([tets, looking * 1e3]);
    }
    let [first, last] = [ends[0], ends[ends.len() - 1]];
    println!("looking grows as n^{:.2}", (last[1] / first[1]).ln() / (last[0] / first[0]).ln());
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/images/looking.svg"), plot(&ends))?;
    std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/benches/results/events.csv"), table)?;
    Ok(())
}
