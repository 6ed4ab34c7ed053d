//! Blocks of springs that are pressed hard: no tetrahedron turns inside out, so nothing inside gets outside.

use aspic::Vec3;
use aspic::scene::{NoFiles, Scene};

/// A block thrown at a plane; returns the least volume of a tetrahedron, as a part of that at rest, and the lowest point.
fn thrown(duration: f64, speed: f64, young: &str, block: &str, shape: &str) -> (f64, f64) {
    let text = format!(
        r#"
        duration = {duration}
        [output]
        frame_interval = 0.001
        [contact]
        [materials.soft]
        young = "{young}"
        poisson = 0.3
        density = 500
        [bodies.ball]
        material = "soft"
        block = {block}
        shape = {shape}
        position = [0, 0, 0.25]
        velocity = [0, 0, -{speed}]
        [obstacles.floor]
        shape = {{ plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}
        "#
    );
    let mut simulation = Scene::parse(&text).unwrap().build(&NoFiles).unwrap();
    let tets = simulation.world().topology.tets.clone();
    let volume = |x: &[Vec3], tet: &[u32; 4]| {
        let [a, b, c, d] = tet.map(|v| x[v as usize]);
        (b - a).cross(&(c - a)).dot(&(d - a))
    };
    let rest = simulation.state().q.clone();
    let (mut least, mut lowest) = (f64::INFINITY, f64::INFINITY);
    while let Some(frame) = simulation.next_frame().unwrap() {
        let parts = tets.iter().map(|tet| volume(&frame.positions, tet) / volume(&rest, tet));
        least = parts.fold(least, f64::min);
        lowest = frame.positions.iter().map(|x| x.z).fold(lowest, f64::min);
    }
    (least, lowest)
}

#[test]
fn a_block_thrown_at_a_wall_is_flattened_but_not_turned_inside_out() {
    let ball = "{ ball = { radius = 0.18, rings = 3 } }";
    let coarse = "{ ball = { radius = 0.18, rings = 2 } }";
    let cube = "{ box = { size = [0.3, 0.3, 0.3], cells = [3, 3, 3] } }";
    let cases = [
        (0.1, 22.0, "34 kPa", "{}", ball),
        (0.02, 22.0, "3.4 kPa", "{}", coarse),
        (0.02, 22.0, "5 kPa", "{}", cube),
        (0.02, 60.0, "34 kPa", "{}", coarse),
        (0.02, 22.0, "34 kPa", "{ spring = 300 }", cube),
        (0.02, 22.0, "34 kPa", "{ tension_only = true }", cube),
    ];
    for (duration, speed, young, block, shape) in cases {
        let (least, lowest) = thrown(duration, speed, young, block, shape);
        assert!(least > 0.0, "{speed} m/s, {young}, {block}: a volume of {least} is left");
        assert!(least < 0.5, "{speed} m/s, {young}, {block}: it was not pressed hard, {least}");
        assert!(lowest > 0.0, "{speed} m/s, {young}, {block}: {lowest} m");
    }
}
