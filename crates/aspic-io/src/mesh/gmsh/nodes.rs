//! `$Nodes`: the vertices, each with a tag that the elements name.
//!
//! | version | layout |
//! |---|---|
//! | 2 | count, then each: tag x y z |
//! | 4.0 | blocks, count, then blocks of: entity tag, dimension, parametric, count, then each: tag x y z |
//! | 4.1 | blocks, count, lowest and highest tag, then blocks of: dimension, entity tag, parametric, count, all tags, all x y z |
//!
//! Tags are `int`, in 4.1 `size_t`; counts are `size_t`, in version 2 `int`.

use super::{File, SAVE_AGAIN, TRUNCATED, Version};
use crate::ReadError;
use crate::mesh::kind::Kind;

impl File<'_> {
    pub(super) fn nodes(&mut self) -> Result<(), ReadError> {
        if self.version == Version::V2 {
            let count = self.total("Nodes")?;
            return (0..count).try_for_each(|_| self.node(Kind::I32));
        }
        let (blocks, total) = self.head("Nodes")?;
        for _ in 0..blocks {
            let (_, _, parametric) = self.block()?;
            if parametric != 0 {
                let cause = "the vertices have parametric coordinates";
                return Err(self.reader.error(cause, "save it again with Mesh.SaveParametric = 0"));
            }
            let each = if self.reader.binary { 28 } else { 8 };
            let count = self.count("Nodes", each)?;
            match self.version {
                Version::V41 => self.block_41(count)?,
                _ => (0..count).try_for_each(|_| self.node(Kind::I32))?,
            }
        }
        self.compare("Nodes", total, self.raw.positions.len())
    }

    /// A tag and a position.
    fn node(&mut self, kind: Kind) -> Result<(), ReadError> {
        let tag = self.reader.whole(kind, "the tag of a node")?;
        self.name(tag)?;
        self.position()
    }

    fn block_41(&mut self, count: usize) -> Result<(), ReadError> {
        let first = self.raw.positions.len();
        for place in 0..count {
            let tag = self.reader.whole(self.size, "the tag of a node")?;
            self.name_as(tag, first + place)?;
        }
        (0..count).try_for_each(|_| self.position())
    }

    fn position(&mut self) -> Result<(), ReadError> {
        let x = self.reader.position(Kind::F64, "a coordinate of a node")?;
        self.raw.positions.push(x);
        Ok(())
    }

    fn name(&mut self, tag: i64) -> Result<(), ReadError> {
        self.name_as(tag, self.raw.positions.len())
    }

    fn name_as(&mut self, tag: i64, number: usize) -> Result<(), ReadError> {
        match self.number.insert(tag, number) {
            None => Ok(()),
            Some(_) => Err(self.reader.error(format!("two nodes have the tag {tag}"), SAVE_AGAIN)),
        }
    }

    /// The number of all entries, of version 2.
    pub(super) fn total(&mut self, section: &str) -> Result<usize, ReadError> {
        // The count is a line of text, in binary files too.
        let line = String::from_utf8_lossy(self.reader.line()).into_owned();
        let damaged = self.reader.error(format!("the head of ${section} is damaged"), SAVE_AGAIN);
        let count: i64 = line.trim().parse().map_err(|_| damaged)?;
        let left = self.reader.left();
        let each = if self.reader.binary { 8 } else { 4 };
        let fits = usize::try_from(count).ok().filter(|&n| n.saturating_mul(each) <= left);
        let count = fits.ok_or_else(|| {
            let cause = format!("${section} announces {count} entries, but only {left} bytes follow");
            self.reader.error(cause, TRUNCATED)
        })?;
        self.not_empty(section, count)?;
        Ok(count)
    }

    /// The number of blocks and of all entries, of version 4.
    pub(super) fn head(&mut self, section: &str) -> Result<(usize, usize), ReadError> {
        let blocks = self.count(section, 1)?;
        let each = if self.reader.binary { 8 } else { 4 };
        let entries = self.count(section, each)?;
        if self.version == Version::V41 {
            self.reader.whole(self.size, "the lowest tag")?;
            self.reader.whole(self.size, "the highest tag")?;
        }
        self.not_empty(section, blocks.min(entries))?;
        Ok((blocks, entries))
    }

    fn not_empty(&self, section: &str, count: usize) -> Result<(), ReadError> {
        if count > 0 {
            return Ok(());
        }
        let cure = "mesh it in gmsh before saving (Mesh > 3D, for a surface Mesh > 2D)";
        Err(self.reader.error(format!("${section} is empty"), cure))
    }

    /// Dimension and tag of the entity of a block, and the number behind them.
    pub(super) fn block(&mut self) -> Result<(i64, i64, i64), ReadError> {
        let first = self.reader.whole(Kind::I32, "the entity of a block")?;
        let second = self.reader.whole(Kind::I32, "the entity of a block")?;
        let third = self.reader.whole(Kind::I32, "the kind of a block")?;
        match self.version {
            Version::V41 => Ok((first, second, third)),
            _ => Ok((second, first, third)),
        }
    }

    pub(super) fn compare(&self, section: &str, announced: usize, found: usize) -> Result<(), ReadError> {
        if announced == found {
            return Ok(());
        }
        let cause = format!("${section} announces {announced} entries, but its blocks hold {found}");
        Err(self.reader.error(cause, TRUNCATED))
    }
}
