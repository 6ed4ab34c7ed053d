use std::path::Path;

use aspic::Simulation;
use aspic::frame::{BodyKind, Frame};
use aspic::scene::{NoFiles, Scene};

use super::*;
use crate::run_folder::{Plan, RunFolder};

const SCENE: &str = r#"
title = "Film"
duration = "0.1 s"
[output]
frame_rate = 50
[contact]
[materials.rubber]
preset = "soft rubber"
[bodies.ball]
material = "rubber"
shape = { ball = { radius = "4 cm", rings = 2 } }
position = [0, 0, "6 cm"]
spin = [0, 20, 0]
[bodies.brick]
kind = "affine"
material = "rubber"
shape = { box = { size = ["6 cm", "6 cm", "3 cm"], cells = [2, 2, 1] } }
position = ["20 cm", 0, "13 cm"]
[constraints.hook]
hold = { body = "ball", side = { point = [0, 0, "9 cm"], normal = [0, 0, 1] } }
[constraints.shelf]
hold = { body = "brick", part = "all" }
[obstacles.floor]
shape = { plane = { point = [0, 0, 0], normal = [0, 0, 2] } }
rotation = { axis = [0, 1, 0], angle = "90 deg" }
position = [-1, 0, 0]
[obstacles.ram]
shape = { box = { size = ["2 cm", "10 cm", "10 cm"] } }
position = ["-8 cm", 0, "5 cm"]
"#;

/// A short run in a folder: the simulation behind it and its frames.
fn run(path: &Path, fields: Fields, frames: usize) -> (Simulation, Vec<Frame>) {
    run_scene(SCENE, path, fields, frames)
}

fn run_scene(scene: &str, path: &Path, fields: Fields, frames: usize) -> (Simulation, Vec<Frame>) {
    let mut simulation = Scene::parse(scene).unwrap().build(&NoFiles).unwrap();
    let topology = simulation.world().topology.clone();
    let start = simulation.state().clone();
    let points = simulation.world().constrained_points(&start);
    let mut about = About { frames: simulation.frame_count(), ..About::of(&topology) };
    about.constraints.iter_mut().zip(points).for_each(|(constraint, points)| constraint.points = points);
    let plan =
        Plan { scene, start: &start, topology: &topology, fields, frames: 0..frames, groups: &[], about };
    let mut folder = RunFolder::create(path, &plan, true).unwrap();
    let mut made = vec![];
    for _ in 0..frames {
        let frame = simulation.next_frame().unwrap().unwrap();
        folder.push(&frame, &simulation.checkpoint(), true).unwrap();
        made.push(frame);
    }
    (simulation, made)
}

#[test]
fn the_film_of_a_run_has_its_topology_and_its_numbers_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let (simulation, frames) = run(folder.path(), Fields::default(), 4);
    let film = RunFilm::open(folder.path()).unwrap();
    assert_eq!((film.len(), film.complete()), (4, false));
    let (ours, theirs) = (film.topology(), &simulation.world().topology);
    assert_eq!((ours.points, &ours.tets, &ours.triangles), (theirs.points, &theirs.tets, &theirs.triangles));
    assert_eq!(ours.constraints, theirs.constraints);
    for (a, b) in ours.bodies.iter().zip(&theirs.bodies) {
        let parts = |r: &aspic::frame::BodyRange| {
            (r.name.clone(), r.kind, r.points.clone(), r.tets.clone(), r.triangles.clone())
        };
        assert_eq!(parts(a), parts(b));
    }
    for (place, frame) in frames.iter().enumerate() {
        let back = film.frame(place).unwrap();
        assert_eq!((back.number, back.t), (place, frame.ledger.t));
        assert_eq!((&back.positions, &back.velocities), (&frame.positions, &frame.velocities));
        assert_eq!((&back.reaction, back.ledger), (&frame.reaction, Some(frame.ledger)));
    }
    assert_eq!(film.start(), frames[0].positions);
    assert_eq!(film.fields(), Fields::default());
}

/// The ball of the scene in a skin.
fn skinned() -> String {
    let skin = "spin = [0, 20, 0]\nskin = { shape = { sphere = { radius = \"4.2 cm\", divisions = 2 } } }\n";
    SCENE.replace("spin = [0, 20, 0]\n", skin)
}

