//! The second pass: what types cannot say. References, groups of keys, sizes, orders in time.

use std::ops::Range;

use super::actions::{Constraint, ConstraintKind, Force, Guide, exactly_one};
use super::body::{Body, Kind, MeshFile, Shape};
use super::error::SceneError;
use super::events::EventKind;
use super::fill::FillMethod;
use super::material::positive;
use super::obstacle::{Obstacle, ObstacleShape};
use super::place::written;
use super::points::PointKind;
use super::presets;
use super::quantity::{Dimension, Quantity, Time, Vector};
use super::schema::{Output, Scene};
use super::selection::{Anchor, Line, Plane, Selection, Sphere};
use super::skin::SkinTable;
use super::span::{Located, Span};
use super::suggest::did_you_mean;
use crate::kinetic::MassModel;

/// Largest count of cells, rings or sections in one direction.
const MAX_COUNT: u32 = 2000;
/// Largest number of cells of one shape; each cell is several tetrahedra.
const MAX_CELLS: u64 = crate::mesh::MAX_TETS as u64;
/// Largest number of points of a rope.
const MAX_POINTS: u32 = 1_000_000;
/// Largest number of frames of a run.
const MAX_FRAMES: f64 = 1e6;

type Checked = Result<(), SceneError>;

impl Scene {
    /// Checks everything that does not need a mesh: references, sizes, and that the choices fit together.
    pub fn validate(&self) -> Checked {
        self.validate_in(&|_, _| None)
    }

    /// The same, for a scene from text: `header` says where [group.name] was written.
    pub(super) fn validate_in(&self, header: &dyn Fn(&str, &str) -> Option<Range<usize>>) -> Checked {
        let within = |group: &str, name: &str, checked: Checked| {
            let place = format!("[{group}.{}]", written(name));
            checked.map_err(|error| error.within(&place, header(group, name)))
        };
        positive("duration", &self.duration)
            .map_err(|error| error.help("write for example duration = \"10 s\""))?;
        self.time.check(self.method()).map_err(|error| error.within("[time]", None))?;
        check_output(&self.output, &self.duration).map_err(|error| error.within("[output]", None))?;
        for (name, material) in &self.materials {
            within("materials", name, check_name(name).and_then(|()| material.resolve().map(drop)))?;
        }
        for (name, body) in &self.bodies {
            within("bodies", name, check_name(name).and_then(|()| self.check_body(body)))?;
        }
        if self.bodies.is_empty() {
            return Err(SceneError::new("the scene has no bodies")
                .help("add one, for example [bodies.ball] with `material` and `shape`"));
        }
        for (name, obstacle) in &self.obstacles {
            let checked = check_name(name).and_then(|()| self.check_obstacle(name, obstacle));
            within("obstacles", name, checked)?;
        }
        self.check_contact()?;
        for (name, body) in &self.bodies {
            within("bodies", name, self.check_limit(body))?;
        }
        for (name, constraint) in &self.constraints {
            within("constraints", name, check_name(name).and_then(|()| self.check_constraint(constraint)))?;
        }
        for (name, force) in &self.forces {
            within("forces", name, check_name(name).and_then(|()| self.check_force(force)))?;
        }
        for (name, event) in &self.events {
            let checked = check_name(name).and_then(|()| self.check_event(event));
            let plane = event.passes.as_ref().and_then(|passes| passes.plane.as_ref());
            let checked = checked.and_then(|()| plane.map_or(Ok(()), |plane| check_plane(plane)));
            let checked = checked.and_then(|()| match event.kind()? {
                EventKind::Passes(on, _) | EventKind::Faster(on, _) => self.check_selection(on),
                EventKind::Pulls(..) => Ok(()),
            });
            within("events", name, checked)?;
        }
        Ok(())
    }

