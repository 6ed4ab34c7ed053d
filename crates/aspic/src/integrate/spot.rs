//! Where a step failed.

/// What stands in the way of a step. Bodies are indices into the topology; planes count on behind the bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spot {
    /// Two surfaces, or a surface and a plane, that leave no room to move.
    Pair {
        /// Whose they are.
        bodies: [u32; 2],
        /// The points of both primitives, as numbers over all bodies; repeated where there are fewer than four.
        points: [u32; 4],
        /// Room that is left between them  \[m\]
        gap: f64,
        /// Part of the motion that they let pass.
        fraction: f64,
    },
    /// A tetrahedron that would become flat.
    Element {
        /// Whose it is.
        body: u32,
        /// Its number in the body's mesh; zero for an affine body as a whole.
        tet: u32,
        /// Part of the motion that it lets pass.
        fraction: f64,
        /// Those that press on the body hardest.
        pressed_by: [Option<u32>; 2],
    },
    /// The node that is farthest from its balance.
    Node {
        /// Its number over all bodies.
        node: u32,
        /// How fast it would still move  \[m/s\]
        speed: f64,
        /// Those that press on its body hardest.
        pressed_by: [Option<u32>; 2],
    },
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Spot::Pair { bodies: [a, b], points, gap, fraction } => write!(
                f,
                "bodies {a} and {b} are {gap:.1e} m apart at points {points:?} and let {fraction:.1e} of the motion pass"
            ),
            Spot::Element { body, tet, fraction, pressed_by } => {
                write!(
                    f,
                    "tetrahedron {tet} of body {body} would be flat after {fraction:.1e} of the motion"
                )?;
                press(f, pressed_by)
            }
            Spot::Node { node, speed, pressed_by } => {
                write!(f, "node {node} is farthest from balance ({speed:.1e} m/s)")?;
                press(f, pressed_by)
            }
        }
    }
}

fn press(f: &mut std::fmt::Formatter, pressed_by: &[Option<u32>; 2]) -> std::fmt::Result {
    match pressed_by {
        [Some(a), Some(b)] => write!(f, ", pressed by bodies {a} and {b}"),
        [Some(a), None] | [None, Some(a)] => write!(f, ", pressed by body {a}"),
        [None, None] => Ok(()),
    }
}
