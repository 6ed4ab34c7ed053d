use super::super::{Medium, Plane};
use super::*;

fn kernel() -> Kelvin {
    Kelvin::new(&Medium::new(3.38, 0.3, Plane::Strain).unwrap(), 1.7)
}

fn element() -> Element {
    Element::between([Vec2::new(0.2, -0.1), Vec2::new(0.5, 0.3)])
}

/// The integral by cutting the element until eight Gauss points per piece are exact.
fn adaptive(whole: &Element, source: Vec2, depth: usize) -> [Mat2; 4] {
    fn piece(whole: &Element, part: [f64; 2], source: Vec2, depth: usize) -> [Mat2; 4] {
        let at = |x: f64| whole.start + x * whole.length * whole.tangent;
        let element = Element::between([at(part[0]), at(part[1])]);
        if depth > 0 && (element.middle() - source).norm() < 4.0 * element.length {
            let middle = 0.5 * (part[0] + part[1]);
            let left = piece(whole, [part[0], middle], source, depth - 1);
            let right = piece(whole, [middle, part[1]], source, depth - 1);
            return [0, 1, 2, 3].map(|k| left[k] + right[k]);
        }
        let i = element.by_gauss(&kernel(), source);
        let blend = |ends: Ends<Mat2>, weight: [f64; 2]| weight[0] * ends[0] + weight[1] * ends[1];
        let (one, zero) = (part, part.map(|x| 1.0 - x));
        [
            blend(i.displacement, zero),
            blend(i.displacement, one),
            blend(i.traction, zero),
            blend(i.traction, one),
        ]
    }
    piece(whole, [0.0, 1.0], source, depth)
}

#[test]
fn the_closed_form_is_what_cutting_the_element_ever_finer_gives() {
    let e = element();
    for side in [-1.0, 1.0] {
        for distance in [1e-3, 0.02, 0.3, 1.3] {
            for along in [-0.4, 0.0, 0.3, 0.5, 1.0, 1.2] {
                let source = e.start + e.length * (along * e.tangent + side * distance * e.normal);
                let exact = adaptive(&e, source, 40);
                let found = e.from_elsewhere(&kernel(), source);
                let all = [found.displacement, found.traction].concat();
                for (a, b) in all.iter().zip(&exact) {
                    assert!((a - b).norm() < 1e-12, "{along} {distance} {}", (a - b).norm());
                }
            }
        }
    }
}

#[test]
fn near_and_far_formulas_agree_where_they_meet() {
    let e = element();
    for angle in 0..12 {
        let out = nalgebra::Rotation2::new(angle as f64) * Vec2::x();
        let [near, far] = [2.999, 3.001].map(|x| e.middle() + x * e.length * out);
        let found = [near, far].map(|p| {
            let (s0, d) = e.seen_from(p);
            (e.closed(&kernel(), s0, &Moments::between(s0, s0 + e.length, d)), e.by_gauss(&kernel(), p))
        });
        for (closed, gauss) in found {
            for end in 0..2 {
                assert!((closed.displacement[end] - gauss.displacement[end]).norm() < 1e-14);
                assert!((closed.traction[end] - gauss.traction[end]).norm() < 1e-14);
            }
        }
    }
}

#[test]
fn a_source_at_an_end_is_the_limit_of_one_on_the_line_before_it() {
    let e = element();
    let step = 1e-9 * e.length * e.tangent;
    for (end, source) in [(0, e.start - step), (1, e.start + e.length * e.tangent + step)] {
        let (exact, limit) = (e.from_end(&kernel(), end), e.from_elsewhere(&kernel(), source));
        assert!((exact.displacement[0] - limit.displacement[0]).norm() < 1e-8);
        assert!((exact.displacement[1] - limit.displacement[1]).norm() < 1e-8);
        assert!((exact.traction[1 - end] - limit.traction[1 - end]).norm() < 1e-7);
    }
}

#[test]
fn a_source_at_the_middle_sees_two_halves_from_their_ends() {
    let e = element();
    let halves = [[e.start, e.middle()], [e.middle(), e.start + e.length * e.tangent]].map(Element::between);
    let sum = |i: Integrals| i.displacement[0] + i.displacement[1];
    let expected = sum(halves[0].from_end(&kernel(), 1)) + sum(halves[1].from_end(&kernel(), 0));
    assert!((e.from_middle(&kernel()) - expected).norm() < 1e-15);
}

#[test]
fn collinear_sources_feel_no_flux() {
    let e = element();
    let found = e.from_elsewhere(&kernel(), e.start - 0.7 * e.length * e.tangent);
    let symmetric = found.traction[0] + found.traction[0].transpose();
    assert!(symmetric.norm() < 1e-14, "{symmetric}");
}