    fn check_body(&self, body: &Body) -> Checked {
        self.check_material_name(&body.material)?;
        body.check_puppet()?;
        self.check_puppet_contact(body)?;
        check_points(body)?;
        let own_shape =
            matches!(body.point_kind(), Some(PointKind::Rope(_) | PointKind::Hair(_) | PointKind::Cloth(_)));
        let surface = matches!(body.point_kind(), Some(PointKind::Shell(shell)) if shell.surface.is_some());
        match (&body.shape, &body.mesh) {
            (None, None) if own_shape || surface || body.outline.is_some() => (),
            (shape, mesh) if own_shape || surface => {
                let place = shape.as_ref().map(Located::span).or(mesh.as_ref().map(Located::span));
                return Err(SceneError::new("this body has its shape already")
                    .at(place.unwrap_or_default())
                    .help(
                        "remove `shape` or `mesh`: they go with solids, affine bodies, blocks and shells",
                    ));
            }
            (Some(shape), None) => check_shape(shape)?,
            (None, Some(mesh)) => check_mesh(mesh).and_then(|()| check_carrier(mesh, body))?,
            (shape, mesh) => {
                let shape = shape.as_ref().map(Located::span);
                return Err(exactly_one(&[("shape", shape), ("mesh", mesh.as_ref().map(Located::span))]));
            }
        }
        for rotation in &body.rotation.0 {
            not_zero("axis", &rotation.axis)?;
        }
        check_kind(body)?;
        body.skin.as_ref().map_or(Ok(()), |skin| check_skin(skin, body))?;
        all_positive("stretch", &body.stretch)
    }

    /// Strain limits move points after a step, where contact has no say any more.
    fn check_limit(&self, body: &Body) -> Checked {
        match (&body.strain_limit, self.contact_settings()) {
            (Some(limit), Some(_)) => Err(SceneError::new(
                "`strain_limit` does not go together with guaranteed contact",
            )
            .at(limit.span())
            .help("write contact = \"impulse\" or [contact] enabled = false, or make the material stiffer")),
            _ => Ok(()),
        }
    }

    fn check_obstacle(&self, name: &str, obstacle: &Obstacle) -> Checked {
        match (&obstacle.shape, &obstacle.mesh) {
            (Some(shape), None) => check_obstacle_shape(shape)?,
            (None, Some(mesh)) => check_surface(mesh)?,
            (shape, mesh) => {
                let shape = shape.as_ref().map(Located::span);
                return Err(exactly_one(&[("shape", shape), ("mesh", mesh.as_ref().map(Located::span))]));
            }
        }
        for rotation in &obstacle.rotation.0 {
            not_zero("axis", &rotation.axis)?;
        }
        // Both give their name to columns of `reactions.csv`.
        for (taken, what) in
            [(self.bodies.contains_key(name), "body"), (self.constraints.contains_key(name), "constraint")]
        {
            if taken {
                return Err(SceneError::new(format!("a {what} has the same name"))
                    .at(obstacle.place())
                    .help("rename one of them"));
            }
        }
        obstacle.trajectory().map(drop)
    }

    fn check_material_name(&self, name: &Located<String>) -> Checked {
        if self.materials.contains_key(name.as_str()) {
            return Ok(());
        }
        let known: Vec<&str> = self.materials.keys().map(String::as_str).collect();
        let help = match presets::find(name) {
            Ok(preset) => format!("add [materials.\"{}\"] with preset = \"{}\"", name.as_str(), preset.name),
            Err(_) if known.is_empty() => format!("add [materials.{}]", name.as_str()),
            Err(_) => did_you_mean(name, &known, "materials"),
        };
        Err(SceneError::new(format!("unknown material `{}`", name.as_str())).at(name.span()).help(help))
    }

    fn check_selection(&self, selection: &Selection) -> Checked {
        let name = &selection.body;
        if !self.bodies.contains_key(name.as_str()) {
            let known: Vec<&str> = self.bodies.keys().map(String::as_str).collect();
            return Err(SceneError::new(format!("unknown body `{}`", name.as_str()))
                .at(name.span())
                .help(did_you_mean(name, &known, "bodies")));
        }
        if let Some(index) = selection.index.as_ref().filter(|index| index.is_empty()) {
            return Err(SceneError::new("`index` chooses no vertex")
                .at(index.span())
                .help("write vertex numbers, for example index = [0, 5], or remove it"));
        }
        if let Some(set) = selection.name.as_ref().filter(|set| set.trim().is_empty()) {
            return Err(SceneError::new("`name` is empty")
                .at(set.span())
                .help("name a set of vertices, or remove it"));
        }
        selection.sphere.as_ref().map_or(Ok(()), check_sphere)?;
        selection.side.as_ref().map_or(Ok(()), check_plane)
    }

