use super::super::Plane;
use super::super::solids::{cylinder, ellipsoid};
use super::*;

fn slice(solid: (Vec<Vec3>, Vec<[u32; 3]>), normal: Vec3) -> Slice {
    let mesh = ClosedMesh::new(&solid.0, &solid.1).unwrap();
    let medium = Medium::new(1e4, 0.4, Plane::Strain).unwrap();
    Slice::new(&mesh, &mesh.edges(), Rounded::from(normal), 48, &medium).unwrap()
}

#[test]
fn a_section_of_a_ball_is_a_disc_in_any_direction() {
    for normal in [Vec3::x(), -Vec3::x(), Vec3::z(), Vec3::new(1.0, -0.3, 0.7), Vec3::new(0.2, 0.3, -1.0)] {
        let slice = slice(ellipsoid(Vec3::new(1.0, 1.0, 1.0), 40, 50), normal);
        assert_eq!(slice.shape.outline().len(), 48);
        assert!((slice.shape.outline().moments().area / std::f64::consts::PI - 1.0).abs() < 0.01);
        let tilt = slice.axes[0].cross(&slice.axes[1]).angle(&normal);
        assert!(tilt < 0.075, "{tilt}");
    }
}

#[test]
fn an_upright_section_of_a_cylinder_keeps_its_corners() {
    let slice = slice(cylinder(0.1, 0.15, 60), Vec3::x());
    let moments = slice.shape.outline().moments();
    assert!((moments.area / (0.2 * 0.15) - 1.0).abs() < 5e-3, "{}", moments.area);
}

#[test]
fn the_outline_moves_with_the_mesh() {
    let (vertices, triangles) = ellipsoid(Vec3::new(1.0, 0.8, 0.6), 20, 30);
    let mut slice = slice((vertices.clone(), triangles), Vec3::new(0.3, 1.0, 0.1));
    let field = |x: Vec3| Vec3::new(0.1 * x.z, 0.2 * x.x, 0.3 * x.y);
    let displacements: Vec<f64> = vertices.iter().flat_map(|x| <[f64; 3]>::from(field(*x))).collect();
    slice.remember(&displacements);
    for (x, u) in slice.shape.outline().vertices().iter().zip(slice.shape.displacements()) {
        let exact = slice.flat(field(x.x * slice.axes[0] + x.y * slice.axes[1]));
        assert!((u - exact).norm() < 1e-12, "{u} {exact}");
    }
}
