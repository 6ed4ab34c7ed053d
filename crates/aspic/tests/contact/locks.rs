//! Motions that are possible, through places where a search may get stuck: gaps that are far smaller than anything else.

use aspic::frame::Frame;
use aspic::scene::{NoFiles, Scene};
use aspic::{Simulation, Vec3};

use crate::support::frames;

fn build(text: &str) -> Simulation {
    Scene::parse(text).unwrap().build(&NoFiles).unwrap()
}

/// Edges that stand on the diagonal of the large face have a normal of which few digits are known.
#[test]
fn a_box_lands_on_a_box_at_a_millionth_of_its_size() {
    for distance in ["1e-5", "1e-6"] {
        let mut simulation = build(&format!(
            "duration = 0.6\n[output]\nframe_rate = 40\n[contact]\ndistance = {distance}\n\
             [materials.m]\nyoung = 1e5\npoisson = 0.4\ndensity = 1000\n\
             [bodies.b]\nmaterial = \"m\"\nposition = [0, 0, 1.5]\n\
             shape = {{ box = {{ size = [1, 1, 1], cells = [1, 1, 1] }} }}\n\
             [obstacles.floor]\nshape = {{ box = {{ size = [4, 4, 1] }} }}\nposition = [0, 0, -0.5]\n"
        ));
        let all = frames(&mut simulation);
        let lowest = all.iter().flat_map(|frame| &frame.positions[..8]).map(|x| x.z).fold(f64::MAX, f64::min);
        assert!(lowest > 0.0 && lowest < 1e-2, "{distance}: {lowest}");
    }
}

/// A stiff needle that flies and turns into a sheet of some mesh size, thickness \[m\], Young modulus \[Pa\] and density.
struct Strike {
    cells: u32,
    thickness: f64,
    young: f64,
    densities: [f64; 2],
    /// Speed of the cloth, velocity of the needle  \[m/s\]
    cloth: f64,
    needle: [f64; 3],
    /// Spins about x and y  \[rad/s\]
    spins: [[f64; 2]; 2],
    /// Place of the needle  \[m\], and how it is turned
    place: [f64; 2],
    turn: [f64; 2],
}

impl Strike {
    fn scene(&self) -> String {
        let Strike { cells, thickness, young, cloth, spins: [spin, needle_spin], .. } = self;
        let ([linen, steel], [x, y], [aside, angle]) = (self.densities, self.place, self.turn);
        format!(
            "duration = 0.05\ngravity = 0\n[contact]\n[output]\nframe_rate = 60\n\
             [materials.linen]\nyoung = {young}\npoisson = 0.3\ndensity = {linen}\n\
             [materials.steel]\nyoung = 1e9\npoisson = 0.3\ndensity = {steel}\n\
             [bodies.cloth]\nmaterial = \"linen\"\nvelocity = [0, 0, {cloth}]\nspin = [{}, {}, 0]\n\
             cloth = {{ size = [0.4, 0.4], cells = [{cells}, {cells}], thickness = {thickness} }}\n\
             [bodies.needle]\nmaterial = \"steel\"\nkind = \"affine\"\nposition = [{x}, {y}, 0.45]\n\
             velocity = {:?}\nspin = [{}, {}, 0]\nrotation = {{ axis = [1, {aside}, 0], angle = {angle} }}\n\
             shape = {{ cylinder = {{ radius = 0.004, height = 0.5, rings = 1, layers = 1 }} }}\n\
             [obstacles.floor]\nshape = {{ plane = {{ point = [0, 0, -0.3], normal = [0, 0, 1] }} }}\n\
             [obstacles.lid]\nshape = {{ plane = {{ point = [0, 0, 0.8], normal = [0, 0, -1] }} }}\n",
            spin[0], spin[1], self.needle, needle_spin[0], needle_spin[1]
        )
    }
}

/// The tip slides on triangles that tilt, at gaps of a billionth of an edge and less, and both turn as a whole.
#[test]
fn cloth_that_is_struck_by_a_needle_gives_way() {
    let strikes = [
        Strike {
            cells: 5,
            thickness: 0.00091,
            young: 2200.0,
            densities: [160.0, 7000.0],
            cloth: 8.4,
            needle: [-0.071, 1.1, -8.1],
            spins: [[19.0, 7.4], [4.1, 14.0]],
            place: [0.065, 0.051],
            turn: [-0.86, 0.92],
        },
        Strike {
            cells: 4,
            thickness: 0.00092,
            young: 89_000.0,
            densities: [190.0, 510.0],
            cloth: 11.0,
            needle: [-0.22, -0.45, -14.0],
            spins: [[20.0, 6.9], [2.3, 6.8]],
            place: [-0.019, -0.0024],
            turn: [0.47, 0.85],
        },
        Strike {
            cells: 4,
            thickness: 0.00037,
            young: 57_000.0,
            densities: [300.0, 4700.0],
            cloth: 5.4,
            needle: [-0.92, 1.5, -9.0],
            spins: [[-4.1, -0.79], [-18.0, -12.0]],
            place: [0.069, -0.018],
            turn: [-0.071, 0.45],
        },
    ];
    for strike in &strikes {
        let mut simulation = build(&strike.scene());
        let needle = simulation.world().topology.bodies[1].points.clone();
        let speed = |v: &[Vec3]| v[needle.clone()].iter().sum::<Vec3>() / needle.len() as f64;
        let all = frames(&mut simulation);
        let change = speed(&all[all.len() - 1].velocities) - speed(&all[0].velocities);
        assert!(change.norm() > 1e-3, "nothing touched: {}", strike.scene());
    }
}

