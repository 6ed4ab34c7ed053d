//! Units people write: `"30 kPa"`, `"9.81 m/s²"`, `"80°"`. Everything inside aspic is SI.

use std::f64::consts::{PI, TAU};

use super::error::SceneError;
use super::suggest;

/// What a number measures. The last few exist only to recognise a unit in the wrong place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// m
    Length,
    /// s
    Time,
    /// Pa
    Pressure,
    /// kg/m³
    Density,
    /// Pa·s
    Viscosity,
    /// m/s
    Speed,
    /// m/s²
    Acceleration,
    /// N
    Force,
    /// rad
    Angle,
    /// rad/s
    AngularSpeed,
    /// N/m
    Stiffness,
    /// Hz
    Frequency,
    /// kg/m
    MassPerLength,
    /// kg/m²
    MassPerArea,
    /// N·m²
    BendingStiffness,
    /// N·m
    Rigidity,
    /// N·s/m
    Damping,
    /// N/m³
    AreaSpring,
    /// N/m⁵
    VolumeSpring,
    /// No unit.
    Number,
    /// kg
    Mass,
    /// m²
    Area,
    /// m³
    Volume,
    /// J
    Energy,
    /// W
    Power,
    /// K
    Temperature,
}

impl Measure {
    /// With its article: "a length".
    pub fn phrase(self) -> &'static str {
        match self {
            Measure::Length => "a length",
            Measure::Time => "a time",
            Measure::Pressure => "a pressure",
            Measure::Density => "a density",
            Measure::Viscosity => "a viscosity",
            Measure::Speed => "a speed",
            Measure::Acceleration => "an acceleration",
            Measure::Force => "a force",
            Measure::Angle => "an angle",
            Measure::AngularSpeed => "a rate of turning",
            Measure::Stiffness => "a spring stiffness",
            Measure::Frequency => "a frequency",
            Measure::MassPerLength => "a mass per length",
            Measure::MassPerArea => "a mass per area",
            Measure::BendingStiffness => "a stiffness against bending",
            Measure::Rigidity => "a flexural rigidity",
            Measure::Damping => "a damping constant",
            Measure::AreaSpring => "an area stiffness",
            Measure::VolumeSpring => "a volume stiffness",
            Measure::Number => "a plain number",
            Measure::Mass => "a mass",
            Measure::Area => "an area",
            Measure::Volume => "a volume",
            Measure::Energy => "an energy",
            Measure::Power => "a power",
            Measure::Temperature => "a temperature",
        }
    }

    /// The units it accepts, SI unit first, without prefixed forms that follow from the rules.
    pub fn symbols(self) -> Vec<&'static str> {
        let all = UNITS.iter().filter(|unit| unit.measure == self && unit.listed);
        all.map(|unit| unit.symbol).collect()
    }
}

/// One unit: value in SI = value × `times` / `over`. Two factors keep decimal units exact: 7 cm is 7/100.
struct Unit {
    symbol: &'static str,
    measure: Measure,
    times: f64,
    over: f64,
    /// Whether SI prefixes go in front.
    prefixes: bool,
    /// Whether help texts name it; the others are spellings of a listed one.
    listed: bool,
}

const fn unit(symbol: &'static str, measure: Measure, times: f64, over: f64) -> Unit {
    Unit { symbol, measure, times, over, prefixes: false, listed: true }
}

/// An SI unit that takes prefixes.
const fn si(symbol: &'static str, measure: Measure) -> Unit {
    Unit { symbol, measure, times: 1.0, over: 1.0, prefixes: true, listed: true }
}

/// Another spelling.
const fn alias(symbol: &'static str, measure: Measure, times: f64, over: f64) -> Unit {
    Unit { symbol, measure, times, over, prefixes: false, listed: false }
}

/// SI prefixes as (letter, times, over).
const PREFIXES: &[(&str, f64, f64)] = &[
    ("n", 1.0, 1e9),
    ("u", 1.0, 1e6),
    ("m", 1.0, 1e3),
    ("c", 1.0, 1e2),
    ("d", 1.0, 1e1),
    ("h", 1e2, 1.0),
    ("k", 1e3, 1.0),
    ("M", 1e6, 1.0),
    ("G", 1e9, 1.0),
];

use Measure as M;

