//! Why a world cannot be built.

use super::{PointsError, SkinError};
use crate::boundary::BoundaryError;
use crate::contact;
use crate::mesh::{MeshError, SurfaceError};
use crate::solve::FactorError;
use crate::yielding::YieldError;

/// Two bodies, obstacles or planes that overlap or touch at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Clash {
    /// One of them.
    pub first: String,
    /// The other; the same name for a body that crosses itself.
    pub second: String,
    /// Edges of one through triangles of the other; with a plane, points behind it.
    pub crossings: usize,
    /// About how far they must move apart \[m\]; zero for bodies that touch.
    pub depth: f64,
}

impl std::fmt::Display for Clash {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Clash { first, second, crossings, depth } = self;
        let plural = if *crossings == 1 { "" } else { "s" };
        match (first == second, *depth > 0.0) {
            (true, true) => write!(f, "`{first}` crosses itself at the start ({crossings} crossing{plural})"),
            (true, false) => write!(f, "`{first}` touches itself at the start"),
            (false, true) => {
                let depth = Length(*depth);
                write!(f, "`{first}` and `{second}` overlap at the start by about {depth}")?;
                let counted = *crossings > 0;
                if counted {
                    write!(f, " ({crossings} crossing{plural})")
                } else {
                    write!(f, ", one inside the other")
                }
            }
            (false, false) => write!(f, "`{first}` and `{second}` touch at the start"),
        }
    }
}

/// A length \[m\] with two digits, in the unit that suits it.
struct Length(f64);

impl std::fmt::Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (value, unit) = match self.0 {
            x if x >= 1.0 => (x, "m"),
            x if x >= 1e-4 => (x * 1e3, "mm"),
            x => (x * 1e6, "µm"),
        };
        match value {
            value if value >= 9.95 => write!(f, "{value:.0} {unit}"),
            value => write!(f, "{value:.1} {unit}"),
        }
    }
}

/// Clashes that a message names.
const MOST_NAMED: usize = 5;

/// A sentence about all clashes, and what to do.
fn say_clashes(clashes: &[Clash], tried: bool) -> String {
    let named: Vec<String> = clashes.iter().take(MOST_NAMED).map(Clash::to_string).collect();
    let more = match clashes.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let own = clashes.iter().all(|clash| clash.first == clash.second);
    let cure = match (own, tried) {
        (true, _) => "mend the mesh, or switch its contact with itself off",
        (false, true) => {
            "they could not be pushed apart: move them yourself, or name the pair in `off` of [contact] if they are tied"
        }
        (false, false) => {
            "move them apart, set `separate = true` in [contact], or name the pair in its `off` if they are tied"
        }
    };
    format!("{}{more}; {cure}", named.join("; "))
}