/// A soft ball of 10 cm whose centre is dragged past the rim of what stands in its way.
fn past(kind: &str, rim: &str, distance: f64, friction: f64, path: &str, from: &str) -> String {
    format!(
        "duration = 1\ngravity = 0\n[output]\nframe_rate = 60\n[contact]\ndistance = {distance:e}\nfriction = {friction}\n\
         [materials.jelly]\nyoung = 2e4\npoisson = 0.4\ndensity = 1000\nshear_viscosity = 5\n\
         [materials.steel]\nyoung = 200e9\npoisson = 0.3\ndensity = 7800\n\
         [bodies.ball]\n{kind}\nmaterial = \"jelly\"\nshape = {{ ball = {{ radius = 0.1, rings = 3 }} }}\nposition = {from}\n\
         {rim}[constraints.hand]\ndrag = {{ body = \"ball\", sphere = {{ center = {from}, radius = 0.04 }} }}\n\
         path = [{{ at = 0.9, by = {path} }}]\n"
    )
}

/// A body of steel that is held.
fn clamped(name: &str, shape: &str) -> String {
    format!(
        "[bodies.{name}]\nkind = \"affine\"\nmaterial = \"steel\"\nshape = {shape}\n\
         [constraints.clamp]\nhold = {{ body = \"{name}\" }}\n"
    )
}

/// The ball goes where it is dragged, and is pressed on the way.
fn passes(text: &str) {
    let mut simulation = build(text);
    let (dragged, path) = {
        let hand = &simulation.world().constraints.iter().find(|c| c.name == "hand").unwrap().laws[0];
        let (node, motion) = hand.prescribed(1.0).unwrap();
        (node as usize, motion.position)
    };
    let all = frames(&mut simulation);
    assert!((all[60].positions[dragged] - path).norm() < 1e-9, "{text}");
    assert!(all.iter().any(|frame| frame.ledger.contact > 0.0), "nothing touched: {text}");
    let audit = simulation.statistics().audit_relative();
    assert!(audit < 0.01, "audit {audit:e}: {text}");
}

#[test]
fn a_ball_is_dragged_past_the_edge_and_the_corner_of_a_box() {
    let still = "[obstacles.box]\nshape = { box = { size = [0.4, 0.4, 0.4] } }\n";
    let held = clamped("box", "{ box = { size = [0.4, 0.4, 0.4], cells = [2, 2, 2] } }");
    for distance in [1e-5, 1e-6] {
        for friction in [0.0, 0.5] {
            for (kind, rim, from, path) in [
                ("kind = \"solid\"", still, "[0.28, 0.02, 0.28]", "[-0.5, 0, -0.02]"),
                ("block = {}", still, "[0.28, 0.02, 0.28]", "[-0.5, 0, -0.02]"),
                ("kind = \"solid\"", still, "[0.32, 0.02, 0.26]", "[-0.5, 0, 0]"),
                ("kind = \"solid\"", &held, "[0.3, 0.3, 0.24]", "[-0.5, -0.5, 0]"),
            ] {
                passes(&past(kind, rim, distance, friction, path, from));
            }
        }
    }
}

#[test]
fn a_ball_is_dragged_through_a_ring_that_is_narrower() {
    let ring =
        clamped("ring", "{ torus = { ring_radius = 0.105, tube_radius = 0.03, sections = 32, sides = 12 } }");
    for distance in [1e-5, 1e-6] {
        passes(&past("kind = \"solid\"", &ring, distance, 0.0, "[0, 0, -0.3]", "[0, 0, 0.15]"));
    }
}

/// A square of cloth that stands nearly upright over the floor and falls.
fn falling_cloth(cells: u32, distance: f64, friction: f64, turn: f64) -> String {
    format!(
        "duration = 0.6\n[output]\nframe_rate = 60\n[contact]\ndistance = {distance:e}\nfriction = {friction}\n\
         [materials.cotton]\nyoung = 1e5\npoisson = 0.3\ndensity = 400\nshear_viscosity = 200\n\
         [bodies.cloth]\nmaterial = \"cotton\"\nposition = [0, 0, 0.24]\nspin = [0.3, 0.2, 0.1]\n\
         rotation = {{ axis = [1, 0.2, 0.1], angle = {turn} }}\n\
         cloth = {{ size = [0.4, 0.4], cells = [{cells}, {cells}], thickness = 1e-3 }}\n\
         [obstacles.floor]\nshape = {{ plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }} }}\n"
    )
}

#[test]
fn cloth_falls_and_folds_on_itself() {
    for (cells, distance, friction) in [
        (4, 4e-5, 0.3),
        (6, 4e-5, 0.0),
        (8, 4e-5, 0.0),
        (6, 4e-6, 0.0),
        (6, 4e-6, 0.3),
        (8, 4e-6, 0.0),
        (8, 4e-6, 0.3),
    ] {
        let text = falling_cloth(cells, distance, friction, 1.5);
        let mut simulation = build(&text);
        let all = frames(&mut simulation);
        // What presses far above the floor is the cloth itself.
        let folded = |frame: &&Frame| {
            let points = frame.positions.iter().zip(&frame.contact);
            points.into_iter().any(|(x, force)| x.z > 0.02 && force.norm() > 1e-3)
        };
        assert!(all.iter().any(|frame| folded(&frame)), "it did not fold: {text}");
        let statistics = simulation.statistics();
        assert!(statistics.audit_relative() < 0.01, "audit {:e}: {text}", statistics.audit_relative());
        assert!(statistics.coulomb_excess < 0.0101, "friction {:e}: {text}", statistics.coulomb_excess);
    }
}
