//! Where a prim stands: its operations in the order of `xformOpOrder`, the first one outermost.
//!
//! USD multiplies row vectors, p' = p·M; here columns are multiplied, so its matrices are transposed. Angles are in
//! degrees. `rotateXYZ` turns about x first. Quaternions are w x y z.

use aspic::Vec3;
use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector3};

use super::layer::{Prim, Value};

/// The transformation of a prim, and whether that of its parents is ignored.
pub(super) fn of(prim: &Prim) -> Result<(Matrix4<f64>, bool), String> {
    let order = prim.attributes.get("xformOpOrder").map(Value::texts).unwrap_or_default();
    let (mut place, mut resets) = (Matrix4::identity(), false);
    for name in order {
        if name == "!resetXformStack!" {
            (place, resets) = (Matrix4::identity(), true);
            continue;
        }
        let (inverted, name) = match name.strip_prefix("!invert!") {
            Some(name) => (true, name),
            None => (false, &name[..]),
        };
        let matrix = operation(name, prim.numbers(name))?;
        place *= match inverted {
            true => matrix.try_inverse().ok_or(format!("`{name}` cannot be inverted"))?,
            false => matrix,
        };
    }
    Ok((place, resets))
}

fn operation(name: &str, numbers: &[f64]) -> Result<Matrix4<f64>, String> {
    let kind = name.split(':').nth(1).unwrap_or_default();
    let unit = |axis: char| match axis {
        'X' => Vector3::x_axis(),
        'Y' => Vector3::y_axis(),
        _ => Vector3::z_axis(),
    };
    let turn = |axis: char, degrees: f64| {
        UnitQuaternion::from_axis_angle(&unit(axis), degrees.to_radians()).to_homogeneous()
    };
    let axes = kind.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let along = |factor: f64| axes.chars().next().map(|axis| unit(axis).into_inner() * factor);
    Ok(match (kind.trim_end_matches(['X', 'Y', 'Z']), axes.len(), numbers) {
        ("translate", 0, &[x, y, z]) => Matrix4::new_translation(&Vec3::new(x, y, z)),
        ("translate", 1, &[x]) => Matrix4::new_translation(&along(x).unwrap_or_default()),
        ("scale", 0, &[x, y, z]) => Matrix4::new_nonuniform_scaling(&Vec3::new(x, y, z)),
        ("scale", 1, &[x]) => {
            Matrix4::new_nonuniform_scaling(&(Vec3::repeat(1.0) + along(x - 1.0).unwrap_or_default()))
        }
        ("rotate", 1, &[angle]) => turn(axes.chars().next().unwrap_or('Z'), angle),
        ("rotate", 3, &[x, y, z]) => {
            let angle = |axis: char| [x, y, z][(axis as usize - 'X' as usize).min(2)];
            axes.chars().fold(Matrix4::identity(), |before, axis| turn(axis, angle(axis)) * before)
        }
        ("orient", 0, &[w, x, y, z]) if [w, x, y, z] != [0.0; 4] => {
            UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)).to_homogeneous()
        }
        ("transform", 0, matrix) if matrix.len() == 16 => Matrix4::from_column_slice(matrix),
        _ => return Err(format!("`{}` is no operation that is known", crate::mesh::reader::shorten(name))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_turn_about_the_first_axis_first() {
        let turned = operation("xformOp:rotateXYZ", &[90.0, 0.0, 90.0]).unwrap().transform_vector(&Vec3::y());
        // y goes to z about x, which stays about z.
        assert!((turned - Vec3::z()).norm() < 1e-15, "{turned}");
        let other = operation("xformOp:rotateZYX", &[90.0, 0.0, 90.0]).unwrap().transform_vector(&Vec3::y());
        // y goes to -x about z, which stays about x.
        assert!((other + Vec3::x()).norm() < 1e-15, "{other}");
    }

    #[test]
    fn one_axis_is_moved_scaled_and_turned_alone() {
        let at =
            |name: &str, number: f64| operation(name, &[number]).unwrap().transform_point(&[1.0; 3].into());
        assert_eq!(at("xformOp:translateY:pivot", 2.0), [1.0, 3.0, 1.0].into());
        assert_eq!(at("xformOp:scaleZ", 2.0), [1.0, 1.0, 2.0].into());
        assert!((at("xformOp:rotateZ", 90.0).coords - Vec3::new(-1.0, 1.0, 1.0)).norm() < 1e-15);
        assert!(operation("xformOp:spin", &[1.0]).is_err());
    }
}