#[test]
fn skin_comes_back_with_its_triangles_and_the_values_of_its_carriers() {
    for surface_only in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let fields = Fields { surface_only, ..Fields::default() };
        let (simulation, frames) = run_scene(&skinned(), folder.path(), fields, 4);
        let film = RunFilm::open(folder.path()).unwrap();
        let (ours, theirs) = (film.topology(), &simulation.world().topology);
        let (ball, body) = (&ours.bodies[0], &theirs.bodies[0]);
        let (back, frame) = (film.frame(3).unwrap(), &frames[3]);
        let skin = body.skin.as_ref().unwrap();
        assert_eq!((ball.triangles.len(), body.triangles.len()), (320, 320));
        assert_eq!(ours.bodies[1].triangles.len(), theirs.bodies[1].triangles.len());
        // The same triangles in the same order, at the same places.
        for (a, b) in
            ours.triangles[ball.triangles.clone()].iter().zip(&theirs.triangles[body.triangles.clone()])
        {
            for (a, b) in a.iter().zip(b) {
                assert_eq!(back.positions[*a as usize], frame.positions[*b as usize]);
                assert_eq!(back.contact[*a as usize], frame.contact[*b as usize]);
            }
        }
        // A point has a mean over the tetrahedra that carry the first corners of its triangles.
        let first = body.own_points().end;
        for (place, corners) in theirs.triangles[body.triangles.clone()].iter().enumerate().step_by(7) {
            let around = theirs.triangles[body.triangles.clone()].iter().filter(|t| t.contains(&corners[0]));
            let energies: Vec<f64> =
                around.map(|t| frame.energy_density[skin.carriers[t[0] as usize - first] as usize]).collect();
            let (low, high) = energies.iter().fold((f64::MAX, 0.0f64), |(l, h), &e| (l.min(e), h.max(e)));
            let mean = back.energy_density[ours.triangles[ball.triangles.start + place][0] as usize];
            assert!(mean >= low * (1.0 - 1e-12) && mean <= high * (1.0 + 1e-12), "{low} {mean} {high}");
        }
        assert!(back.von_mises.iter().any(|&s| s > 0.0));
    }
}

#[test]
fn constraints_name_the_points_they_hold() {
    let folder = tempfile::tempdir().unwrap();
    let (simulation, frames) = run(folder.path(), Fields::default(), 1);
    let film = RunFilm::open(folder.path()).unwrap();
    let names: Vec<&str> = film.constraints().iter().map(|c| &c.name[..]).collect();
    assert_eq!(names, ["hook", "shelf", "ram"]);
    let ball = &simulation.world().topology.bodies[0].points;
    let high = ball.clone().filter(|&p| frames[0].positions[p].z >= 0.09).map(|p| p as u32);
    assert_eq!(film.constraints()[0].points, high.collect::<Vec<_>>());
    for (held, body) in [(1, 1), (2, 2)] {
        let body = simulation.world().topology.bodies[body].points.clone();
        assert_eq!(film.constraints()[held].points, body.map(|p| p as u32).collect::<Vec<_>>());
    }
}

/// Independent of the reader's sums: corner by corner, over all tetrahedra that have it.
#[test]
fn stress_and_energy_on_points_are_means_over_the_volume_around_them() {
    let folder = tempfile::tempdir().unwrap();
    let (simulation, frames) = run(folder.path(), Fields::default(), 4);
    let back = RunFilm::open(folder.path()).unwrap().frame(3).unwrap();
    let topology = &simulation.world().topology;
    let x = &frames[3].positions;
    for point in (0..topology.points).step_by(3) {
        let around = topology.tets.iter().enumerate().filter(|(_, tet)| tet.contains(&(point as u32)));
        let (mut sum, mut volume) = (0.0, 0.0);
        for (number, tet) in around {
            let [a, b, c, d] = tet.map(|v| x[v as usize]);
            let v = aspic::Mat3::from_columns(&[b - a, c - a, d - a]).determinant() / 6.0;
            sum += v * frames[3].energy_density[number];
            volume += v;
        }
        let mean = if volume > 0.0 { sum / volume } else { 0.0 };
        assert!((back.energy_density[point] - mean).abs() <= 1e-12 * mean.abs(), "{point}");
    }
    let ram = topology.bodies[2].points.clone();
    assert!(back.von_mises[ram].iter().all(|&s| s == 0.0));
    assert!(back.von_mises[..10].iter().all(|&s| s > 0.0));
}

