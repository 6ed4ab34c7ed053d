use super::super::solids::{floor, volume_of, watertight};
use super::super::{Polygon, Substance};
use super::*;

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);

fn jelly() -> Substance {
    Substance { young: 2e4, poisson: 0.45, internal_friction: 5e-3, density: 1000.0 }
}

fn corner(angle: f64) -> Prism {
    let corners = [(0.0, 0.0), (0.3, 0.0), (0.3, 0.1), (0.1, 0.1), (0.1, 0.3), (0.0, 0.3)];
    let outline = Polygon::new(&corners.map(|(x, y)| Vec2::new(x, y + 0.1))).unwrap().refined(3);
    let mut body = PlaneBody::new(&outline, jelly()).unwrap();
    body.motion_mut().angle = angle;
    Prism::new(body, 0.5, 1.0).unwrap()
}

fn shown(prism: &Prism, memory: &[f64]) -> [Vec<Vec3>; 2] {
    let mut both = [vec![Vec3::zeros(); prism.points()], vec![Vec3::zeros(); prism.points()]];
    let [places, velocities] = &mut both;
    prism.show(memory, places, velocities);
    both
}

#[test]
fn a_prism_is_watertight_and_outward() {
    let prism = corner(0.0);
    assert!(watertight(prism.triangles()));
    let [places, _] = shown(&prism, &prism.start());
    assert!((volume_of(&places, prism.triangles()) - 0.05 * 0.5).abs() < 1e-12);
    assert!((prism.mass() - 25.0).abs() < 1e-9);
    assert!(places.iter().all(|x| (x.y - 1.0).abs() == 0.25 && x.z > 0.0999));
}

#[test]
fn a_prism_lands_stays_above_the_ground_and_loses_what_is_accounted() {
    let (prism, ground) = (corner(0.3), [floor(0.0)]);
    let mut memory = prism.start();
    let start: f64 = prism.energies(&memory, &ground, GRAVITY).iter().sum();
    let mut lost = 0.0;
    for _ in 0..240 {
        let [before, _] = shown(&prism, &memory);
        lost += prism.step(&mut memory, &ground, GRAVITY, 1.0 / 240.0).unwrap();
        let [places, velocities] = shown(&prism, &memory);
        assert!(places.iter().all(|x| x.z > -1e-9));
        for ((x, old), v) in places.iter().zip(&before).zip(&velocities) {
            assert!((x - old - v / 240.0).norm() < 5e-3, "{x} {old} {v}");
        }
        let total = prism.energies(&memory, &ground, GRAVITY).iter().sum::<f64>() + lost;
        assert!((total / start - 1.0).abs() < 5e-3, "{total} {start}");
    }
    assert!(lost > 0.1 * start);
}

#[test]
fn a_step_is_a_function_of_its_arguments() {
    let (prism, fresh, ground) = (corner(0.3), corner(0.3), [floor(0.0)]);
    let run = |prism: &Prism, memory: &mut [f64], steps: usize| {
        (0..steps).map(|_| prism.step(memory, &ground, GRAVITY, 1.0 / 120.0).unwrap()).fold(0.0, |a, b| a + b)
    };
    let mut whole = prism.start();
    run(&prism, &mut whole, 60);
    for split in [1, 17, 33, 59] {
        let mut memory = prism.start();
        run(&prism, &mut memory, split);
        run(&prism, &mut whole.clone(), 7);
        prism.energies(&whole, &ground, GRAVITY);
        let mut again = memory.clone();
        run(&prism, &mut memory, 60 - split);
        run(&fresh, &mut again, 60 - split);
        assert!(memory == whole && again == whole, "{split}");
    }
}

#[test]
fn prisms_and_ground_without_sense_are_refused() {
    let body = || PlaneBody::new(&Polygon::circle(Vec2::zeros(), 1.0, 8).unwrap(), jelly()).unwrap();
    assert!(matches!(Prism::new(body(), 0.0, 0.0), Err(PrismError::Depth { .. })));
    assert!(Prism::new(body(), 1.0, f64::NAN).is_err());
    let prism = Prism::new(body(), 1.0, 0.0).unwrap();
    let step =
        |memory: &mut [f64], half: HalfSpace, g: Vec3| prism.step(memory, &[half], g, 1e-3).unwrap_err();
    let slope = HalfSpace { point: Vec3::zeros(), normal: Vec3::new(0.0, 0.6, 0.8) };
    let error = step(&mut prism.start(), slope, GRAVITY);
    assert_eq!(error, PuppetError::Slanted { which: 0, part: 0.6 });
    assert!(error.to_string().contains("along y"));
    let long = HalfSpace { normal: 2.0 * Vec3::z(), ..floor(0.0) };
    assert_eq!(step(&mut prism.start(), long, GRAVITY), PuppetError::HalfSpace(0));
    assert_eq!(step(&mut prism.start(), floor(0.0), Vec3::y()), PuppetError::Gravity(1.0));
    assert!(matches!(step(&mut [0.0; 3], floor(0.0), GRAVITY), PuppetError::Memory { given: 3, .. }));
    let mut memory = prism.start();
    memory[3] = f64::NAN;
    assert_eq!(step(&mut memory, floor(0.0), GRAVITY), PuppetError::NotFinite);
    assert!(prism.with_adhesion(-1.0).is_err());
}
