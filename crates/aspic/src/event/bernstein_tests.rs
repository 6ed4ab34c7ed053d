use super::*;
use crate::event::random::Random;

/// The first u with g(u) ≤ 0 from 2000 samples, the least value near each sample, and bisection.
fn sampled_root(g: impl Fn(f64) -> f64) -> Option<f64> {
    const SAMPLES: usize = 2000;
    let at = |k: usize| k as f64 / SAMPLES as f64;
    if g(0.0) <= 0.0 {
        return Some(0.0);
    }
    (1..=SAMPLES).find_map(|k| {
        let (mut low, mut high) = (at(k - 1), at((k + 1).min(SAMPLES)));
        if g(at(k)) > 0.0 {
            // a minimum between the samples
            let (mut a, mut b) = (low, high);
            for _ in 0..80 {
                let (c, d) = (a + (b - a) / 3.0, b - (b - a) / 3.0);
                if g(c) < g(d) { b = d } else { a = c }
            }
            high = a;
        } else {
            high = high.min(at(k));
        }
        if g(high) > 0.0 {
            return None;
        }
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if g(middle) > 0.0 { low = middle } else { high = middle }
        }
        Some(low)
    })
}

fn random_cubic(random: &mut Random) -> Cubic {
    Cubic([random.unit() + 1e-3, 2.0 * random.signed(), 2.0 * random.signed(), random.signed()])
}

/// The power form, independent of de Casteljau.
fn power(cubic: &Cubic) -> impl Fn(f64) -> f64 {
    let [p, q, r, s] = cubic.0;
    move |u| p + u * (3.0 * (q - p) + u * (3.0 * (p - 2.0 * q + r) + u * (s - 3.0 * r + 3.0 * q - p)))
}

#[test]
fn the_first_root_of_random_cubics_is_found_and_never_late() {
    let mut random = Random(1);
    let mut with_root = 0;
    for _ in 0..2000 {
        let cubic = random_cubic(&mut random);
        let reference = sampled_root(power(&cubic));
        let found = cubic.first_not_positive(1e-10);
        with_root += usize::from(found.is_some());
        match (found, reference) {
            (Some(u), Some(root)) => {
                assert!(u <= root + 1e-12 && root - u < 1e-9, "{cubic:?}: {u} against {root}");
            }
            (None, None) => {}
            _ => panic!("{cubic:?}: {found:?} against {reference:?}"),
        }
    }
    assert!((500..1900).contains(&with_root), "{with_root}");
}

#[test]
fn each_sign_change_is_listed_once_and_in_order() {
    let mut random = Random(2);
    let mut counts = [0; 4];
    for _ in 0..2000 {
        let mut roots = [random.unit(), random.unit(), random.unit()];
        roots.sort_by(f64::total_cmp);
        let [a, b, c] = roots;
        if b - a < 1e-4 || c - b < 1e-4 {
            continue;
        }
        // (a − u)(b − u)(c − u) by its blossom, scaled to the part [0, e] of the step
        let e = 0.3 + 0.7 * random.unit();
        let sign = if random.unit() < 0.5 { 1.0 } else { -1.0 };
        let both = |x: f64, y: f64, z: f64| {
            let one = |x: f64, y: f64, z: f64| (a - x) * (b - y) * (c - z);
            sign * (one(x, y, z) + one(x, z, y) + one(y, x, z) + one(y, z, x) + one(z, x, y) + one(z, y, x))
                / 6.0
        };
        let cubic = Cubic([both(0.0, 0.0, 0.0), both(0.0, 0.0, e), both(0.0, e, e), both(e, e, e)]);
        let inside: Vec<f64> = roots.iter().copied().filter(|r| *r < e).collect();
        let found: Vec<Passage> = cubic.passages().collect();
        assert_eq!(found.len(), inside.len(), "{cubic:?}");
        counts[found.len()] += 1;
        for (k, (passage, root)) in found.iter().zip(&inside).enumerate() {
            assert!((passage.u * e - root).abs() < 1e-9, "{passage:?} {root}");
            assert_eq!(passage.falling, (k % 2 == 0) == (sign > 0.0));
        }
    }
    assert!(counts.iter().all(|n| *n > 10), "{counts:?}");
}

#[test]
fn a_double_root_stops_being_positive_but_changes_no_sign() {
    // (u − 1/4)²
    let graze = Cubic([1.0 / 16.0, -5.0 / 48.0, 1.0 / 16.0, 9.0 / 16.0]);
    assert!((graze.at(0.25)).abs() < 1e-16);
    let u = graze.first_not_positive(1e-10).unwrap();
    assert!(u <= 0.25 + 1e-8 && u > 0.25 - 1e-7, "{u}");
    assert_eq!(graze.passages().count(), 0);
    let below = Cubic(graze.0.map(|p| p - 1e-6));
    assert_eq!(below.passages().count(), 2);
    let above = Cubic(graze.0.map(|p| p + 1e-6));
    assert_eq!(above.first_not_positive(1e-10), None);
}

