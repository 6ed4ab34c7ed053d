//! Surfaces for obstacles: box, sphere, capsule, plate. All but the plate are closed and face outward.

use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, TAU};

use super::ball::{faces, icosahedron};
use super::{MeshError, need_count, need_length};
use crate::Vec3;
use crate::mesh::TriangleSurface;

/// Finest sphere: 20·4⁷ triangles.
const MOST_DIVISIONS: usize = 7;
/// Most rings of a capsule's ends, and layers of its side.
const MOST_RINGS: usize = 500;

/// A box centred at the origin with edges of `size` \[m\]: 12 triangles.
pub fn box_surface(size: Vec3) -> Result<TriangleSurface, MeshError> {
    for axis in 0..3 {
        need_length("an edge of the box", size[axis])?;
    }
    let corner = |n: usize| Vec3::from_fn(|axis, _| if n >> axis & 1 == 0 { -0.5 } else { 0.5 } * size[axis]);
    // Corner n has bit 0 for x, 1 for y, 2 for z; each face counter-clockwise from outside.
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Ok(TriangleSurface { positions: (0..8).map(corner).collect(), triangles })
}

/// A flat rectangle in the plane z = 0, `width` along x and `depth` along y \[m\], facing up: 2 triangles.
pub fn plate_surface(width: f64, depth: f64) -> Result<TriangleSurface, MeshError> {
    need_length("the width of the plate", width)?;
    need_length("the depth of the plate", depth)?;
    let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    let positions = corners.map(|[x, y]| Vec3::new(x * width, y * depth, 0.0)).to_vec();
    Ok(TriangleSurface { positions, triangles: vec![[0, 1, 2], [0, 2, 3]] })
}

/// A sphere of `radius` \[m\] centred at the origin: an icosahedron whose triangles are cut in four `divisions` times,
/// 20·4^`divisions` triangles, all vertices on the sphere.
pub fn sphere_surface(radius: f64, divisions: usize) -> Result<TriangleSurface, MeshError> {
    need_length("radius", radius)?;
    if divisions > MOST_DIVISIONS {
        let text = format!("number of divisions is {divisions}: give {MOST_DIVISIONS} or fewer");
        return Err(MeshError::BadShape(text));
    }
    let corners = icosahedron();
    let mut positions = corners.to_vec();
    let mut triangles: Vec<[u32; 3]> = faces(&corners).iter().map(|face| face.map(|v| v as u32)).collect();
    for triangle in &mut triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        if a.dot(&b.cross(&c)) < 0.0 {
            triangle.swap(1, 2);
        }
    }
    for _ in 0..divisions {
        triangles = cut_in_four(&triangles, &mut positions);
    }
    positions.iter_mut().for_each(|x| *x *= radius);
    Ok(TriangleSurface { positions, triangles })
}

/// Each triangle becomes four; the middles of the edges go out to the unit sphere.
fn cut_in_four(triangles: &[[u32; 3]], positions: &mut Vec<Vec3>) -> Vec<[u32; 3]> {
    let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            positions.push((positions[a as usize] + positions[b as usize]).normalize());
            positions.len() as u32 - 1
        })
    };
    let mut finer = Vec::with_capacity(4 * triangles.len());
    for &[a, b, c] in triangles {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    finer
}

/// An upright capsule centred at the origin: a cylinder of `length` \[m\] between two half spheres of `radius` \[m\].
/// Each half sphere has `rings` circles of 4·`rings` vertices; the side has circles about as far apart.
pub fn capsule_surface(radius: f64, length: f64, rings: usize) -> Result<TriangleSurface, MeshError> {
    need_length("radius", radius)?;
    need_length("length", length)?;
    need_count("number of rings", rings, 1)?;
    if rings > MOST_RINGS {
        return Err(MeshError::BadShape(format!("number of rings is {rings}: give {MOST_RINGS} or fewer")));
    }
    let sides = 4 * rings;
    let layers =
        (length / (FRAC_PI_2 * radius / rings as f64)).round().clamp(1.0, MOST_RINGS as f64) as usize;
    // (height, radius) of every circle, from the bottom up.
    let cap = (1..=rings).map(|k| (FRAC_PI_2 * k as f64 / rings as f64).sin_cos());
    let cap: Vec<(f64, f64)> = cap.map(|(sin, cos)| (radius * cos + length / 2.0, radius * sin)).collect();
    let side = (1..layers).map(|k| (length * (k as f64 / layers as f64 - 0.5), radius));
    let bottom = cap.iter().map(|&(z, r)| (-z, r));
    let circles: Vec<_> = bottom.chain(side).chain(cap.iter().rev().copied()).collect();
    let mut positions = vec![Vec3::new(0.0, 0.0, -radius - length / 2.0)];
    for &(z, r) in &circles {
        let angles = (0..sides).map(|s| TAU * s as f64 / sides as f64);
        positions.extend(angles.map(|angle| Vec3::new(r * angle.cos(), r * angle.sin(), z)));
    }
    positions.push(Vec3::new(0.0, 0.0, radius + length / 2.0));
    Ok(TriangleSurface { triangles: stacked(circles.len(), sides), positions })
}