#[test]
fn surface_files_give_a_film_of_the_points_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let fields = Fields { surface_only: true, ..Fields::default() };
    let (simulation, frames) = run(folder.path(), fields, 2);
    let film = RunFilm::open(folder.path()).unwrap();
    let (ours, theirs) = (film.topology(), &simulation.world().topology);
    assert!(ours.tets.is_empty() && ours.points < theirs.points);
    assert_eq!(ours.triangles.len(), theirs.triangles.len());
    let back = film.frame(1).unwrap();
    for (a, b) in ours.triangles.iter().zip(&theirs.triangles) {
        let here = a.map(|p| back.positions[p as usize]);
        assert_eq!(here, b.map(|p| frames[1].positions[p as usize]));
    }
    let kinds: Vec<_> = ours.bodies.iter().map(|b| b.kind).collect();
    assert_eq!(kinds, [BodyKind::Solid, BodyKind::Affine, BodyKind::Obstacle]);
    assert_eq!(back.von_mises.len(), ours.points);
    let hook = &film.constraints()[0];
    assert!(!hook.points.is_empty());
    assert!(hook.points.iter().all(|&p| film.start()[p as usize].z >= 0.09));
}

/// A frame file and `run.json` of made-up bodies.
fn folder_of_ropes(path: &Path, fields: Fields) -> (Topology, Frame) {
    let (topology, frame) = crate::vtu::tests::ropes_and_cloth();
    std::fs::create_dir(path.join(names::FRAMES)).unwrap();
    crate::vtu::write_frame(&path.join(frame_file(0)), &topology, &frame, fields).unwrap();
    About::of(&topology).write(&path.join(names::ABOUT)).unwrap();
    (topology, frame)
}

#[test]
fn ropes_and_cloth_come_back_with_their_edges_and_radii_whatever_the_order_of_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let (theirs, frame) = folder_of_ropes(folder.path(), Fields::default());
    let film = RunFilm::open(folder.path()).unwrap();
    let ours = film.topology();
    assert_eq!((&ours.tets, &ours.triangles, &ours.edges), (&theirs.tets, &theirs.triangles, &theirs.edges));
    for (a, b) in ours.bodies.iter().zip(&theirs.bodies) {
        assert_eq!(a, &aspic::frame::BodyRange { nodes: 0..0, ..b.clone() });
    }
    let back = film.frame(0).unwrap();
    assert_eq!((&back.positions, &back.contact), (&frame.positions, &frame.contact));
    // The mean over tetrahedra: none around ropes and cloth.
    let energy = [vec![0.0; 7], vec![0.25; 4], vec![0.0], vec![0.5; 4], vec![0.0]].concat();
    assert_eq!(back.energy_density, energy);
}

#[test]
fn surface_files_give_ropes_back_too() {
    let folder = tempfile::tempdir().unwrap();
    let fields = Fields { surface_only: true, ..Fields::default() };
    let (theirs, frame) = folder_of_ropes(folder.path(), fields);
    let film = RunFilm::open(folder.path()).unwrap();
    let ours = film.topology();
    let back = film.frame(0).unwrap();
    assert_eq!((ours.points, ours.tets.len(), ours.edges.len()), (16, 0, 3));
    for (a, b) in ours.edges.iter().zip(&theirs.edges) {
        assert_eq!(a.map(|p| back.positions[p as usize]), b.map(|p| frame.positions[p as usize]));
    }
    assert_eq!((ours.bodies[0].edges.clone(), ours.bodies[4].edges.clone()), (0..2, 2..3));
    assert_eq!((ours.bodies[0].radius, ours.bodies[3].points.len()), (0.25, 0));
    assert_eq!(back.von_mises.len(), 16);
}

#[test]
fn a_scene_tells_which_bodies_are_mass_points_and_how_thick_they_are() {
    let scene = r#"
duration = 1
[materials.rubber]
preset = "soft rubber"
[bodies.rope]
material = "rubber"
rope = { path = [[0, 0, 1], [1, 0, 1]], segments = 4, radius = "5 mm" }
[bodies.cloth]
material = "rubber"
cloth = { size = [1, 1], cells = [2, 2], thickness = "1 mm" }
[bodies.cube]
material = "rubber"
shape = { box = { size = [1, 1, 1], cells = [1, 1, 1] } }
block = {}
"#;
    let about = About::from_scene(scene).unwrap();
    let bodies: Vec<_> = about.bodies.iter().map(|b| (&b.name[..], b.kind, b.radius)).collect();
    use BodyKind::Points;
    assert_eq!(bodies, [("rope", Points, 0.005), ("cloth", Points, 0.0005), ("cube", Points, 0.0)]);
}