    fn check_constraint(&self, constraint: &Constraint) -> Checked {
        match constraint.kind()? {
            ConstraintKind::Hold(on) | ConstraintKind::Drag { on, .. } => self.check_selection(on)?,
            ConstraintKind::Tie(pair) => pair.iter().try_for_each(|on| self.check_selection(on))?,
            ConstraintKind::Distance { ends, .. } => self.check_anchors(&ends)?,
            ConstraintKind::Slide { on, guide } => {
                self.check_selection(on)?;
                match guide {
                    Guide::Plane(plane) => check_plane(plane)?,
                    Guide::Line(line) => check_line(line)?,
                    Guide::Sphere(sphere) => check_sphere(sphere)?,
                }
            }
        }
        check_positive("length", &constraint.length)?;
        check_positive("until", &constraint.until)?;
        check_positive("stiffness", &constraint.stiffness)
    }

    fn check_anchors(&self, ends: &[Anchor; 2]) -> Checked {
        ends.iter().try_for_each(|end| match end {
            Anchor::Point(_) => Ok(()),
            Anchor::Vertices(selection) => self.check_selection(selection),
        })
    }

    fn check_force(&self, force: &Force) -> Checked {
        force.kind()?;
        force.scale_in_time()?;
        self.check_selection(&force.on)?;
        check_positive("until", &force.until)
    }
}

fn check_name(name: &str) -> Checked {
    if name.trim().is_empty() {
        return Err(SceneError::new("the name is empty").help("give it a name, for example [bodies.ring]"));
    }
    Ok(())
}

fn check_output(output: &Output, duration: &Quantity<Time>) -> Checked {
    let rate = output.frame_rate.map(|rate| rate.span());
    let interval = output.frame_interval.map(|interval| interval.span());
    if rate.is_some() && interval.is_some() {
        return Err(exactly_one(&[("frame_rate", rate), ("frame_interval", interval)]));
    }
    check_positive("frame_rate", &output.frame_rate)?;
    check_positive("frame_interval", &output.frame_interval)?;
    let frames = duration.si() / output.interval();
    if frames > MAX_FRAMES {
        return Err(SceneError::new(format!("that makes {frames:.0} frames, more than {MAX_FRAMES:.0}"))
            .at(rate.or(interval).unwrap_or(duration.span()))
            .help("write fewer frames per second, or shorten `duration`"));
    }
    Ok(())
}

fn check_shape(shape: &Shape) -> Checked {
    match shape {
        Shape::Torus(torus) => {
            positive("tube_radius", &torus.tube_radius)?;
            if positive("ring_radius", &torus.ring_radius)? <= torus.tube_radius.si() {
                let (tube, ring) = (torus.tube_radius, torus.ring_radius);
                return Err(SceneError::new(format!(
                    "the tube ({tube}) fills the ring ({ring}): it has no hole"
                ))
                .at(tube.span())
                .help("make `tube_radius` smaller than `ring_radius`"));
            }
            check_counts(&[("sections", torus.sections, 3), ("sides", torus.sides, 3)])
        }
        Shape::Box(cuboid) => {
            all_positive("size", &cuboid.size)?;
            check_counts(&cuboid.cells.map(|cells| ("cells", cells, 1)))
        }
        Shape::Ball(ball) => {
            positive("radius", &ball.radius)?;
            // The number of cells grows with the cube of the rings.
            check_counts(&[("rings", ball.rings, 1); 3])
        }
        Shape::Ellipsoid(ellipsoid) => {
            all_positive("radii", &ellipsoid.radii)?;
            // The number of cells grows with the cube of the rings.
            check_counts(&[("rings", ellipsoid.rings, 1); 3])
        }
        Shape::Cylinder(cylinder) => {
            positive("radius", &cylinder.radius)?;
            positive("height", &cylinder.height)?;
            let rings = ("rings", cylinder.rings, 1);
            check_counts(&[rings, rings, ("layers", cylinder.layers, 1)])
        }
        Shape::Beam(beam) => {
            positive("length", &beam.length)?;
            positive("width", &beam.width)?;
            positive("height", &beam.height)?;
            check_counts(&beam.cells.map(|cells| ("cells", cells, 1)))
        }
    }
}

