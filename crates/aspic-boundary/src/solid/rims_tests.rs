use super::*;
use crate::solid::quadrature::Rule;
use crate::solid::test_shapes::cylinder;

fn close(name: &str, fast: &PairIntegrals, slow: &PairIntegrals, sizes: [f64; 2], most: f64) -> f64 {
    let worst = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
    let errors = [
        (fast.inverse - slow.inverse).abs() / slow.inverse,
        (fast.dyad - slow.dyad).amax() / slow.inverse,
        worst(&fast.from_first, &slow.from_first) / sizes[0],
        worst(&fast.from_second, &slow.from_second) / sizes[1],
    ];
    assert!(errors.iter().all(|e| *e < most), "{name}: {errors:?}\n{fast:?}\n{slow:?}");
    errors.into_iter().fold(0.0, f64::max)
}

/// Brute force: both triangles are cut until their parts are far apart for their size; 16 × 16 points then.
fn brute(rule: &Rule, pair: [[Vec3; 3]; 2], weights: [[[f64; 3]; 3]; 2], sum: &mut PairIntegrals) {
    let panels = pair.map(Panel::new);
    let gap = (panels[0].centre - panels[1].centre).norm() - panels[0].reach - panels[1].reach;
    let wide = panels[0].reach.max(panels[1].reach);
    if gap > 1.3 * wide {
        return product(rule, &panels, &weights, sum);
    }
    let larger = if panels[0].reach >= panels[1].reach { 0 } else { 1 };
    for half in 0..2 {
        let (mut pair, mut weights) = (pair, weights);
        (pair[larger], weights[larger]) = halved(&pair[larger], &weights[larger], half);
        brute(rule, pair, weights, sum);
    }
}

