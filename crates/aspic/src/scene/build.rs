//! From the scene as written to the world as meant.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

use super::actions::{Constraint, ConstraintKind, Force, ForceKind, Guide};
use super::body::{Body, Kind, MeshFile, Shape};
use super::error::SceneError;
use super::fill::Filled;
use super::schema::{Scene, defaults};
use super::selection::{Anchor, Part, Selection};
use super::span::Span;
use super::{build_points, skin, suggest};
use crate::Vec3;
use crate::body::{BodyId, BuildError, Material, Start, WorldBuilder};
use crate::constraint::{self, Distance, OnLine, OnPlane, OnSphere, Path, Pin, Tie, Trajectory};
use crate::external::{External, Field, PointForces, Pressure, Schedule, Wind};
use crate::mesh::{self, Pose, SelectError, TetMesh, TriangleSurface, generate};
use crate::potential::Gravitation;
use crate::potential::material::Moduli;
use crate::run::{Settings, Simulation};
use crate::world::NamedConstraint;

/// Where a scene's mesh files come from; the library itself reads no files.
pub trait MeshSource {
    /// The mesh in a file, by the name the scene gives it; the error text names file, place, cause and cure.
    fn read(&self, file: &str) -> Result<TetMesh, String>;

    /// The triangles in a file: those of a surface, or the surface of a mesh of tetrahedra.
    fn read_surface(&self, file: &str) -> Result<TriangleSurface, String> {
        self.read(file).map(|mesh| TriangleSurface::of(&mesh))
    }

    /// The surface in a file, turned, in metres and filled with tetrahedra as `file.tetrahedralize` says.
    fn fill(&self, file: &MeshFile) -> Result<Filled, String> {
        Err(format!("surfaces cannot be filled with tetrahedra here, so `{}` cannot either", *file.file))
    }
}

/// A source for scenes without mesh files.
pub struct NoFiles;

impl MeshSource for NoFiles {
    fn read(&self, file: &str) -> Result<TetMesh, String> {
        Err(format!("mesh files cannot be read here, so `{file}` cannot either"))
    }
}

/// The constraint that points held at run time belong to.
pub const PINS: &str = "pins";

/// A scene on its way to a world.
pub(super) struct Building {
    pub builder: WorldBuilder,
    /// Each body's number and its mesh in world coordinates.
    bodies: HashMap<String, (BodyId, TetMesh)>,
    /// Mass of each node  \[kg\]
    masses: Vec<f64>,
}

impl Scene {
    /// The simulation that this scene describes, at time zero.
    pub fn build(&self, files: &dyn MeshSource) -> Result<Simulation, SceneError> {
        self.build_pinned(files, &[], self.settings())
    }

    /// The same with some more points held where they start, and other settings of time.
    pub fn build_pinned(
        &self,
        files: &dyn MeshSource,
        pins: &[u32],
        settings: Settings,
    ) -> Result<Simulation, SceneError> {
        let mut building = self.assemble(files)?;
        if !pins.is_empty() {
            let start = building.builder.positions().to_vec();
            building.builder.hold_at(PINS, pins, &start);
        }
        let ranges = building.ranges();
        let (world, state) = building.builder.build().map_err(|error| self.explain(error, &ranges))?;
        Ok(Simulation::new(world, state, settings))
    }

    /// The motion of `from` under what this scene says now, with some more points held where they are. Bodies and
    /// meshes must be the same. Positions and velocities stay as they are, except that pinned points stop;
    /// [`Simulation::carry_over`] says how the books stay closed.
    pub fn carry_over(
        &self,
        files: &dyn MeshSource,
        from: &Simulation,
        pins: &[u32],
        settings: Settings,
    ) -> Result<Simulation, SceneError> {
        let mut building = self.assemble(files)?;
        let present = from.present();
        if !pins.is_empty() {
            building.builder.hold_at(PINS, pins, &present.q);
        }
        let ranges = building.ranges();
        let built = building.builder.build_around(present.clone(), from.world());
        let (world, state) = built.map_err(|error| self.explain(error, &ranges))?;
        Ok(from.carry_over(world, state, settings))
    }

