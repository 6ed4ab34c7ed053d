use super::*;
use crate::boundary::solid::test_shapes::random;

/// Green's columns like those of a body: strong on their own place, weaker elsewhere.
fn some_green(rows: usize, candidates: usize) -> Green {
    let mut next = random(11);
    let mut columns: Vec<f64> = (0..rows * candidates).map(|_| (next() - 0.5) / rows as f64).collect();
    let places: Vec<usize> = (0..candidates).map(|k| k * rows / candidates).collect();
    (0..candidates).for_each(|k| columns[k * rows + places[k]] = -1.0 - next());
    Green::new(rows, columns, places, candidates).unwrap()
}

#[test]
fn the_kept_inverse_survives_a_thousand_contacts_coming_and_going() {
    let mut green = some_green(60, 20);
    let mut next = random(4);
    let (answer, known): (Vec<f64>, Vec<f64>) = ((0..60).map(|_| next()).collect(), vec![0.3; 20]);
    let reference: Vec<f64> = (0..20).map(|_| next()).collect();
    for _ in 0..1000 {
        let candidate = (next() * 20.0) as usize;
        if green.is_active(candidate) { green.leave(candidate) } else { green.enter(candidate) }.unwrap();
    }
    let (mut old, mut new) = (vec![0.0; 60], vec![0.0; 60]);
    green.solve(&answer, &reference, &known, &mut old).unwrap();
    green.refresh().unwrap();
    green.solve(&answer, &reference, &known, &mut new).unwrap();
    assert!(old.iter().zip(&new).all(|(a, b)| (a - b).abs() < 1e-13));
}

#[test]
fn a_switch_that_leaves_the_body_loose_is_refused() {
    let mut green = Green::new(2, vec![-1.0, 1.0, 1.0, -1.0], vec![0, 1], 2).unwrap();
    green.enter(0).unwrap();
    assert_eq!(green.enter(1), Err(UpdateError::Loose { candidate: 1 }));
    assert_eq!(green.active(), [0]);
}

#[test]
fn update_times_are_told() {
    for vertices in [10, 50, 150] {
        let (rows, candidates) = (3000, 3 * vertices);
        let mut green = some_green(rows, candidates);
        let memory = green.columns.as_ptr();
        let start = std::time::Instant::now();
        (0..candidates).for_each(|k| green.enter(k).unwrap());
        let all = start.elapsed().as_secs_f64();
        let (answer, reference, known) = (vec![0.1; rows], vec![0.2; candidates], vec![0.3; candidates]);
        let mut x = vec![0.0; rows];
        let rounds = 20;
        let start = std::time::Instant::now();
        (0..rounds).for_each(|_| green.solve(&answer, &reference, &known, &mut x).unwrap());
        let solve = start.elapsed().as_secs_f64() / f64::from(rounds);
        let start = std::time::Instant::now();
        for k in 0..3 {
            green.leave(k).unwrap();
            green.enter(k).unwrap();
        }
        let change = start.elapsed().as_secs_f64() / 2.0;
        println!(
            "1000 vertices, {vertices} in contact: answer {:.3} ms, one vertex in or out {:.3} ms, all in {:.1} ms",
            1e3 * solve,
            1e3 * change,
            1e3 * all
        );
        assert_eq!(memory, green.columns.as_ptr());
    }
}
