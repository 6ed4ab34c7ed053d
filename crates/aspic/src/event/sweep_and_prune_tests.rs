use super::*;
use crate::Vec3;
use crate::event::random::Random;

fn around(center: &Vec3, half: f64) -> Bounds {
    Bounds { low: center.map(|c| c - half).into(), high: center.map(|c| c + half).into() }
}

fn brute_force(boxes: &[Bounds], keep: impl Fn(u32, u32) -> bool) -> Vec<[u32; 2]> {
    let n = boxes.len() as u32;
    let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j]));
    all.filter(|&[i, j]| boxes[i as usize].meets(&boxes[j as usize]) && keep(i, j)).collect()
}

fn odd(i: u32, j: u32) -> bool {
    !(i + j).is_multiple_of(3)
}

#[test]
fn drifting_boxes_have_the_pairs_of_brute_force_at_each_step() {
    let mut random = Random(51);
    let mut centers: Vec<Vec3> = (0..120).map(|_| random.vector()).collect();
    let ways: Vec<Vec3> = (0..120).map(|_| random.vector()).collect();
    let mut lists = SweepAndPrune::new();
    let (mut met, mut swaps) = (0, 0);
    for step in 0..400 {
        let boxes: Vec<Bounds> = centers.iter().map(|c| around(c, 0.12)).collect();
        lists.update(&boxes, odd);
        assert_eq!(lists.pairs(), brute_force(&boxes, odd), "step {step}");
        let mut anew = SweepAndPrune::new();
        anew.update(&boxes, odd);
        assert_eq!(anew.pairs(), lists.pairs());
        (met, swaps) = (met + lists.pairs().len(), swaps + lists.swaps().unwrap_or(0));
        // there and back, so that pairs part and meet again
        let sign = if step / 50 % 2 == 0 { 1.0 } else { -1.0 };
        centers.iter_mut().zip(&ways).for_each(|(c, way)| *c += 0.01 * sign * way);
    }
    assert!(met > 1000 && swaps > 10_000, "{met} {swaps}");
}

#[test]
fn boxes_thrown_anywhere_have_the_pairs_of_brute_force() {
    let mut random = Random(52);
    let mut lists = SweepAndPrune::new();
    for step in 0..200 {
        // sizes and places from a coarse grid, so that many ends coincide
        let grid = |x: f64| (8.0 * x).round() / 8.0;
        let boxes: Vec<Bounds> = (0..60)
            .map(|_| {
                let low = random.vector().map(grid);
                let high = low + random.vector().map(|x| grid(x.abs() * 0.5));
                Bounds { low: low.into(), high: high.into() }
            })
            .collect();
        lists.update(&boxes, |_, _| true);
        assert_eq!(lists.pairs(), brute_force(&boxes, |_, _| true), "step {step}");
    }
}

#[test]
fn so_wild_a_motion_that_sorting_anew_is_cheaper_gives_the_same_pairs() {
    let mut random = Random(53);
    let mut lists = SweepAndPrune::new();
    let mut anew = 0;
    for _ in 0..3 {
        let boxes: Vec<Bounds> = (0..1500).map(|_| around(&random.vector(), 0.03)).collect();
        lists.update(&boxes, |_, _| true);
        anew += usize::from(lists.swaps().is_none());
        assert_eq!(lists.pairs(), brute_force(&boxes, |_, _| true));
    }
    assert_eq!(anew, 3);
}

#[test]
fn boxes_that_touch_are_a_pair_however_they_came_there() {
    let at = |x: f64| around(&Vec3::new(x, 0.0, 0.0), 0.5);
    let mut lists = SweepAndPrune::new();
    for (x, met) in
        [(2.0, false), (1.0, true), (0.0, true), (-1.0, true), (-2.0, false), (-1.0, true), (1.0, true)]
    {
        lists.update(&[at(0.0), at(x)], |_, _| true);
        assert_eq!(!lists.pairs().is_empty(), met, "at {x}");
    }
    // minus zero and zero are one place
    let unit = |low: f64, high: f64| Bounds { low: [low; 3], high: [high; 3] };
    for boxes in [[unit(-1.0, -0.0), unit(0.0, 1.0)], [unit(-1.0, 0.0), unit(-0.0, 1.0)]] {
        let mut lists = SweepAndPrune::new();
        lists.update(&[boxes[0], unit(2.0, 3.0)], |_, _| true);
        lists.update(&boxes, |_, _| true);
        assert_eq!(lists.pairs(), [[0, 1]]);
        let mut anew = SweepAndPrune::new();
        anew.update(&boxes, |_, _| true);
        assert_eq!(anew.pairs(), [[0, 1]]);
    }
}

#[test]
fn boxes_that_stay_cost_no_swap() {
    let mut random = Random(54);
    let boxes: Vec<Bounds> = (0..200).map(|_| around(&random.vector(), 0.2)).collect();
    let mut lists = SweepAndPrune::new();
    lists.update(&boxes, |_, _| true);
    let pairs = lists.pairs().to_vec();
    for _ in 0..3 {
        lists.update(&boxes, |_, _| true);
        assert_eq!((lists.swaps(), lists.pairs()), (Some(0), &pairs[..]));
    }
    // all together: no change of order either
    let moved: Vec<Bounds> =
        boxes.iter().map(|b| Bounds { low: b.low.map(|x| x + 4.0), high: b.high.map(|x| x + 4.0) }).collect();
    lists.update(&moved, |_, _| true);
    assert_eq!(lists.pairs(), pairs);
}

#[test]
fn more_or_fewer_boxes_build_the_lists_anew() {
    let at = |x: f64| around(&Vec3::new(x, 0.0, 0.0), 0.6);
    let mut lists = SweepAndPrune::new();
    lists.update(&[at(0.0), at(1.0), at(2.0)], |_, _| true);
    assert_eq!(lists.pairs(), [[0, 1], [1, 2]]);
    lists.update(&[at(0.0), at(1.0)], |_, _| true);
    assert_eq!(lists.pairs(), [[0, 1]]);
    lists.update(&[], |_, _| true);
    assert!(lists.pairs().is_empty());
}

#[test]
fn a_box_that_is_no_number_meets_nothing_and_comes_back() {
    let mut random = Random(55);
    let boxes: Vec<Bounds> = (0..100).map(|_| around(&random.vector(), 0.3)).collect();
    let mut lists = SweepAndPrune::new();
    lists.update(&boxes, |_, _| true);
    let mut broken = boxes.clone();
    (broken[7].low[1], broken[9].high[0]) = (f64::NAN, f64::NAN);
    for _ in 0..2 {
        lists.update(&broken, |_, _| true);
        assert_eq!(lists.pairs(), brute_force(&broken, |_, _| true));
        assert!(lists.pairs().iter().flatten().all(|k| *k != 7 && *k != 9));
    }
    lists.update(&boxes, |_, _| true);
    assert_eq!(lists.pairs(), brute_force(&boxes, |_, _| true));
}
