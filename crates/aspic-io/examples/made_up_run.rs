//! Writes a run folder full of made-up motion: two tori, a rope and a cloth fall and wobble. Nothing is simulated; the
//! folder shows every file that aspic writes and feeds `tests/outside/read_back.py`.
//!
//!     cargo run -p aspic-io --example made_up_run -- FOLDER [FRAMES] [CELLS ACROSS THE TUBE] [surface]

use std::error::Error;
use std::f64::consts::TAU;
use std::path::PathBuf;

use aspic::Vec3;
use aspic::frame::{BodyKind, BodyRange, Frame, Ledger, Topology};
use aspic::mesh::TetMesh;
use aspic_io::checkpoint::Checkpoint;
use aspic_io::ledger::{LedgerTable, ReactionTable};
use aspic_io::run_film::About;
use aspic_io::{ledger, picture, vtu};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name a folder")?);
    let frames: usize = arguments.next().map_or(Ok(25), |n| n.parse())?;
    let across: usize = arguments.next().map_or(Ok(4), |n| n.parse())?;
    let surface_only = arguments.next().as_deref() == Some("surface");
    let what = vtu::Fields { surface_only, ..vtu::Fields::default() };
    std::fs::create_dir_all(folder.join("frames"))?;

    let (topology, rest) = bodies(across);
    std::fs::write(folder.join("run.json"), serde_json::to_string_pretty(&About::of(&topology))?)?;
    let run: Vec<Frame> = (0..frames).map(|i| moved(&topology, &rest, i)).collect();
    let mut energies = LedgerTable::create(&folder.join("ledger.csv"))?;
    let mut reactions = ReactionTable::create(&folder.join("reactions.csv"), &topology.constraints)?;
    let mut series = Vec::new();
    let begin = std::time::Instant::now();
    for frame in &run {
        let name = format!("frames/{:06}.vtu", frame.index);
        vtu::write_frame(&folder.join(&name), &topology, frame, what)?;
        series.push((frame.ledger.t, name));
        energies.push(&frame.ledger)?;
        reactions.push(frame)?;
    }
    let each = begin.elapsed().as_secs_f64() / frames.max(1) as f64;
    vtu::write_pvd(&folder.join("frames.pvd"), &series)?;
    ledger::write_svg(&folder.join("ledger.svg"), &ledger::read(&folder.join("ledger.csv"))?)?;
    let film: Vec<_> = run.iter().map(|f| (f.ledger.t, f.positions.as_slice())).collect();
    picture::write_svg(&folder.join("film.svg"), &topology, &film, &picture::Options::default())?;
    if let Some(last) = run.last() {
        let (positions, velocities) = (last.positions.clone(), last.velocities.clone());
        let now = Checkpoint {
            t: last.ledger.t,
            next_frame: frames,
            positions,
            velocities,
            ..Checkpoint::default()
        };
        now.write(&folder.join("checkpoint"))?;
    }
    println!("{} tetrahedra, {} nodes, {:.1} ms a frame", topology.tets.len(), topology.nodes, 1e3 * each);
    Ok(())
}

/// A rope, two tori side by side, and a cloth in front of them, in meters.
fn bodies(across: usize) -> (Topology, Vec<Vec3>) {
    let mut topology =
        Topology { constraints: vec!["hook".into(), "wall, left".into()], ..Topology::default() };
    let mut positions = Vec::new();
    push(&mut topology, &mut positions, "rope", rope(40));
    for (name, x) in [("red", 0.0), ("blue", 0.35)] {
        let mut mesh = torus(0.1, 0.04, across, 4 * across);
        mesh.positions.iter_mut().for_each(|p| *p += Vec3::new(x, 0.0, 0.3));
        let triangles = mesh.boundary();
        let part = Part { positions: mesh.positions, tets: mesh.tets, triangles, edges: vec![], radius: 0.0 };
        push(&mut topology, &mut positions, name, part);
    }
    push(&mut topology, &mut positions, "cloth", cloth(16));
    (topology.nodes, topology.points) = (positions.len(), positions.len());
    (topology, positions)
}

/// One body by itself.
#[derive(Default)]
struct Part {
    positions: Vec<Vec3>,
    tets: Vec<[u32; 4]>,
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    radius: f64,
}

fn push(topology: &mut Topology, positions: &mut Vec<Vec3>, name: &str, part: Part) {
    let first = positions.len();
    let (tets, triangles, edges) = (topology.tets.len(), topology.triangles.len(), topology.edges.len());
    let shift = |corner: u32| corner + first as u32;
    positions.extend(part.positions);
    topology.tets.extend(part.tets.iter().map(|t| t.map(shift)));
    topology.triangles.extend(part.triangles.iter().map(|t| t.map(shift)));
    topology.edges.extend(part.edges.iter().map(|e| e.map(shift)));
    topology.bodies.push(BodyRange {
        name: name.into(),
        kind: if part.radius > 0.0 { BodyKind::Points } else { BodyKind::Solid },
        nodes: first..positions.len(),
        points: first..positions.len(),
        tets: tets..topology.tets.len(),
        triangles: triangles..topology.triangles.len(),
        edges: edges..topology.edges.len(),
        radius: part.radius,
        skin: None,
    });
}

