//! Blocks of LZ4, whose size after unpacking is known beforehand.

/// Unpacks a block of at most `size` bytes. LZ4 grows at most 255-fold; a size beyond that is a lie and takes no memory.
pub(super) fn unpack(packed: &[u8], size: usize) -> Result<Vec<u8>, String> {
    if size / 256 > packed.len() {
        return Err(format!("{} bytes cannot unpack to {size}", packed.len()));
    }
    let mut bytes = vec![0; size];
    match lz4_flex::block::decompress_into(packed, &mut bytes) {
        Ok(length) => {
            bytes.truncate(length);
            Ok(bytes)
        }
        Err(error) => Err(format!("a block cannot be unpacked, {error}")),
    }
}
