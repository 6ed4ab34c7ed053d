//! Accessors: rows of numbers in a buffer, at a distance from each other, with some rows replaced (sparse).

use std::borrow::Cow;

use aspic::Vec3;

use super::json::{Accessor, Document};
use crate::mesh::kind::Kind;

/// The document and the bytes of its buffers.
pub(super) struct Data<'a> {
    pub document: &'a Document,
    pub buffers: Vec<Cow<'a, [u8]>>,
}

impl Data<'_> {
    /// Positions. Quantized ones are whole numbers, or parts of the largest where `normalized`.
    pub fn positions(&self, accessor: usize) -> Result<Vec<Vec3>, String> {
        let found = self.accessor(accessor, "VEC3")?;
        let kind = kind(found.component_type)?;
        let scale = match (found.normalized, kind) {
            (true, Kind::I8) => 127.0,
            (true, Kind::U8) => 255.0,
            (true, Kind::I16) => 32767.0,
            (true, Kind::U16) => 65535.0,
            _ => 1.0,
        };
        let number = |bytes: &[u8], place: usize| {
            let at = place * kind.size();
            kind.number(&bytes[at..at + kind.size()], false) / scale
        };
        // The lowest signed number stands for -1 too.
        let lowest = if found.normalized { -1.0 } else { f64::NEG_INFINITY };
        let position = |bytes: &[u8]| Vec3::from([0, 1, 2].map(|place| number(bytes, place).max(lowest)));
        self.rows(found, 3 * kind.size(), Vec3::zeros(), position)
    }

    /// Vertex numbers.
    pub fn indices(&self, accessor: usize) -> Result<Vec<usize>, String> {
        let found = self.accessor(accessor, "SCALAR")?;
        let kind = kind(found.component_type)?;
        if !matches!(kind, Kind::U8 | Kind::U16 | Kind::U32) {
            return Err("vertex numbers have a wrong type".into());
        }
        self.rows(found, kind.size(), 0, |bytes| kind.whole(bytes, false) as usize)
    }

    fn accessor(&self, accessor: usize, shape: &str) -> Result<&Accessor, String> {
        let found = self.document.accessors.get(accessor);
        let found = found.ok_or(format!("there is no accessor {accessor}"))?;
        match found.shape == shape {
            true => Ok(found),
            false => Err(format!("accessor {accessor} has not the type {shape}")),
        }
    }

    fn rows<T: Clone>(
        &self,
        accessor: &Accessor,
        size: usize,
        zero: T,
        value: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, String> {
        let mut rows = match accessor.buffer_view {
            Some(view) => {
                let (bytes, stride) = self.view(view, accessor.byte_offset, accessor.count, size)?;
                bytes.chunks(stride).take(accessor.count).map(|row| value(&row[..size])).collect()
            }
            None => {
                // Rows of zeros cost the file nothing, so they may not outnumber its bytes.
                let bytes: usize = self.buffers.iter().map(|buffer| buffer.len()).sum();
                if accessor.count > bytes {
                    return Err(format!("{} rows of zeros are announced", accessor.count));
                }
                vec![zero; accessor.count]
            }
        };
        let Some(sparse) = &accessor.sparse else { return Ok(rows) };
        let place = kind(sparse.indices.component_type)?;
        let (places, _) =
            self.view(sparse.indices.buffer_view, sparse.indices.byte_offset, sparse.count, place.size())?;
        let (values, stride) =
            self.view(sparse.values.buffer_view, sparse.values.byte_offset, sparse.count, size)?;
        let places = place.wholes(places, false).into_iter().take(sparse.count);
        for (place, new) in places.zip(values.chunks(stride)) {
            let row = usize::try_from(place).ok().and_then(|place| rows.get_mut(place));
            *row.ok_or("a sparse accessor replaces a row that does not exist")? = value(&new[..size]);
        }
        Ok(rows)
    }

    /// The bytes of so many rows, and how far they are apart. All rows are there in full.
    fn view(&self, view: usize, offset: usize, count: usize, size: usize) -> Result<(&[u8], usize), String> {
        let found = self.document.buffer_views.get(view).ok_or(format!("there is no buffer view {view}"))?;
        let buffer = self.buffers.get(found.buffer).ok_or(format!("there is no buffer {}", found.buffer))?;
        let stride = found.byte_stride.unwrap_or(size);
        if stride < size {
            return Err(format!("the rows of buffer view {view} overlap"));
        }
        let end = found.byte_offset.checked_add(found.byte_length);
        let bytes =
            end.and_then(|end| buffer.get(found.byte_offset..end)).and_then(|part| part.get(offset..));
        let bytes = bytes.ok_or(format!("buffer view {view} ends behind its buffer"))?;
        let needed = match count {
            0 => Some(0),
            _ => (count - 1).checked_mul(stride).and_then(|n| n.checked_add(size)),
        };
        match needed.and_then(|needed| bytes.get(..needed)) {
            Some(bytes) => Ok((bytes, stride)),
            None => Err(format!("buffer view {view} has {} bytes, too few for {count} rows", bytes.len())),
        }
    }
}

fn kind(component: u32) -> Result<Kind, String> {
    Ok(match component {
        5120 => Kind::I8,
        5121 => Kind::U8,
        5122 => Kind::I16,
        5123 => Kind::U16,
        5125 => Kind::U32,
        5126 => Kind::F32,
        other => return Err(format!("there is no component type {other}")),
    })
}