/// A helix that winds down between the tori.
fn rope(segments: u32) -> Part {
    let place = |i: u32| {
        let share = f64::from(i) / f64::from(segments);
        let (sin, cos) = (2.5 * TAU * share).sin_cos();
        Vec3::new(0.175 + 0.05 * cos, 0.05 * sin, 0.5 - 0.4 * share)
    };
    Part {
        positions: (0..=segments).map(place).collect(),
        edges: (0..segments).map(|i| [i, i + 1]).collect(),
        radius: 0.006,
        ..Part::default()
    }
}

/// A square with a wave in it.
fn cloth(cells: u32) -> Part {
    let side = cells + 1;
    let place = |n: u32| {
        let [u, v] = [n % side, n / side].map(|i| f64::from(i) / f64::from(cells) - 0.5);
        Vec3::new(0.175 + 0.4 * u, -0.3 + 0.2 * v, 0.3 + 0.03 * (3.0 * TAU * u).sin() + 0.2 * v)
    };
    let quads = (0..cells).flat_map(|j| (0..cells).map(move |i| j * side + i));
    let halves = |a: u32| [[a, a + 1, a + side + 1], [a, a + side + 1, a + side]];
    let triangles = quads.flat_map(halves).collect();
    Part { positions: (0..side * side).map(place).collect(), triangles, radius: 0.001, ..Part::default() }
}

/// A ring of `around` slices of `across`² cubes, each cut into six tetrahedra along its diagonal.
fn torus(ring: f64, tube: f64, across: usize, around: usize) -> TetMesh {
    let side = across + 1;
    let node = |i: usize, j: usize, k: usize| ((k % around) * side * side + j * side + i) as u32;
    let place = |n: usize| {
        let (i, j, k) = (n % side, n / side % side, n / (side * side));
        let unit = |i: usize| 2.0 * i as f64 / across as f64 - 1.0;
        // Square to disc: squeeze each ray from the middle.
        let (u, v) = (unit(i), unit(j));
        let squeeze = if u == 0.0 && v == 0.0 { 0.0 } else { u.abs().max(v.abs()) / u.hypot(v) };
        let (sin, cos) = (TAU * k as f64 / around as f64).sin_cos();
        let r = ring + tube * squeeze * u;
        Vec3::new(r * cos, r * sin, tube * squeeze * v)
    };
    let mut tets = Vec::new();
    for (k, j, i) in
        (0..around).flat_map(|k| (0..across).flat_map(move |j| (0..across).map(move |i| (k, j, i))))
    {
        let corner = |c: [usize; 3]| node(i + c[0], j + c[1], k + c[2]);
        for axes in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]] {
            let mut at = [0; 3];
            let mut tet = [corner(at); 4];
            for (step, &axis) in axes.iter().enumerate() {
                at[axis] = 1;
                tet[step + 1] = corner(at);
            }
            tets.push(tet);
        }
    }
    let mut mesh =
        TetMesh { positions: (0..side * side * around).map(place).collect(), tets, ..TetMesh::default() };
    mesh.orient();
    mesh
}

/// Falling, squashed and stretched by a wave; all numbers different, so that a mix-up shows.
fn moved(topology: &Topology, rest: &[Vec3], index: usize) -> Frame {
    let t = index as f64 / 50.0;
    let wave = |x: &Vec3| 0.02 * (40.0 * t + 20.0 * x.x).sin();
    let positions: Vec<_> =
        rest.iter().map(|x| x + Vec3::new(0.0, wave(x), -2.0 * t * t + 0.5 * wave(x))).collect();
    let velocities = rest.iter().map(|x| Vec3::new(wave(x), 0.8 * wave(x), -4.0 * t)).collect();
    let reaction = rest.iter().map(|x| Vec3::new(x.z * t, 0.0, 1.0)).collect();
    let contact = rest.iter().map(|x| Vec3::new(0.0, x.x * t, -x.z)).collect();
    let tets = 0..topology.tets.len();
    let stress: Vec<[f64; 6]> =
        tets.clone().map(|i| std::array::from_fn(|c| 1e4 * (i as f64 + 0.3 * c as f64 + t).sin())).collect();
    let energy_density = tets.map(|i| (i as f64 * 0.1 + t).cos().powi(2)).collect();
    let reactions = vec![Vec3::new(t, 0.0, 9.81), Vec3::new(0.0, t, 1.0)];
    let ledger = energies(t);
    Frame { index, positions, velocities, reaction, contact, energy_density, stress, reactions, ledger }
}

/// A damped swing between motion and shape, with a fall on top.
fn energies(t: f64) -> Ledger {
    let (sin, cos) = (18.0 * t).sin_cos();
    let decay = (-4.0 * t).exp();
    let kinetic = 0.6 * decay * sin * sin + 0.3 * (1.0 - decay);
    let (elastic_bulk, elastic_shear) = (0.15 * decay * cos * cos, 0.45 * decay * cos * cos);
    let gravity = 12.0 - 0.7 * (1.0 - decay);
    let viscous_loss = 12.6 - kinetic - elastic_bulk - elastic_shear - gravity;
    let momentum = Vec3::new(0.0, 0.0, -t);
    let row = Ledger {
        t,
        kinetic,
        elastic_bulk,
        elastic_shear,
        gravity,
        viscous_loss,
        momentum,
        ..Ledger::default()
    };
    Ledger { total: 12.6, step: 1e-3, ..row }
}