    /// Everything in the scene as terms of a world.
    fn assemble(&self, files: &dyn MeshSource) -> Result<Building, SceneError> {
        let mut building = Building { builder: WorldBuilder::new(), bodies: HashMap::new(), masses: vec![] };
        building.builder.gravity(self.gravity.0.si());
        if let Some(law) = &self.gravitation {
            let (constant, softening) = (law.constant.si(), law.softening.map_or(0.0, |length| length.si()));
            building.builder.gravitation(Gravitation { constant, softening });
        }
        for (name, body) in &self.bodies {
            building.add_body(self, name, body, files)?;
        }
        building.masses = building.builder.masses();
        for (name, body) in self.bodies.iter().filter(|(_, body)| !body.is_puppet()) {
            building.set_in_motion(name, body);
        }
        for (name, constraint) in &self.constraints {
            building.add_constraint(name, constraint)?;
        }
        for force in self.forces.values() {
            building.add_force(force)?;
        }
        for (name, event) in &self.events {
            building.add_event(self, name, event)?;
        }
        for (name, obstacle) in &self.obstacles {
            obstacle.add(name, &mut building.builder, files)?;
        }
        if let Some(contact) = self.contact_settings() {
            building.builder.contact(contact);
        }
        if let Some(impulses) = self.impulse_settings() {
            building.builder.impulses(impulses);
        }
        if let Some(springs) = self.spring_settings() {
            building.builder.springs(springs);
        }
        Ok(building)
    }

    /// Says a build error in the words of the scene, and points at the constraint it speaks of.
    fn explain(&self, error: BuildError, bodies: &[(String, Range<usize>)]) -> SceneError {
        let (name, message, help) = match &error {
            BuildError::HeldTwice { first, second, vertex } => {
                let vertex = vertex_of(*vertex as usize, bodies);
                let message =
                    format!("constraints `{first}` and `{second}` both dictate the motion of {vertex}");
                (second, message, "leave that vertex out of one of them, or give one a `stiffness`")
            }
            BuildError::StartsOff { name, gap } => {
                let message = format!("constraint `{name}` is off by {} m at the start", mesh::rounded(*gap));
                let help = "move the body there with `position`, or give the constraint a `stiffness`: a spring \
                            then pulls it there";
                (name, message, help)
            }
            BuildError::NothingFree { name } => {
                let message = format!(
                    "constraint `{name}` acts on vertices that other constraints hold or drag already"
                );
                (name, message, "remove it, or leave one of those vertices free")
            }
            BuildError::Contradiction { name } => {
                let message =
                    format!("constraint `{name}` contradicts another one: no motion satisfies both");
                (name, message, "remove one of them, or give one a `stiffness`")
            }
            _ => return SceneError::new(error.to_string()),
        };
        let place = self.constraints.get(name).and_then(Constraint::place).unwrap_or_default();
        SceneError::new(message).at(place).help(help)
    }
}

/// A node in the numbering of its body.
fn vertex_of(node: usize, bodies: &[(String, Range<usize>)]) -> String {
    match bodies.iter().find(|(_, nodes)| nodes.contains(&node)) {
        Some((body, nodes)) => format!("vertex {} of body `{body}`", node - nodes.start),
        None => format!("node {node}"),
    }
}

impl Constraint {
    /// Where its kind is written.
    fn place(&self) -> Option<Span> {
        let selections = [&self.hold, &self.drag, &self.slide].into_iter().flatten().map(|s| s.span());
        let pairs = self.tie.iter().map(|s| s.span()).chain(self.distance.iter().map(|s| s.span()));
        selections.chain(pairs).next()
    }
}

impl Building {
    /// Names and nodes of the bodies.
    fn ranges(&self) -> Vec<(String, Range<usize>)> {
        self.bodies.iter().map(|(name, (id, _))| (name.clone(), self.builder.nodes(*id))).collect()
    }

    fn add_body(
        &mut self,
        scene: &Scene,
        name: &str,
        body: &Body,
        files: &dyn MeshSource,
    ) -> Result<(), SceneError> {
        let material = material(scene, body)?;
        let carried = Cell::new(None);
        let shape = || shape(body, files, &carried);
        let (id, mut mesh) = match body.point_kind() {
            Some(kind) => build_points::add(&mut self.builder, name, body, kind, &material, shape, files)?,
            None if body.is_puppet() => {
                let (id, mesh) = self.add_puppet(name, body, &material, || Ok(shape()?.0))?;
                self.bodies.insert(name.to_owned(), (id, mesh));
                return Ok(());
            }
            None if body.kind == Kind::Boundary => self.add_boundary(name, body, &material, shape, files)?,
            None => self.add_volume(name, body, &material, shape)?,
        };
        match (&body.skin, carried.take()) {
            (Some(skin), _) => skin.add(&mut self.builder, id, files)?,
            (None, Some(surface)) => skin::carry(&mut self.builder, id, body, &surface)?,
            (None, None) => {}
        }
        let placement = Placement::of(body, &mesh)?;
        let nodes = self.builder.nodes(id);
        placement.apply(&mut self.builder.positions()[nodes]);
        placement.apply(&mut mesh.positions);
        self.bodies.insert(name.to_owned(), (id, mesh));
        Ok(())
    }

