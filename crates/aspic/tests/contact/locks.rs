//! Motions that are possible, through places where a search may get stuck: gaps that are far smaller than anything else.

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
