//! Velocities and accelerations at keys, such that no coordinate leaves the range of the two keys around it.
//!
//! On an interval of length h and mean slope s the derivative of the quintic is a Bernstein polynomial of degree four
//! with the coefficients
//!
//! ```text
//! v₀,  v₀ + a₀ h/4,  5 s − 2 v₀ − 2 v₁ − (a₀ − a₁) h/4,  v₁ − a₁ h/4,  v₁
//! ```
//!
//! While all have the sign of s the quintic only rises, or only falls. That holds whatever the other end does if both
//! ends take at most half of the middle one: 2 v₀ + a₀ h/4 ≤ 5/2 s, and likewise at the end.

/// A key of one coordinate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Key {
    /// Time  \[s\]
    pub t: f64,
    pub x: f64,
    pub v: f64,
    pub a: f64,
}

/// Coefficients of the wrong sign by this part of the slope are rounding errors.
const ROUNDING: f64 = 1e-12;

/// The same keys with velocities and accelerations: of the parabola through three keys where that is steady, and rest at
/// both ends. A key like the one before or after it is a rest, one that is a summit has no velocity.
pub(super) fn steady(keys: &[Key]) -> Vec<Key> {
    let mut found: Vec<Key> = (0..keys.len()).map(|k| parabola(keys, k)).collect();
    let mut limited = vec![false; keys.len()];
    // Each round limits at least one more key.
    while let Some(k) =
        (1..keys.len()).find(|&k| !(is_steady(&found[k - 1], &found[k]) || limited[k - 1] && limited[k]))
    {
        for k in [k - 1, k] {
            limited[k] = true;
            found[k] = restrained(keys, k, &found[k]);
        }
    }
    found
}

/// Mean slope between two keys.
fn slope(a: &Key, b: &Key) -> f64 {
    (b.x - a.x) / (b.t - a.t)
}

/// The slope and curvature of the parabola through a key and its neighbours; zero for the first and last.
fn parabola(keys: &[Key], k: usize) -> Key {
    let now = keys[k];
    if k == 0 || k + 1 == keys.len() {
        return now;
    }
    let (before, after) = (&keys[k - 1], &keys[k + 1]);
    let (h0, h1) = (now.t - before.t, after.t - now.t);
    let (s0, s1) = (slope(before, &now), slope(&now, after));
    Key { v: (s0 * h1 + s1 * h0) / (h0 + h1), a: (s1 - s0) * (2.0 / (h0 + h1)), ..now }
}

/// Whether the quintic between two keys only rises, only falls, or rests.
fn is_steady(a: &Key, b: &Key) -> bool {
    let (h, s) = (b.t - a.t, slope(a, b));
    let quarters = [a.a * h / 4.0, b.a * h / 4.0];
    let middle = 5.0 * s - 2.0 * (a.v + b.v) - quarters[0] + quarters[1];
    let all = [a.v, a.v + quarters[0], middle, b.v - quarters[1], b.v];
    let least = ROUNDING * s.abs();
    if s == 0.0 { all == [0.0; 5] } else { all.into_iter().all(|c| c * s.signum() >= -least) }
}

/// An inner key with as much of its velocity and acceleration as both its intervals bear.
fn restrained(keys: &[Key], k: usize, wanted: &Key) -> Key {
    if k == 0 || k + 1 == keys.len() {
        return *wanted;
    }
    let (h0, h1) = (wanted.t - keys[k - 1].t, keys[k + 1].t - wanted.t);
    let (s0, s1) = (slope(&keys[k - 1], wanted), slope(wanted, &keys[k + 1]));
    if s0 == 0.0 || s1 == 0.0 {
        return Key { v: 0.0, a: 0.0, ..*wanted };
    }
    // as if it came from below
    let up = s0.signum();
    let (s0, s1, a) = (s0 * up, s1 * up, wanted.a * up);
    let (v, lowest, highest) = if s1 > 0.0 {
        let v = (wanted.v * up).min(1.25 * s0.min(s1)).max(0.0);
        let lowest = (-v / h1).max((2.0 * v - 2.5 * s0) / h0);
        (v, lowest, (v / h0).min((2.5 * s1 - 2.0 * v) / h1))
    } else {
        (0.0, (-2.5 * s0 / h0).max(2.5 * s1 / h1), 0.0)
    };
    Key { v: v * up, a: a.max(4.0 * lowest).min(4.0 * highest) * up, ..*wanted }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Vec3;
    use crate::hermite::quintic;

    /// The coordinate between two keys, at a part of the interval.
    fn between(a: &Key, b: &Key, part: f64) -> f64 {
        let knot = |key: &Key| [key.x, key.v, key.a].map(|x| Vec3::new(x, 0.0, 0.0));
        quintic(knot(a), knot(b), b.t - a.t, part)[0].x
    }

    fn keys(list: &[(f64, f64)]) -> Vec<Key> {
        list.iter().map(|&(t, x)| Key { t, x, ..Key::default() }).collect()
    }

    proptest! {
        #[test]
        fn no_coordinate_leaves_the_range_of_its_two_keys(
            list in prop::collection::vec((0.01f64..3.0, -1.0f64..1.0, 0usize..4), 2..9)
        ) {
            let mut t = 0.0;
            let mut list: Vec<(f64, f64)> = list.iter().map(|&(wait, x, kind)| {
                t += wait;
                // some keys are alike, some far apart
                (t, [x, 0.5, 0.0, 1e-3 * x][kind])
            }).collect();
            list.dedup_by(|a, b| a.0 == b.0);
            let found = steady(&keys(&list));
            for pair in found.windows(2) {
                let (low, high) = (pair[0].x.min(pair[1].x), pair[0].x.max(pair[1].x));
                for k in 0..=64 {
                    let x = between(&pair[0], &pair[1], k as f64 / 64.0);
                    prop_assert!(x >= low - 1e-12 && x <= high + 1e-12, "{x} outside {low} to {high}: {pair:?}");
                }
            }
        }
    }

    #[test]
    fn even_keys_keep_the_slopes_of_their_parabolas() {
        let list: Vec<(f64, f64)> = (0..8).map(|k| (k as f64, (0.3 * k as f64).exp())).collect();
        let found = steady(&keys(&list));
        for k in 2..6 {
            assert_eq!(found[k].v, (list[k + 1].1 - list[k - 1].1) / 2.0);
        }
    }

    #[test]
    fn a_repeated_key_is_a_rest_and_a_summit_is_not() {
        let found = steady(&keys(&[(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 2.0), (5.0, 0.0), (6.0, 0.0)]));
        assert!([1, 2].iter().all(|&k| (found[k].v, found[k].a) == (0.0, 0.0)));
        assert!(found[3].v == 0.0 && found[3].a < 0.0);
    }
}
