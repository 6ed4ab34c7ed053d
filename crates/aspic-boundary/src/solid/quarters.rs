//! A surface with each triangle cut in four.

use std::collections::HashMap;

use crate::solid::{Surface, SurfaceError};

/// The finer surface: the old vertices first, then the middles of edges.
#[derive(Clone, Debug)]
pub struct Quarters {
    /// The finer surface. The middle of edge e is vertex n + e; parts 4 k to 4 k + 3 are of triangle k.
    pub surface: Surface,
    /// The ends of each edge, the lower number first.
    pub edges: Vec<[usize; 2]>,
    /// The edges of each triangle.
    pub sides: Vec<[usize; 3]>,
}

impl Quarters {
    /// Of a surface.
    pub fn new(body: &Surface) -> Result<Quarters, SurfaceError> {
        let (mut numbers, mut edges, mut sides, mut parts) = (HashMap::new(), vec![], vec![], vec![]);
        let (n, mut vertices) = (body.vertices().len(), body.vertices().to_vec());
        for corners in body.triangles() {
            let own = [0, 1, 2].map(|k: usize| {
                let [a, b] = [corners[k] as usize, corners[(k + 1) % 3] as usize];
                let ends = [a.min(b), a.max(b)];
                *numbers.entry(ends).or_insert_with(|| {
                    vertices.push((vertices[a] + vertices[b]) * 0.5);
                    edges.push(ends);
                    edges.len() - 1
                })
            });
            let ([a, b, c], [ab, bc, ca]) = (*corners, own.map(|e| (n + e) as u32));
            parts.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
            sides.push(own);
        }
        Ok(Quarters { surface: Surface::new(vertices, parts)?, edges, sides })
    }
}