/// Every unit. Multiplication is a space and powers are `^n` here; see [`tidy`].
/// What is needed settles whether `g` is a gram or standard gravity; where neither is, mass comes first.
const UNITS: &[Unit] = &[
    si("g", M::Mass),
    unit("t", M::Mass, 1e3, 1.0),
    unit("lb", M::Mass, 0.45359237, 1.0),
    si("m", M::Length),
    unit("mm", M::Length, 1.0, 1e3),
    unit("cm", M::Length, 1.0, 1e2),
    unit("km", M::Length, 1e3, 1.0),
    unit("in", M::Length, 254.0, 1e4),
    unit("ft", M::Length, 3048.0, 1e4),
    alias("metre", M::Length, 1.0, 1.0),
    alias("metres", M::Length, 1.0, 1.0),
    alias("meter", M::Length, 1.0, 1.0),
    alias("meters", M::Length, 1.0, 1.0),
    alias("inch", M::Length, 254.0, 1e4),
    alias("inches", M::Length, 254.0, 1e4),
    si("s", M::Time),
    unit("ms", M::Time, 1.0, 1e3),
    unit("us", M::Time, 1.0, 1e6),
    unit("ns", M::Time, 1.0, 1e9),
    unit("min", M::Time, 60.0, 1.0),
    unit("h", M::Time, 3600.0, 1.0),
    alias("sec", M::Time, 1.0, 1.0),
    alias("second", M::Time, 1.0, 1.0),
    alias("seconds", M::Time, 1.0, 1.0),
    alias("minute", M::Time, 60.0, 1.0),
    alias("minutes", M::Time, 60.0, 1.0),
    si("Pa", M::Pressure),
    unit("kPa", M::Pressure, 1e3, 1.0),
    unit("MPa", M::Pressure, 1e6, 1.0),
    unit("GPa", M::Pressure, 1e9, 1.0),
    unit("bar", M::Pressure, 1e5, 1.0),
    unit("psi", M::Pressure, 6894.757293168361, 1.0),
    alias("mbar", M::Pressure, 1e2, 1.0),
    alias("N/m^2", M::Pressure, 1.0, 1.0),
    alias("N/mm^2", M::Pressure, 1e6, 1.0),
    unit("kg/m^3", M::Density, 1.0, 1.0),
    unit("g/cm^3", M::Density, 1e3, 1.0),
    unit("kg/L", M::Density, 1e3, 1.0),
    alias("g/L", M::Density, 1.0, 1.0),
    alias("g/mL", M::Density, 1e3, 1.0),
    alias("g/cc", M::Density, 1e3, 1.0),
    alias("kg/l", M::Density, 1e3, 1.0),
    alias("t/m^3", M::Density, 1e3, 1.0),
    si("Pa s", M::Viscosity),
    unit("mPa s", M::Viscosity, 1.0, 1e3),
    unit("kPa s", M::Viscosity, 1e3, 1.0),
    unit("cP", M::Viscosity, 1.0, 1e3),
    unit("P", M::Viscosity, 1.0, 10.0),
    unit("m/s", M::Speed, 1.0, 1.0),
    unit("cm/s", M::Speed, 1.0, 1e2),
    unit("mm/s", M::Speed, 1.0, 1e3),
    unit("km/h", M::Speed, 1e3, 3600.0),
    alias("km/s", M::Speed, 1e3, 1.0),
    alias("ft/s", M::Speed, 3048.0, 1e4),
    unit("m/s^2", M::Acceleration, 1.0, 1.0),
    unit("cm/s^2", M::Acceleration, 1.0, 1e2),
    unit("g", M::Acceleration, 9.80665, 1.0),
    alias("mm/s^2", M::Acceleration, 1.0, 1e3),
    si("N", M::Force),
    unit("mN", M::Force, 1.0, 1e3),
    unit("kN", M::Force, 1e3, 1.0),
    unit("rad", M::Angle, 1.0, 1.0),
    unit("deg", M::Angle, PI, 180.0),
    unit("°", M::Angle, PI, 180.0),
    unit("turn", M::Angle, TAU, 1.0),
    alias("degree", M::Angle, PI, 180.0),
    alias("degrees", M::Angle, PI, 180.0),
    alias("radians", M::Angle, 1.0, 1.0),
    alias("turns", M::Angle, TAU, 1.0),
    alias("mrad", M::Angle, 1.0, 1e3),
    unit("rad/s", M::AngularSpeed, 1.0, 1.0),
    unit("deg/s", M::AngularSpeed, PI, 180.0),
    unit("rpm", M::AngularSpeed, TAU, 60.0),
    alias("°/s", M::AngularSpeed, PI, 180.0),
    alias("turn/s", M::AngularSpeed, TAU, 1.0),
    si("N/m", M::Stiffness),
    unit("kN/m", M::Stiffness, 1e3, 1.0),
    unit("N/mm", M::Stiffness, 1e3, 1.0),
    unit("N/cm", M::Stiffness, 1e2, 1.0),
    si("Hz", M::Frequency),
    unit("kHz", M::Frequency, 1e3, 1.0),
    unit("fps", M::Frequency, 1.0, 1.0),
    alias("1/s", M::Frequency, 1.0, 1.0),
    unit("kg/m", M::MassPerLength, 1.0, 1.0),
    unit("g/m", M::MassPerLength, 1.0, 1e3),
    unit("g/cm", M::MassPerLength, 1.0, 10.0),
    unit("kg/m^2", M::MassPerArea, 1.0, 1.0),
    unit("g/m^2", M::MassPerArea, 1.0, 1e3),
    unit("N m^2", M::BendingStiffness, 1.0, 1.0),
    unit("N mm^2", M::BendingStiffness, 1.0, 1e6),
    si("N m", M::Rigidity),
    unit("mN m", M::Rigidity, 1.0, 1e3),
    unit("uN m", M::Rigidity, 1.0, 1e6),
    alias("J", M::Rigidity, 1.0, 1.0),
    si("N s/m", M::Damping),
    unit("kg/s", M::Damping, 1.0, 1.0),
    unit("g/s", M::Damping, 1.0, 1e3),
    unit("N/m^3", M::AreaSpring, 1.0, 1.0),
    unit("N/m^5", M::VolumeSpring, 1.0, 1.0),
    unit("%", M::Number, 1.0, 1e2),
    unit("m^2", M::Area, 1.0, 1.0),
    unit("cm^2", M::Area, 1.0, 1e4),
    unit("mm^2", M::Area, 1.0, 1e6),
    unit("m^3", M::Volume, 1.0, 1.0),
    unit("cm^3", M::Volume, 1.0, 1e6),
    unit("L", M::Volume, 1.0, 1e3),
    si("J", M::Energy),
    si("W", M::Power),
    unit("K", M::Temperature, 1.0, 1.0),
    unit("°C", M::Temperature, 1.0, 1.0),
];