/// Tables that make a body of mass points, and those that only such a body knows.
fn check_points(body: &Body) -> Checked {
    let kinds = [
        ("rope", body.rope.as_ref().map(Located::span)),
        ("hair", body.hair.as_ref().map(Located::span)),
        ("cloth", body.cloth.as_ref().map(Located::span)),
        ("shell", body.shell.as_ref().map(Located::span)),
        ("block", body.block.as_ref().map(Located::span)),
    ];
    let written: Vec<Span> = kinds.iter().filter_map(|(_, place)| *place).collect();
    if written.len() > 1 {
        return Err(exactly_one(&kinds));
    }
    if let Some(kind) = body.point_kind() {
        if body.kind != Kind::Solid {
            return Err(SceneError::new("mass points have no `kind`").at(written[0]).help("remove `kind`"));
        }
        return check_point_kind(kind).and_then(|()| check_inner(body));
    }
    let only = [
        ("damping", body.damping.as_ref().map(Located::span), "the viscosity of the material damps a solid"),
        ("growth", body.growth.as_ref().map(Located::span), "make it a `block` of mass points"),
        ("strain_limit", body.strain_limit.as_ref().map(Located::span), "make it a `block` of mass points"),
    ];
    for (key, place, cure) in only {
        if let Some(place) = place {
            return Err(SceneError::new(format!("`{key}` goes only with mass points")).at(place).help(cure));
        }
    }
    check_inner(body)
}

fn check_point_kind(kind: PointKind) -> Checked {
    match kind {
        PointKind::Rope(rope) => {
            positive("radius", &rope.radius)?;
            check_positive("mass_per_length", &rope.mass_per_length)?;
            within_count("segments", rope.segments, 1, MAX_POINTS)
        }
        PointKind::Hair(hair) => {
            positive("radius", &hair.radius)?;
            positive("length", &hair.length)?;
            positive("spread", &hair.spread)?;
            check_positive("mass_per_length", &hair.mass_per_length)?;
            check_counts(&[("strands", hair.strands, 1), ("segments", hair.segments, 1)])
        }
        PointKind::Cloth(cloth) => {
            positive("thickness", &cloth.thickness)?;
            check_positive("mass_per_area", &cloth.mass_per_area)?;
            match (&cloth.surface, &cloth.size, &cloth.cells) {
                (Some(file), None, None) => check_surface(file),
                (None, Some(size), Some(cells)) => {
                    size.iter().try_for_each(|edge| positive("size", edge).map(drop))?;
                    check_counts(&cells.map(|cells| ("cells", cells, 1)))
                }
                _ => Err(SceneError::new("cloth needs either `size` and `cells`, or `surface`")
                    .at(cloth.span())
                    .help("write for example size = [1, 1], cells = [30, 30]")),
            }
        }
        PointKind::Shell(shell) => {
            positive("thickness", &shell.thickness)?;
            check_positive("mass_per_area", &shell.mass_per_area)?;
            shell.surface.as_ref().map_or(Ok(()), |file| check_surface(file))
        }
        PointKind::Block(_) => Ok(()),
    }
}

