//! `$Elements`: the cells, each with a tag, a type and the tags of its vertices.
//!
//! | version | layout |
//! |---|---|
//! | 2, text | count, then each: tag, type, number of tags, physical group, entity, …, vertices |
//! | 2, binary | count, then blocks of: type, count, number of tags, then each: tag, tags, vertices |
//! | 4.0 | blocks, count, then blocks of: entity tag, dimension, type, count, then each: tag, vertices |
//! | 4.1 | blocks, count, lowest and highest tag, then blocks of: dimension, entity tag, type, count, then each: tag, vertices |

use super::{File, SAVE_AGAIN, Version};
use crate::ReadError;
use crate::mesh::check_count;
use crate::mesh::kind::Kind;

const TRIANGLE: i64 = 2;
const TETRAHEDRON: i64 = 4;
const SECOND_ORDER_TETRAHEDRON: i64 = 11;

impl File<'_> {
    pub(super) fn elements(&mut self) -> Result<(), ReadError> {
        self.has_elements = true;
        if self.version == Version::V2 {
            return self.elements_2();
        }
        let (blocks, total) = self.head("Elements")?;
        let tag_kind = if self.version == Version::V41 { self.size } else { Kind::I32 };
        let mut found = 0;
        for _ in 0..blocks {
            let (dimension, entity, kind) = self.block()?;
            let corners = self.corners_of(kind)?;
            let row = if self.reader.binary { (corners + 1) * tag_kind.size() } else { 2 * (corners + 1) };
            let count = self.count("Elements", row)?;
            let tags = self.physical.get(&(dimension, entity)).cloned().unwrap_or_default();
            let groups = self.group_names(dimension, &tags);
            for _ in 0..count {
                self.element(kind, corners, tag_kind, &groups)?;
            }
            found += count;
        }
        self.compare("Elements", total, found)
    }

    fn elements_2(&mut self) -> Result<(), ReadError> {
        let total = self.total("Elements")?;
        let mut found = 0;
        while found < total {
            found += if self.reader.binary { self.block_2(total - found)? } else { self.row_2()? };
        }
        Ok(())
    }

    /// One element of a text of version 2.
    fn row_2(&mut self) -> Result<usize, ReadError> {
        let tag = self.reader.whole(Kind::I32, "the tag of an element")?;
        let kind = self.reader.whole(Kind::I32, "the type of an element")?;
        let corners = self.corners_of(kind)?;
        let tags = self.reader.count(Kind::I32, "tags of an element", 2)?;
        let physical = self.physical_2(tags)?;
        let groups = self.group_names(dimension_of(kind), &physical);
        self.cell(tag, kind, corners, Kind::I32, &groups)?;
        Ok(1)
    }

    /// Elements of one type of a binary file of version 2; how many there were.
    fn block_2(&mut self, most: usize) -> Result<usize, ReadError> {
        let kind = self.reader.whole(Kind::I32, "the type of elements")?;
        let corners = self.corners_of(kind)?;
        let count = self.reader.count(Kind::I32, "elements", 4 * (corners + 1))?;
        if count == 0 || count > most {
            return Err(self
                .reader
                .error(format!("a block of {count} elements is not possible"), SAVE_AGAIN));
        }
        let tags = self.reader.count(Kind::I32, "tags of an element", 4)?;
        let mut known: Option<(Vec<i64>, Vec<String>)> = None;
        for _ in 0..count {
            let tag = self.reader.whole(Kind::I32, "the tag of an element")?;
            let physical = self.physical_2(tags)?;
            if known.as_ref().is_none_or(|(tags, _)| *tags != physical) {
                known = Some((physical.clone(), self.group_names(dimension_of(kind), &physical)));
            }
            let groups = known.as_ref().map(|(_, groups)| &groups[..]).unwrap_or_default();
            self.cell(tag, kind, corners, Kind::I32, groups)?;
        }
        Ok(count)
    }

    /// The first tag is the physical group, 0 for none.
    fn physical_2(&mut self, tags: usize) -> Result<Vec<i64>, ReadError> {
        let mut physical = vec![];
        for place in 0..tags {
            let tag = self.reader.whole(Kind::I32, "a tag of an element")?;
            if place == 0 && tag != 0 {
                physical.push(tag);
            }
        }
        Ok(physical)
    }

    fn element(&mut self, kind: i64, corners: usize, tag: Kind, groups: &[String]) -> Result<(), ReadError> {
        let number = self.reader.whole(tag, "the tag of an element")?;
        self.cell(number, kind, corners, tag, groups)
    }

    fn cell(
        &mut self,
        element: i64,
        kind: i64,
        corners: usize,
        tag: Kind,
        groups: &[String],
    ) -> Result<(), ReadError> {
        let mut vertices = [0; 125];
        let vertices = &mut vertices[..corners];
        for vertex in vertices.iter_mut() {
            let tag = self.reader.whole(tag, "a vertex of an element")?;
            let Some(&number) = self.number.get(&tag) else {
                let cause = format!("element {element} names vertex {tag}, which does not exist");
                return Err(self.reader.error(cause, SAVE_AGAIN));
            };
            *vertex = number;
        }
        for group in groups {
            self.raw.groups.entry(group.clone()).or_default().extend(&*vertices);
        }
        match (kind, &*vertices) {
            (TETRAHEDRON, &[a, b, c, d]) => {
                self.raw.tets.push([a, b, c, d]);
                let count = self.raw.tets.len() as u64;
                return check_count(count).map_err(|e| ReadError::mesh(self.reader.path, e));
            }
            (TRIANGLE, &[a, b, c]) => self.raw.triangles.push([a, b, c]),
            (SECOND_ORDER_TETRAHEDRON, _) => self.quadratic += 1,
            _ => {}
        }
        self.raw.other_cells += 1;
        Ok(())
    }

    fn corners_of(&self, kind: i64) -> Result<usize, ReadError> {
        corners_of(kind)
            .ok_or_else(|| self.reader.error(format!("there is no type {kind} of elements"), SAVE_AGAIN))
    }
}

/// Vertices of an element by its type, at most 125.
fn corners_of(kind: i64) -> Option<usize> {
    const COUNTS: [u8; 32] = [
        0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5, 6,
        20, 35, 56,
    ];
    match kind {
        1..=31 => Some(usize::from(COUNTS[kind as usize])),
        36 => Some(16),
        37 => Some(25),
        38 => Some(36),
        92 => Some(64),
        93 => Some(125),
        _ => None,
    }
}

/// The dimension of an element, which its physical group has too.
fn dimension_of(kind: i64) -> i64 {
    match kind {
        15 => 0,
        1 | 8 | 26..=28 => 1,
        2 | 3 | 9 | 10 | 16 | 20..=25 | 36..=38 => 2,
        _ => 3,
    }
}
