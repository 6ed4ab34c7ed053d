//! gmsh 4.1 by `mshio`, with what it leaves to its user: the version, the counts, the names of
//! physical groups, and the tags of the vertices.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::Path;

use aspic::Vec3;
use mshio::mshfile::{ElementType, Entities, MshData, MshFile, Nodes};

use super::guard::guarded;
use super::{Raw, check_count};
use crate::{Place, ReadError};

const SAVE_AGAIN: &str = "save it again as gmsh 4.1: gmsh OLD.msh -save -format msh41 -o NEW.msh";
const TRUNCATED: &str = "the count is wrong or the file is cut off: save it again";

pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<Raw, ReadError> {
    let scan = Scan::new(path, bytes)?;
    let bytes = scan.with_explicit_tags()?;
    let parsed = guarded(|| mshio::parse_msh_bytes(&bytes).map_err(|e| explain(&bytes, &e)));
    let file = match parsed {
        Ok(Ok(file)) => file,
        // A matter of the whole file; the parser only notices at the first block of that kind.
        Ok(Err((_, cause))) if cause.contains("parametric") => {
            return Err(ReadError::format(
                path,
                Place::File,
                cause,
                "save it again with Mesh.SaveParametric = 0",
            ));
        }
        Ok(Err((at, cause))) => {
            let place = if scan.binary { Place::Byte(at) } else { Place::Line(line_of(&bytes, at)) };
            return Err(ReadError::format(path, place, cause, SAVE_AGAIN));
        }
        Err(panic) => {
            return Err(ReadError::format(
                path,
                Place::File,
                format!("the file is damaged ({panic})"),
                SAVE_AGAIN,
            ));
        }
    };
    assemble(path, &file, &physical_names(&bytes))
}

/// What the file announces about itself.
struct Scan<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    binary: bool,
    big_endian: bool,
    /// Bytes of a count in a binary file.
    word: usize,
}

impl<'a> Scan<'a> {
    fn new(path: &'a Path, bytes: &'a [u8]) -> Result<Scan<'a>, ReadError> {
        let fail =
            |line, cause: &str, cure: &str| Err(ReadError::format(path, Place::Line(line), cause, cure));
        let Some(rest) = strip_line(bytes, b"$MeshFormat") else {
            return fail(1, "a gmsh file starts with $MeshFormat", "check the format and the extension");
        };
        let line =
            String::from_utf8_lossy(rest.split(|&b| b == b'\n').next().unwrap_or_default()).into_owned();
        let words: Vec<&str> = line.split_whitespace().collect();
        let [version, kind, word] = words[..] else {
            return fail(2, "the version line is damaged", SAVE_AGAIN);
        };
        if version != "4.1" {
            return fail(2, &format!("this is gmsh format {version}, only 4.1 is read"), SAVE_AGAIN);
        }
        let (binary, word) = match (kind, word) {
            ("0", "4" | "8") => (false, 8),
            ("1", "8") => (true, 8),
            ("1", "4") => (true, 4),
            _ => return fail(2, "the version line is damaged", SAVE_AGAIN),
        };
        let big_endian = binary && rest.get(line.len() + 1..line.len() + 5) == Some(&[0, 0, 0, 1]);
        Ok(Scan { path, bytes, binary, big_endian, word })
    }

    /// The file with the largest vertex tag overwritten, after its counts were found possible.
    ///
    /// `mshio` throws the tags away when their range is as small as their number, although they need
    /// not be in order. A range that looks larger makes it keep them.
    fn with_explicit_tags(&self) -> Result<Vec<u8>, ReadError> {
        // A vertex takes a tag and three coordinates, an element a tag and a vertex, with separators.
        let (per_vertex, per_element) = if self.binary { (self.word + 24, 2 * self.word) } else { (8, 4) };
        let [_, _, _, largest] = self.counts("Nodes", per_vertex)?;
        self.counts("Elements", per_element)?;
        let replacement = match (self.binary, self.word, self.big_endian) {
            (false, ..) => u64::MAX.to_string().into_bytes(),
            (true, word, _) => vec![0xff; word],
        };
        let mut bytes = Vec::with_capacity(self.bytes.len() + 20);
        bytes.extend(&self.bytes[..largest.start]);
        bytes.extend(replacement);
        bytes.extend(&self.bytes[largest.end..]);
        Ok(bytes)
    }

    /// Where the four numbers at the head of a section stand: blocks, entries, smallest and largest tag.
    fn counts(&self, section: &str, bytes_each: usize) -> Result<[Range<usize>; 4], ReadError> {
        let fail = |cause: String, cure: &str| Err(ReadError::format(self.path, Place::File, cause, cure));
        let Some(start) = section_start(self.bytes, section) else {
            return fail(
                format!("there is no section ${section}"),
                "the file is cut off, or holds no mesh: save it again",
            );
        };
        let Some(places) =
            (if self.binary { self.binary_words(start) } else { ascii_words(self.bytes, start) })
        else {
            return fail(format!("the file ends at the head of ${section}"), TRUNCATED);
        };
        let values = places.clone().map(|p| self.value(p));
        let [Some(blocks), Some(entries), ..] = values else {
            return fail(format!("the head of ${section} is damaged"), SAVE_AGAIN);
        };
        let left = (self.bytes.len() - places[3].end) as u64;
        if entries == 0 || blocks == 0 {
            return fail(
                format!("${section} is empty"),
                "mesh it in gmsh before saving (Mesh > 3D, for a surface Mesh > 2D)",
            );
        }
        if entries.saturating_mul(bytes_each as u64) > left || blocks > left {
            return fail(
                format!("${section} announces {entries} entries, but only {left} bytes follow"),
                TRUNCATED,
            );
        }
        Ok(places)
    }

    fn binary_words(&self, start: usize) -> Option<[Range<usize>; 4]> {
        let places = [0, 1, 2, 3].map(|i| start + i * self.word..start + (i + 1) * self.word);
        (places[3].end <= self.bytes.len()).then_some(places)
    }

    fn value(&self, place: Range<usize>) -> Option<u64> {
        let bytes = &self.bytes[place];
        if !self.binary {
            return std::str::from_utf8(bytes).ok()?.parse().ok();
        }
        let push = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
        Some(if self.big_endian { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) })
    }
}