/// Lasting changes, growth and limits.
fn check_inner(body: &Body) -> Checked {
    if let Some(plasticity) = &body.plasticity {
        let points = body.point_kind().is_some();
        for (key, law, of_points) in [
            ("distance", &plasticity.distance, true),
            ("area", &plasticity.area, true),
            ("volume", &plasticity.volume, true),
            ("shape", &plasticity.shape, false),
        ] {
            let Some(law) = law else { continue };
            if of_points != points {
                let help = if points { "write `distance`, `area` or `volume`" } else { "write `shape`" };
                let who = if of_points { "mass points" } else { "solids" };
                return Err(SceneError::new(format!("plasticity of `{key}` goes only with {who}"))
                    .at(law.span())
                    .help(help));
            }
            if body.kind != Kind::Solid {
                return Err(SceneError::new("only solids and mass points yield")
                    .at(law.span())
                    .help("make it kind = \"solid\", or remove `plasticity`"));
            }
            positive("yield", &law.yield_strain)?;
            positive("creep", &law.creep)?;
            if positive("max", &law.max)? < law.yield_strain.si() {
                return Err(SceneError::new("`yield` is above `max`: nothing could ever yield and stay so")
                    .at(law.yield_strain.span())
                    .help("make `max` larger than `yield`"));
            }
        }
    }
    for knots in body.growth.iter().flat_map(|g| [&g.distance, &g.area, &g.volume]).flatten() {
        for knot in knots.iter() {
            positive("factor", &knot.factor)?;
        }
        if let Some(pair) = knots.windows(2).find(|pair| pair[1].at.si() <= pair[0].at.si()) {
            return Err(SceneError::new("times must grow from one factor to the next").at(pair[1].at.span()));
        }
    }
    match &body.strain_limit {
        Some(limit) if limit.stretch.si() < 1.0 => {
            Err(SceneError::new("springs must be able to have their rest length")
                .at(limit.stretch.span())
                .help("write `stretch` = 1 or more: 1.1 allows 10 % of stretch"))
        }
        Some(limit) => positive("tolerance", &limit.tolerance).map(drop),
        None => Ok(()),
    }
}

/// Keys that only one kind of body knows.
fn check_kind(body: &Body) -> Checked {
    match (body.kind, &body.stiffness) {
        (Kind::Solid | Kind::Boundary, Some(stiffness)) => {
            Err(SceneError::new("`stiffness` goes only with kind = \"affine\"")
                .at(stiffness.span())
                .help("remove it: the material says how stiff the body is"))
        }
        (Kind::Affine | Kind::Boundary, _) if body.mass != MassModel::Consistent => {
            Err(SceneError::new("only solids have a choice of `mass`")
                .at(body.material.span())
                .help("remove `mass`"))
        }
        (_, stiffness) => check_positive("stiffness", stiffness),
    }
}

fn check_obstacle_shape(shape: &ObstacleShape) -> Checked {
    match shape {
        ObstacleShape::Plane(plane) => check_plane(plane),
        ObstacleShape::Box(cuboid) => all_positive("size", &cuboid.size),
        ObstacleShape::Sphere(sphere) => {
            positive("radius", &sphere.radius)?;
            within_count("divisions", sphere.divisions, 0, 7)
        }
        ObstacleShape::Capsule(capsule) => {
            positive("radius", &capsule.radius)?;
            positive("length", &capsule.length)?;
            within_count("rings", capsule.rings, 1, 500)
        }
        ObstacleShape::Plate(plate) => {
            plate.size.iter().try_for_each(|edge| positive("size", edge).map(drop))
        }
    }
}

/// A count in its range.
fn within_count(key: &str, count: Located<u32>, least: u32, most: u32) -> Checked {
    if (least..=most).contains(&count) {
        return Ok(());
    }
    Err(SceneError::new(format!("`{key}` must be {least} to {most}, not {}", *count))
        .at(count.span())
        .help(if *count < least { "write a larger number" } else { "write a smaller number" }))
}