/// Triangles between a pole, circles of `sides` vertices above each other, and another pole.
fn stacked(circles: usize, sides: usize) -> Vec<[u32; 3]> {
    let vertex = |circle: usize, side: usize| (1 + circle * sides + side % sides) as u32;
    let top = (1 + circles * sides) as u32;
    let mut triangles = Vec::with_capacity(2 * circles * sides);
    triangles.extend((0..sides).map(|s| [0, vertex(0, s + 1), vertex(0, s)]));
    for (c, s) in (1..circles).flat_map(|c| (0..sides).map(move |s| (c, s))) {
        let [a, b] = [vertex(c - 1, s), vertex(c - 1, s + 1)];
        let [d, e] = [vertex(c, s), vertex(c, s + 1)];
        triangles.extend([[a, b, e], [a, e, d]]);
    }
    triangles.extend((0..sides).map(|s| [top, vertex(circles - 1, s), vertex(circles - 1, s + 1)]));
    triangles
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn box_has_twelve_outward_triangles() {
        let surface = box_surface(Vec3::new(1.0, 2.0, 3.0)).unwrap();
        assert_eq!((surface.check(), surface.triangles.len()), (Ok(()), 12));
        assert!(surface.is_closed());
        assert!((surface.volume() - 6.0).abs() < 1e-14);
    }

    #[test]
    fn sphere_is_round_closed_and_nears_its_volume() {
        let ball = 4.0 / 3.0 * PI * 8.0;
        let mut before = f64::INFINITY;
        for divisions in 0..4 {
            let surface = sphere_surface(2.0, divisions).unwrap();
            assert_eq!((surface.check(), surface.triangles.len()), (Ok(()), 20 << (2 * divisions)));
            assert!(surface.is_closed());
            assert!(surface.positions.iter().all(|x| (x.norm() - 2.0).abs() < 1e-14));
            let missing = 1.0 - surface.volume() / ball;
            assert!(missing > 0.0 && missing < 0.45 * before, "{divisions}: {missing}");
            before = missing;
        }
    }

    #[test]
    fn capsule_is_closed_lies_on_its_shape_and_nears_its_volume() {
        let (radius, length) = (0.5, 2.0);
        let surface = capsule_surface(radius, length, 12).unwrap();
        assert_eq!(surface.check(), Ok(()));
        assert!(surface.is_closed());
        for x in &surface.positions {
            let axis = Vec3::new(0.0, 0.0, x.z.clamp(-length / 2.0, length / 2.0));
            assert!(((x - axis).norm() - radius).abs() < 1e-14, "{x:?}");
        }
        let volume = PI * radius * radius * length + 4.0 / 3.0 * PI * radius.powi(3);
        let missing = 1.0 - surface.volume() / volume;
        assert!(missing > 0.0 && missing < 0.01, "{missing}");
    }

    #[test]
    fn plate_faces_up_and_is_open() {
        let surface = plate_surface(2.0, 3.0).unwrap();
        assert_eq!(surface.check(), Ok(()));
        assert!(surface.is_manifold() && !surface.is_closed());
        for [a, b, c] in surface.triangles.iter().map(|t| t.map(|v| surface.positions[v as usize])) {
            assert_eq!((b - a).cross(&(c - a)), Vec3::new(0.0, 0.0, 6.0));
        }
    }

    #[test]
    fn impossible_surfaces_are_refused() {
        assert!(box_surface(Vec3::new(1.0, 0.0, 1.0)).is_err());
        assert!(sphere_surface(1.0, 20).is_err());
        assert!(capsule_surface(1.0, f64::NAN, 4).is_err());
        assert!(capsule_surface(1.0, 1.0, 0).is_err());
        assert!(plate_surface(-1.0, 1.0).is_err());
    }
}
