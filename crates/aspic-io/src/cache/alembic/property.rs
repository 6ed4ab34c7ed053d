//! Properties: values that are sampled over time, and compounds of them.
//!
//! The group of a scalar holds one data for each sample, the group of an array two: the values, with their key in
//! front, and the dimensions, which are empty because they follow from the size. Samples that repeat are not stored
//! before the first change and behind the last; between them they point at the same data.
//!
//! The group of a compound holds the groups of its properties and then one data with their headers. A header is
//!
//! ```text
//! u32     bits 0-1 kind: 0 compound, 1 scalar, 2 array, 3 array that always has one value
//!         bits 2-3 bytes of the numbers below: 0 one, 1 two, 2 four
//!         bits 4-7 type, bit 8 has a time sampling, bit 9 has first and last change, bit 10 size never changes,
//!         bit 11 value never changes, bits 12-19 numbers in one value, bits 20-27 which metadata
//! number  of samples; first change, last change, time sampling (each only where its bit says so)
//! number  length of the name, then the name
//! ```
//!
//! Compounds have the u32 and the name only.

use std::io;

use super::hash::{Digest, murmur};
use super::meta::Meta;
use super::ogawa::{Child, Ogawa};

/// The type of a number, with its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pod {
    Bool = 0,
    U8 = 1,
    I32 = 6,
    F32 = 10,
    F64 = 11,
}

/// Which times the samples belong to: none, or one for each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    Once = 0,
    Frames = 1,
}

/// The samples of one property so far.
#[derive(Debug, Default)]
pub(super) struct Samples {
    stored: Vec<Child>,
    key: Digest,
    hash: Digest,
    number: usize,
    first_change: usize,
    last_change: usize,
}

impl Samples {
    /// The only sample.
    pub(super) fn once(file: &mut Ogawa, bytes: &[u8]) -> io::Result<Samples> {
        let mut samples = Samples::default();
        samples.push(file, bytes)?;
        Ok(samples)
    }

    /// Adds a sample; only what differs from the one before is written.
    pub(super) fn push(&mut self, file: &mut Ogawa, bytes: &[u8]) -> io::Result<()> {
        let key = murmur(bytes);
        let repeats = self.number > 0 && key == self.key;
        if !repeats {
            if let (Some(&last), 1..) = (self.stored.last(), self.first_change) {
                let repeated = self.number - 1 - self.last_change;
                self.stored.extend(std::iter::repeat_n(last, repeated));
            }
            self.stored.push(file.sample(&key, bytes)?);
            self.key = key;
            self.last_change = self.number;
            self.first_change = if self.first_change == 0 { self.number } else { self.first_change };
        }
        self.hash = murmur(&[self.hash, key].concat());
        self.number += 1;
        Ok(())
    }

    /// First and last change, where they do not follow from the number of samples.
    fn changes(&self) -> Option<[usize; 2]> {
        let always = self.first_change == 1 && self.last_change + 1 == self.number;
        (!always && self.last_change > 0).then_some([self.first_change, self.last_change])
    }
}

/// A property with its samples, or a compound.
pub(super) struct Property {
    name: &'static str,
    meta: &'static str,
    content: Content,
}

enum Content {
    Compound(Vec<Property>),
    Values { is_array: bool, one_value: bool, pod: Pod, extent: u32, times: Times, samples: Samples },
}

impl Property {
    pub(super) fn compound(name: &'static str, meta: &'static str, of: Vec<Property>) -> Property {
        Property { name, meta, content: Content::Compound(of) }
    }

    /// One value of `extent` numbers.
    pub(super) fn scalar(
        name: &'static str,
        meta: &'static str,
        (pod, extent): (Pod, u32),
        times: Times,
        samples: Samples,
    ) -> Property {
        let content = Content::Values { is_array: false, one_value: true, pod, extent, times, samples };
        Property { name, meta, content }
    }

    /// `values` values of `extent` numbers.
    pub(super) fn array(
        name: &'static str,
        meta: &'static str,
        (pod, extent): (Pod, u32),
        values: usize,
        times: Times,
        samples: Samples,
    ) -> Property {
        let one_value = values == 1;
        let content = Content::Values { is_array: true, one_value, pod, extent, times, samples };
        Property { name, meta, content }
    }

    /// Writes the group of the property; its place and what it hashes to.
    fn write(&self, file: &mut Ogawa, meta: &mut Meta) -> io::Result<(Child, Digest)> {
        match &self.content {
            Content::Compound(properties) => write_all(properties, file, meta),
            Content::Values { is_array: false, samples, .. } => {
                Ok((file.group(&samples.stored)?, samples.hash))
            }
            Content::Values { samples, .. } => {
                let children: Vec<Child> =
                    samples.stored.iter().flat_map(|&values| [values, Child::NOTHING]).collect();
                Ok((file.group(&children)?, samples.hash))
            }
        }
    }

    fn header(&self, meta: &mut Meta) -> Vec<u8> {
        let index = meta.index(self.meta) << 20;
        let (kind, numbers) = match &self.content {
            Content::Compound(_) => (0, vec![]),
            Content::Values { is_array, one_value, pod, extent, times, samples } => {
                let changes = samples.changes();
                let mut bits = u32::from(*is_array) << 1 | u32::from(*one_value);
                bits |= (*pod as u32) << 4 | extent << 12 | 1 << 10;
                bits |= (*times as u32) << 8 | u32::from(changes.is_some()) << 9;
                bits |= u32::from(samples.last_change == 0) << 11;
                let mut numbers = vec![samples.number];
                numbers.extend(changes.iter().flatten());
                numbers.extend((*times == Times::Frames).then_some(*times as usize));
                (bits, numbers)
            }
        };
        let largest = numbers.iter().copied().max().unwrap_or(0).max(self.name.len());
        let hint = u32::from(largest > 0xff) + u32::from(largest > 0xffff);
        let mut header = (kind | index | hint << 2).to_le_bytes().to_vec();
        for number in numbers.into_iter().chain([self.name.len()]) {
            header.extend(&(number as u32).to_le_bytes()[..1 << hint]);
        }
        header.extend(self.name.as_bytes());
        header
    }
}

/// Writes the group of a compound; its place and what it hashes to.
pub(super) fn write_all(
    properties: &[Property],
    file: &mut Ogawa,
    meta: &mut Meta,
) -> io::Result<(Child, Digest)> {
    let (mut children, mut headers, mut hashes) = (vec![], vec![], vec![]);
    for property in properties {
        let (child, hash) = property.write(file, meta)?;
        let header = property.header(meta);
        hashes.extend(murmur(&[header.as_slice(), property.meta.as_bytes(), &hash].concat()));
        headers.extend(header);
        children.push(child);
    }
    if !properties.is_empty() {
        children.push(file.data(&headers)?);
    }
    Ok((file.group(&children)?, murmur(&hashes)))
}