/// Reads `"30 kPa"` as a `measure` and returns it in SI units. Without a unit the number is SI already.
pub(super) fn parse_as(text: &str, measure: Measure) -> Result<f64, SceneError> {
    let (number, symbol) = split(text);
    let value: f64 = number.parse().map_err(|_| not_a_number(text, measure))?;
    if symbol.is_empty() {
        return finite(value, text);
    }
    match find(&symbol, |unit| unit == measure) {
        Some((_, times, over)) => finite(value * times / over, text),
        None => Err(wrong_unit(text, &symbol, measure)),
    }
}

/// Reads a length such as `"2 cm"`; without a unit it is in metres  \[m\]
pub fn length(text: &str) -> Result<f64, SceneError> {
    parse_as(text, Measure::Length)
}

/// Another value \[SI\] in the unit of `text`: 4e4 Pa like "30 kPa" is "40 kPa". `None` if the text has no such unit.
pub fn written_like(text: &str, value: f64, measure: Measure) -> Option<String> {
    let plain = text.trim().replace('−', "-");
    let symbol = plain[number_length(plain.as_bytes())..].trim();
    let (_, times, over) = find(&tidy(symbol), |unit| unit == measure)?;
    Some(format!("{} {symbol}", nine_digits(value * over / times)))
}

/// A number without the noise of its last digits.
pub fn nine_digits(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

/// The value itself, unless it is too large for a floating-point number, or not a number.
pub(super) fn finite(value: f64, text: &str) -> Result<f64, SceneError> {
    if value.is_finite() {
        return Ok(value);
    }
    let what = if value.is_nan() { "is not a number" } else { "is too large" };
    Err(SceneError::new(format!("`{text}` {what}")).help("write a finite number"))
}

/// The number in front, with a plain minus sign, and the tidied unit behind it.
fn split(text: &str) -> (String, String) {
    let text = text.trim().replace('−', "-");
    let end = number_length(text.as_bytes());
    (text[..end].to_owned(), tidy(&text[end..]))
}

/// How many bytes of `text` form a number: sign, digits, point, digits, exponent.
fn number_length(text: &[u8]) -> usize {
    let digits = |from: usize| from + text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = |from: usize| from + usize::from(matches!(text.get(from), Some(b'+' | b'-')));
    let mut end = digits(sign(0));
    if text.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let exponent = sign(end + 1);
        // "2 e" is no exponent: one needs digits.
        if digits(exponent) > exponent {
            end = digits(exponent);
        }
    }
    end
}

