//! Names that another program accepts: no character that it does not allow, and no two that are alike.

use std::collections::HashSet;

use super::Actor;

/// Longest name, in bytes: endings still fit behind it.
const LONGEST: usize = 120;

/// Names of devices that no file may have on Windows.
const KEPT: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A safe name of a file for each actor, all of them different.
pub fn of_files(actors: &[Actor]) -> Vec<String> {
    distinct(actors.iter().map(|actor| actor.name.as_str()), in_files)
}

/// Each name with `_` in place of what is not allowed. Names that would then be empty or the same, also on file systems
/// that take `A` for `a`, get a number, as do the names that Windows keeps for itself.
pub fn distinct<'a>(names: impl Iterator<Item = &'a str>, allowed: fn(char) -> bool) -> Vec<String> {
    let mut taken: HashSet<String> = KEPT.iter().map(|name| name.to_string()).collect();
    taken.extend((0..10).flat_map(|port| [format!("com{port}"), format!("lpt{port}")]));
    names.map(|name| free(&mut taken, &clean(name, allowed))).collect()
}

fn clean(name: &str, allowed: fn(char) -> bool) -> String {
    let mut clean: String = name.trim().chars().map(|c| if allowed(c) { c } else { '_' }).collect();
    let end = (0..=LONGEST.min(clean.len())).rev().find(|&at| clean.is_char_boundary(at));
    clean.truncate(end.unwrap_or(0));
    if clean.is_empty() { "unnamed".into() } else { clean }
}

fn free(taken: &mut HashSet<String>, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut wishes = std::iter::once(name.to_string()).chain(numbered);
    wishes.find(|wish| taken.insert(wish.to_lowercase())).unwrap_or_default()
}

/// Letters and digits of plain ASCII and `_`: an identifier, unless a digit comes first.
pub fn in_identifiers(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Letters and digits of any script, `_` and `-`: safe in names of files and of entries of archives.
pub fn in_files(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// The name on one line: control characters become spaces.
pub fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_apart_when_their_odd_characters_go() {
        let names = ["a/b", "a b", "A_b", "", "..", "a_b_2", "Kälte"];
        let safe = distinct(names.into_iter(), in_files);
        assert_eq!(safe, ["a_b", "a_b_2", "A_b_3", "unnamed", "__", "a_b_2_2", "Kälte"]);
    }

    #[test]
    fn names_of_devices_get_numbers_and_long_names_are_cut_between_letters() {
        let long = "ü".repeat(200);
        let safe = distinct(["con", "COM1", &long].into_iter(), in_files);
        assert_eq!(safe[..2], ["con_2", "COM1_2"]);
        assert_eq!(safe[2].chars().count(), 60);
    }

    #[test]
    fn identifiers_are_plain_ascii() {
        assert_eq!(distinct(["Seil, grün"].into_iter(), in_identifiers), ["Seil__gr_n"]);
    }
}