/// Why a world cannot be built. Constraints and bodies are named as they were added.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// No body was added.
    #[error("there is no body to simulate")]
    NoBodies,
    /// Other bodies than those whose motion it should take over.
    #[error("the bodies are not those that move: a run goes on only with the same bodies and meshes")]
    OtherBodies,
    /// A mesh that cannot be simulated.
    #[error("body `{body}`: {error}")]
    Mesh {
        /// The body.
        body: String,
        /// What is wrong with it.
        error: MeshError,
    },
    /// A puppet that starts in the ground.
    #[error("`{body}` starts {depth:.3e} m deep in `{plane}`: move it out")]
    InGround {
        /// The body.
        body: String,
        /// The plane.
        plane: String,
        /// How deep  \[m\]
        depth: f64,
    },
    /// A constraint or a force on a puppet.
    #[error("`{body}` moves by rules of its own: no constraint holds it and no force but gravity moves it")]
    OnPuppet {
        /// The body.
        body: String,
    },
    /// A surface that cannot be a boundary-element body.
    #[error("body `{body}`: {error}")]
    Boundary {
        /// The body.
        body: String,
        /// What is wrong with it.
        error: BoundaryError,
    },
    /// A surface that cannot be an obstacle.
    #[error("obstacle `{body}`: {error}")]
    Surface {
        /// The obstacle.
        body: String,
        /// What is wrong with it.
        error: SurfaceError,
    },
    /// A body of mass points that cannot be simulated.
    #[error("body `{body}`: {error}")]
    Points {
        /// The body.
        body: String,
        /// What is wrong with it.
        error: PointsError,
    },
    /// A solid that cannot yield as asked.
    #[error("body `{body}`: {error}")]
    Yield {
        /// The body.
        body: String,
        /// What is wrong.
        error: YieldError,
    },
    /// A skin that its body cannot carry.
    #[error("the skin of body `{body}`: {error}")]
    Skin {
        /// The body.
        body: String,
        /// What is wrong with it.
        error: SkinError,
    },
    /// Something that needs nodes acts on points of a skin.
    #[error("this cannot act on points of the skin of body `{body}`: choose vertices of its mesh")]
    OnSkin {
        /// The body.
        body: String,
    },
    /// Some vertices of an affine body were held or dragged.
    #[error("the affine body `{body}` can be held or dragged only as a whole: choose all its vertices")]
    PartOfAffine {
        /// The body.
        body: String,
    },
    /// Something that needs nodes acts on vertices of an affine body.
    #[error("this cannot act on single vertices of the affine body `{body}`: make it a solid")]
    OnAffine {
        /// The body.
        body: String,
    },
    /// A density that is not positive.
    #[error("body `{body}`: a density of {density} kg/m³ is not possible; give a positive one")]
    Density {
        /// The body.
        body: String,
        /// What was given.
        density: f64,
    },
    /// Two constraints want the same vertex.
    #[error(
        "constraints `{first}` and `{second}` both dictate the motion of vertex {vertex}; drop it from one"
    )]
    HeldTwice {
        /// One constraint.
        first: String,
        /// The other.
        second: String,
        /// The vertex, numbered over all bodies.
        vertex: u32,
    },
    /// A constraint that the start does not satisfy.
    #[error(
        "constraint `{name}` is {gap:.3e} m off at the start; move the body there, or give it a stiffness"
    )]
    StartsOff {
        /// The constraint.
        name: String,
        /// How far off \[m\].
        gap: f64,
    },
    /// A constraint on vertices that are all held or dragged already.
    #[error(
        "constraint `{name}` acts only on vertices that other constraints hold or drag already; remove one"
    )]
    NothingFree {
        /// The constraint.
        name: String,
    },
    /// Constraints that cannot hold together.
    #[error(
        "constraint `{name}` contradicts another one: no motion satisfies both; remove one or give it a stiffness"
    )]
    Contradiction {
        /// The constraint.
        name: String,
    },
    /// More rows of exact constraints than multipliers can carry.
    #[error(
        "{rows} rows of exact constraints are too many (the limit is {limit}): give them a stiffness, or hold the vertices"
    )]
    TooManyRows {
        /// How many there are.
        rows: usize,
        /// The limit.
        limit: usize,
    },
    /// A start that is not a number.
    #[error("vertex {vertex} starts at a place or with a velocity that is not finite")]
    NotFinite {
        /// The vertex, numbered over all bodies.
        vertex: usize,
    },
    /// The mass matrix could not be factored.
    #[error("mass matrix: {0}")]
    Mass(FactorError),
    /// Too many vertices for the numbering.
    #[error("{0} vertices are too many")]
    TooLarge(usize),
    /// The surface of a body cannot take part in contact.
    #[error("body `{body}`: {error}")]
    Contact {
        /// The body.
        body: String,
        /// Why.
        error: contact::SurfaceError,
    },
    /// Bodies overlap at the start.
    #[error("{}", say_clashes(clashes, *tried))]
    Overlap {
        /// Which, in the order of the bodies.
        clashes: Vec<Clash>,
        /// Whether they were pushed, in vain.
        tried: bool,
    },
    /// A number of contact by impulses that makes no sense.
    #[error(
        "the {what} of contact by impulses cannot be {value}: give 0 or more, and at most 1 for a restitution or a factor"
    )]
    Impulse {
        /// Which.
        what: &'static str,
        /// What it was.
        value: f64,
    },
    /// An obstacle that mass points cannot touch.
    #[error(
        "obstacle `{body}` is no sphere: contact by impulses on points knows planes and spheres; use flood or guaranteed contact"
    )]
    NotRound {
        /// The obstacle.
        body: String,
    },
    /// An obstacle without an inside.
    #[error(
        "the surface of obstacle `{body}` is not closed: flood contact needs an inside; close it, or use guaranteed contact"
    )]
    OpenObstacle {
        /// The obstacle.
        body: String,
    },
    /// A number for contact springs that makes no sense.
    #[error("the {what} of contact springs cannot be {value}: give a finite number, above 0 for a stiffness")]
    ContactSpring {
        /// Which.
        what: &'static str,
        /// What it was.
        value: f64,
    },
    /// A body that has no inside.
    #[error(
        "the surface of `{body}` is not closed: contact springs and multipliers need an inside; close it, or use guaranteed contact"
    )]
    OpenSkin {
        /// The body or obstacle.
        body: String,
    },
    /// Multipliers hold nodes, and the surface of a body has none of its own.
    #[error(
        "the surface of `{body}` follows other points, and multipliers cannot hold it: use contact springs, or guaranteed contact"
    )]
    NoOwnNodes {
        /// The body or obstacle.
        body: String,
    },
    /// Contact was told about a body that is not there.
    #[error("contact names `{name}`, which is no body, obstacle or plane")]
    NoSuchBody {
        /// The name.
        name: String,
    },
}
