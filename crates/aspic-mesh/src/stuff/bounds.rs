//! The worst dihedral angles of all stencils, whatever the surface: tries out places of cut points and moved corners.
//!
//! A cut point is anywhere on its edge but nearer than α to an end; a moved corner is anywhere up to α along one of its
//! fourteen edges. Two corners do not move towards each other, since the first to move voids the cut point between them.

use aspic::Vec3;

use super::shape::dihedral;
use super::stencil::{EDGES, stencil};
use super::warp::{ALPHA_LONG, ALPHA_SHORT};
use crate::lattice::{Lattice, NEIGHBOURS, Point};
use crate::shapes::Dice;

fn place(p: Point) -> Vec3 {
    Vec3::from_fn(|axis, _| f64::from(p[axis]) * 0.5)
}

fn alpha(p: Point, q: Point) -> f64 {
    if (p[0] ^ q[0]) & 1 == 0 { ALPHA_LONG } else { ALPHA_SHORT }
}

/// A place and, for a moved corner, its own lattice point and the one it moved towards.
type Spot = (Vec3, Option<[Point; 2]>);

/// Where a corner of a sign can be, with moves of the given parts of α.
fn corner_spots(at: Point, sign: i8, parts: &[f64]) -> Vec<Spot> {
    let mut spots = vec![(place(at), None)];
    for way in NEIGHBOURS.iter().filter(|_| sign == 0) {
        let to: Point = std::array::from_fn(|axis| at[axis] + way[axis]);
        let moved = |part: &f64| place(at) + (place(to) - place(at)) * (alpha(at, to) * part);
        spots.extend(parts.iter().map(|part| (moved(part), Some([at, to]))));
    }
    spots
}

/// Where the cut point of an edge can be, with the given parts of the way between the two limits.
fn cut_spots(p: Point, q: Point, parts: &[f64]) -> Vec<Spot> {
    let limit = alpha(p, q);
    let at = |part: &f64| place(p) + (place(q) - place(p)) * (limit + (1.0 - 2.0 * limit) * part);
    parts.iter().map(|part| (at(part), None)).collect()
}

/// Whether two corners would have moved towards each other.
fn is_possible(spots: &[&Spot; 4]) -> bool {
    let moves: Vec<[Point; 2]> = spots.iter().filter_map(|s| s.1).collect();
    !moves.iter().any(|&[p, q]| moves.contains(&[q, p]))
}

/// Calls `look` with the options of the four corners of every piece of every stencil.
fn every_piece(moves: &[f64], cuts: &[f64], mut look: impl FnMut([Vec<Spot>; 4])) {
    let lattice = Lattice::around(&Vec3::zeros(), &Vec3::repeat(4.0), 1.0);
    for corners in lattice.tets_of([5, 5, 5]) {
        for code in 0..81 {
            let signs = [code % 3, code / 3 % 3, code / 9 % 3, code / 27].map(|s: i8| s - 1);
            for piece in stencil(&corners, &signs).as_slice() {
                look(piece.map(|spot| match spot as usize {
                    n @ 0..4 => corner_spots(corners[n], signs[n], moves),
                    n => {
                        let [p, q] = EDGES[n - 4].map(|c| corners[c]);
                        cut_spots(p, q, cuts)
                    }
                }));
            }
        }
    }
}

fn widen(worst: &mut [f64; 2], spots: [&Spot; 4]) {
    if is_possible(&spots) {
        let [low, high] = dihedral(&spots.map(|s| s.0));
        *worst = [worst[0].min(low), worst[1].max(high)];
    }
}

#[test]
fn no_stencil_with_extreme_places_leaves_9_to_160_degrees() {
    let mut worst = [180.0, 0.0];
    every_piece(&[0.5, 1.0], &[0.0, 0.5, 1.0], |[a, b, c, d]| {
        for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
            for (c, d) in c.iter().flat_map(|c| d.iter().map(move |d| (c, d))) {
                widen(&mut worst, [a, b, c, d]);
            }
        }
    });
    println!("extremes: {worst:?}");
    assert!(worst[0] > 9.2 && worst[1] < 159.7, "{worst:?}");
}

#[test]
fn no_stencil_with_random_places_is_worse_than_with_extreme_ones() {
    let mut dice = Dice(7);
    let mut worst = [180.0, 0.0];
    for _ in 0..100 {
        let moves = [dice.roll(), dice.roll().sqrt()];
        let cuts = [dice.roll(), dice.roll()];
        every_piece(&moves, &cuts, |options| {
            for _ in 0..20 {
                let any = options.each_ref().map(|o| &o[(dice.roll() * o.len() as f64) as usize]);
                widen(&mut worst, any);
            }
        });
    }
    println!("random: {worst:?}");
    assert!(worst[0] > 9.2 && worst[1] < 159.7, "{worst:?}");
}

#[test]
fn pieces_of_neighbours_share_whole_triangles_on_their_common_face() {
    // Around a face, with every choice of signs of the five corners, the triangles on the face are the same.
    let lattice = Lattice::around(&Vec3::zeros(), &Vec3::repeat(4.0), 1.0);
    let all: Vec<[Point; 4]> =
        (0..lattice.cubes[2]).flat_map(|k| lattice.layer(k)).flat_map(|m| lattice.tets_of(m)).collect();
    let mut compared = 0;
    for first in lattice.tets_of([5, 5, 5]) {
        for second in all.iter().filter(|t| t.iter().filter(|p| first.contains(p)).count() == 3) {
            for code in 0..243i32 {
                let mut points: Vec<Point> = first.iter().chain(second).copied().collect();
                points.sort_unstable();
                points.dedup();
                let sign = |p: &Point| {
                    let n = points.iter().position(|q| q == p).unwrap() as u32;
                    (code / 3i32.pow(n) % 3 - 1) as i8
                };
                assert_eq!(on_face(&first, second, sign), on_face(second, &first, sign));
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 12 * 4 * 243);
}

/// The triangles that the pieces of one tetrahedron have on the face shared with another, by places, sorted. Pieces
/// without volume in the shared face's plane do not occur. A face of zeros only is left out: the stencils do not say.
fn on_face(tet: &[Point; 4], other: &[Point; 4], sign: impl Fn(&Point) -> i8) -> Vec<[Point; 3]> {
    let shared = |p: &Point| other.contains(p);
    let signs = tet.each_ref().map(&sign);
    if tet.iter().filter(|p| shared(p)).all(|p| sign(p) <= 0) {
        return vec![];
    }
    let corners = |spot: u8| match spot as usize {
        n @ 0..4 => vec![tet[n]],
        n => EDGES[n - 4].map(|c| tet[c]).to_vec(),
    };
    let middle = |spot: u8| -> Point {
        let ends = corners(spot);
        std::array::from_fn(|axis| ends.iter().map(|p| p[axis]).sum::<i32>() * 2 / ends.len() as i32)
    };
    let mut found = vec![];
    for piece in stencil(tet, &signs).as_slice() {
        for face in aspic::mesh::FACES.map(|f| f.map(|c| piece[c])) {
            if face.iter().all(|&spot| corners(spot).iter().all(shared)) {
                let mut triangle = face.map(middle);
                triangle.sort_unstable();
                found.push(triangle);
            }
        }
    }
    found.sort_unstable();
    found
}
