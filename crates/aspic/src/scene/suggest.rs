//! "Did you mean": the known word nearest to what was written.

/// Words people reach for, and what the scene language calls them.
const SYNONYMS: &[(&str, &str)] = &[
    ("e", "young"),
    ("elastic_modulus", "young"),
    ("nu", "poisson"),
    ("k", "bulk"),
    ("g", "shear"),
    ("rho", "density"),
    ("damping", "shear_viscosity"),
    ("viscosity", "shear_viscosity"),
    ("fps", "frame_rate"),
    ("dt", "first_step"),
    ("end", "duration"),
    ("cube", "box"),
    ("block", "box"),
    ("sphere", "ball"),
    ("rod", "beam"),
    ("bar", "beam"),
    ("donut", "torus"),
    ("fix", "hold"),
    ("fixed", "hold"),
    ("pin", "hold"),
    ("move", "drag"),
    ("glue", "tie"),
    ("centre", "center"),
    ("angular_velocity", "spin"),
    ("rotate", "rotation"),
    ("translate", "position"),
    ("translation", "position"),
    ("where", "on"),
    ("mu", "friction"),
    ("collision", "contact"),
    ("collisions", "contact"),
    ("euler", "backward-euler"),
    ("implicit_euler", "backward-euler"),
    ("newmark", "trapezoid"),
    ("forward_euler", "explicit-euler"),
    ("symplectic_euler", "semi-implicit-euler"),
    ("verlet", "velocity-verlet"),
    ("rk2", "midpoint"),
    ("runge_kutta", "rk4"),
    ("step", "max_step"),
    ("time_step", "max_step"),
];

/// Below this share of letters in common, a guess would only confuse.
const NEAR_ENOUGH: f64 = 0.55;

/// The candidate nearest to `word`, if any is near enough.
pub(super) fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let word = plain(word);
    if let Some((_, known)) = SYNONYMS.iter().find(|(other, _)| *other == word)
        && let Some(found) = candidates.iter().find(|candidate| *candidate == known)
    {
        return Some(found);
    }
    let score = |candidate: &str| {
        let candidate = plain(candidate);
        let shared_start = word.len() >= 3 && (candidate.starts_with(&word) || word.starts_with(&candidate));
        strsim::normalized_damerau_levenshtein(&word, &candidate) + if shared_start { 0.5 } else { 0.0 }
    };
    let scored = candidates.iter().map(|candidate| (score(candidate), *candidate));
    // `fold` keeps the first of equals, so that the answer follows the order of the candidates.
    let best = scored.fold(
        (NEAR_ENOUGH, None),
        |best, (score, candidate)| {
            if score > best.0 { (score, Some(candidate)) } else { best }
        },
    );
    best.1
}

/// "did you mean `x`?", or the list of everything that is known here.
pub(super) fn did_you_mean(word: &str, candidates: &[&str], what: &str) -> String {
    match nearest(word, candidates) {
        Some(found) => format!("did you mean `{found}`?"),
        None if candidates.is_empty() => format!("there are no {what}"),
        None => format!("the {what} are {}", list(candidates)),
    }
}

/// `a`, `b` and `c`.
pub(super) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn plain(word: &str) -> String {
    word.trim().to_lowercase().replace(['-', ' '], "_")
}
