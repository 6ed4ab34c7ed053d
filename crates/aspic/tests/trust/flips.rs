//! Boxes that spin about their middle axis turn over again and again, when Euler's equations say.

use aspic::Vec3;
use aspic::scene::{NoFiles, Scene};
use nalgebra::Matrix3;

use super::{run, spin_of, spinning};

/// Times at which a body with this tensor of inertia \[kg m²\] has its spin along y turn round, as the body sees it, by
/// I ω′ = I ω × ω.
fn flips_by_euler(inertia: &Matrix3<f64>, mut spin: Vec3, end: f64) -> Vec<f64> {
    let inverse = inertia.try_inverse().expect("a body that is not flat");
    let rate = |w: &Vec3| inverse * (inertia * w).cross(w);
    let (mut times, h) = (vec![], 1e-4);
    for k in 0..(end / h) as usize {
        let one = rate(&spin);
        let two = rate(&(spin + one * (0.5 * h)));
        let three = rate(&(spin + two * (0.5 * h)));
        let four = rate(&(spin + three * h));
        let next = spin + (one + 2.0 * two + 2.0 * three + four) * (h / 6.0);
        if next.y * spin.y < 0.0 {
            times.push((k as f64 + spin.y / (spin.y - next.y)) * h);
        }
        spin = next;
    }
    times
}

/// Inertia about the centre of mass that the body of a scene starts with, as its masses have it  \[kg m²\]
fn inertia(text: &str) -> Matrix3<f64> {
    let simulation = Scene::parse(text).unwrap().build(&NoFiles).unwrap();
    let (inertia, q) = (&simulation.world().inertia, &simulation.state().q);
    let center = inertia.center(q, 0..q.len());
    let column = |axis: Vec3| {
        let turning: Vec<Vec3> = q.iter().map(|x| axis.cross(&(x - center))).collect();
        let (linear, angular) = inertia.momenta(q, &turning);
        angular - center.cross(&linear)
    };
    Matrix3::from_columns(&[column(Vec3::x()), column(Vec3::y()), column(Vec3::z())])
}

/// Times at which the spin of a body along the edge that was y at the start turns round.
fn flips(text: &str) -> Vec<f64> {
    let (mut times, mut edge, mut before) = (vec![], None, (0.0, 1.0));
    run(text, |frame| {
        let [low, high] = *edge.get_or_insert_with(|| edge_along_y(&frame.positions));
        let edge = (frame.positions[high] - frame.positions[low]).normalize();
        let (t, along) = (frame.ledger.t, spin_of(frame).dot(&edge));
        if along * before.1 < 0.0 {
            times.push(t + (t - before.0) * along / (before.1 - along));
        }
        before = (t, along);
    });
    times
}

/// Two points that differ in y alone.
fn edge_along_y(x: &[Vec3]) -> [usize; 2] {
    let pairs = (0..x.len()).flat_map(|i| (0..x.len()).map(move |j| [i, j]));
    let along = |[i, j]: &[usize; 2]| {
        let d = x[*j] - x[*i];
        d.y > 0.19 && d.x.abs() + d.z.abs() < 1e-9
    };
    pairs.into_iter().find(along).expect("a box has an edge along y")
}

/// The first flip, and the time from each to the next, are within 3 % of Euler's equations.
fn flips_when_euler_says(kind: &str, young: f64, frame_rate: u32, duration: f64) {
    let (size, spin) = ([0.3, 0.2, 0.1], [0.3, 11.0, 0.2]);
    let shape = format!("{{ box = {{ size = {size:?}, cells = [3, 2, 1] }} }}");
    let text = spinning(kind, &shape, young, 0.3, "ls-stable", spin)
        .replace("frame_rate = 60", &format!("frame_rate = {frame_rate}"))
        .replace("duration = 2\n", &format!("duration = {duration}\n"));
    let (found, right) = (flips(&text), flips_by_euler(&inertia(&text), Vec3::from(spin), duration));
    let name = format!("{kind} of {young:e} Pa, {frame_rate} steps a second");
    // The last may come before or after the end.
    let count = right.iter().filter(|&&t| t < 0.97 * duration).count();
    assert!(count >= 2 && found.len() >= count, "{name}: {found:?} s for {right:?} s");
    let between = |times: &[f64], k: usize| times[k] - if k > 0 { times[k - 1] } else { 0.0 };
    for k in 0..count {
        let off = between(&found, k) / between(&right, k) - 1.0;
        assert!(off.abs() < 0.03, "{name}, flip {k}: {found:?} s for {right:?} s");
    }
}

#[test]
fn boxes_that_spin_about_their_middle_axis_flip_when_euler_says() {
    for kind in ["solid", "affine", "block", "boundary"] {
        for frame_rate in [60, 100, 500] {
            for young in [1e7, 3e9] {
                flips_when_euler_says(kind, young, frame_rate, 8.0);
            }
            // A soft one shakes as it turns. What steps damp of that is lost to the spin, flip after flip.
            flips_when_euler_says(kind, 1e5, frame_rate, 5.0);
        }
    }
}