    /// A solid or an affine body.
    fn add_volume(
        &mut self,
        name: &str,
        body: &Body,
        material: &Material,
        shape: impl Fn() -> Result<(TetMesh, Span), SceneError>,
    ) -> Result<(BodyId, TetMesh), SceneError> {
        let (mesh, span) = shape()?;
        let added = if body.kind == Kind::Affine {
            let stiffness = affine_stiffness(body)?;
            self.builder.add_affine(name, &mesh, material.density, stiffness, &Start::default())
        } else {
            self.builder.solid(name, &mesh, material, body.mass)
        };
        let id = added.map_err(|error| SceneError::new(error.to_string()).at(span))?;
        Ok((id, mesh))
    }

    /// Velocity and spin about the centre of mass.
    fn set_in_motion(&mut self, name: &str, body: &Body) {
        let Some((id, _)) = self.bodies.get(name) else { return };
        let nodes = self.builder.nodes(*id);
        let masses = &self.masses[nodes.clone()];
        let total: f64 = masses.iter().sum();
        let positions = self.builder.positions()[nodes.clone()].to_vec();
        let center = positions.iter().zip(masses).fold(Vec3::zeros(), |sum, (x, m)| sum + x * (m / total));
        for (v, x) in self.builder.velocities()[nodes].iter_mut().zip(&positions) {
            *v = body.velocity.si() + body.spin.si().cross(&(x - center));
        }
    }

    /// The nodes behind chosen vertices of a solid; an affine body has none of its own.
    fn choose_nodes(&self, selection: &Selection) -> Result<Vec<u32>, SceneError> {
        let points = self.choose(selection)?;
        self.builder.plain_nodes(&points).map_err(|error| on_affine(selection, &error))
    }

    /// World numbers of the chosen vertices, as points.
    pub(super) fn choose(&self, selection: &Selection) -> Result<Vec<u32>, SceneError> {
        let Some((id, mesh)) = self.bodies.get(&*selection.body) else {
            return Err(
                SceneError::new(format!("there is no body `{}`", *selection.body)).at(selection.body.span())
            );
        };
        let first = self.builder.points(*id).start as u32;
        let criteria = mesh::Selection {
            name: selection.name.as_ref().map(|name| name.to_string()),
            within_box: selection.in_box.as_ref().map(|corners| (corners[0].si(), corners[1].si())),
            sphere: selection.sphere.as_ref().map(|sphere| (sphere.center.si(), sphere.radius.si())),
            side: selection.side.as_ref().map(|side| (side.point.si(), side.normal.si())),
            nearest: selection.nearest.map(|point| point.si()),
            part: selection.part.map(|part| match part {
                Part::Surface => mesh::Part::Surface,
                Part::Interior => mesh::Part::Interior,
                Part::All => mesh::Part::All,
            }),
            index: selection.index.as_ref().map(|list| list.iter().map(|&i| i as usize).collect()),
        };
        let chosen = criteria.choose(mesh, &mesh.positions).map_err(|error| unchosen(selection, error))?;
        Ok(chosen.into_iter().map(|v| v + first).collect())
    }

    fn add_constraint(&mut self, name: &str, written: &Constraint) -> Result<(), SceneError> {
        let laws = match written.kind()? {
            ConstraintKind::Hold(on) => self.pins(on, &Trajectory::still())?,
            ConstraintKind::Drag { on, path, turn } => {
                self.pins(on, &Trajectory::new(Path::new(&path), turn))?
            }
            ConstraintKind::Tie(ends) => self.ties(ends, written.place())?,
            ConstraintKind::Distance { ends, length } => self.distances(ends, length, written.place())?,
            ConstraintKind::Slide { on, guide } => self.slides(on, guide)?,
        };
        let until = written.until.map_or(f64::INFINITY, |until| until.si());
        let stiffness = written.stiffness.map(|stiffness| stiffness.si());
        self.builder.constrain(NamedConstraint { name: name.to_owned(), laws, until, stiffness });
        Ok(())
    }