#[test]
fn without_run_json_what_has_edges_is_taken_for_mass_points() {
    let folder = tempfile::tempdir().unwrap();
    folder_of_ropes(folder.path(), Fields::default());
    std::fs::remove_file(folder.path().join(names::ABOUT)).unwrap();
    let film = RunFilm::open(folder.path()).unwrap();
    let kinds: Vec<_> = film.topology().bodies.iter().map(|b| b.kind).collect();
    use BodyKind::{Obstacle, Points, Solid};
    assert_eq!(kinds, [Points, Obstacle, Solid, Obstacle, Points]);
}

#[test]
fn a_folder_without_run_json_takes_names_and_planes_from_its_scene() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), Fields::default(), 2);
    std::fs::remove_file(folder.path().join(names::ABOUT)).unwrap();
    let film = RunFilm::open(folder.path()).unwrap();
    let bodies: Vec<_> = film.topology().bodies.iter().map(|b| (&b.name[..], b.kind)).collect();
    let expected = [("ball", BodyKind::Solid), ("brick", BodyKind::Affine), ("ram", BodyKind::Obstacle)];
    assert_eq!(bodies, expected);
    let [floor] = film.planes() else { panic!("{:?}", film.planes()) };
    assert_eq!((&floor.name[..], floor.point), ("floor", [-1.0, 0.0, 0.0]));
    // The normal z, turned by 90° about y, is x.
    assert!((Vec3::from(floor.normal) - Vec3::x()).norm() < 1e-15);
    assert_eq!((film.title(), film.frame_interval(), film.duration()), ("Film".into(), 0.02, 0.1));
    // Without the scene too, bodies are numbered.
    std::fs::remove_file(folder.path().join(names::SCENE)).unwrap();
    let film = RunFilm::open(folder.path()).unwrap();
    let bodies: Vec<_> = film.topology().bodies.iter().map(|b| (&b.name[..], b.kind)).collect();
    assert_eq!(bodies[0], ("body 0", BodyKind::Solid));
    assert_eq!(bodies[2], ("body 2", BodyKind::Obstacle));
}

#[test]
fn a_damaged_frame_is_an_error_that_names_it_and_spares_the_others() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), Fields::default(), 3);
    let file = folder.path().join("frames/000000.vtu");
    let text = std::fs::read_to_string(&file).unwrap();
    for length in (0..text.len()).step_by(499) {
        std::fs::write(&file, &text[..length]).unwrap();
        let film = RunFilm::open(folder.path()).unwrap();
        assert!(film.topology().points > 0, "{length}: the second frame tells the topology");
        let error = film.frame(0).unwrap_err().to_string();
        assert!(error.contains("000000.vtu"), "{error}");
        assert!(film.frame(1).is_ok() && film.frame(2).is_ok());
    }
    std::fs::write(&file, [0xff; 100]).unwrap();
    let mut film = RunFilm::open(folder.path()).unwrap();
    let notices = film.take_notices();
    assert!(notices.len() == 1 && notices[0].contains("000000.vtu"), "{notices:?}");
}

#[test]
fn a_film_grows_with_its_run_and_knows_when_it_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let mut film = {
        run(folder.path(), Fields::default(), 2);
        let mut film = RunFilm::open(folder.path()).unwrap();
        assert_eq!((film.len(), film.complete(), film.refresh().unwrap()), (2, false, false));
        film
    };
    run(folder.path(), Fields::default(), 6);
    assert!(film.refresh().unwrap());
    assert_eq!((film.len(), film.ledger().len(), film.complete()), (6, 6, true));
    assert!(film.frame(5).is_ok() && film.frame(6).is_err());
}

#[test]
fn what_is_no_run_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let text = RunFilm::open(folder.path()).unwrap_err().to_string();
    assert!(text.contains("holds no run"), "{text}");
    let text = RunFilm::open(&folder.path().join("nowhere")).unwrap_err().to_string();
    assert!(text.contains("does not exist"), "{text}");
    std::fs::create_dir(folder.path().join("frames")).unwrap();
    let film = RunFilm::open(folder.path()).unwrap();
    assert!(film.is_empty() && !film.complete() && film.topology().points == 0);
}