fn strip_line<'a>(bytes: &'a [u8], line: &[u8]) -> Option<&'a [u8]> {
    let rest = bytes.strip_prefix(line)?;
    rest.strip_prefix(b"\n").or_else(|| rest.strip_prefix(b"\r\n"))
}

/// Where the content of a section begins.
fn section_start(bytes: &[u8], section: &str) -> Option<usize> {
    let name = format!("\n${section}");
    let found = bytes
        .windows(name.len() + 1)
        .position(|w| w.starts_with(name.as_bytes()) && matches!(w[name.len()], b'\n' | b'\r'))?;
    let line_end = bytes[found + 1..].iter().position(|&b| b == b'\n')?;
    Some(found + 1 + line_end + 1)
}

fn ascii_words(bytes: &[u8], start: usize) -> Option<[Range<usize>; 4]> {
    let mut at = start;
    let mut next = || {
        let begin = at + bytes[at..].iter().position(|b| !b.is_ascii_whitespace())?;
        at = begin + bytes[begin..].iter().position(u8::is_ascii_whitespace)?;
        Some(begin..at)
    };
    Some([next()?, next()?, next()?, next()?])
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    1 + bytes[..at.min(bytes.len())].iter().filter(|&&b| b == b'\n').count()
}

/// Byte, and cause from the innermost message outwards.
fn explain(bytes: &[u8], error: &mshio::MshParserError<&[u8]>) -> (usize, String) {
    let messages: Vec<_> = error.filter_msh_errors().collect();
    let at = messages.first().map_or(bytes.len(), |(rest, _)| bytes.len().saturating_sub(rest.len()));
    let texts: Vec<String> =
        messages.iter().take(3).map(|(_, kind)| kind.to_string().trim_end_matches('.').into()).collect();
    let cause =
        if texts.is_empty() { "the file ends too early or is damaged".into() } else { texts.join(", in ") };
    (at, cause)
}

/// Names by dimension and tag. The section is text in binary files too: `dimension tag "name"`.
fn physical_names(bytes: &[u8]) -> HashMap<(i32, i32), String> {
    let Some(start) = section_start(bytes, "PhysicalNames") else { return HashMap::new() };
    let lines = bytes[start..].split(|&b| b == b'\n').skip(1).map(String::from_utf8_lossy);
    let lines = lines.take_while(|line| !line.starts_with('$'));
    let parse = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let (dimension, tag) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let name = words.next()?.trim().strip_prefix('"')?.strip_suffix('"')?;
        Some(((dimension, tag), name.to_string()))
    };
    lines.filter_map(|line| parse(&line)).collect()
}

