//! The energies over time as a picture.

use std::path::Path;

use aspic::frame::Ledger;
use plotters::prelude::*;
use plotters::style::RGBColor;

use crate::{OutputError, atomic};

const SIZE: (u32, u32) = (900, 540);
/// Room for the legend at the right \[px\].
const LEGEND: u32 = 190;
const FONT: &str = "sans-serif";

/// One line of the picture.
struct Curve {
    name: &'static str,
    color: RGBColor,
    width: u32,
    /// Energy over time  \[(s, J)\]
    points: Vec<(f64, f64)>,
}

/// Draws `ledger.svg`, 900 × 540 px. Gravity and the total are shown relative to their start,
/// because where the zero of gravity lies says nothing. Curves that stay at zero are left out.
pub fn write_svg(path: &Path, rows: &[Ledger]) -> Result<(), OutputError> {
    let curves = curves(rows);
    let mut text = String::new();
    draw(&mut text, &curves)
        .map_err(|cause| OutputError::Drawing { path: path.into(), cause: cause.to_string() })?;
    atomic::write(path, |w| w.write_all(text.as_bytes()))
}

/// Colours of Okabe and Ito, told apart by every kind of colour vision. Rows with a NaN are left out.
fn curves(rows: &[Ledger]) -> Vec<Curve> {
    let start = rows.first().copied().unwrap_or_default();
    type Column = (&'static str, RGBColor, u32, fn(&Ledger, &Ledger) -> f64);
    let columns: [Column; 13] = [
        ("kinetic", RGBColor(213, 94, 0), 2, |r, _| r.kinetic),
        ("elastic, volume", RGBColor(0, 114, 178), 2, |r, _| r.elastic_bulk),
        ("elastic, shape", RGBColor(86, 180, 233), 2, |r, _| r.elastic_shear),
        ("gravity, change", RGBColor(0, 158, 115), 2, |r, start| r.gravity - start.gravity),
        ("springs", RGBColor(204, 121, 167), 2, |r, _| r.springs),
        ("contact", RGBColor(240, 228, 66), 2, |r, _| r.contact),
        ("viscous loss", RGBColor(230, 159, 0), 2, |r, _| r.viscous_loss),
        ("friction loss", RGBColor(148, 103, 56), 2, |r, _| r.friction_loss),
        ("plastic loss", RGBColor(120, 60, 140), 2, |r, _| r.plastic_loss),
        ("impact loss", RGBColor(160, 40, 60), 2, |r, _| r.impact_loss),
        ("numerical loss", RGBColor(180, 180, 180), 2, |r, _| r.numerical_loss),
        ("− work done", RGBColor(130, 130, 130), 2, |r, _| -(r.drag_work + r.load_work)),
        ("total", BLACK, 4, |r, start| r.total - start.gravity),
    ];
    (columns.into_iter())
        .map(|(name, color, width, value)| {
            let points = rows.iter().map(|r| (r.t, value(r, &start)));
            let points = points.filter(|(t, e)| t.is_finite() && e.is_finite()).collect();
            Curve { name, color, width, points }
        })
        .filter(|c| c.name == "total" || c.points.iter().any(|&(_, e)| e != 0.0))
        .collect()
}

/// The lowest and highest of the numbers, widened by `margin` of the span; never empty.
fn range(values: impl Iterator<Item = f64>, margin: f64) -> std::ops::Range<f64> {
    let (lo, hi) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)));
    if lo > hi {
        return 0.0..1.0;
    }
    let span = if hi > lo { hi - lo } else { lo.abs().max(1.0) };
    let widen = margin * span;
    if hi > lo { lo - widen..hi + widen } else { lo - 0.5 * span..hi + 0.5 * span }
}

/// The unit that keeps the numbers on the axis short: J with a prefix, and its size.
fn energy_unit(largest: f64) -> (&'static str, f64) {
    let units = [("MJ", 1e6), ("kJ", 1e3), ("J", 1.0), ("mJ", 1e-3), ("µJ", 1e-6), ("nJ", 1e-9)];
    *units.iter().find(|(_, size)| largest >= *size).unwrap_or(&("J", 1.0))
}

