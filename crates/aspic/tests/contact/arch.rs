//! Arches of loose stones that stand by their shape and friction alone.

use std::f64::consts::PI;

use aspic::frame::Ledger;
use aspic::mesh::{TetMesh, generate};
use aspic::scene::{MeshSource, Scene};
use aspic::{Simulation, Vec3};

use crate::support::frames;

/// Half an annulus of wedges over the floor; the file `k` of it is stone k.
struct Arch {
    stones: usize,
    /// Outer radius less the inner one  \[m\]
    thickness: f64,
    /// Between neighbours, and under the two that stand on the floor  \[m\]
    gap: f64,
}

/// Inner radius of an arch, and how deep it is  \[m\]
const INNER: f64 = 1.0;
const DEPTH: f64 = 0.3;

impl MeshSource for Arch {
    fn read(&self, file: &str) -> Result<TetMesh, String> {
        let number: usize = file.parse().map_err(|_| format!("no stone {file}"))?;
        let sector = PI / self.stones as f64;
        let mut mesh = generate::block(Vec3::new(self.thickness, DEPTH, sector), [1; 3]).unwrap();
        for x in &mut mesh.positions {
            let radius = INNER + 0.5 * self.thickness + x.x;
            let (sine, cosine) = (x.z + (number as f64 + 0.5) * sector).sin_cos();
            let inwards = -0.5 * self.gap * x.z.signum();
            let along = radius * Vec3::new(cosine, 0.0, sine) + inwards * Vec3::new(-sine, 0.0, cosine);
            *x = Vec3::new(along.x, x.y, along.z + 0.5 * self.gap);
        }
        Ok(mesh)
    }
}

impl Arch {
    fn build(&self, kind: &str, young: &str) -> Simulation {
        let kind = match kind {
            "affine" => format!("kind = \"affine\"\nstiffness = \"{young}\""),
            "block" => "block = {}".into(),
            _ => format!("kind = \"{kind}\""),
        };
        let stone =
            |k: usize| format!("[bodies.s{k}]\n{kind}\nmaterial = \"stone\"\nmesh = {{ file = \"{k}\" }}\n");
        let text = format!(
            "duration = 1\n[output]\nframe_rate = 60\n[contact]\nfriction = 0.7\n\
             [materials.stone]\nyoung = \"{young}\"\npoisson = 0.2\ndensity = 2000\n{}\
             [obstacles.floor]\nshape = {{ plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}\n",
            (0..self.stones).map(stone).collect::<String>()
        );
        Scene::parse(&text).unwrap().build(self).unwrap()
    }
}

/// How far any point of an arch has gone at most  \[m\]; no energy may appear.
fn moved(arch: &Arch, kind: &str, young: &str, name: &str) -> f64 {
    let mut simulation = arch.build(kind, young);
    let all = frames(&mut simulation);
    let energy = |row: &Ledger| {
        row.kinetic + row.elastic_bulk + row.elastic_shear + row.springs + row.gravity + row.contact
    };
    let mut most: f64 = 0.0;
    for frame in &all {
        let row = &frame.ledger;
        let made = energy(row) - energy(&all[0].ledger);
        assert!(made <= 1e-3 * row.exchanged, "{name}: {made} J appear until {} s", row.t);
        let moved = frame.positions.iter().zip(&all[0].positions).map(|(x, first)| (x - first).norm());
        most = moved.fold(most, f64::max);
    }
    let audit = simulation.statistics().audit_relative();
    assert!(audit < 0.01, "{name}: audit {audit:e}");
    most
}

/// Its own weight shortens a sound arch by less than a millimetre, and gaps close.
#[test]
fn arch_of_loose_stones_stands() {
    for (kind, stones, thickness, young, gap) in [
        ("affine", 25, 0.3, "100 MPa", 1e-4),
        ("affine", 25, 0.3, "1 GPa", 2e-4),
        ("affine", 25, 0.3, "10 GPa", 1e-5),
        ("affine", 25, 0.3, "1 GPa", 0.0),
        ("affine", 25, 0.3, "1 GPa", 3e-6),
        ("affine", 25, 0.15, "1 GPa", 5e-5),
        ("solid", 7, 0.3, "100 MPa", 2e-4),
        ("solid", 9, 0.3, "1 GPa", 0.0),
        ("solid", 9, 0.3, "10 GPa", 1e-5),
        ("solid", 15, 0.15, "1 GPa", 1e-4),
        ("block", 7, 0.3, "100 MPa", 2e-4),
        ("block", 9, 0.3, "1 GPa", 1e-5),
    ] {
        let name = format!("{stones} {kind} stones of {young}, {gap} m apart, {thickness} m thick");
        let most = moved(&Arch { stones, thickness, gap }, kind, young, &name);
        assert!(most < 1e-3, "{name}: moved by {most} m");
    }
}

/// A round arch must be 0.107 of its middle radius thick (Heyman).
#[test]
fn arch_that_is_too_thin_falls() {
    for (kind, stones, thickness) in [("solid", 15, 0.08), ("affine", 15, 0.06)] {
        let name = format!("{stones} {kind} stones, {thickness} m thick");
        let most = moved(&Arch { stones, thickness, gap: 1e-4 }, kind, "1 GPa", &name);
        assert!(most > 0.1, "{name}: moved by {most} m");
    }
}
