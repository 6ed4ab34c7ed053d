use super::*;
use crate::solid::test_shapes::random;

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
fn nothing_is_allocated_once_contacts_change() {
    let (rows, candidates) = (300, 60);
    let mut green = some_green(rows, candidates);
    let memory = [green.columns.as_ptr(), green.c.as_ptr(), green.work[0].as_ptr(), green.work[1].as_ptr()];
    let (answer, reference, known) = (vec![0.1; rows], vec![0.2; candidates], vec![0.3; candidates]);
    let mut x = vec![0.0; rows];
    for k in (0..candidates).chain(0..3) {
        if green.is_active(k) { green.leave(k) } else { green.enter(k) }.unwrap();
        green.solve(&answer, &reference, &known, &mut x).unwrap();
    }
    let now = [green.columns.as_ptr(), green.c.as_ptr(), green.work[0].as_ptr(), green.work[1].as_ptr()];
    assert_eq!(memory, now);
}
