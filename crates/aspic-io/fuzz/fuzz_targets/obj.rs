//! Bytes as a `.obj` file: any error will do, a panic will not.
#![no_main]

use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = aspic_io::mesh::parse(Path::new("a.obj"), bytes);
});
