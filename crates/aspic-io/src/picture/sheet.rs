//! The drawing itself.

use std::collections::BTreeSet;
use std::fmt::Write;

use aspic::Vec3;
use aspic::frame::{BodyRange, Topology};

use super::Options;
use super::camera::Camera;
use crate::open::open_bodies;
use crate::palette;

/// Height of a caption, and the gap between pictures \[px\].
const CAPTION: f64 = 26.0;
const GAP: f64 = 10.0;
/// Steps of brightness. Neighbouring triangles of one shade share an element.
const SHADES: f64 = 48.0;
/// Frames: time \[s\] and positions \[m\].
pub(super) fn draw(topology: &Topology, frames: &[(f64, &[Vec3])], options: &Options) -> String {
    let shown = topology.triangles.as_flattened().iter().chain(topology.edges.as_flattened());
    let skin: BTreeSet<u32> = shown.copied().collect();
    let points = || frames.iter().flat_map(|(_, x)| skin.iter().map(|&v| x[v as usize]));
    let floor = points().map(|x| x.z).filter(|z| z.is_finite()).fold(f64::INFINITY, f64::min);
    let camera = Camera::fit(options.eye, points(), options.width, options.height);
    let scene = Scene { topology, camera, floor, open: open_bodies(topology) };
    let columns = options.columns.clamp(1, frames.len().max(1));
    let rows = frames.len().div_ceil(columns).max(1);
    let (across, down) = (options.width + GAP, options.height + CAPTION + GAP);
    let (width, height) = (columns as f64 * across + GAP, rows as f64 * down + GAP);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <defs><filter id=\"soft\"><feGaussianBlur stdDeviation=\"3\"/></filter>\
         <linearGradient id=\"air\" x2=\"0\" y2=\"1\"><stop stop-color=\"#f6f8fb\"/><stop offset=\"1\" stop-color=\"#dfe5ec\"/></linearGradient>\
         <clipPath id=\"edge\"><rect width=\"{w}\" height=\"{h}\" rx=\"6\"/></clipPath></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        w = options.width,
        h = options.height,
    );
    for (i, &(t, positions)) in frames.iter().enumerate() {
        let corner = (GAP + (i % columns) as f64 * across, GAP + (i / columns) as f64 * down);
        let _ = writeln!(out, "<g transform=\"translate({:.0} {:.0})\">", corner.0, corner.1);
        picture(&mut out, &scene, positions, options);
        caption(&mut out, t, options);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

fn caption(out: &mut String, t: f64, options: &Options) {
    let (x, y) = (0.5 * options.width, options.height + 18.0);
    let _ = writeln!(
        out,
        "<text x=\"{x:.0}\" y=\"{y:.0}\" font-family=\"sans-serif\" font-size=\"14\" fill=\"#444\" text-anchor=\"middle\">{}</text>",
        time(t)
    );
}

/// Four digits tell every frame from its neighbour in a film of twelve pictures.
fn time(t: f64) -> String {
    if t == 0.0 || (1e-3..1e4).contains(&t.abs()) {
        format!("t = {t:.3} s")
    } else {
        format!("t = {t:.3e} s")
    }
}

/// What all pictures have in common.
struct Scene<'a> {
    topology: &'a Topology,
    camera: Camera,
    /// Height of the lowest point \[m\].
    floor: f64,
    /// Whether the surface of each body does not close.
    open: Vec<bool>,
}

fn picture(out: &mut String, scene: &Scene, positions: &[Vec3], options: &Options) {
    let _ = writeln!(
        out,
        "<g clip-path=\"url(#edge)\"><rect width=\"{}\" height=\"{}\" fill=\"url(#air)\"/>",
        options.width, options.height
    );
    if options.shadow && scene.floor.is_finite() {
        shadow(out, scene, positions);
    }
    let mut faces = visible(scene, positions);
    faces.extend(strokes(scene, positions));
    faces.sort_by(|a, b| a.nearness.total_cmp(&b.nearness));
    // A hairline of the same colour closes the seams between neighbours.
    out.push_str("<g stroke-width=\".7\" stroke-linejoin=\"round\">\n");
    for run in faces.chunk_by(|a, b| a.color == b.color && a.width == b.width) {
        let color = &run[0].color;
        let _ = match run[0].width {
            None => write!(out, "<path fill=\"{color}\" stroke=\"{color}\" d=\""),
            Some(width) => write!(
                out,
                "<path fill=\"none\" stroke=\"{color}\" stroke-width=\"{}\" stroke-linecap=\"round\" d=\"",
                decimal(width)
            ),
        };
        run.iter().for_each(|face| out.push_str(&face.outline));
        out.push_str("\"/>\n");
    }
    out.push_str("</g></g>\n");
}

/// A triangle or an edge that is going to be drawn.
struct Face {
    nearness: f64,
    color: String,
    outline: String,
    /// Of an edge the width of its stroke, in tenths of a pixel.
    width: Option<i64>,
}

/// Brightness = ambient + Lambert's cosine towards the lamp.
fn visible(Scene { topology, camera, open, .. }: &Scene, positions: &[Vec3]) -> Vec<Face> {
    let lamp = camera.lamp();
    let mut faces = Vec::new();
    for (body, range) in topology.bodies.iter().enumerate() {
        for triangle in topology.triangles.get(range.triangles.clone()).unwrap_or_default() {
            let [a, b, c] = triangle.map(|v| positions[v as usize]);
            let normal = (b - a).cross(&(c - a));
            let front = camera.sees(&normal);
            let Some(unit) = normal.try_normalize(0.0).filter(|_| front || open[body]) else { continue };
            let unit = if front { unit } else { -unit };
            if ![a, b, c].iter().all(|p| p.iter().all(|x| x.is_finite())) {
                continue;
            }
            let light = 0.42 + 0.66 * unit.dot(&lamp).max(0.0);
            faces.push(Face {
                nearness: camera.nearness(&((a + b + c) / 3.0)),
                color: shade(body, light),
                outline: outline([a, b, c], camera),
                width: None,
            });
        }
    }
    faces
}

