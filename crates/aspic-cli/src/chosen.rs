//! Bodies and points that are named on the command line, with commas between them.
//!
//! Names of bodies may hold anything, also commas and colons. So what is a name as it stands is that name, and only the
//! rest is taken apart.

use aspic_io::cache::csv::Tracked;

/// Names of bodies, from lists of them.
pub fn bodies(lists: &[String], known: &[&str]) -> Vec<String> {
    let parts = |list| split(list, |name| known.contains(&name));
    lists.iter().flat_map(|list| parts(list)).map(str::to_owned).collect()
}

/// Points to follow, from lists of BODY and BODY:NUMBER.
pub fn points(lists: &[String], known: &[&str]) -> Vec<Tracked> {
    let is_known =
        |text: &str| known.contains(&text) || numbered(text).is_some_and(|(name, _)| known.contains(&name));
    let point = |text: &str| match numbered(text).filter(|_| !known.contains(&text)) {
        Some((name, point)) => Tracked { actor: name.to_owned(), point: Some(point) },
        None => Tracked { actor: text.to_owned(), point: None },
    };
    lists.iter().flat_map(|list| split(list, is_known)).map(point).collect()
}

/// The name and the number of BODY:NUMBER.
fn numbered(text: &str) -> Option<(&str, usize)> {
    let (name, number) = text.rsplit_once(':')?;
    Some((name.trim_end(), number.trim().parse().ok()?))
}

/// The parts of a list. As many of the pieces between commas as make a known name together are one part.
fn split(list: &str, is_known: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut parts = vec![];
    let mut rest = list;
    loop {
        let ends = rest.match_indices(',').map(|(at, _)| at).chain([rest.len()]);
        let longest = ends.filter(|&end| is_known(rest[..end].trim())).last();
        let end = longest.unwrap_or_else(|| rest.find(',').unwrap_or(rest.len()));
        parts.push(rest[..end].trim());
        match rest.get(end + 1..) {
            Some(more) => rest = more,
            None => return parts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 5] = ["ball", "a, b", "b", "c:1", "ring"];

    fn list(text: &str) -> Vec<String> {
        bodies(&[text.to_owned()], &KNOWN)
    }

    #[test]
    fn names_with_commas_are_found_in_lists() {
        assert_eq!(list("a, b"), ["a, b"]);
        assert_eq!(list("ball,a, b , ring"), ["ball", "a, b", "ring"]);
        assert_eq!(list("b,wrong"), ["b", "wrong"]);
        assert_eq!(list(""), [""]);
    }

    #[test]
    fn a_number_behind_a_colon_is_a_point_unless_it_belongs_to_the_name() {
        let points = points(&["ball:3,a, b:0,c:1, c:1:7".to_owned()], &KNOWN);
        let found: Vec<(&str, Option<usize>)> = points.iter().map(|p| (p.actor.as_str(), p.point)).collect();
        assert_eq!(found, [("ball", Some(3)), ("a, b", Some(0)), ("c:1", None), ("c:1", Some(7))]);
    }
}
