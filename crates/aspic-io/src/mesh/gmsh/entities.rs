//! `$Entities` of version 4: which physical groups each point, curve, surface and volume of the model belongs to.
//!
//! Four counts, then each entity: tag, box (six numbers; three for a point in 4.1), number of physical groups and their
//! tags, and but for points the number of bounding entities and their tags.

use super::{File, Version};
use crate::ReadError;
use crate::mesh::kind::Kind;

impl File<'_> {
    pub(super) fn entities(&mut self) -> Result<(), ReadError> {
        let binary = self.reader.binary;
        let counts = [0; 4].map(|_| self.count("Entities", if binary { 36 } else { 8 }));
        for (dimension, count) in counts.into_iter().enumerate() {
            for _ in 0..count? {
                self.entity(dimension as i64)?;
            }
        }
        Ok(())
    }

    fn entity(&mut self, dimension: i64) -> Result<(), ReadError> {
        let tag = self.reader.whole(Kind::I32, "the tag of an entity")?;
        let coordinates = if dimension == 0 && self.version == Version::V41 { 3 } else { 6 };
        for _ in 0..coordinates {
            self.reader.number(Kind::F64, "a coordinate of an entity")?;
        }
        let physical = self.tags()?;
        self.physical.insert((dimension, tag), physical);
        if dimension > 0 {
            self.tags()?;
        }
        Ok(())
    }

    fn tags(&mut self) -> Result<Vec<i64>, ReadError> {
        let count = self.count("Entities", if self.reader.binary { 4 } else { 2 })?;
        (0..count).map(|_| self.reader.whole(Kind::I32, "a tag of an entity")).collect()
    }
}
