use super::*;
use crate::Vec3;
use crate::event::random::Random;

#[test]
fn a_swept_box_holds_the_whole_motion_of_its_element() {
    let mut random = Random(41);
    let mut boxes = vec![];
    for _ in 0..500 {
        let paths = [(); 3].map(|()| {
            Path::hermite(random.vector(), 5.0 * random.vector(), random.vector(), 5.0 * random.vector(), 1.0)
        });
        sweep_boxes(&paths, &[[0, 1]], &[[0, 1, 2]], 0.0, &mut boxes);
        assert_eq!(boxes.len(), 5);
        for k in 0..=40 {
            let x = paths.map(|path| path.at(k as f64 / 40.0));
            let [s, t] = [random.unit(), random.unit()];
            let edge = x[0] + s * (x[1] - x[0]);
            let within = edge + t * (x[2] - edge);
            assert!((0..3).all(|k| holds(&boxes[k], &x[k])));
            assert!(holds(&boxes[3], &edge) && holds(&boxes[4], &within));
        }
    }
}

fn holds(bounds: &Bounds, x: &Vec3) -> bool {
    (0..3).all(|k| bounds.low[k] - 1e-14 <= x[k] && x[k] <= bounds.high[k] + 1e-14)
}

#[test]
fn the_box_of_a_straight_motion_is_that_of_its_ends() {
    let path = Path::line(Vec3::new(0.0, 1.0, 2.0), Vec3::new(3.0, -1.0, 2.0));
    let bounds = Bounds::of_path(&path);
    assert_eq!(bounds, Bounds { low: [0.0, -1.0, 2.0], high: [3.0, 1.0, 2.0] });
    assert_eq!(bounds.widen(0.5), Bounds { low: [-0.5, -1.5, 1.5], high: [3.5, 1.5, 2.5] });
    assert_eq!(path.coordinate(1).range(), [-1.0, 1.0]);
}

#[test]
fn boxes_with_a_common_rim_meet() {
    let bounds = |low: f64, high: f64| Bounds { low: [low; 3], high: [high; 3] };
    assert!(bounds(0.0, 1.0).meets(&bounds(1.0, 2.0)));
    assert!(!bounds(0.0, 1.0).meets(&bounds(1.0 + 1e-15, 2.0)));
    assert_eq!(bounds(0.0, 1.0).join(&bounds(2.0, 3.0)), bounds(0.0, 3.0));
}

#[test]
fn a_motion_that_is_no_number_meets_nothing() {
    for k in 0..4 {
        let mut points = [Vec3::zeros(); 4];
        points[k].y = f64::NAN;
        let broken = Bounds::of_path(&Path(points));
        let wide = Bounds { low: [-1e9; 3], high: [1e9; 3] };
        assert!(!broken.is_sound() && !broken.meets(&wide) && !wide.join(&broken).is_sound());
    }
}
