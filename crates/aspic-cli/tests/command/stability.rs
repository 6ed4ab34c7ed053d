//! `aspic stability`: the table, its JSON, and bad arguments.

use crate::support::{BLOCK, Desk};

/// The block without viscosity, so that every limit is one of frequency.
fn elastic() -> String {
    BLOCK.replace("preset = \"soft rubber\"", "density = 1000\nyoung = \"100 kPa\"\npoisson = 0.4")
}

/// Each method with its largest stable step in seconds.
fn steps(json: &str) -> Vec<(String, f64)> {
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    let rows = json["methods"].as_array().unwrap();
    rows.iter()
        .map(|row| (row["method"].as_str().unwrap().to_owned(), row["step_s"].as_f64().unwrap()))
        .collect()
}

#[test]
fn the_table_has_a_row_for_each_method_with_units() {
    let desk = Desk::new();
    desk.write("scene.toml", elastic());
    let answer = desk.well(&["stability", "scene.toml"]);
    let lines: Vec<&str> = answer.stdout.lines().collect();
    assert!(lines[0].starts_with("27 nodes, 40 tetrahedra; steps are stable over 80.00 ms"), "{answer:?}");
    let methods: Vec<&str> = lines[3..].iter().filter_map(|line| line.split_whitespace().next()).collect();
    let expected = [
        "explicit-euler",
        "semi-implicit-euler",
        "heun",
        "midpoint",
        "rk4",
        "position-verlet",
        "velocity-verlet",
        "leapfrog",
        "backward-euler",
    ];
    assert_eq!(methods[..9], expected, "{}", answer.stdout);
    for line in &lines[3..12] {
        assert!(line.contains(" ms") || line.contains(" µs"), "{line}");
    }
    assert!(lines[11].contains(">= 8.00 ms"), "{}", lines[11]);
}

#[test]
fn runge_kutta_bears_the_root_of_two_times_the_step_of_verlet() {
    let desk = Desk::new();
    desk.write("scene.toml", elastic());
    let chosen = ["stability", "scene.toml", "--methods", "rk4,velocity-verlet", "--time", "0.5", "--json"];
    let rows = steps(&desk.well(&chosen).stdout);
    let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["rk4", "velocity-verlet"]);
    let ratio = rows[0].1 / rows[1].1;
    assert!((ratio / 2f64.sqrt() - 1.0).abs() < 0.03, "{ratio}");
}

#[test]
fn what_cannot_be_searched_is_refused_with_the_cure() {
    let desk = Desk::new();
    desk.write("scene.toml", BLOCK);
    for (arguments, words) in [
        (["--methods", "verlet"], "did you mean \"velocity-verlet\"?"),
        (["--methods", "rkf45"], "rkf45 chooses its own steps"),
        (["--time", "-1"], "write a number of seconds, for example 0.5"),
    ] {
        let answer = desk.aspic(&[&["stability", "scene.toml"][..], &arguments[..]].concat());
        assert_eq!(answer.code, Some(2), "{answer:?}");
        assert!(answer.stderr.contains(words), "{answer:?}");
    }
}

#[test]
fn a_step_that_is_too_long_leads_to_this_command() {
    let desk = Desk::new();
    desk.write("scene.toml", elastic() + "\n[time]\nmethod = \"leapfrog\"\nmax_step = \"8 ms\"\n");
    let answer = desk.aspic(&["run", "scene.toml"]);
    assert_eq!(answer.code, Some(1), "{answer:?}");
    for words in ["a step of 8.000e-3 s is too long", "`block`", "aspic stability", "max_step"] {
        assert!(answer.stderr.contains(words), "{words}: {answer:?}");
    }
}
