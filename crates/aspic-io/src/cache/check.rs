//! What every cache refuses: a cast that names points it does not have, and poses that do not fit the cast.

use std::io;
use std::path::Path;

use super::{Cast, Pose};
use crate::OutputError;

/// A refusal in words: what is wrong, and what to do.
pub(crate) fn refusal(path: &Path, words: String) -> OutputError {
    OutputError::io(path)(io::Error::other(words))
}

/// Refuses triangles and edges between points that are not there, and a rate that is no rate.
pub(crate) fn cast(path: &Path, cast: &Cast) -> Result<(), OutputError> {
    for actor in &cast.actors {
        let corners = actor.triangles.as_flattened().iter().chain(actor.edges.as_flattened());
        if let Some(corner) = corners.copied().find(|&corner| corner as usize >= actor.points) {
            let (name, points) = (&actor.name, actor.points);
            let words = format!("`{name}` has {points} points, but a triangle or edge names point {corner}");
            return Err(refusal(path, format!("{words}: hand over indices from 0 to one below the number")));
        }
        if u32::try_from(actor.points).is_err() {
            return Err(refusal(path, format!("`{}` has too many points: 2^32 - 1 at most", actor.name)));
        }
    }
    let unit = cast.meters_per_unit;
    if !(unit.is_finite() && unit > 0.0) {
        return Err(refusal(path, format!("a unit of {unit} m cannot be: choose a scale above 0")));
    }
    if cast.rate.is_finite() && cast.rate > 0.0 {
        return Ok(());
    }
    Err(refusal(path, format!("{} frames a second cannot be played: choose a rate above 0", cast.rate)))
}

/// Refuses positions of the wrong number, those that single precision cannot hold, and a pose that is out of turn.
pub(crate) fn pose(path: &Path, cast: &Cast, pushed: usize, pose: &Pose<'_>) -> Result<(), OutputError> {
    OutputError::expect_length(path, "positions", cast.points(), pose.positions.len())?;
    if !pose.velocities.is_empty() {
        OutputError::expect_length(path, "velocities", cast.points(), pose.velocities.len())?;
    }
    OutputError::expect_length(path, "the row of poses before this one", pose.place, pushed)?;
    let holds = |position: &aspic::Vec3| position.iter().all(|&x| (x as f32).is_finite());
    if pose.positions.iter().all(holds) {
        return Ok(());
    }
    let words = format!("frame {} has points that lie nowhere, or beyond single precision", pose.number);
    Err(refusal(path, format!("{words}: choose a smaller scale, or export the frames before it")))
}

/// Refuses a cache without frames.
pub(crate) fn frames(path: &Path, pushed: usize) -> Result<(), OutputError> {
    if pushed > 0 {
        return Ok(());
    }
    Err(refusal(path, "there is no frame to write: let the run write at least one".into()))
}

#[cfg(test)]
mod tests {
    use aspic::Vec3;

    use super::*;
    use crate::cache::Actor;

    fn two_points() -> Cast {
        let actor = Actor { name: "rope".into(), points: 2, edges: vec![[0, 1]], ..Actor::default() };
        Cast { actors: vec![actor], rate: 24.0, frames: 1, meters_per_unit: 1.0, ..Cast::default() }
    }

    fn refused(result: Result<(), OutputError>, words: &str) {
        let text = result.unwrap_err().to_string();
        assert!(text.contains("out.abc") && text.contains(words), "{text}");
    }

    #[test]
    fn a_cast_with_loose_indices_or_without_rate_is_refused() {
        let path = Path::new("out.abc");
        cast(path, &two_points()).unwrap();
        let mut loose = two_points();
        loose.actors[0].edges.push([1, 2]);
        refused(cast(path, &loose), "`rope` has 2 points, but a triangle or edge names point 2");
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            refused(cast(path, &Cast { rate, ..two_points() }), "choose a rate above 0");
        }
    }

    #[test]
    fn poses_of_wrong_length_or_without_place_are_refused() {
        let (path, cast) = (Path::new("out.abc"), two_points());
        let check = |positions: &[Vec3]| {
            pose(path, &cast, 0, &Pose { place: 0, number: 7, t: 0.0, positions, velocities: &[] })
        };
        check(&[Vec3::zeros(); 2]).unwrap();
        refused(check(&[Vec3::zeros(); 3]), "positions has 3 entries where 2 are needed");
        refused(
            check(&[Vec3::zeros(), Vec3::new(0.0, f64::NAN, 0.0)]),
            "frame 7 has points that lie nowhere",
        );
        refused(check(&[Vec3::zeros(), Vec3::new(0.0, 1e39, 0.0)]), "export the frames before it");
    }

    #[test]
    fn no_frame_is_refused() {
        frames(Path::new("out.abc"), 1).unwrap();
        refused(frames(Path::new("out.abc"), 0), "there is no frame to write");
    }
}
