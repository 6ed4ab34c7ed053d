//! Reports as people read them.

use std::fmt;

use super::surface::SurfaceReport;
use super::tets::TetReport;

/// "1 hole", "3 holes".
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A count, its name for one and for several, and what would be done.
type Line = (usize, &'static str, &'static str, &'static str);

/// The lines whose count is not zero.
fn told(lines: &[Line]) -> Vec<String> {
    let some = lines.iter().filter(|line| line.0 > 0);
    some.map(|&(n, one, many, cure)| format!("{}: {cure}", count(n, one, many))).collect()
}

/// What is done about places where a surface is no manifold.
const HARMLESS: &str = "filling is not hurt; the filled body has a manifold surface";

impl SurfaceReport {
    /// One line for everything that is not as it should be, and what would be done about it.
    pub fn advice(&self) -> Vec<String> {
        let mut lines = told(&self.of_triangles());
        lines.extend(told(&self.of_connections()));
        if self.intersections > 0 {
            let more = if self.more_intersections { "at least " } else { "" };
            let pairs = count(self.intersections, "pair of triangles passes", "pairs of triangles pass");
            let cure = "overlaps are filled once; as an obstacle mend them";
            lines.push(format!("{more}{pairs} through each other: {cure}"));
        }
        lines
    }

    fn of_triangles(&self) -> [Line; 5] {
        [
            (
                self.broken,
                "triangle names a missing vertex",
                "triangles name missing vertices",
                "mend the file",
            ),
            (self.coincident, "coincident vertex", "coincident vertices", "merged"),
            (self.unused, "vertex that no triangle uses", "vertices that no triangle uses", "left out"),
            (
                self.degenerate,
                "triangle without area",
                "triangles without area",
                "filling is not hurt; as an obstacle remove them",
            ),
            (
                self.duplicates,
                "duplicate triangle",
                "duplicate triangles",
                "filling is not hurt; as an obstacle remove them",
            ),
        ]
    }

    fn of_connections(&self) -> [Line; 5] {
        [
            (self.border_loops, "hole", "holes", "closed by the winding number when filled with tetrahedra"),
            (
                self.inverted_shells,
                "closed shell inside out",
                "closed shells inside out",
                "filled as if turned; as an obstacle turn them",
            ),
            (
                self.clashing_edges,
                "edge between triangles that face different ways",
                "edges between triangles that face different ways",
                "the winding number may fail nearby, turn one side",
            ),
            (
                self.crowded_edges,
                "edge of three or more triangles",
                "edges of three or more triangles",
                HARMLESS,
            ),
            (
                self.pinched_vertices,
                "vertex where fans of triangles touch",
                "vertices where fans of triangles touch",
                HARMLESS,
            ),
        ]
    }
}

impl fmt::Display for SurfaceReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let size = self.high - self.low;
        writeln!(
            f,
            "surface     {}, {} vertices",
            count(self.triangles, "triangle", "triangles"),
            self.vertices
        )?;
        writeln!(f, "box         {} to {}", triple(self.low.into()), triple(self.high.into()))?;
        writeln!(f, "size        {:.4} × {:.4} × {:.4} m", size.x, size.y, size.z)?;
        writeln!(f, "area        {:.4e} m²", self.area)?;
        let note = if self.watertight { "" } else { ", not watertight" };
        writeln!(f, "volume      {:.4e} m³{note}", self.volume)?;
        writeln!(f, "shells      {}, {} closed", self.shells, self.closed_shells)?;
        writeln!(f, "watertight  {}", if self.watertight { "yes" } else { "no" })?;
        if self.border_loops > 0 {
            let (longest, all) = (self.longest_loop, self.border_length);
            writeln!(f, "holes       {}, border {all:.4e} m, longest {longest:.4e} m", self.border_loops)?;
        }
        writeln!(f, "edges       {:.4e} to {:.4e} m", self.shortest_edge, self.longest_edge)?;
        write!(f, "angles      {:.2}° to {:.2}°", self.smallest_angle_deg, self.largest_angle_deg)?;
        let advice = self.advice();
        if advice.is_empty() {
            return write!(f, "\nnothing is wrong with it");
        }
        advice.iter().try_for_each(|line| write!(f, "\n- {line}"))
    }
}

impl TetReport {
    /// One line for everything that is not as it should be, and what would be done about it.
    pub fn advice(&self) -> Vec<String> {
        told(&[
            (
                self.broken,
                "tetrahedron names a missing vertex",
                "tetrahedra name missing vertices",
                "refused, mend the file",
            ),
            (self.inverted, "tetrahedron inside out", "tetrahedra inside out", "turned when read"),
            (self.flat, "flat tetrahedron", "flat tetrahedra", "refused, mesh again"),
            (self.unused, "vertex that no tetrahedron uses", "vertices that no tetrahedron uses", "left out"),
            (
                self.crowded_faces,
                "face of three or more tetrahedra",
                "faces of three or more tetrahedra",
                "mesh again",
            ),
            (
                self.faulty_edges,
                "edge where the boundary touches itself",
                "edges where the boundary touches itself",
                "contact there is unreliable, mesh again",
            ),
            (
                self.faulty_vertices,
                "vertex where the boundary touches itself",
                "vertices where the boundary touches itself",
                "contact there is unreliable, mesh again",
            ),
        ])
    }
}

impl fmt::Display for TetReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let size = self.high - self.low;
        writeln!(
            f,
            "mesh        {}, {} vertices",
            count(self.tets, "tetrahedron", "tetrahedra"),
            self.vertices
        )?;
        writeln!(f, "box         {} to {}", triple(self.low.into()), triple(self.high.into()))?;
        writeln!(f, "size        {:.4} × {:.4} × {:.4} m", size.x, size.y, size.z)?;
        writeln!(f, "volume      {:.4e} m³", self.volume)?;
        writeln!(f, "bodies      {}", self.components)?;
        writeln!(f, "boundary    {}", count(self.boundary, "triangle", "triangles"))?;
        writeln!(f, "dihedral    {:.2}° to {:.2}°", self.min_dihedral_deg, self.max_dihedral_deg)?;
        let (worst, ratio) = (self.worst_tet, self.worst_radius_ratio);
        writeln!(f, "worst       tetrahedron {worst}, radius ratio {ratio:.4} (regular: 1)")?;
        write!(f, "edges       {:.4e} to {:.4e} m", self.shortest_edge, self.longest_edge)?;
        let advice = self.advice();
        if advice.is_empty() {
            return write!(f, "\nnothing is wrong with it");
        }
        advice.iter().try_for_each(|line| write!(f, "\n- {line}"))
    }
}

fn triple([x, y, z]: [f64; 3]) -> String {
    format!("({x:.4}, {y:.4}, {z:.4})")
}
