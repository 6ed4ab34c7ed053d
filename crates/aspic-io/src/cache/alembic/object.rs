//! Objects: a tree of names, each with a schema and properties.
//!
//! The group of an object holds the group of its properties, the groups of its children, and one data with the headers
//! of the children, followed by a hash of the properties and a hash of the children (16 bytes each). The header of a
//! child is the length of its name (u32), the name, and the number of its metadata (u8).

use std::io;

use super::hash::{Digest, murmur};
use super::meta::Meta;
use super::ogawa::{Child, Ogawa};
use super::property::{self, Property};

/// A node of the tree.
pub(super) struct Object {
    pub name: String,
    pub meta: &'static str,
    pub properties: Vec<Property>,
    pub children: Vec<Object>,
}

impl Object {
    /// Writes the object and all below it; its place and what it hashes to.
    pub(super) fn write(&self, file: &mut Ogawa, meta: &mut Meta) -> io::Result<(Child, Digest)> {
        let (properties, properties_hash) = property::write_all(&self.properties, file, meta)?;
        let (mut group, mut headers, mut hashes) = (vec![properties], vec![], vec![]);
        for child in &self.children {
            let (place, hash) = child.write(file, meta)?;
            group.push(place);
            headers.extend((child.name.len() as u32).to_le_bytes());
            headers.extend(child.name.as_bytes());
            headers.push(meta.index(child.meta) as u8);
            hashes.extend(murmur(&[child.name.as_bytes(), child.meta.as_bytes(), &hash].concat()));
        }
        let children_hash = murmur(&hashes);
        headers.extend(properties_hash);
        headers.extend(children_hash);
        group.push(file.data(&headers)?);
        Ok((file.group(&group)?, murmur(&[properties_hash, children_hash].concat())))
    }
}