    fn pins(&mut self, on: &Selection, motion: &Trajectory) -> Result<Laws, SceneError> {
        let points = self.choose(on)?;
        let nodes = self.builder.nodes_of(&points).map_err(|error| on_affine(on, &error))?;
        let positions = self.builder.positions();
        let pin = |node: u32| Pin::new(node, positions[node as usize], motion.clone());
        Ok(nodes.into_iter().map(|node| Box::new(pin(node)) as _).collect())
    }

    /// Each vertex of the first selection with its nearest in the second.
    fn ties(&mut self, [one, other]: [&Selection; 2], place: Option<Span>) -> Result<Laws, SceneError> {
        let (one, other) = (self.choose_nodes(one)?, self.choose_nodes(other)?);
        if one.len() != other.len() {
            let counts = format!("{} vertices cannot be tied to {}", one.len(), other.len());
            let error =
                SceneError::new(counts).help("choose as many on both sides, for example with `nearest`");
            return Err(place.map_or(error.clone(), |place| error.at(place)));
        }
        let positions = self.builder.positions();
        let distance = |a: u32, b: u32| (positions[a as usize] - positions[b as usize]).norm();
        let mut left = other;
        let mut laws: Laws = vec![];
        for a in one {
            let nearest =
                (0..left.len()).min_by(|&i, &j| distance(a, left[i]).total_cmp(&distance(a, left[j])));
            let Some(nearest) = nearest else { break };
            let partner = left.swap_remove(nearest);
            if a == partner {
                let error = SceneError::new(format!("vertex {a} would be tied to itself"));
                let error = error.help("choose different vertices on the two sides");
                return Err(place.map_or(error.clone(), |place| error.at(place)));
            }
            laws.push(Box::new(Tie { nodes: [a, partner] }));
        }
        Ok(laws)
    }

    /// Every vertex of one end with the point or the single vertex at the other.
    fn distances(
        &mut self,
        ends: [Anchor; 2],
        length: Option<f64>,
        place: Option<Span>,
    ) -> Result<Laws, SceneError> {
        let located = |error: SceneError| place.map_or(error.clone(), |place| error.at(place));
        let [mut many, mut single] = ends;
        if matches!(many, Anchor::Point(_)) {
            std::mem::swap(&mut many, &mut single);
        }
        let Anchor::Vertices(many) = many else {
            return Err(located(SceneError::new("a distance between two fixed points moves nothing")));
        };
        let nodes = self.choose_nodes(&many)?;
        let (other, far) = match single {
            Anchor::Point(point) => (constraint::Anchor::Point(point), point),
            Anchor::Vertices(selection) => match self.choose_nodes(&selection)?[..] {
                [node] => (constraint::Anchor::Node(node), self.builder.positions()[node as usize]),
                ref several => {
                    let text = format!("the second end of a distance is {} vertices, not one", several.len());
                    return Err(located(SceneError::new(text).help("add `nearest` to pick one of them")));
                }
            },
        };
        let mut laws: Laws = vec![];
        for node in nodes {
            let length = length.unwrap_or((self.builder.positions()[node as usize] - far).norm());
            if length <= 0.0 {
                let error = SceneError::new("a distance of zero has no direction");
                return Err(located(error.help("use `tie` for vertices in one place, or `hold`")));
            }
            laws.push(Box::new(Distance { node, other, length }));
        }
        Ok(laws)
    }

    fn slides(&mut self, on: &Selection, guide: Guide) -> Result<Laws, SceneError> {
        let law = |node: u32| -> Box<dyn constraint::Constraint> {
            match guide {
                Guide::Plane(plane) => Box::new(OnPlane::new(node, plane.point.si(), plane.normal.si())),
                Guide::Line(line) => Box::new(OnLine::new(node, line.point.si(), line.direction.si())),
                Guide::Sphere(sphere) => {
                    Box::new(OnSphere { node, center: sphere.center.si(), radius: sphere.radius.si() })
                }
            }
        };
        Ok(self.choose_nodes(on)?.into_iter().map(law).collect())
    }

