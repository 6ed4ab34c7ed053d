//! Meshes for tests: sphere, box, torus, cylinder, ball with a cavity; with other diagonals, and irregular.

use std::collections::HashMap;
use std::f64::consts::TAU;

use crate::solid::{Surface, Vec3};

pub type Mesh = (Vec<Vec3>, Vec<[u32; 3]>);

/// An icosahedron with each triangle cut in four `depth` times and blown up to the sphere of radius 1.
pub fn icosphere_mesh(depth: usize) -> Mesh {
    let t = (1.0 + 5f64.sqrt()) / 2.0;
    let mut vertices = vec![];
    for k in 0..3 {
        for (a, b) in [(-1.0, t), (1.0, t), (-1.0, -t), (1.0, -t)] {
            let mut x = Vec3::zeros();
            (x[k], x[(k + 1) % 3]) = (a, b);
            vertices.push(x.normalize());
        }
    }
    let edge = (vertices[0] - vertices[1]).norm() * 1.01;
    let near = |a: usize, b: usize| (vertices[a] - vertices[b]).norm() < edge;
    let mut triangles = vec![];
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(c, a) {
                    let outward = vertices[a].dot(&vertices[b].cross(&vertices[c])) > 0.0;
                    let [b, c] = if outward { [b, c] } else { [c, b] };
                    triangles.push([a as u32, b as u32, c as u32]);
                }
            }
        }
    }
    for _ in 0..depth {
        let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                vertices.len() as u32 - 1
            })
        };
        let mut finer = vec![];
        for [a, b, c] in triangles {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    (vertices, triangles)
}

pub fn icosphere(depth: usize) -> Surface {
    let (vertices, triangles) = icosphere_mesh(depth);
    Surface::new(vertices, triangles).unwrap()
}

/// A ball of radius `outer` with a hollow of radius `inner`; the hollow comes last.
pub fn hollow_ball(depth: usize, inner: f64, outer: f64) -> Surface {
    let (sphere, faces) = icosphere_mesh(depth);
    let shift = sphere.len() as u32;
    let vertices = sphere.iter().map(|x| x * outer).chain(sphere.iter().map(|x| x * inner)).collect();
    let inside = faces.iter().map(|[a, b, c]| [a + shift, c + shift, b + shift]);
    let triangles = faces.iter().copied().chain(inside).collect();
    Surface::new(vertices, triangles).unwrap()
}

/// A box from the origin to `size` with `cells` squares along each axis.
pub fn brick_mesh(size: Vec3, cells: [usize; 3]) -> Mesh {
    let mut numbers: HashMap<[usize; 3], u32> = HashMap::new();
    let (mut vertices, mut triangles) = (vec![], vec![]);
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [0, cells[axis]] {
            for i in 0..cells[u] {
                for j in 0..cells[v] {
                    let quad = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]].map(|[a, b]| {
                        let mut at = [0; 3];
                        (at[axis], at[u], at[v]) = (side, a, b);
                        *numbers.entry(at).or_insert_with(|| {
                            let x = Vec3::from_fn(|k, _| size[k] * at[k] as f64 / cells[k] as f64);
                            vertices.push(x);
                            vertices.len() as u32 - 1
                        })
                    });
                    let [a, b, c, d] = if side == 0 { [quad[3], quad[2], quad[1], quad[0]] } else { quad };
                    triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
    }
    (vertices, triangles)
}

pub fn brick(size: Vec3, cells: [usize; 3]) -> Surface {
    let (vertices, triangles) = brick_mesh(size, cells);
    Surface::new(vertices, triangles).unwrap()
}

/// The same box with the other diagonal in each square.
pub fn flipped_brick(size: Vec3, cells: [usize; 3]) -> Surface {
    let (vertices, triangles) = brick_mesh(size, cells);
    let flip =
        |pair: &[[u32; 3]]| [[pair[0][0], pair[0][1], pair[1][2]], [pair[0][1], pair[0][2], pair[1][2]]];
    Surface::new(vertices, triangles.chunks(2).flat_map(flip).collect()).unwrap()
}

/// The same box with either diagonal by chance, and vertices off the edges up to a quarter of a square away.
pub fn irregular_brick(size: Vec3, cells: [usize; 3]) -> Surface {
    let (mut vertices, triangles) = brick_mesh(size, cells);
    let mut chance = random(7);
    for x in &mut vertices {
        let faces = (0..3).filter(|&a| x[a] == 0.0 || x[a] == size[a]).count();
        for a in (0..3).filter(|&a| faces == 1 && x[a] != 0.0 && x[a] != size[a]).collect::<Vec<_>>() {
            x[a] += (chance() - 0.5) * 0.5 * size[a] / cells[a] as f64;
        }
    }
    let flip = |pair: &[[u32; 3]]| match chance() < 0.5 {
        true => [pair[0], pair[1]],
        false => [[pair[0][0], pair[0][1], pair[1][2]], [pair[0][1], pair[0][2], pair[1][2]]],
    };
    let triangles = triangles.chunks(2).flat_map(flip).collect();
    Surface::new(vertices, triangles).unwrap()
}

/// A cylinder about the z axis from the origin up, with `rings` rings on each end.
pub fn cylinder(around: usize, layers: usize, rings: usize, radius: f64, height: f64) -> Surface {
    let at = |k: usize, r: f64, z: f64| {
        let angle = TAU * k as f64 / around as f64;
        Vec3::new(r * angle.cos(), r * angle.sin(), z)
    };
    // Hoops from the middle of the bottom, up the side, to the middle of the top; the two poles come last.
    let step = radius / rings as f64;
    let bottom = (1..rings).map(|i| (step * i as f64, 0.0));
    let side = (0..=layers).map(|i| (radius, height * i as f64 / layers as f64));
    let top = (1..rings).rev().map(|i| (step * i as f64, height));
    let hoops: Vec<(f64, f64)> = bottom.chain(side).chain(top).collect();
    let mut vertices: Vec<Vec3> =
        hoops.iter().flat_map(|&(r, z)| (0..around).map(move |k| at(k, r, z))).collect();
    let (low, high) = (vertices.len() as u32, vertices.len() as u32 + 1);
    vertices.extend([Vec3::zeros(), Vec3::new(0.0, 0.0, height)]);
    let number = |hoop: usize, k: usize| (hoop * around + k % around) as u32;
    let mut triangles = vec![];
    for k in 0..around {
        triangles.push([low, number(0, k + 1), number(0, k)]);
        triangles.push([high, number(hoops.len() - 1, k), number(hoops.len() - 1, k + 1)]);
        for hoop in 1..hoops.len() {
            let [p, q] = [number(hoop - 1, k), number(hoop - 1, k + 1)];
            let [s, r] = [number(hoop, k), number(hoop, k + 1)];
            triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    Surface::new(vertices, triangles).unwrap()
}

/// A ring about the z axis.
pub fn torus(around: usize, across: usize, radius: f64, thickness: f64) -> Surface {
    let (mut vertices, mut triangles) = (vec![], vec![]);
    for i in 0..around {
        let a = TAU * i as f64 / around as f64;
        for j in 0..across {
            let b = TAU * j as f64 / across as f64;
            let reach = radius + thickness * b.cos();
            vertices.push(Vec3::new(reach * a.cos(), reach * a.sin(), thickness * b.sin()));
            let number = |i: usize, j: usize| (i % around * across + j % across) as u32;
            let [p, q, r, s] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
            triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    Surface::new(vertices, triangles).unwrap()
}

/// Numbers in [0, 1) for tests, the same at each run.
pub fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}