#[test]
fn a_cubic_that_stays_positive_has_no_event() {
    assert_eq!(Cubic([1.0, 0.1, 2.0, 1e-300]).first_not_positive(1e-9), None);
    // coefficients below zero, values above
    assert_eq!(Cubic([1.0, -0.2, -0.2, 1.0]).first_not_positive(1e-9), None);
}

#[test]
fn a_cubic_not_positive_at_the_start_fails_at_once() {
    assert_eq!(Cubic([0.0, 1.0, 1.0, 1.0]).first_not_positive(1e-9), Some(0.0));
    assert_eq!(Cubic([-1.0, 1.0, 1.0, 1.0]).first_not_positive(1e-9), Some(0.0));
}

#[test]
fn values_that_are_no_numbers_fail_at_once() {
    for k in 0..4 {
        let mut p = [1.0; 4];
        p[k] = f64::NAN;
        assert_eq!(Cubic(p).first_not_positive(1e-9), Some(0.0));
        assert_eq!(Cubic(p).passages().count(), 0);
    }
    assert_eq!(Cubic([f64::NAN; 4]).passages().count(), 0);
    let huge = Cubic([1.0, f64::INFINITY, f64::NEG_INFINITY, 1.0]).first_not_positive(0.0);
    assert!(huge.is_some());
}

#[test]
fn a_search_without_tolerance_ends() {
    for tolerance in [0.0, -1.0, f64::NAN, 1e-300] {
        let u = Cubic::line(1.0, -2.0).first_not_positive(tolerance).unwrap();
        assert!((u - 1.0 / 3.0).abs() < 1e-15);
    }
    assert_eq!(Cubic::line(1.0, -2.0).first_not_positive(10.0), Some(0.0));
}

#[test]
fn a_start_at_zero_passes_and_an_end_at_zero_does_not() {
    let passage = |p: [f64; 4]| Cubic(p).passages().collect::<Vec<_>>();
    assert_eq!(passage([0.0, -1.0, -1.0, -1.0]), [Passage { u: 0.0, falling: true }]);
    assert_eq!(passage([0.0, 1.0, 1.0, 1.0]), [Passage { u: 0.0, falling: false }]);
    assert_eq!(passage([1.0, 1.0, 1.0, 0.0]), []);
    assert_eq!(passage([0.0; 4]), []);
}

#[test]
fn a_condition_below_zero_fails_only_where_it_falls() {
    assert_eq!(Cubic::line(-1e-9, -1.0).first_fall(), Some(0.0));
    assert_eq!(Cubic::line(-1e-9, 1.0).first_fall(), None);
    assert_eq!(Cubic::line(0.0, 0.0).first_fall(), None);
    // up from just below zero and down again: u(1 − 2u) − 10⁻⁹
    let arc = Cubic::hermite(-1e-9, 1.0, -1.0 - 1e-9, -3.0, 1.0);
    assert!((arc.first_fall().unwrap() - 0.5).abs() < 1e-8);
    // the same from far below: it falls from the top of the arc, u = 1/4
    let low = Cubic::hermite(-1.0, 1.0, -2.0, -3.0, 1.0);
    assert!((low.first_fall().unwrap() - 0.25).abs() < 1e-15);
}

#[test]
fn the_hermite_cubic_has_the_values_and_rates_given() {
    let length = 0.4;
    let cubic = Cubic::hermite(2.0, -3.0, 1.5, 4.0, length);
    assert_eq!([cubic.at(0.0), cubic.at(1.0)], [2.0, 1.5]);
    let h = 1e-6;
    assert!(((cubic.at(h) - cubic.at(0.0)) / (h * length) + 3.0).abs() < 1e-4);
    assert!(((cubic.at(1.0) - cubic.at(1.0 - h)) / (h * length) - 4.0).abs() < 1e-4);
    let line = Cubic::line(2.0, -1.0);
    assert!((0..=10).all(|k| (line.at(k as f64 / 10.0) - (2.0 - 0.3 * k as f64)).abs() < 1e-15));
}

#[test]
fn a_coordinate_stays_between_its_bernstein_coefficients() {
    let mut random = Random(3);
    for _ in 0..1000 {
        let cubic = random_cubic(&mut random);
        let [least, most] = cubic.range();
        assert!((0..=50).all(|k| {
            let value = cubic.at(k as f64 / 50.0);
            value >= least - 1e-15 && value <= most + 1e-15
        }));
    }
}