/// The edges of ropes. What is seen of a tube is lit about as well as three quarters of what its brightest line is.
fn strokes(Scene { topology, camera, .. }: &Scene, positions: &[Vec3]) -> Vec<Face> {
    let lamp = camera.lamp();
    let mut strokes = Vec::new();
    for (body, range) in topology.bodies.iter().enumerate() {
        let width = Some(stroke_width(range, camera));
        for [a, b] in topology.edges.get(range.edges.clone()).unwrap_or_default() {
            let [a, b] = [a, b].map(|&v| positions[v as usize]);
            if !a.iter().chain(b.iter()).all(|x| x.is_finite()) {
                continue;
            }
            let along = (b - a).try_normalize(0.0).unwrap_or_else(Vec3::zeros).dot(&lamp);
            let light = 0.42 + 0.66 * 0.75 * (1.0 - along * along).max(0.0).sqrt();
            strokes.push(Face {
                nearness: camera.nearness(&((a + b) / 2.0)),
                color: shade(body, light),
                outline: line([a, b], camera),
                width,
            });
        }
    }
    strokes
}

/// In tenths of a pixel; thin hair stays visible.
fn stroke_width(body: &BodyRange, camera: &Camera) -> i64 {
    tenths(camera.length(2.0 * body.radius)).max(12)
}

/// `light` 1 is the colour of the palette; above it goes towards white.
fn shade(body: usize, light: f64) -> String {
    let light = (light * SHADES).round() / SHADES;
    let [r, g, b] = palette::of_body(body).map(|c| {
        let c = f64::from(c);
        let lit = if light <= 1.0 { c * light } else { c + (255.0 - c) * 2.5 * (light - 1.0) };
        lit.clamp(0.0, 255.0) as u8
    });
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// One decimal is a tenth of a pixel; the second and third corner are relative, which is shorter.
fn outline(corners: [Vec3; 3], camera: &Camera) -> String {
    let [a, b, c] = corners.map(|p| camera.project(&p)).map(|(x, y)| [tenths(x), tenths(y)]);
    let step = |from: [i64; 2], to: [i64; 2]| pair([to[0] - from[0], to[1] - from[1]]);
    format!("M{}l{} {}z", pair(a), step(a, b), step(b, c))
}

/// From one end to the other.
fn line(ends: [Vec3; 2], camera: &Camera) -> String {
    let [a, b] = ends.map(|p| camera.project(&p)).map(|(x, y)| [tenths(x), tenths(y)]);
    format!("M{}l{}", pair(a), pair([b[0] - a[0], b[1] - a[1]]))
}

fn tenths(x: f64) -> i64 {
    (10.0 * x).round() as i64
}

/// Tenths as a number; a whole one needs no point.
fn decimal(n: i64) -> String {
    let sign = if n < 0 { "-" } else { "" };
    let (whole, tenth) = (n.abs() / 10, n.abs() % 10);
    match (whole, tenth) {
        (_, 0) => format!("{sign}{whole}"),
        (0, _) => format!("{sign}.{tenth}"),
        _ => format!("{sign}{whole}.{tenth}"),
    }
}

/// `1.5-2`: the sign separates.
fn pair([x, y]: [i64; 2]) -> String {
    let gap = if y < 0 { "" } else { " " };
    format!("{}{gap}{}", decimal(x), decimal(y))
}

/// The bodies seen from the lamp, flat on the floor, blurred as one shape.
fn shadow(out: &mut String, scene: &Scene, positions: &[Vec3]) {
    let Scene { topology, camera, floor, open } = scene;
    // A high lamp keeps the shadow under the body, where the eye looks for it.
    let drop = |p: Vec3| Vec3::new(p.x + 0.15 * (p.z - floor), p.y + 0.1 * (p.z - floor), *floor);
    let finite = |p: &Vec3| p.iter().all(|x| x.is_finite());
    out.push_str("<g filter=\"url(#soft)\" opacity=\".28\"><path fill=\"#40506a\" d=\"");
    for (body, &open) in topology.bodies.iter().zip(open) {
        for triangle in topology.triangles.get(body.triangles.clone()).unwrap_or_default() {
            let [a, b, c] = triangle.map(|v| drop(positions[v as usize]));
            let up = (b - a).cross(&(c - a)).z > 0.0;
            // Each point of the shadow of a closed body has a face that looks up above it: the others add nothing.
            if (up || open) && [a, b, c].iter().all(finite) {
                // All one way round: turns against each other would leave holes.
                out.push_str(&outline(if up { [a, b, c] } else { [a, c, b] }, camera));
            }
        }
    }
    out.push_str("\"/>\n");
    for body in topology.bodies.iter().filter(|body| !body.edges.is_empty()) {
        let width = decimal(stroke_width(body, camera));
        let _ = write!(out, "<path fill=\"none\" stroke=\"#40506a\" stroke-width=\"{width}\" d=\"");
        let edges = topology.edges.get(body.edges.clone()).unwrap_or_default();
        let ends = edges.iter().map(|e| e.map(|v| drop(positions[v as usize])));
        ends.filter(|ends| ends.iter().all(finite)).for_each(|ends| out.push_str(&line(ends, camera)));
        out.push_str("\"/>\n");
    }
    out.push_str("</g>\n");
}
