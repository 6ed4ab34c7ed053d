//! Vertices on curves, whose volume the Hermite cubic only approximates.

use super::*;

fn curved(random: &mut Random, reach: f64, bend: f64) -> Path {
    let straight = straight(random, reach);
    let Path([p, q, r, s]) = straight;
    Path([p, q + bend * random.vector(), r + bend * random.vector(), s])
}

/// The volume of curved motions is of ninth degree, so its Hermite cubic errs in fourth order: hits near the rim can be
/// mistaken in long steps. Half the step, about a sixteenth of the error.
#[test]
fn curved_motions_are_rarely_mistaken_and_less_so_in_half_the_step() {
    let mut random = Random(13);
    let (mut errors, mut common, mut wrong) = ([0.0, 0.0], 0, [0, 0]);
    for _ in 0..4000 {
        let whole = [(); 4].map(|()| curved(&mut random, 1.0, 0.05));
        let mut error = [None; 2];
        for (k, part) in [1.0, 0.5].into_iter().enumerate() {
            let [v, a, b, c] = whole.map(|path| first_part(&path, part));
            let (found, reference) = (vertex_face(&v, [&a, &b, &c]), vertex_face_reference(&v, [&a, &b, &c]));
            match (found, reference.hit) {
                (Some(touch), Some(u)) => error[k] = Some((touch.u - u).abs() * part),
                (None, None) => {}
                _ => wrong[k] += 1,
            }
        }
        if let [Some(long), Some(short)] = error {
            errors = [errors[0] + long, errors[1] + short];
            common += 1;
        }
    }
    let [long, short] = errors.map(|sum| sum / common as f64);
    println!(
        "curved: mean error of time {long:.1e}, {short:.1e} in half steps ({common}), wrong {wrong:?} of 4000"
    );
    assert!(short < long / 4.0 && wrong[0] <= 20 && wrong[1] <= wrong[0], "{long} {short} {wrong:?}");
}

/// Repeating the step up to the event and testing again leaves the vertex outside, though the event was only estimated.
#[test]
fn repeated_shorter_steps_end_before_the_true_contact() {
    let mut random = Random(14);
    let mut hits = 0;
    for _ in 0..4000 {
        let whole = [(); 4].map(|()| curved(&mut random, 1.0, 0.05));
        let mut part = 1.0;
        let mut repeats = 0;
        loop {
            let [v, a, b, c] = whole.map(|path| first_part(&path, part));
            let Some(touch) = vertex_face(&v, [&a, &b, &c]) else { break };
            repeats += 1;
            assert!(repeats < 300);
            part *= if touch.u * part < 1e-6 { 0.0 } else { touch.u.min(0.95) };
        }
        if repeats > 0 {
            let [v, a, b, c] = whole.map(|path| first_part(&path, part));
            assert_eq!(vertex_face_reference(&v, [&a, &b, &c]).hit, None);
            hits += 1;
        }
    }
    assert!(hits > 50, "{hits}");
}

/// The motion up to u = `part`, by de Casteljau.
fn first_part(path: &Path, part: f64) -> Path {
    let mix = |a: Vec3, b: Vec3| (1.0 - part) * a + part * b;
    let [p, q, r, s] = path.0;
    let (a, b, c) = (mix(p, q), mix(q, r), mix(r, s));
    let (d, e) = (mix(a, b), mix(b, c));
    Path([p, a, d, mix(d, e)])
}