    fn add_force(&mut self, written: &Force) -> Result<(), SceneError> {
        let kind = written.kind()?;
        let points = self.choose(&written.on)?;
        // A field pulls at whole affine bodies; other forces need vertices of their own.
        let nodes = match kind {
            ForceKind::Acceleration(_) => self.builder.nodes_of(&points),
            _ => self.builder.plain_nodes(&points),
        };
        let nodes = nodes.map_err(|error| on_affine(&written.on, &error))?;
        let schedule = Schedule::new(written.scale_in_time()?);
        let law: Box<dyn External> = match kind {
            ForceKind::Each(force) => Box::new(PointForces { nodes, force, schedule }),
            ForceKind::Total(total) => {
                let force = total / nodes.len() as f64;
                Box::new(PointForces { nodes, force, schedule })
            }
            ForceKind::Pressure(pressure) => {
                let triangles = self.faces(&written.on, &points)?;
                Box::new(Pressure { triangles, pressure, schedule })
            }
            ForceKind::Wind { velocity, density, drag, skin } => {
                let (triangles, edges) = self.windward(&written.on, &points)?;
                Box::new(Wind { triangles, edges, velocity, density, drag, skin, schedule })
            }
            ForceKind::Acceleration(acceleration) => {
                let masses = nodes.iter().map(|&node| (node, self.masses[node as usize])).collect();
                Box::new(Field { masses, acceleration, schedule })
            }
        };
        let until = written.until.map_or(f64::INFINITY, |until| until.si());
        self.builder.load(law, until);
        Ok(())
    }

    /// Triangles and pieces of rope with all corners chosen, in numbers of nodes.
    fn windward(&self, on: &Selection, points: &[u32]) -> Result<Windward, SceneError> {
        let Some((id, _)) = self.bodies.get(&*on.body) else { return Ok((vec![], vec![])) };
        let (nodes, own) = (self.builder.nodes(*id), self.builder.points(*id));
        let (edges, radius) = self.builder.edges(*id);
        let chosen = |edge: &&[u32; 2]| edge.iter().all(|v| points.binary_search(v).is_ok());
        let node = |point: u32| point - own.start as u32 + nodes.start as u32;
        let edges: Vec<_> = edges.iter().filter(chosen).map(|edge| (edge.map(node), radius)).collect();
        let triangles = if edges.is_empty() { self.faces(on, points)? } else { vec![] };
        Ok((triangles, edges))
    }

    /// Exposed triangles of a solid with all three corners chosen, in numbers of nodes.
    fn faces(&self, on: &Selection, points: &[u32]) -> Result<Vec<[u32; 3]>, SceneError> {
        let Some((id, _)) = self.bodies.get(&*on.body) else { return Ok(vec![]) };
        let chosen = |triangle: &&[u32; 3]| triangle.iter().all(|v| points.binary_search(v).is_ok());
        let (nodes, points) = (self.builder.nodes(*id), self.builder.points(*id));
        let node = |point: u32| point - points.start as u32 + nodes.start as u32;
        let faces = self.builder.triangles(*id).iter().filter(chosen);
        let faces: Vec<_> = faces.map(|triangle| triangle.map(node)).collect();
        if faces.is_empty() {
            return Err(SceneError::new(
                "no exposed triangle has all three corners among the chosen vertices",
            )
            .at(on.body.span())
            .help("pressure acts on the surface: choose part = \"surface\", or a larger region"));
        }
        Ok(faces)
    }
}

/// Triangles, and pieces of rope with their radius.
type Windward = (Vec<[u32; 3]>, Vec<([u32; 2], f64)>);

/// The laws of one constraint.
type Laws = Vec<Box<dyn constraint::Constraint>>;

fn material(scene: &Scene, body: &Body) -> Result<Material, SceneError> {
    let at = |error: SceneError| error.at(body.material.span());
    let Some(written) = scene.materials.get(&*body.material) else {
        return Err(at(SceneError::new(format!("there is no material `{}`", *body.material))));
    };
    let mut material = written.resolve()?.material().map_err(at)?;
    let yields = body.plasticity.as_ref().and_then(|plasticity| plasticity.shape.as_ref());
    material.plasticity = yields.map(|shape| shape.law());
    material.upright = scene.method().is_implicit();
    Ok(material)
}

/// The mesh at rest, and where the scene asks for it. A surface that the mesh is to show instead goes into `carried`.
fn shape(
    body: &Body,
    files: &dyn MeshSource,
    carried: &Cell<Option<TriangleSurface>>,
) -> Result<(TetMesh, Span), SceneError> {
    if let Some(file) = &body.mesh {
        let Filled { mesh, skin } = file.filled(files)?;
        carried.set(skin);
        return Ok((mesh, file.file.span()));
    }
    let Some(shape) = &body.shape else {
        return Err(SceneError::new("a body needs a `shape` or a `mesh`").at(body.material.span()));
    };
    generated(shape)
        .map(|mesh| (mesh, shape.span()))
        .map_err(|error| SceneError::new(error.to_string()).at(shape.span()))
}