/// Frame, grid and labels, then the curves with the total on top, then the legend.
fn draw(text: &mut String, curves: &[Curve]) -> Result<(), Box<dyn std::error::Error>> {
    let points = || curves.iter().flat_map(|c| c.points.iter().copied());
    let (unit, size) = energy_unit(points().map(|(_, e)| e.abs()).fold(0.0, f64::max));
    let times = range(points().map(|(t, _)| t), 0.0);
    let energies = range(points().map(|(_, e)| e / size), 0.05);
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, right) = root.split_horizontally(SIZE.0 - LEGEND);
    let mut chart = ChartBuilder::on(&left)
        .margin(16)
        .x_label_area_size(48)
        .y_label_area_size(72)
        .build_cartesian_2d(times, energies)?;
    chart
        .configure_mesh()
        .x_desc("time [s]")
        .y_desc(format!("energy [{unit}]"))
        .axis_desc_style((FONT, 16))
        .label_style((FONT, 14))
        .bold_line_style(RGBColor(225, 225, 225))
        .light_line_style(TRANSPARENT)
        .axis_style(RGBColor(90, 90, 90))
        .x_label_formatter(&|x| short(*x))
        .y_label_formatter(&|y| short(*y))
        .x_labels(8)
        .y_labels(8)
        .draw()?;
    for curve in curves {
        let line = curve.points.iter().map(|&(t, e)| (t, e / size));
        chart.draw_series(LineSeries::new(line, curve.color.stroke_width(curve.width)))?;
    }
    draw_legend(&right, curves)?;
    root.present()?;
    Ok(())
}

/// A number on an axis without the zeros that say nothing.
fn short(x: f64) -> String {
    // Adding zero turns −0 into 0.
    format!("{}", (x * 1e9).round() / 1e9 + 0.0)
}

/// Beside the chart, so that it never covers a curve.
fn draw_legend<B: DrawingBackend>(
    area: &DrawingArea<B, plotters::coord::Shift>,
    curves: &[Curve],
) -> Result<(), Box<dyn std::error::Error>>
where
    B::ErrorType: 'static,
{
    for (i, curve) in curves.iter().enumerate() {
        let y = 32 + 28 * i as i32;
        let line = PathElement::new(vec![(4, y), (34, y)], curve.color.stroke_width(curve.width));
        area.draw(&line)?;
        area.draw(&Text::new(curve.name, (44, y - 8), (FONT, 16)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball on a damped spring in gravity: every column but the loads moves.
    fn falling(n: usize) -> Vec<Ledger> {
        (0..n)
            .map(|i| {
                let t = i as f64 * 2.0 / n as f64;
                let decay = (-t).exp();
                let (s, c) = (7.0 * t).sin_cos();
                let (kinetic, elastic_shear) = (3.0 * decay * s * s, 2.0 * decay * c * c);
                let (elastic_bulk, gravity) = (decay * c * c, 40.0 - 1.5 * (1.0 - decay));
                let viscous_loss = 44.5 - kinetic - elastic_shear - elastic_bulk - gravity - 1.5;
                Ledger {
                    t,
                    kinetic,
                    elastic_bulk,
                    elastic_shear,
                    gravity,
                    viscous_loss,
                    total: 43.0,
                    ..Ledger::default()
                }
            })
            .collect()
    }

    fn svg(rows: &[Ledger]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.svg");
        write_svg(&path, rows).unwrap();
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn only_columns_that_move_are_drawn() {
        let text = svg(&falling(200));
        assert!(text.contains("viscous loss") && text.contains("gravity, change") && text.contains("total"));
        assert!(
            !["springs", "work", "contact", "friction", "numerical"].iter().any(|word| text.contains(word))
        );
        assert!(text.contains("energy [J]") && text.contains("time [s]"));
    }

    #[test]
    fn picture_is_the_same_every_time() {
        assert_eq!(svg(&falling(50)), svg(&falling(50)));
    }

    #[test]
    fn empty_constant_and_broken_ledgers_still_draw() {
        let nan = Ledger { t: 1.0, kinetic: f64::NAN, ..Ledger::default() };
        for rows in [vec![], vec![Ledger::default()], vec![Ledger::default(), nan]] {
            assert!(svg(&rows).contains("total"));
        }
    }

    #[test]
    fn small_energies_get_a_prefix() {
        assert_eq!(energy_unit(0.02), ("mJ", 1e-3));
        assert_eq!(energy_unit(5.0), ("J", 1.0));
        assert_eq!(energy_unit(2e4), ("kJ", 1e3));
        assert_eq!(energy_unit(0.0), ("J", 1.0));
    }

    #[test]
    fn axis_numbers_have_no_idle_zeros() {
        assert_eq!([800.0, 0.1 + 0.2, -1e-12, -0.25].map(short), ["800", "0.3", "0", "-0.25"]);
    }

    #[test]
    fn gravity_starts_at_zero_in_the_picture() {
        let curves = curves(&falling(10));
        let gravity = curves.iter().find(|c| c.name == "gravity, change").unwrap();
        assert_eq!(gravity.points[0].1, 0.0);
        let total = curves.last().unwrap();
        assert!((total.points[0].1 - 3.0).abs() < 1e-12, "43 J less the 40 J of gravity at the start");
    }
}
