//! The examination of a surface.

use aspic::Vec3;
use rayon::slice::ParallelSliceMut;
use serde::Serialize;

use super::as_list;
use super::edges::{edges, loops};
use super::intersections::intersections;
use super::shells::shells;
use crate::merge::exact_numbers;
use crate::soup::{Soup, area_vector};
use crate::tree::Winding;

/// What a surface is like. Its `Display` is the text for a person; [`SurfaceReport::advice`] alone says what would be
/// done. Edges, shells and loops are counted after coincident vertices are merged and duplicates left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SurfaceReport {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Lowest corner of the box around all triangles  \[m\]
    #[serde(serialize_with = "as_list")]
    pub low: Vec3,
    /// Highest corner of that box  \[m\]
    #[serde(serialize_with = "as_list")]
    pub high: Vec3,
    /// Area of all triangles  \[m²\]
    pub area: f64,
    /// ∫ x·n dA / 3, the volume if it is closed; negative if it faces inward  \[m³\]
    pub volume: f64,
    /// Sets of triangles connected through edges.
    pub shells: usize,
    /// Shells without a border and with all triangles facing the same way.
    pub closed_shells: usize,
    /// Closed shells that are inside out; hollows in a body do not count.
    pub inverted_shells: usize,
    /// Whether every edge has two triangles that face the same way.
    pub watertight: bool,
    /// Loops of edges with a single triangle: holes.
    pub border_loops: usize,
    /// Length of the longest loop  \[m\]
    pub longest_loop: f64,
    /// Length of all loops  \[m\]
    pub border_length: f64,
    /// Edges of three triangles or more.
    pub crowded_edges: usize,
    /// Edges whose two triangles face different ways.
    pub clashing_edges: usize,
    /// Vertices where several fans of triangles touch.
    pub pinched_vertices: usize,
    /// Triangles without area, less than 1e-12 of the square of their longest edge.
    pub degenerate: usize,
    /// Triangles with the same corners as an earlier one, facing either way.
    pub duplicates: usize,
    /// Triangles that name a vertex that is not there or not finite.
    pub broken: usize,
    /// Vertices at exactly the place of an earlier one.
    pub coincident: usize,
    /// Vertices that no triangle uses.
    pub unused: usize,
    /// Pairs of triangles that meet without a common vertex.
    pub intersections: usize,
    /// Whether there may be more of them, because some triangle met too many others.
    pub more_intersections: bool,
    /// Length of the shortest edge  \[m\]
    pub shortest_edge: f64,
    /// Length of the longest edge  \[m\]
    pub longest_edge: f64,
    /// Smallest angle of a triangle [°].
    pub smallest_angle_deg: f64,
    /// Largest angle of a triangle [°].
    pub largest_angle_deg: f64,
}

/// Examines a surface, whatever is wrong with it.
pub fn examine(surface: &Soup) -> SurfaceReport {
    let mut report = SurfaceReport {
        vertices: surface.positions.len(),
        triangles: surface.triangles.len(),
        ..SurfaceReport::default()
    };
    let usable = usable(surface, &mut report);
    if !usable.triangles.is_empty() {
        measure(&usable, &mut report);
        let distinct = distinct(&usable, &mut report);
        connect(&distinct, &mut report);
        let (count, more) = intersections(&distinct);
        (report.intersections, report.more_intersections) = (count, more);
    }
    report
}

/// The triangles whose vertices are there and finite, on merged vertices.
fn usable(surface: &Soup, report: &mut SurfaceReport) -> Soup {
    let finite = |v: u32| surface.positions.get(v as usize).is_some_and(|x| x.iter().all(|c| c.is_finite()));
    let merged = exact_numbers(&surface.positions);
    let mut used = vec![false; surface.positions.len()];
    let mut triangles = Vec::with_capacity(surface.triangles.len());
    for t in &surface.triangles {
        t.iter().filter(|&&v| (v as usize) < merged.len()).for_each(|&v| used[v as usize] = true);
        if t.iter().all(|&v| finite(v)) {
            triangles.push(t.map(|v| merged[v as usize]));
        }
    }
    report.broken = surface.triangles.len() - triangles.len();
    report.unused = used.iter().filter(|&&used| !used).count();
    report.coincident = (0..).zip(&merged).filter(|&(v, &first)| v != first).count();
    Soup { positions: surface.positions.clone(), triangles }
}

