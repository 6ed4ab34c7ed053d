use super::*;
use crate::solid::test_shapes::{brick, random};
use crate::solid::{Condition, Load, Medium, Operator};

fn body() -> Operator {
    Operator::new(brick(Vec3::repeat(1.0), [3, 3, 3]), Medium::new(2.6, 0.3).unwrap())
}

/// Held at the floor; the top may be touched by a slippery plate from above.
fn conditions(operator: &Operator, touched: impl Fn(usize) -> bool) -> Vec<Condition> {
    let tilted = Vec3::new(0.1, -0.2, 1.0);
    let one = |(i, x): (usize, &Vec3)| {
        let mut condition = Condition::slip(&tilted);
        condition.known[0] = if touched(i) { Known::Displacement } else { Known::Traction };
        if x.z < 1e-9 { Condition::held() } else { condition }
    };
    operator.surface().vertices().iter().enumerate().map(one).collect()
}

#[test]
fn an_update_equals_a_fresh_solve_through_many_contacts() {
    let operator = body();
    let count = operator.surface().vertices().len();
    let tops: Vec<usize> = (0..count).filter(|&i| operator.surface().vertices()[i].z > 0.999).collect();
    let mut next = random(3);
    let values: Vec<Vec3> = (0..count).map(|_| Vec3::new(next(), next(), next()) * 0.01).collect();
    let load = Load::none(&operator).volume(&operator, &crate::solid::LinearForce::uniform(Vec3::x() * -0.3));
    let free = System::new(&operator, conditions(&operator, |_| false)).unwrap();
    let places: Vec<usize> = tops.iter().map(|i| 3 * i).collect();
    let mut green = free.green(&places, places.len()).unwrap();
    let start = free.reference(&values, &load).unwrap();
    let reference: Vec<f64> = places.iter().map(|&p| start.known[p]).collect();
    let pressed: Vec<f64> = tops.iter().map(|_| -0.02 * next()).collect();
    let mut x = vec![0.0; start.answer.len()];
    let mut solution = free.solve(&values, &load).unwrap();
    for round in 0..60 {
        let candidate = (next() * tops.len() as f64) as usize;
        if green.is_active(candidate) { green.leave(candidate) } else { green.enter(candidate) }.unwrap();
        if round % 10 != 9 {
            continue;
        }
        green.solve(&start.answer, &reference, &pressed, &mut x).unwrap();
        let slot = |i: usize| tops.iter().position(|&t| t == i).filter(|&k| green.is_active(k));
        let fresh = System::new(&operator, conditions(&operator, |i| slot(i).is_some())).unwrap();
        let mut changed = values.clone();
        (0..count).filter_map(|i| slot(i).map(|k| (i, k))).for_each(|(i, k)| changed[i][0] = pressed[k]);
        let exact = fresh.solve(&changed, &load).unwrap();
        free.switched(&green, &start, &pressed, &x, &mut solution).unwrap();
        let off = |a: &[Vec3], b: &[Vec3]| {
            let size = b.iter().map(|b| b.amax()).fold(0.0, f64::max);
            a.iter().zip(b).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max) / size
        };
        let error = off(&solution.displacements, &exact.displacements)
            .max(off(&solution.tractions, &exact.tractions));
        println!("{} contacts: update against fresh solve {error:.1e}", green.active().len());
        assert!(error < 1e-10);
    }
}

/// Pinned at the top without strain, then stood on the floor, then let go at the top.
#[test]
fn a_body_may_be_let_go_where_it_was_held_once_others_hold_it() {
    let operator = body();
    let x = operator.surface().vertices();
    let find = |place: Vec3| x.iter().position(|x| (x - place).norm() < 1e-9).unwrap();
    let [a, b, c] = [Vec3::new(0.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 1.0, 1.0)].map(find);
    let pins = [3 * a, 3 * a + 1, 3 * a + 2, 3 * b + 1, 3 * b + 2, 3 * c + 2];
    let floor: Vec<usize> = (0..3 * x.len()).filter(|j| x[j / 3].z < 1e-9).collect();
    let mut pinned = vec![Condition::free(); x.len()];
    pins.iter().for_each(|j| pinned[j / 3].known[j % 3] = Known::Displacement);
    let load = Load::none(&operator).volume(&operator, &crate::solid::LinearForce::uniform(Vec3::z() * -0.3));
    let zeros = vec![Vec3::zeros(); x.len()];
    let hung = System::new(&operator, pinned).unwrap();
    let reference = hung.reference(&zeros, &load).unwrap();
    let candidates: Vec<usize> = floor.iter().chain(&pins).copied().collect();
    let mut green = hung.green(&candidates, candidates.len()).unwrap();
    (0..candidates.len()).for_each(|k| green.enter(k).unwrap());
    let (still, mut answer) = (vec![0.0; candidates.len()], vec![0.0; reference.answer.len()]);
    green.solve(&reference.answer, &still, &still, &mut answer).unwrap();
    let mut solution = hung.solve(&zeros, &load).unwrap();
    hung.switched(&green, &reference, &still, &answer, &mut solution).unwrap();
    let stand = |x: &Vec3| if x.z < 1e-9 { Condition::held() } else { Condition::free() };
    let standing = System::new(&operator, x.iter().map(stand).collect()).unwrap();
    let exact = standing.solve(&zeros, &load).unwrap().displacements;
    let size = exact.iter().map(|u| u.amax()).fold(0.0, f64::max);
    let off = solution.displacements.iter().zip(&exact).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
    println!("from hung to standing: {:.1e}", off / size);
    assert!(off < 1e-10 * size);
}

#[test]
fn floating_references_and_bad_numbers_are_refused() {
    let operator = body();
    let floor = System::new(&operator, conditions(&operator, |_| false)).unwrap();
    let floating =
        System::new(&operator, vec![Condition::free(); operator.surface().vertices().len()]).unwrap();
    let modes = 6;
    assert_eq!(floating.green(&[0], 1).err(), Some(GreenError::Solve(SolveError::Floating { modes })));
    assert!(floor.green(&[100000], 1).is_err());
    let mut green = floor.green(&[0, 1, 2], 2).unwrap();
    assert!(green.enter(0).and(green.enter(1)).is_ok());
    assert_eq!(green.enter(2), Err(UpdateError::Full { most: 2 }));
    assert!(matches!(green.enter(7), Err(UpdateError::NoCandidate { .. })));
    assert!(matches!(green.solve(&[], &[], &[], &mut []), Err(UpdateError::Length { .. })));
}