fn assemble(
    path: &Path,
    file: &MshFile<u64, i32, f64>,
    names: &HashMap<(i32, i32), String>,
) -> Result<Raw, ReadError> {
    let MshData { entities, nodes: Some(nodes), elements: Some(elements) } = &file.data else {
        return Err(ReadError::format(path, Place::File, "there is no mesh in the file", SAVE_AGAIN));
    };
    let (positions, number) =
        vertices(nodes).map_err(|cause| ReadError::format(path, Place::File, cause, SAVE_AGAIN))?;
    let groups_of = entities.as_ref().map(|e| groups_of_entities(e, names)).unwrap_or_default();
    let mut raw = Raw { positions, ..Raw::default() };
    let mut quadratic = 0;
    for block in &elements.element_blocks {
        let groups = groups_of.get(&(block.entity_dim, block.entity_tag));
        let is_tet = block.element_type == ElementType::Tet4;
        let is_triangle = block.element_type == ElementType::Tri3;
        quadratic += if block.element_type == ElementType::Tet10 { block.elements.len() } else { 0 };
        raw.other_cells += if is_tet { 0 } else { block.elements.len() };
        check_count((raw.tets.len() + block.elements.len()) as u64).map_err(|e| ReadError::mesh(path, e))?;
        for element in &block.elements {
            let corners = corners(element, &number)
                .map_err(|cause| ReadError::format(path, Place::File, cause, SAVE_AGAIN))?;
            for group in groups.into_iter().flatten() {
                raw.groups.entry(group.clone()).or_default().extend(&corners);
            }
            raw.triangles.extend(<[usize; 3]>::try_from(&corners[..]).ok().filter(|_| is_triangle));
            raw.tets.extend(<[usize; 4]>::try_from(corners).ok().filter(|_| is_tet));
        }
    }
    if raw.tets.is_empty() && quadratic > 0 {
        let cause = format!("all {quadratic} tetrahedra are of second order");
        return Err(ReadError::format(path, Place::File, cause, "mesh with order 1: Mesh.ElementOrder = 1"));
    }
    Ok(raw)
}

/// Positions, and the number of each tag from 0.
fn vertices(nodes: &Nodes<u64, i32, f64>) -> Result<(Vec<Vec3>, HashMap<u64, usize>), String> {
    let (mut positions, mut number) = (Vec::new(), HashMap::new());
    for block in &nodes.node_blocks {
        let first = positions.len();
        positions.extend(block.nodes.iter().map(|n| Vec3::new(n.x, n.y, n.z)));
        let tags = block.node_tags.as_ref().ok_or("the vertices have no tags")?;
        number.extend(tags.iter().map(|(&tag, &place)| (tag, first + place)));
    }
    if number.len() != positions.len() {
        return Err(format!("{} vertices share {} tags", positions.len(), number.len()));
    }
    Ok((positions, number))
}

fn corners(element: &mshio::Element<u64>, number: &HashMap<u64, usize>) -> Result<Vec<usize>, String> {
    let find = |tag| number.get(tag).copied();
    element
        .nodes
        .iter()
        .map(|tag| {
            find(tag).ok_or_else(|| {
                format!("element {} names vertex {tag}, which does not exist", element.element_tag)
            })
        })
        .collect()
}

/// Names of the physical groups of each entity, by dimension and tag.
fn groups_of_entities(
    entities: &Entities<i32, f64>,
    names: &HashMap<(i32, i32), String>,
) -> BTreeMap<(i32, i32), Vec<String>> {
    let points = entities.points.iter().map(|e| (0, e.tag, &e.physical_tags));
    let curves = entities.curves.iter().map(|e| (1, e.tag, &e.physical_tags));
    let surfaces = entities.surfaces.iter().map(|e| (2, e.tag, &e.physical_tags));
    let volumes = entities.volumes.iter().map(|e| (3, e.tag, &e.physical_tags));
    let kinds = ["point", "curve", "surface", "volume"];
    (points.chain(curves).chain(surfaces).chain(volumes))
        .map(|(dimension, tag, physical)| {
            // A negative tag means the other orientation of the same group.
            let name = |p: &i32| {
                let known = names.get(&(dimension, p.saturating_abs())).cloned();
                known.unwrap_or_else(|| {
                    format!("physical {} {}", kinds[dimension as usize], p.saturating_abs())
                })
            };
            ((dimension, tag), physical.iter().map(name).collect())
        })
        .collect()
}
