//! Figures for people.

/// An energy \[J\] with three digits and a unit that suits it.
pub fn joules(energy: f64) -> String {
    match energy.abs() {
        0.0 => "0 J".into(),
        size if !(1e-9..1e6).contains(&size) => format!("{energy:.2e} J"),
        size if size >= 1.0 => format!("{} J", digits(energy)),
        size if size >= 1e-3 => format!("{} mJ", digits(energy * 1e3)),
        size if size >= 1e-6 => format!("{} µJ", digits(energy * 1e6)),
        _ => format!("{} nJ", digits(energy * 1e9)),
    }
}

/// A part of a whole in per cent, with three digits.
pub fn percent(part: f64) -> String {
    let percent = 100.0 * part;
    match percent.abs() {
        0.0 => "0 %".into(),
        size if !(1e-3..1e6).contains(&size) => format!("{percent:.1e} %"),
        _ => format!("{} %", digits(percent)),
    }
}

/// A length of time \[s\] with three digits.
pub(super) fn span(s: f64) -> String {
    match s {
        s if s >= 1.0 => format!("{} s", digits(s)),
        s if s >= 1e-3 => format!("{} ms", digits(s * 1e3)),
        s => format!("{} µs", digits(s * 1e6)),
    }
}

/// Three digits, or all before the point.
fn digits(x: f64) -> String {
    let places = 2 - x.abs().log10().floor().clamp(-6.0, 2.0) as i32;
    format!("{x:.*}", places as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits_and_a_fitting_unit() {
        let shown = [0.0, 12.345, -0.00451, 3.2e-8, 7.7e9, 2345.6, f64::INFINITY].map(joules);
        assert_eq!(shown, ["0 J", "12.3 J", "-4.51 mJ", "32.0 nJ", "7.70e9 J", "2346 J", "inf J"]);
        assert_eq!([2.0, 0.0123, 0.827, 4e-7].map(percent), ["200 %", "1.23 %", "82.7 %", "4.0e-5 %"]);
        assert_eq!([1.0 / 60.0, 2.0, 1e-6].map(span), ["16.7 ms", "2.00 s", "1.00 µs"]);
    }
}
