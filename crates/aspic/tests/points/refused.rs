//! Bodies that cannot be: each is refused with its cause.

use aspic::body::{BuildError, Inflation, PointsError, Rope, SheetStiffness};
use aspic::mesh::generate;
use aspic::points::{StrainLimit, Yield};
use aspic::scene::{NoFiles, Scene};
use aspic::{Vec3, WorldBuilder};

use crate::support::{rope, sheet};

fn refused(rope: &Rope) -> PointsError {
    match WorldBuilder::new().rope("line", rope).unwrap_err() {
        BuildError::Points { error, .. } => error,
        other => panic!("{other}"),
    }
}

#[test]
fn springs_without_length_are_refused() {
    let mut line = rope(Vec3::x(), 3, 10.0, 0.0);
    line.strands[0][2] = line.strands[0][1];
    assert_eq!(refused(&line), PointsError::ZeroLength { ends: [1, 2] });
    line.strands[0].truncate(1);
    assert_eq!(refused(&line), PointsError::TooFew { points: 1 });
}

#[test]
fn numbers_without_sense_are_refused() {
    let line = || rope(Vec3::x(), 3, 10.0, 0.0);
    let text = |change: &dyn Fn(&mut Rope)| {
        let mut line = line();
        change(&mut line);
        refused(&line).to_string()
    };
    assert!(text(&|line| line.mass_per_length = 0.0).contains("mass per length"));
    assert!(text(&|line| line.stiffness.stretch = f64::NAN).contains("stretch"));
    assert!(text(&|line| line.inner.relaxation = -1.0).contains("relaxation"));
    let limit = StrainLimit { stretch: 0.9, tolerance: 1e-3, sweeps: 1 };
    assert!(text(&|line| line.inner.limit = Some(limit)).contains("stretch"));
    let flow = Yield { strain: 0.5, creep: 1.0, max: 0.2, per_step: false };
    assert!(text(&|line| line.inner.changes[0].flow = Some(flow)).contains("must not be above"));
}

#[test]
fn isolated_points_and_surfaces_that_are_no_shells_are_refused() {
    let closed = || {
        let mut shell = sheet([1.0, 1.0], [1, 1], SheetStiffness { stretch: 10.0, ..Default::default() });
        (shell.surface, shell.cells) = (generate::sphere_surface(0.1, 1).unwrap(), vec![]);
        shell.inflation = Some(Inflation::default());
        shell
    };
    let refused = |shell| match WorldBuilder::new().sheet("shell", &shell).unwrap_err() {
        BuildError::Points { error, .. } => error,
        other => panic!("{other}"),
    };
    let mut lonely = closed();
    lonely.surface.positions.push(Vec3::zeros());
    assert_eq!(refused(lonely), PointsError::Isolated { vertex: 42 });
    let mut open = closed();
    open.surface.triangles.pop();
    assert!(matches!(refused(open), PointsError::Open { .. }));
    let mut crowded = closed();
    crowded.surface.positions.push(Vec3::zeros());
    let [a, b, _] = crowded.surface.triangles[0];
    crowded.surface.triangles.push([a, b, 42]);
    assert!(matches!(refused(crowded), PointsError::Crowded { .. }));
    let mut turned = closed();
    turned.surface.triangles[0].swap(0, 1);
    assert!(matches!(refused(turned), PointsError::Disoriented { .. }));
}

#[test]
fn a_rope_that_crosses_itself_is_refused_and_one_that_passes_over_itself_is_not() {
    let scene = |height: &str| {
        let text = format!(
            r#"
            duration = "0.1 s"
            [materials.r]
            young = "1 MPa"
            poisson = 0.3
            density = 1000
            [bodies.loop]
            material = "r"
            rope = {{ path = [[0, 0, 0], [1, 0, 0], [1, 1, {height}], [0.5, -1, {height}]], segments = 30, radius = "1 cm" }}
            "#
        );
        Scene::parse(&text).unwrap().build(&NoFiles).map(|_| ()).map_err(|error| error.to_string())
    };
    let error = scene("0").unwrap_err();
    assert!(error.contains("`loop`") && error.contains("itself"), "{error}");
    assert_eq!(scene("\"5 cm\""), Ok(()));
}