/// Each count (key, value, least value) is in range, and their product is not absurd.
fn check_counts(counts: &[(&str, Located<u32>, u32)]) -> Checked {
    for (key, count, least) in counts {
        within_count(key, *count, *least, MAX_COUNT)?;
    }
    let cells: u64 = counts.iter().map(|(_, count, _)| u64::from(**count)).product();
    match counts.iter().max_by_key(|(_, count, _)| **count) {
        Some((key, largest, _)) if cells > MAX_CELLS => {
            Err(SceneError::new(format!("that makes {cells} cells, more than {MAX_CELLS}"))
                .at(largest.span())
                .help(format!("write a smaller number for `{key}`")))
        }
        _ => Ok(()),
    }
}

fn check_mesh(mesh: &MeshFile) -> Checked {
    if mesh.file.trim().is_empty() {
        return Err(SceneError::new("`file` is empty")
            .at(mesh.file.span())
            .help("name a mesh file, for example file = \"part.msh\""));
    }
    positive("scale", &mesh.scale).map(drop)?;
    mesh.check_up()?;
    mesh.tetrahedralize.as_ref().map_or(Ok(()), |how| how.check())
}

/// A lattice carries the surface of its file, which needs tetrahedra of its own and no other skin.
fn check_carrier(mesh: &MeshFile, body: &Body) -> Checked {
    let Some(how) = mesh.tetrahedralize.as_ref().filter(|how| how.method == FillMethod::Lattice) else {
        return Ok(());
    };
    if let Some(skin) = &body.skin {
        let error = SceneError::new("a lattice carries the surface of its own file, and there is a skin too");
        return Err(error.at(skin.span()).help("remove `skin`, or cut the lattice: `method = \"cut\"`"));
    }
    let carries =
        body.kind != Kind::Boundary && matches!(body.point_kind(), None | Some(PointKind::Block(_)));
    if carries && !body.is_puppet() {
        return Ok(());
    }
    let error = SceneError::new("only solids, affine bodies and blocks carry the surface of a lattice");
    Err(error.at(how.span()).help("cut the lattice to the surface: `method = \"cut\"`"))
}

/// Surfaces are taken as they are.
fn check_surface(mesh: &MeshFile) -> Checked {
    check_mesh(mesh)?;
    match &mesh.tetrahedralize {
        None => Ok(()),
        Some(how) => Err(SceneError::new("this is a surface: no tetrahedra are needed")
            .at(how.span())
            .help("remove `tetrahedralize`")),
    }
}

fn check_skin(skin: &SkinTable, body: &Body) -> Checked {
    skin.check(body)?;
    skin.shape.as_ref().map_or(Ok(()), |shape| check_obstacle_shape(shape))?;
    if let Some(file) = skin.file.as_ref().filter(|file| file.trim().is_empty()) {
        let error = SceneError::new("`file` is empty").at(file.span());
        return Err(error.help("name a file of triangles, for example file = \"dragon.obj\""));
    }
    skin.rotation.0.iter().try_for_each(|rotation| not_zero("axis", &rotation.axis))?;
    positive("scale", &skin.scale).map(drop)
}

fn check_plane(plane: &Plane) -> Checked {
    not_zero("normal", &plane.normal)
}

fn check_line(line: &Line) -> Checked {
    not_zero("direction", &line.direction)
}

fn check_sphere(sphere: &Sphere) -> Checked {
    positive("radius", &sphere.radius).map(drop)
}

fn check_positive<D: Dimension>(key: &str, quantity: &Option<Quantity<D>>) -> Checked {
    quantity.as_ref().map_or(Ok(()), |quantity| positive(key, quantity).map(drop))
}

fn all_positive<D: Dimension>(key: &str, vector: &Vector<D>) -> Checked {
    let checked = vector.components().iter().try_for_each(|part| positive(key, part).map(drop));
    checked.map_err(|error| error.help("every component must be greater than 0"))
}

/// A direction needs a length, and one whose square is a number.
fn not_zero<D: Dimension>(key: &str, vector: &Vector<D>) -> Checked {
    if vector.si().norm_squared().is_normal() {
        return Ok(());
    }
    Err(SceneError::new(format!("`{key}` has no direction"))
        .at(vector.span())
        .help(format!("write for example {key} = [0, 0, 1]")))
}