fn generated(shape: &Shape) -> Result<TetMesh, mesh::MeshError> {
    let counts = |cells: &[super::span::Located<u32>; 3]| cells.each_ref().map(|n| **n as usize);
    match shape {
        Shape::Torus(s) => {
            generate::torus(s.ring_radius.si(), s.tube_radius.si(), *s.sections as usize, *s.sides as usize)
        }
        Shape::Box(s) => generate::block(s.size.si(), counts(&s.cells)),
        Shape::Ball(s) => generate::ball(s.radius.si(), *s.rings as usize),
        Shape::Ellipsoid(s) => {
            let mut mesh = generate::ball(1.0, *s.rings as usize)?;
            mesh.positions.iter_mut().for_each(|x| x.component_mul_assign(&s.radii.si()));
            Ok(mesh)
        }
        Shape::Cylinder(s) => {
            generate::cylinder(s.radius.si(), s.height.si(), *s.rings as usize, *s.layers as usize)
        }
        Shape::Beam(s) => generate::beam(s.length.si(), s.width.si(), s.height.si(), counts(&s.cells)),
    }
}

/// Young modulus as written, or the default.
fn affine_stiffness(body: &Body) -> Result<Moduli, SceneError> {
    let young = body.stiffness.map_or(defaults::AFFINE_YOUNG, |stiffness| stiffness.si());
    Moduli::from_young_poisson(young, defaults::AFFINE_POISSON)
        .map_err(|error| SceneError::new(error.to_string()).at(body.material.span()))
}

/// Where a body starts: stretched about the centre of its box, then rotated about the origin, then shifted.
pub(super) struct Placement {
    center: Vec3,
    stretch: Vec3,
    pose: Pose,
}

impl Placement {
    pub(super) fn of(body: &Body, mesh: &TetMesh) -> Result<Placement, SceneError> {
        let (low, high) = mesh.bounds();
        let pose = body.rotation.pose(&body.position)?;
        Ok(Placement { center: (low + high) / 2.0, stretch: body.stretch.si(), pose })
    }

    pub(super) fn apply(&self, positions: &mut [Vec3]) {
        for x in positions.iter_mut() {
            *x = self.center + (*x - self.center).component_mul(&self.stretch);
        }
        self.pose.apply(positions);
    }
}

/// A constraint or a force that an affine body cannot take.
fn on_affine(selection: &Selection, error: &BuildError) -> SceneError {
    let help = match error {
        BuildError::OnPuppet { .. } => "use kind = \"boundary\" or a solid instead",
        BuildError::PartOfAffine { .. } => "choose all its vertices: { body = \"NAME\" } and nothing else",
        _ => "make it kind = \"solid\", or hold, drag or accelerate it as a whole",
    };
    SceneError::new(error.to_string()).at(selection.body.span()).help(help)
}

/// A selection that chose nothing, with the nearest valid name.
fn unchosen(selection: &Selection, error: SelectError) -> SceneError {
    let text =
        SceneError::new(format!("body `{}`: {error}", *selection.body)).at(place_of(selection, &error));
    match &error {
        SelectError::UnknownName { name, known } => {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let nearest = suggest::nearest(name, &known).map(|word| format!("did you mean `{word}`?"));
            text.help(nearest.unwrap_or(format!("this body has {}", suggest::list(&known))))
        }
        SelectError::Empty { .. } => text.help(
            "points are in world coordinates at the start: move or enlarge the region, or use `nearest`",
        ),
        SelectError::IndexOutOfRange { .. } => text.help("`nearest` finds a vertex by its place"),
        _ => text,
    }
}

/// The criterion that an error is about, as far as one can tell.
fn place_of(selection: &Selection, error: &SelectError) -> Span {
    let name = selection.name.as_ref().map(|name| name.span());
    let index = selection.index.as_ref().map(|list| list.span());
    let corner = selection.in_box.as_ref().map(|corners| corners[0].span());
    let center = selection.sphere.as_ref().map(|sphere| sphere.center.span());
    let point = selection.side.as_ref().map(|side| side.point.span());
    let place = match error {
        SelectError::UnknownName { .. } => name,
        SelectError::IndexOutOfRange { .. } => index,
        _ => corner.or(center).or(point).or(name).or(index),
    };
    place.unwrap_or(selection.body.span())
}
