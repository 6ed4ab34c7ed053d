//! Real time: when a frame is due, and how far behind the run is.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A run that is later than this does not hurry to catch up.
const SLACK: Duration = Duration::from_millis(50);
/// Span of time over which the pace is measured.
const WINDOW: Duration = Duration::from_secs(1);

/// Compares simulated with real time.
#[derive(Debug, Default)]
pub struct Clock {
    /// A moment, and the simulated time \[s\] that it shows.
    anchor: Option<(Instant, f64)>,
    /// Frames of late: when they were shown, and their time  \[s\]
    recent: VecDeque<(Instant, f64)>,
}

impl Clock {
    /// When the frame of time t \[s\] is due: now, if it is the first or late.
    pub fn due(&mut self, t: f64, now: Instant) -> Instant {
        let due = self.anchor.and_then(|(moment, shown)| {
            let ahead = Duration::try_from_secs_f64(t - shown).ok()?;
            moment.checked_add(ahead)
        });
        match due {
            Some(due) if now <= due + SLACK => due.max(now),
            _ => {
                self.anchor = Some((now, t));
                now
            }
        }
    }

    /// A frame of time t \[s\] was shown.
    pub fn shown(&mut self, t: f64, now: Instant) {
        self.recent.push_back((now, t));
        while self.recent.len() > 2 && now.duration_since(self.recent[0].0) > WINDOW {
            self.recent.pop_front();
        }
    }

    /// Wall seconds per simulated second of late; 0 if that is not known yet.
    pub fn slower(&self) -> f64 {
        match (self.recent.front(), self.recent.back()) {
            (Some((start, from)), Some((end, to))) if to > from => {
                end.duration_since(*start).as_secs_f64() / (to - from)
            }
            _ => 0.0,
        }
    }

    /// Time goes on from t \[s\] now, after it stood still or was set back.
    pub fn start(&mut self, t: f64, now: Instant) {
        *self = Clock { anchor: Some((now, t)), ..Clock::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_due_in_real_time_and_late_ones_at_once() {
        let (mut clock, start) = (Clock::default(), Instant::now());
        let at = |ms: u64| start + Duration::from_millis(ms);
        assert_eq!(clock.due(5.0, at(0)), at(0));
        assert_eq!(clock.due(5.1, at(30)), at(100));
        assert_eq!(clock.due(5.2, at(240)), at(240), "a little late: the next may be sooner");
        assert_eq!(clock.due(5.3, at(250)), at(300));
        assert_eq!(clock.due(5.4, at(900)), at(900), "far behind: from here on");
        assert_eq!(clock.due(5.5, at(910)), at(1000));
        clock.start(0.0, at(2000));
        assert_eq!(clock.due(0.1, at(2020)), at(2100));
    }

    #[test]
    fn pace_is_wall_time_over_simulated_time() {
        let (mut clock, start) = (Clock::default(), Instant::now());
        assert_eq!(clock.slower(), 0.0);
        for k in 0..100u32 {
            clock.shown(f64::from(k) * 0.01, start + Duration::from_millis(25) * k);
        }
        assert!((clock.slower() - 2.5).abs() < 1e-9, "{}", clock.slower());
        assert!(clock.recent.len() <= 42);
    }
}
