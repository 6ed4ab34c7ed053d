//! The bytes of glTF buffers: inside a GLB file, in a data URI, or in a file beside it.

use std::borrow::Cow;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::json::Buffer;
use crate::mesh::reader::shorten;

/// The bytes of one buffer, cut to the length that it declares.
pub(super) fn load<'a>(
    buffer: &Buffer,
    embedded: Option<&'a [u8]>,
    folder: Option<&Path>,
) -> Result<Cow<'a, [u8]>, String> {
    let bytes = match (&buffer.uri, embedded) {
        (None, Some(embedded)) => Cow::Borrowed(embedded),
        (None, None) => return Err("it has neither a URI nor bytes in the file".into()),
        (Some(uri), _) if uri.starts_with("data:") => Cow::Owned(data(uri)?),
        (Some(uri), _) => Cow::Owned(beside(uri, folder)?),
    };
    let there = bytes.len();
    if there < buffer.byte_length {
        return Err(format!("it announces {} bytes, but {there} are there", buffer.byte_length));
    }
    Ok(match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..buffer.byte_length]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(buffer.byte_length);
            Cow::Owned(bytes)
        }
    })
}

fn data(uri: &str) -> Result<Vec<u8>, String> {
    let (_, coded) = uri.split_once(";base64,").ok_or("its data URI is not base64")?;
    BASE64.decode(coded.trim()).map_err(|error| format!("its data URI is damaged, {error}"))
}

/// A plain file whose name is relative to the folder.
fn beside(uri: &str, folder: Option<&Path>) -> Result<Vec<u8>, String> {
    let name = unescape(uri);
    let named = || shorten(&name);
    let folder = folder.ok_or_else(|| format!("the file `{}` lies beside it", named()))?;
    if name.contains("://") || Path::new(&name).is_absolute() {
        return Err(format!("`{}` does not lie in the folder of the file", named()));
    }
    let path = folder.join(&name);
    if !path.is_file() {
        return Err(format!("there is no file `{}`", path.display()));
    }
    std::fs::read(&path).map_err(|error| format!("`{}` cannot be read, {error}", path.display()))
}

/// `%20` is a space, and so on.
fn unescape(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let code = code.filter(|_| first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_names_are_plain_again() {
        assert_eq!(unescape("a%20b%2Fc%zz%"), "a b/c%zz%");
    }
}
