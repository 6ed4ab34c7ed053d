//! Filling, covering and refusing, on shapes whose answer is known.

mod broken;
mod covering;
mod filling;
mod refusals;

use std::collections::HashMap;

use aspic::mesh::{FACES, TetMesh, TriangleSurface};

/// Holds a mesh to what every filled body promises, by other means than the crate's own.
fn assert_sound(mesh: &TetMesh) {
    assert_eq!(mesh.check(), Ok(()));
    let mut seen: HashMap<[u32; 3], u32> = HashMap::new();
    for t in &mesh.tets {
        for f in FACES {
            let mut key = f.map(|c| t[c]);
            key.sort_unstable();
            *seen.entry(key).or_default() += 1;
        }
    }
    assert!(seen.values().all(|&n| n <= 2), "a face has more than two tetrahedra");
    let surface = TriangleSurface::of(mesh);
    assert!(surface.is_closed(), "the boundary is not a closed manifold along its edges");
    assert!(
        (surface.volume() - mesh.volume()).abs() < 1e-9 * mesh.volume(),
        "tetrahedra overlap or leave gaps"
    );
    assert_single_fans(&surface);
}

/// Walks around every vertex: one circle must use up all of its triangles.
fn assert_single_fans(surface: &TriangleSurface) {
    let mut next: HashMap<[u32; 2], u32> = HashMap::new();
    let mut count = vec![0; surface.positions.len()];
    for &[a, b, c] in &surface.triangles {
        for [p, q, r] in [[a, b, c], [b, c, a], [c, a, b]] {
            next.insert([p, q], r);
            count[p as usize] += 1;
        }
    }
    let mut starts: HashMap<u32, u32> = HashMap::new();
    next.keys().for_each(|&[p, q]| {
        starts.insert(p, q);
    });
    for (&v, &start) in &starts {
        let (mut at, mut steps) = (next[&[v, start]], 1);
        while at != start {
            at = next[&[v, at]];
            steps += 1;
        }
        assert_eq!(steps, count[v as usize], "vertex {v} has several fans");
    }
}