/// One spelling for all: `µ` → `u`, `·` and `*` → space, `²` → `^2`, single spaces, none around `/`.
fn tidy(symbol: &str) -> String {
    let spaced = symbol.replace(['·', '⋅', '*'], " ").replace(['µ', 'μ'], "u").replace('/', " / ");
    let powers = spaced.replace('²', "^2").replace('³', "^3").replace('⁵', "^5");
    powers.split_whitespace().collect::<Vec<_>>().join(" ").replace(" / ", "/").replace("/s2", "/s^2")
}

/// The first unit of an allowed measure with this symbol, with its factors.
fn find(symbol: &str, allowed: impl Fn(Measure) -> bool) -> Option<(Measure, f64, f64)> {
    let mut units = UNITS.iter().filter(|unit| allowed(unit.measure));
    let exact = units.clone().find(|unit| unit.symbol == symbol);
    if let Some(unit) = exact {
        return Some((unit.measure, unit.times, unit.over));
    }
    units.find_map(|unit| {
        let prefix = symbol.strip_suffix(unit.symbol).filter(|_| unit.prefixes)?;
        let &(_, times, over) = PREFIXES.iter().find(|(letter, ..)| *letter == prefix)?;
        Some((unit.measure, unit.times * times, unit.over * over))
    })
}

fn not_a_number(text: &str, needed: Measure) -> SceneError {
    let si = needed.symbols().first().copied().unwrap_or_default();
    let example = if needed == Measure::Number { "`1.5`".to_owned() } else { format!("\"1.5 {si}\"") };
    SceneError::new(format!("\"{text}\" does not start with a number; {} is needed", needed.phrase()))
        .help(format!("write it like {example}"))
}

fn accepted_units(measure: Measure) -> String {
    match measure {
        Measure::Number => "write the number without a unit, or in %".to_owned(),
        _ => format!("the units of {} are {}", measure.phrase(), measure.symbols().join(", ")),
    }
}