/// One half of a triangle, cut across its longest edge, with the functions N_k at its corners.
fn halved(corners: &[Vec3; 3], shapes: &[[f64; 3]; 3], half: usize) -> ([Vec3; 3], [[f64; 3]; 3]) {
    let length = |k: usize| (corners[(k + 1) % 3] - corners[k]).norm_squared();
    let longest = (1..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
    let [a, b, c] = [0, 1, 2].map(|k| (longest + k) % 3);
    let middle = (corners[a] + corners[b]) * 0.5;
    let shape = [0, 1, 2].map(|k| 0.5 * (shapes[a][k] + shapes[b][k]));
    match half {
        0 => ([corners[a], middle, corners[c]], [shapes[a], shape, shapes[c]]),
        _ => ([middle, corners[b], corners[c]], [shape, shapes[b], shapes[c]]),
    }
}

fn product(rule: &Rule, panels: &[Panel; 2], shapes: &[[[f64; 3]; 3]; 2], sum: &mut PairIntegrals) {
    let area = panels[0].area * panels[1].area;
    let at = |which: usize, n: &[f64; 3]| {
        [0, 1, 2].map(|k| (0..3).map(|c| n[c] * shapes[which][c][k]).sum::<f64>())
    };
    for (n, w) in &rule.points {
        let (x, here) = (panels[0].point(n), at(0, n));
        for (m, v) in &rule.points {
            let (d, there) = (panels[1].point(m) - x, at(1, m));
            let r = d.norm();
            let weight = w * v * area / r;
            sum.inverse += weight;
            sum.dyad += d * d.transpose() * (weight / (r * r));
            let pull = d * (weight / (r * r * 4.0 * PI));
            for k in 0..3 {
                sum.from_first[k] -= pull.dot(&panels[1].normal) * there[k];
                sum.from_second[k] += pull.dot(&panels[0].normal) * here[k];
            }
        }
    }
}

const WHOLE: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The four quarters of a triangle, which are like it, with the functions N_k at their corners.
fn quarters([a, b, c]: &[Vec3; 3]) -> [([Vec3; 3], [[f64; 3]; 3]); 4] {
    let [ab, bc, ca] = [(a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0];
    let [na, nb, nc] = WHOLE;
    let [nab, nbc, nca] = [[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5]];
    [
        ([*a, ab, ca], [na, nab, nca]),
        ([ab, *b, bc], [nab, nb, nbc]),
        ([ca, bc, *c], [nca, nbc, nc]),
        ([ab, bc, ca], [nab, nbc, nca]),
    ]
}

/// All integrals by brute force. Of the quarters of triangles that touch, some pairs are the whole at half the size, and so
/// an eighth of it, or a fourth for the derivative: the rest gives the whole.
fn by_brute_force(pair: [[Vec3; 3]; 2]) -> PairIntegrals {
    let mut sum = PairIntegrals::zero();
    let touching = |pair: &[[Vec3; 3]; 2]| pair[0].iter().filter(|x| pair[1].iter().any(|y| *x == y)).count();
    let shared = touching(&pair);
    if shared == 0 {
        brute(&Rule::sixteen(), pair, [WHOLE; 2], &mut sum);
        return sum;
    }
    let (mut copies, mut like) = (0, [Mat3::zeros(); 2]);
    for (x, here) in quarters(&pair[0]) {
        for (y, there) in quarters(&pair[1]) {
            let [here, there] = [here, there].map(|n| Mat3::from_fn(|k, c| n[c][k]));
            if touching(&[x, y]) == shared {
                copies += 1;
                like[0] += there * 0.25;
                like[1] += here * 0.25;
                continue;
            }
            let mut part = by_brute_force([x, y]);
            part.from_first = (there * Vec3::from(part.from_first)).into();
            part.from_second = (here * Vec3::from(part.from_second)).into();
            sum = sum.plus(&part);
        }
    }
    let rest = 1.0 - f64::from(copies) / 8.0;
    let solve = |like: Mat3, k: [f64; 3]| {
        // On a triangle itself the derivative is zero, and so is what is to be solved.
        let inverse = (Mat3::identity() - like).try_inverse().unwrap_or_default();
        (inverse * Vec3::from(k)).into()
    };
    PairIntegrals {
        inverse: sum.inverse / rest,
        dyad: sum.dyad / rest,
        from_first: solve(like[0], sum.from_first),
        from_second: solve(like[1], sum.from_second),
    }
}

fn compare(name: &str, pair: [[Vec3; 3]; 2], most: f64) {
    let [sigma, tau] = pair.map(Panel::new);
    let rules = Rules::new();
    let start = std::time::Instant::now();
    let fast = integrals(&rules, &sigma, &tau);
    let (took, start) = (start.elapsed(), std::time::Instant::now());
    let slow = by_brute_force(pair);
    let error = close(name, &fast, &slow, [sigma.area, tau.area], most);
    println!("{name}: {error:.1e} in {took:?} against {:?}", start.elapsed());
}

fn at(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Triangles 1 long and 1/ratio wide.
fn slender(ratio: f64) -> ([Vec3; 3], f64) {
    let w = 1.0 / ratio;
    ([at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0), at(0.1, w, 0.0)], w)
}

#[test]
fn triangles_apart_agree_with_brute_force_however_slender_and_near() {
    for ratio in [1.0, 4.0, 20.0, 100.0] {
        let (sigma, w) = slender(ratio);
        let moved = |to: Vec3| sigma.map(|x| x + to);
        let tilted = [at(0.1, 0.2 * w, 0.3 * w), at(0.9, 0.3 * w, 0.4 * w), at(0.2, 1.2 * w, 0.9 * w)];
        let slightly = [at(0.1, 0.2 * w, 0.5 * w), at(0.9, 0.3 * w, 0.51 * w), at(0.2, 1.2 * w, 0.505 * w)];
        let across = [at(0.5, 0.5 * w, 0.2 * w), at(0.5, w, 0.8 * w), at(0.5 + w, 0.3 * w, w)];
        let name = |case: &str| format!("{case}, {ratio}");
        compare(&name("beside it in one plane"), [sigma, moved(at(0.05, 1.3 * w, 0.0))], 1e-8);
        compare(&name("small over it"), [sigma, across], 1e-8);
        if ratio > 50.0 {
            compare(&name("parallel over it"), [sigma, moved(at(0.1, 0.3 * w, 2.0 * w))], 1e-8);
            continue;
        }
        compare(&name("parallel over it"), [sigma, moved(at(0.1, 0.3 * w, 0.3 * w))], 1e-8);
        compare(&name("tilted over it"), [sigma, tilted], 1e-8);
        compare(&name("almost parallel over it"), [sigma, slightly], 1e-8);
    }
}

#[test]
fn triangles_with_a_corner_or_an_edge_in_common_agree_with_brute_force_however_slender() {
    for ratio in [1.0, 4.0, 12.0] {
        let (sigma, w) = slender(ratio);
        let [a, b, c] = sigma;
        let name = |case: &str| format!("{case}, {ratio}");
        compare(&name("itself"), [sigma, sigma], 1e-8);
        compare(&name("long edge, flat"), [sigma, [b, a, at(0.7, -w, 0.0)]], 1e-8);
        compare(&name("long edge, sharp"), [sigma, [b, a, at(0.7, w, 0.4 * w)]], 1e-8);
        compare(&name("short edge"), [sigma, [a, c, at(-0.8, 0.4 * w, 0.5 * w)]], 1e-8);
        compare(&name("corner, beside"), [sigma, [a, at(1.0, -w, 0.0), at(1.0, -0.2 * w, 0.3 * w)]], 1e-8);
        compare(&name("corner, opposite"), [sigma, [b, at(1.9, -w, 0.0), at(2.0, 0.5 * w, w)]], 1e-8);
    }
}

/// Cut in the middle of their edges, triangles are the sum of their parts, however they touch.
#[test]
fn very_slender_triangles_are_the_sum_of_their_quarters() {
    let rules = Rules::new();
    for ratio in [1.0, 10.0, 100.0, 1000.0] {
        let (sigma, w) = slender(ratio);
        let [a, b, c] = sigma;
        let others = [
            sigma,
            [b, a, at(0.7, -w, 0.0)],
            [b, a, at(0.7, w, 0.4 * w)],
            [a, c, at(-0.8, 0.4 * w, 0.5 * w)],
            [a, at(1.0, -w, 0.0), at(1.0, -0.2 * w, 0.3 * w)],
            sigma.map(|x| x + at(0.1, 0.3 * w, 0.01 * w)),
            sigma.map(|x| x + at(0.1, 1.01 * w, 0.0)),
        ];
        for (case, tau) in others.into_iter().enumerate() {
            let [one, two] = [sigma, tau].map(Panel::new);
            let whole = integrals(&rules, &one, &two);
            let mut sum = PairIntegrals::zero();
            for (x, here) in quarters(&sigma) {
                for (y, there) in quarters(&tau) {
                    let [here, there] = [here, there].map(|n| Mat3::from_fn(|k, c| n[c][k]));
                    let mut part = integrals(&rules, &Panel::new(x), &Panel::new(y));
                    part.from_first = (there * Vec3::from(part.from_first)).into();
                    part.from_second = (here * Vec3::from(part.from_second)).into();
                    sum = sum.plus(&part);
                }
            }
            let error = close(&format!("{case}, {ratio}"), &whole, &sum, [one.area, two.area], 1e-8);
            println!("{case}, {ratio}: {error:.1e}");
        }
    }
}

/// A rod 35 times as long as thick in few layers: each triangle has many beside it along its whole length.
#[test]
fn points_for_a_pair_grow_with_the_logarithm_of_the_length_of_its_triangles() {
    let rules = Rules::new();
    let points = |height: f64| {
        let panels = Panel::all(&cylinder(12, 4, 2, 0.02, height));
        let mut count = 0;
        for (x, y) in panels.iter().flat_map(|x| panels.iter().map(move |y| (x, y))) {
            for k in 0..3 {
                let line = Line::new(x.corners[k], x.tangents[k], x.lengths[k], y);
                line.points(&rules, ERROR, &mut |_, _| count += 1);
            }
        }
        count / panels.len().pow(2)
    };
    let counts = [0.06, 0.69, 6.9].map(points);
    println!(
        "points for a pair of triangles of the length of an edge, ten times and a hundred times: {counts:?}"
    );
    assert!(counts[1] <= 2 * counts[0] && counts[2] <= 3 * counts[0], "{counts:?}");
}
