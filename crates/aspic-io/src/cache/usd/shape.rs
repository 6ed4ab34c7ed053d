//! What an actor looks like: a mesh, curves, or both; and what of it moves.
//!
//! Each shape has four channels: `points`, `normals`, `extent` and `velocities`, in this order.

use super::super::{Actor, Cast, Normals, looks};
use super::stage::{Attribute, Source, Value};
use crate::strands::strands;
use aspic::Vec3;

/// Channels of a shape.
pub(super) const CHANNELS: usize = 4;
pub(super) const POINTS: usize = 0;
pub(super) const NORMALS: usize = 1;
pub(super) const EXTENT: usize = 2;
pub(super) const VELOCITIES: usize = 3;

/// A mesh or curves of an actor.
pub(super) struct Shape {
    /// The number of the actor.
    pub actor: usize,
    /// Its first channel.
    channel: usize,
    form: Form,
}

enum Form {
    /// Triangles between all points of the actor.
    Mesh,
    /// The points along all strands, and how many points each strand has.
    Curves { along: Vec<u32>, counts: Vec<i32>, radius: f32 },
}

/// The shapes of all actors. An actor without triangles and strands has a mesh of points.
pub(super) fn shapes(cast: &Cast) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = Vec::new();
    for (number, actor) in cast.actors.iter().enumerate() {
        let mut add = |form| {
            let channel = shapes.len() * CHANNELS;
            shapes.push(Shape { actor: number, channel, form });
        };
        if !actor.triangles.is_empty() || actor.edges.is_empty() {
            add(Form::Mesh);
        }
        if !actor.edges.is_empty() {
            let strands = strands(&actor.edges);
            let counts = strands.iter().map(|strand| strand.len() as i32).collect();
            add(Form::Curves { along: strands.concat(), counts, radius: actor.radius as f32 });
        }
    }
    shapes
}

impl Shape {
    /// The name of the prim beside others of the same actor.
    pub fn name(&self) -> &'static str {
        match self.form {
            Form::Mesh => "Surface",
            Form::Curves { .. } => "Strands",
        }
    }

    /// The type of the prim.
    pub fn prim(&self) -> &'static str {
        match self.form {
            Form::Mesh => "Mesh",
            Form::Curves { .. } => "BasisCurves",
        }
    }

    /// The number of one of its channels.
    pub fn channel(&self, which: usize) -> usize {
        self.channel + which
    }

    /// The vectors at its points, from those at all points of its actor.
    pub fn select(&self, of_actor: &[Vec3], into: &mut Vec<[f32; 3]>) {
        into.clear();
        let single = |v: &Vec3| [v.x as f32, v.y as f32, v.z as f32];
        match &self.form {
            Form::Mesh => into.extend(of_actor.iter().map(single)),
            Form::Curves { along, .. } => {
                into.extend(along.iter().map(|&point| single(&of_actor[point as usize])))
            }
        }
    }

    /// Normals of a mesh; curves have none.
    pub fn normals<'a>(
        &self,
        actor: &Actor,
        positions: &[Vec3],
        normals: &'a mut Normals,
    ) -> Option<&'a [Vec3]> {
        let is_surface = matches!(self.form, Form::Mesh) && !actor.triangles.is_empty();
        is_surface.then(|| normals.of(positions, &actor.triangles))
    }

    /// The lowest and the highest corner of the box around it.
    pub fn extent(&self, points: &[[f32; 3]]) -> [[f32; 3]; 2] {
        let Some(&first) = points.first() else { return [[0.0; 3]; 2] };
        let around = match self.form {
            Form::Mesh => 0.0,
            Form::Curves { radius, .. } => radius,
        };
        let fold = |pick: fn(f32, f32) -> f32| {
            points.iter().fold(first, |a, b| std::array::from_fn(|axis| pick(a[axis], b[axis])))
        };
        [fold(f32::min).map(|x| x - around), fold(f32::max).map(|x| x + around)]
    }

    /// The attributes of its prim.
    pub fn attributes(&self, actor: &Actor, velocities: bool) -> Vec<Attribute> {
        let color = Value::Triples(vec![looks::linear(actor.color)]);
        let mut all = vec![
            moving("extent", "float3[]", self.channel(EXTENT)),
            moving("points", "point3f[]", self.channel(POINTS)),
            interpolated("primvars:displayColor", "color3f[]", "constant", Source::Fixed(color)),
        ];
        if velocities {
            all.push(moving("velocities", "vector3f[]", self.channel(VELOCITIES)));
        }
        match &self.form {
            Form::Mesh => all.extend(self.of_mesh(actor)),
            Form::Curves { counts, radius, .. } => all.extend(of_curves(counts, *radius)),
        }
        all
    }

    fn of_mesh(&self, actor: &Actor) -> Vec<Attribute> {
        let corners = actor.triangles.as_flattened().iter().map(|&corner| corner as i32).collect();
        let mut all = vec![
            uniform("doubleSided", "bool", Value::Bool(looks::is_open(&actor.triangles))),
            fixed("faceVertexCounts", "int[]", Value::Ints(vec![3; actor.triangles.len()])),
            fixed("faceVertexIndices", "int[]", Value::Ints(corners)),
            uniform("orientation", "token", Value::Token("rightHanded".into())),
            uniform("subdivisionScheme", "token", Value::Token("none".into())),
        ];
        if !actor.triangles.is_empty() {
            let source = Source::Moving(self.channel(NORMALS));
            all.push(interpolated("normals", "normal3f[]", "vertex", source));
        }
        all
    }
}

fn of_curves(counts: &[i32], radius: f32) -> Vec<Attribute> {
    let widths = Source::Fixed(Value::Floats(vec![2.0 * radius]));
    vec![
        fixed("curveVertexCounts", "int[]", Value::Ints(counts.to_vec())),
        uniform("type", "token", Value::Token("linear".into())),
        interpolated("widths", "float[]", "constant", widths),
        uniform("wrap", "token", Value::Token("nonperiodic".into())),
    ]
}

fn fixed(name: &'static str, kind: &'static str, value: Value) -> Attribute {
    Attribute { name, kind, uniform: false, interpolation: None, source: Source::Fixed(value) }
}

fn uniform(name: &'static str, kind: &'static str, value: Value) -> Attribute {
    Attribute { uniform: true, ..fixed(name, kind, value) }
}

fn moving(name: &'static str, kind: &'static str, channel: usize) -> Attribute {
    Attribute { name, kind, uniform: false, interpolation: None, source: Source::Moving(channel) }
}

fn interpolated(name: &'static str, kind: &'static str, how: &'static str, source: Source) -> Attribute {
    Attribute { name, kind, uniform: false, interpolation: Some(how), source }
}