fn wrong_unit(text: &str, symbol: &str, needed: Measure) -> SceneError {
    let accepted = needed.symbols();
    if symbol.starts_with(',') {
        return SceneError::new(format!("\"{text}\" has a comma in its number"))
            .help("use a point as the decimal sign");
    }
    if let Some((other, ..)) = find(symbol, |_| true) {
        return SceneError::new(format!("\"{text}\" is {}, {} is needed", other.phrase(), needed.phrase()))
            .help(accepted_units(needed));
    }
    let units = accepted_units(needed);
    let near = accepted.iter().find(|unit| unit.eq_ignore_ascii_case(symbol)).copied();
    let help = match near.or_else(|| suggest::nearest(symbol, &accepted)) {
        Some(near) => format!("did you mean `{near}`? {units}"),
        None => units,
    };
    SceneError::new(format!("unknown unit `{symbol}` in \"{text}\"")).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_value_is_written_in_the_unit_that_was_there() {
        for (text, value, measure, expected) in [
            ("30 kPa", 45e3, M::Pressure, "45 kPa"),
            ("1.5MPa", 2e5, M::Pressure, "0.2 MPa"),
            ("5 mPa·s", 0.0123, M::Viscosity, "12.3 mPa·s"),
            ("−9.81 m/s²", -1.6, M::Acceleration, "-1.6 m/s²"),
            ("20 ms", 0.1 + 0.2, M::Time, "300 ms"),
        ] {
            let written = written_like(text, value, measure).unwrap();
            assert_eq!(written, expected);
            assert!((parse_as(&written, measure).unwrap() - value).abs() <= 1e-8 * value.abs());
        }
        assert_eq!(written_like("30 kPa", 1.0, M::Time), None);
        assert_eq!(written_like("30", 1.0, M::Pressure), None);
    }

    #[test]
    fn common_units_have_their_defined_size() {
        let table: &[(&str, Measure, f64)] = &[
            ("30 kPa", M::Pressure, 30e3),
            ("1.5MPa", M::Pressure, 1.5e6),
            ("1 bar", M::Pressure, 1e5),
            ("1 psi", M::Pressure, 6894.757293168361),
            ("3 hPa", M::Pressure, 300.0),
            ("7 cm", M::Length, 0.07),
            ("12 in", M::Length, 0.3048),
            ("1 ft", M::Length, 0.3048),
            ("5 µm", M::Length, 5e-6),
            ("20 ms", M::Time, 0.02),
            ("2 min", M::Time, 120.0),
            ("1 h", M::Time, 3600.0),
            ("1 g/cm^3", M::Density, 1000.0),
            ("1 g / cm³", M::Density, 1000.0),
            ("1 Pa s", M::Viscosity, 1.0),
            ("2 Pa·s", M::Viscosity, 2.0),
            ("5 mPa·s", M::Viscosity, 0.005),
            ("5 cP", M::Viscosity, 0.005),
            ("36 km/h", M::Speed, 10.0),
            ("9.81 m/s²", M::Acceleration, 9.81),
            ("1 g", M::Acceleration, 9.80665),
            ("-2 N", M::Force, -2.0),
            ("−3 kN", M::Force, -3000.0),
            ("2 kN/m", M::Stiffness, 2000.0),
            ("1 N/mm", M::Stiffness, 1000.0),
            ("24 fps", M::Frequency, 24.0),
            ("50 %", M::Number, 0.5),
            ("1e-3 m", M::Length, 1e-3),
            ("3", M::Length, 3.0),
        ];
        for &(text, measure, expected) in table {
            assert_eq!(parse_as(text, measure), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_turn_is_360_degrees() {
        // π is rounded, so the last digit may differ.
        let table =
            [("180 deg", M::Angle, PI), ("90°", M::Angle, PI / 2.0), ("60 rpm", M::AngularSpeed, TAU)];
        for (text, measure, expected) in table {
            let read = parse_as(text, measure).unwrap();
            assert!((read / expected - 1.0).abs() <= 2.0 * f64::EPSILON, "{text} is {read}");
        }
    }

    #[test]
    fn a_unit_of_another_measure_is_named() {
        let error = parse_as("30 kg", M::Length).unwrap_err();
        assert_eq!(error.message, "\"30 kg\" is a mass, a length is needed");
        assert_eq!(error.help.as_deref(), Some("the units of a length are m, mm, cm, km, in, ft"));
        let error = parse_as("3 g", M::Time).unwrap_err();
        assert_eq!(error.message, "\"3 g\" is a mass, a time is needed");
    }

    #[test]
    fn a_misspelt_unit_gets_the_nearest_one() {
        let error = parse_as("30 KPa", M::Pressure).unwrap_err();
        assert_eq!(error.message, "unknown unit `KPa` in \"30 KPa\"");
        let help = "did you mean `kPa`? the units of a pressure are Pa, kPa, MPa, GPa, bar, psi";
        assert_eq!(error.help.as_deref(), Some(help));
    }

    #[test]
    fn overflow_and_commas_are_refused() {
        assert_eq!(parse_as("1e308 km", M::Length).unwrap_err().message, "`1e308 km` is too large");
        assert_eq!(parse_as("1,5 m", M::Length).unwrap_err().message, "\"1,5 m\" has a comma in its number");
        assert!(parse_as("", M::Length).is_err());
        assert!(parse_as("nan m", M::Length).is_err());
        assert!(parse_as("tall", M::Length).is_err());
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_panic(text in ".*") {
            for measure in [M::Length, M::Viscosity, M::Number] {
                if let Ok(value) = parse_as(&text, measure) {
                    proptest::prop_assert!(value.is_finite());
                }
            }
        }

        #[test]
        fn prefixes_scale_by_powers_of_ten(value in -1e6f64..1e6) {
            for (prefix, power) in [("n", -9), ("u", -6), ("m", -3), ("c", -2), ("k", 3), ("M", 6)] {
                for (symbol, measure) in [("m", M::Length), ("Pa", M::Pressure), ("N", M::Force)] {
                    let read = parse_as(&format!("{value} {prefix}{symbol}"), measure).unwrap();
                    let expected = value * 10f64.powi(power);
                    proptest::prop_assert!((read - expected).abs() <= 4.0 * f64::EPSILON * expected.abs());
                }
            }
        }

        #[test]
        fn every_listed_unit_reads_in_its_own_measure(index in 0..UNITS.len(), value in 0.0f64..1e3) {
            let unit = &UNITS[index];
            let read = parse_as(&format!("{value} {}", unit.symbol), unit.measure).unwrap();
            proptest::prop_assert_eq!(read, value * unit.times / unit.over);
        }
    }
}
