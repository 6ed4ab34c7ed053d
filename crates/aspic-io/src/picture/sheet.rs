//! The drawing itself.

use std::collections::BTreeSet;
use std::fmt::Write;

use aspic::Vec3;
use aspic::frame::Topology;

use super::Options;
use super::camera::Camera;
use crate::palette;

/// Height of a caption, and the gap between pictures \[px\].
const CAPTION: f64 = 26.0;
const GAP: f64 = 10.0;
/// Steps of brightness. Neighbouring triangles of one shade share an element.
const SHADES: f64 = 48.0;
/// Frames: time \[s\] and positions \[m\].
pub(super) fn draw(topology: &Topology, frames: &[(f64, &[Vec3])], options: &Options) -> String {
    let skin: BTreeSet<u32> = topology.triangles.iter().flatten().copied().collect();
    let points = || frames.iter().flat_map(|(_, x)| skin.iter().map(|&v| x[v as usize]));
    let floor = points().map(|x| x.z).filter(|z| z.is_finite()).fold(f64::INFINITY, f64::min);
    let camera = Camera::fit(options.eye, points(), options.width, options.height);
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
        picture(&mut out, topology, positions, &camera, floor, options);
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

fn picture(
    out: &mut String,
    topology: &Topology,
    positions: &[Vec3],
    camera: &Camera,
    floor: f64,
    options: &Options,
) {
    let _ = writeln!(
        out,
        "<g clip-path=\"url(#edge)\"><rect width=\"{}\" height=\"{}\" fill=\"url(#air)\"/>",
        options.width, options.height
    );
    if options.shadow && floor.is_finite() {
        shadow(out, topology, positions, camera, floor);
    }
    let mut faces = visible(topology, positions, camera);
    faces.sort_by(|a, b| a.nearness.total_cmp(&b.nearness));
    // A hairline of the same colour closes the seams between neighbours.
    out.push_str("<g stroke-width=\".7\" stroke-linejoin=\"round\">\n");
    for run in faces.chunk_by(|a, b| a.color == b.color) {
        let color = &run[0].color;
        let _ = write!(out, "<path fill=\"{color}\" stroke=\"{color}\" d=\"");
        run.iter().for_each(|face| out.push_str(&face.outline));
        out.push_str("\"/>\n");
    }
    out.push_str("</g></g>\n");
}

/// A triangle that is going to be drawn.
struct Face {
    nearness: f64,
    color: String,
    outline: String,
}

/// Brightness = ambient + Lambert's cosine towards the lamp.
fn visible(topology: &Topology, positions: &[Vec3], camera: &Camera) -> Vec<Face> {
    let lamp = camera.lamp();
    let mut faces = Vec::new();
    for (body, range) in topology.bodies.iter().enumerate() {
        for triangle in topology.triangles.get(range.triangles.clone()).unwrap_or_default() {
            let [a, b, c] = triangle.map(|v| positions[v as usize]);
            let normal = (b - a).cross(&(c - a));
            let Some(unit) = normal.try_normalize(0.0).filter(|_| camera.sees(&normal)) else { continue };
            if ![a, b, c].iter().all(|p| p.iter().all(|x| x.is_finite())) {
                continue;
            }
            let light = 0.42 + 0.66 * unit.dot(&lamp).max(0.0);
            faces.push(Face {
                nearness: camera.nearness(&((a + b + c) / 3.0)),
                color: shade(body, light),
                outline: outline([a, b, c], camera),
            });
        }
    }
    faces
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

fn tenths(x: f64) -> i64 {
    (10.0 * x).round() as i64
}

/// `1.5-2`: the sign separates, a whole number needs no point.
fn pair([x, y]: [i64; 2]) -> String {
    let number = |n: i64| {
        let sign = if n < 0 { "-" } else { "" };
        let (whole, tenth) = (n.abs() / 10, n.abs() % 10);
        match (whole, tenth) {
            (_, 0) => format!("{sign}{whole}"),
            (0, _) => format!("{sign}.{tenth}"),
            _ => format!("{sign}{whole}.{tenth}"),
        }
    };
    let gap = if y < 0 { "" } else { " " };
    format!("{}{gap}{}", number(x), number(y))
}

/// The bodies seen from the lamp, flat on the floor, blurred as one shape.
fn shadow(out: &mut String, topology: &Topology, positions: &[Vec3], camera: &Camera, floor: f64) {
    // A high lamp keeps the shadow under the body, where the eye looks for it.
    let drop = |p: Vec3| Vec3::new(p.x + 0.15 * (p.z - floor), p.y + 0.1 * (p.z - floor), floor);
    out.push_str("<path filter=\"url(#soft)\" fill=\"#40506a\" opacity=\".28\" d=\"");
    for triangle in &topology.triangles {
        let corners = triangle.map(|v| drop(positions[v as usize]));
        let [a, b, c] = corners;
        let turned = (b - a).cross(&(c - a)).z;
        // Each point of the shadow has a face that looks up above it: the others add nothing.
        if turned > 0.0 && corners.iter().all(|p| p.iter().all(|x| x.is_finite())) {
            out.push_str(&outline(corners, camera));
        }
    }
    out.push_str("\"/>\n");
}