/// Box, area, volume, edges and angles.
fn measure(soup: &Soup, report: &mut SurfaceReport) {
    (report.low, report.high) = soup.bounds();
    report.area = soup.area();
    report.volume = soup.signed_volume();
    (report.shortest_edge, report.smallest_angle_deg) = (f64::INFINITY, 180.0);
    for t in 0..soup.triangles.len() {
        let x = soup.corners(t);
        for n in 0..3 {
            let (before, after) = (x[(n + 2) % 3] - x[n], x[(n + 1) % 3] - x[n]);
            let length = after.norm();
            report.shortest_edge = report.shortest_edge.min(length);
            report.longest_edge = report.longest_edge.max(length);
            let angle = before.cross(&after).norm().atan2(before.dot(&after)).to_degrees();
            report.smallest_angle_deg = report.smallest_angle_deg.min(angle);
            report.largest_angle_deg = report.largest_angle_deg.max(angle);
        }
    }
}

/// Without triangles that have no area, and with those on the same corners made one. Two that lie back to back, a fin
/// without thickness, go both: to the winding number they are nothing.
fn distinct(soup: &Soup, report: &mut SurfaceReport) -> Soup {
    let flat = |t: usize| {
        let [a, b, c] = soup.corners(t);
        let longest = [b - a, c - b, a - c].iter().map(|e| e.norm_squared()).fold(0.0, f64::max);
        area_vector(&[a, b, c]).norm() <= 1e-12 * longest
    };
    let mut keyed: Vec<([u32; 3], u32)> = vec![];
    for (n, t) in (0u32..).zip(&soup.triangles) {
        if flat(n as usize) {
            report.degenerate += 1;
        } else {
            let mut key = *t;
            key.sort_unstable();
            keyed.push((key, n));
        }
    }
    keyed.par_sort_unstable();
    let mut kept: Vec<u32> = vec![];
    for same in keyed.chunk_by(|a, b| a.0 == b.0) {
        let facing = |n: u32| if is_turned(soup.triangles[n as usize]) { -1 } else { 1 };
        let sum: i64 = same.iter().map(|&(_, n)| facing(n)).sum();
        kept.extend(same.iter().map(|s| s.1).find(|&n| facing(n) * sum > 0));
        report.duplicates += same.len() - 1;
    }
    kept.sort_unstable();
    let triangles = kept.iter().map(|&n| soup.triangles[n as usize]).collect();
    Soup { positions: soup.positions.clone(), triangles }
}

/// Whether the corners, started from the lowest, run downwards.
fn is_turned([a, b, c]: [u32; 3]) -> bool {
    usize::from(a > b) + usize::from(b > c) + usize::from(c > a) == 2
}

/// Shells, borders and faults.
fn connect(soup: &Soup, report: &mut SurfaceReport) {
    let found = edges(soup);
    let shells = shells(soup, &found, &Winding::new(soup));
    let loops = loops(soup, &found.border);
    report.shells = shells.count;
    report.closed_shells = shells.closed;
    report.inverted_shells = shells.inverted;
    report.border_loops = loops.len();
    report.longest_loop = loops.iter().copied().fold(0.0, f64::max);
    report.border_length = loops.iter().sum();
    report.crowded_edges = found.crowded;
    report.clashing_edges = found.clashing;
    report.pinched_vertices = found.pinched;
    report.watertight =
        !soup.triangles.is_empty() && found.border.is_empty() && found.crowded + found.clashing == 0;
}
