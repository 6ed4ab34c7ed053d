//! What leaves the simulation: the topology once, a [`Frame`] per frame time, a ledger row with it.

use std::ops::Range;

use crate::Vec3;

/// What does not change from frame to frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Topology {
    /// Every body, in the order of its nodes and points.
    pub bodies: Vec<BodyRange>,
    /// Number of nodes: the degrees of freedom.
    pub nodes: usize,
    /// Number of points: what is shown and what touches. Of a solid each vertex is both. Points of a skin come behind the
    /// vertices of its body.
    pub points: usize,
    /// Tetrahedra of all bodies, between points.
    pub tets: Vec<[u32; 4]>,
    /// Exposed triangles of all bodies, between points, outward: those of its skin for a body that has one.
    pub triangles: Vec<[u32; 3]>,
    /// Lines that are shown and touch but are no side of a triangle, between points: ropes.
    pub edges: Vec<[u32; 2]>,
    /// Names of the constraints, in the order of [`Frame::reactions`].
    pub constraints: Vec<String>,
}

impl Topology {
    /// The triangles that touch what is around a body: those that are shown, unless it has a skin that does not touch.
    pub fn touching<'a>(&'a self, body: &'a BodyRange) -> &'a [[u32; 3]] {
        match &body.skin {
            Some(skin) if !skin.touches => &skin.cage,
            _ => &self.triangles[body.triangles.clone()],
        }
    }
}

/// What kind of thing a body is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    /// Free tetrahedra: every vertex is a node.
    #[default]
    Solid,
    /// One affine map for the whole body: four nodes, and vertices that follow them. Nearly rigid when stiff.
    Affine,
    /// A surface whose motion is prescribed for ever: no mass, no tetrahedra.
    Obstacle,
    /// A surface that moves by rules of its own and touches only planes: no mass in the matrix, no tetrahedra.
    Puppet,
    /// Nodes on the surface only, and one dense law between all of them.
    Boundary,
    /// Mass points and springs: every point is a node. A rope has edges, cloth and shells have triangles, a block
    /// tetrahedra.
    Points,
}

/// Which slices belong to one body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyRange {
    /// The name from the scene.
    pub name: String,
    /// What it is.
    pub kind: BodyKind,
    /// Its nodes.
    pub nodes: Range<usize>,
    /// Its points.
    pub points: Range<usize>,
    /// Its tetrahedra; none for an obstacle.
    pub tets: Range<usize>,
    /// Its exposed triangles.
    pub triangles: Range<usize>,
    /// Its edges; none unless it has ropes.
    pub edges: Range<usize>,
    /// Half its thickness, for what has edges or open triangles  \[m\]
    pub radius: f64,
    /// What is shown instead of the boundary of its tetrahedra, if anything.
    pub skin: Option<Skin>,
}

impl BodyRange {
    /// Its own points, those of its mesh: all but those of a skin, which come last.
    pub fn own_points(&self) -> Range<usize> {
        let end = self.skin.as_ref().map_or(self.points.end, |skin| self.points.end - skin.carriers.len());
        self.points.start..end
    }
}

/// A finer surface that the tetrahedra of a body carry. Its triangles stand in [`Topology::triangles`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// The tetrahedron that each point of the skin follows, numbered over all bodies.
    pub carriers: Vec<u32>,
    /// Its coordinates there: how much it follows each corner.
    pub weights: Vec<[f64; 4]>,
    /// Exposed triangles of the tetrahedra themselves, between points, outward.
    pub cage: Vec<[u32; 3]>,
    /// Whether the skin touches what is around it; else the cage does.
    pub touches: bool,
}

/// The world at one frame time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Frame number, from 0.
    pub index: usize,
    /// Positions  \[m\]  (points)
    pub positions: Vec<Vec3>,
    /// Velocities  \[m/s\]  (points)
    pub velocities: Vec<Vec3>,
    /// Force of the constraints on each point; points that follow the same nodes share it evenly  \[N\]  (points)
    pub reaction: Vec<Vec3>,
    /// Force of contact and friction on each point  \[N\]  (points)
    pub contact: Vec<Vec3>,
    /// Elastic energy per rest volume  \[J/m³\]  (tets)
    pub energy_density: Vec<f64>,
    /// Cauchy stress, elastic part, xx yy zz xy yz xz  \[Pa\]  (tets)
    pub stress: Vec<[f64; 6]>,
    /// Net force of each constraint on the bodies  \[N\]  (constraints)
    pub reactions: Vec<Vec3>,
    /// The energies and momenta.
    pub ledger: Ledger,
}

/// One row of the energy ledger. Energies in J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ledger {
    /// Simulated time \[s\].
    pub t: f64,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Elastic energy of volume change.
    pub elastic_bulk: f64,
    /// Elastic energy of shape change.
    pub elastic_shear: f64,
    /// Potential energy of gravity, zero at the origin.
    pub gravity: f64,
    /// Energy in the springs that stand for constraints.
    pub springs: f64,
    /// Energy of contact: what surfaces that nearly touch push apart with.
    pub contact: f64,
    /// Energy lost to viscosity so far.
    pub viscous_loss: f64,
    /// Energy lost to friction so far.
    pub friction_loss: f64,
    /// Energy lost so far to lasting changes of shape.
    pub plastic_loss: f64,
    /// Energy lost so far in impacts, where contact is a matter of impulses.
    pub impact_loss: f64,
    /// Energy lost so far by the time steps themselves: implicit ones damp.
    pub numerical_loss: f64,
    /// Work done so far by held and dragged vertices and moving constraints.
    pub drag_work: f64,
    /// Work done so far by loads.
    pub load_work: f64,
    /// Energies + losses − work: constant in exact arithmetic.
    pub total: f64,
    /// `total` less its value at the start.
    pub residual: f64,
    /// Energy moved between columns since the start: ½ Σ |column − column at the start|.
    pub exchanged: f64,
    /// Linear momentum \[kg m/s\].
    pub momentum: Vec3,
    /// Angular momentum about the origin \[kg m²/s\].
    pub angular_momentum: Vec3,
    /// Largest violation of a constraint, relative to the size of the bodies.
    pub violation: f64,
    /// Length of the step that covers this time \[s\].
    pub step: f64,
}

impl Ledger {
    /// Fills in what follows from the other columns: total, residual and exchanged energy since `start`.
    pub fn close(&mut self, start: Option<&Ledger>) {
        let columns = self.columns();
        self.total = columns.iter().sum();
        let first = start.map_or(columns, |s| s.columns());
        self.residual = self.total - first.iter().sum::<f64>();
        self.exchanged = 0.5 * columns.iter().zip(first).map(|(now, then)| (now - then).abs()).sum::<f64>();
    }

    /// The columns that add up to the total: work done on the bodies counts negative.
    fn columns(&self) -> [f64; 13] {
        [
            self.kinetic,
            self.elastic_bulk,
            self.elastic_shear,
            self.gravity,
            self.springs,
            self.contact,
            self.viscous_loss,
            self.friction_loss,
            self.plastic_loss,
            self.impact_loss,
            self.numerical_loss,
            -self.drag_work,
            -self.load_work,
        ]
    }
}
