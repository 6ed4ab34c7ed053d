//! What bodies of mass points have in common beside their stiffness: damping, lasting changes, limits.

use super::PointsError;
use crate::points::{Change, Damping, DampingTime, Network, StrainLimit};

/// Damping, plasticity, animated rest values and limits; none by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inner {
    /// γ of every point: drag of the air  \[N s/m\]
    pub point_damping: f64,
    /// γ of every spring  \[N s/m\]
    pub spring_damping: f64,
    /// Damping of springs relative to their stiffness, γ = τ k: the same material on any mesh  \[s\]
    pub relaxation: f64,
    /// When damping is taken by explicit steps.
    pub damping_time: DampingTime,
    /// Springs bear no pressure.
    pub tension_only: bool,
    /// Longest springs.
    pub limit: Option<StrainLimit>,
    /// Lasting changes of distances, areas and volumes.
    pub changes: [Change; 3],
}

impl Inner {
    /// Gives them to a network whose springs are set.
    pub(super) fn apply(&self, network: &mut Network) -> Result<(), PointsError> {
        let positive = PointsError::not_negative;
        let (own, relaxation) = (
            positive("the damping of springs", self.spring_damping)?,
            positive("the relaxation time", self.relaxation)?,
        );
        let mut springs = vec![];
        if own > 0.0 || relaxation > 0.0 {
            network.distances.each(&[], |_, k, _| springs.push(own + relaxation * k));
        }
        let point = positive("the damping of points", self.point_damping)?;
        network.damping = Damping { point, springs, time: self.damping_time };
        if let Some(limit) = self.limit {
            let need = "springs may reach at least their rest length";
            if limit.stretch.is_nan() || limit.stretch < 1.0 {
                return Err(PointsError::BadNumber {
                    what: "the largest stretch",
                    value: limit.stretch,
                    need,
                });
            }
        }
        network.limit = self.limit;
        for flow in self.changes.iter().filter_map(|change| change.flow) {
            flow.checked().map_err(PointsError::Yield)?;
        }
        network.changes.clone_from(&self.changes);
        Ok(())
    }
}
