//! Films as one page: what comes out is what went in, to half a quantum.

use std::io::Read;

use aspic_view::film;
use base64::Engine;

use crate::support::{BLOCK, Writer};

const PAGE: &str = "<!doctype html><html><head><title>t</title></head><body></body></html>";

/// Reads little-endian numbers one after another.
struct Reader {
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let bytes = self.bytes[self.at..self.at + N].try_into().unwrap();
        self.at += N;
        bytes
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn f32(&mut self) -> f32 {
        f32::from_le_bytes(self.take())
    }

    fn f64(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }

    fn pad(&mut self) {
        self.at = self.at.next_multiple_of(4);
    }

    /// Low bytes, high bytes, and the numbers of the frame before.
    fn planes(&mut self, count: usize, before: &mut Vec<u16>) {
        before.resize(count, 0);
        let (low, high) = (self.at, self.at + count);
        for (k, value) in before.iter_mut().enumerate() {
            *value = value.wrapping_add(u16::from_le_bytes([self.bytes[low + k], self.bytes[high + k]]));
        }
        self.at += 2 * count;
        self.pad();
    }
}

/// The film out of a page.
fn unpack(page: &str) -> Reader {
    let start = "<script id=\"film\" type=\"application/octet-stream\">";
    let (head, rest) = page.split_once(start).unwrap();
    let (film, rest) = rest.split_once("</script>").unwrap();
    assert!(!head.contains("</head>") && rest.trim_start().starts_with("</head>"));
    let packed = base64::engine::general_purpose::STANDARD.decode(film).unwrap();
    let mut bytes = vec![];
    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap();
    Reader { bytes, at: 0 }
}

#[test]
fn film_in_a_page_gives_every_number_back_to_half_a_quantum() {
    let folder = tempfile::tempdir().unwrap();
    let frames = Writer::new(&folder.path().join("run"), BLOCK).finish();
    let out = folder.path().join("film.html");
    let written = film::write_into(PAGE, &folder.path().join("run"), &out, |_| true).unwrap();
    assert_eq!((written.frames, written.notices.len()), (11, 0));
    assert_eq!(written.fields, 31);
    let mut film = unpack(&std::fs::read_to_string(&out).unwrap());
    assert_eq!(film.bytes.len() as u64, written.unpacked);
    assert_eq!((film.u32(), film.u32()), (0x6d6c_6661, 1));
    assert_eq!(film.u32(), 1);
    let length = film.u32() as usize;
    let scene: serde_json::Value = serde_json::from_slice(&film.bytes[film.at..film.at + length]).unwrap();
    assert_eq!((scene["mode"].as_str(), scene["frames"].as_u64()), (Some("film"), Some(11)));
    film.at += length;
    film.pad();
    let [kind, points, triangles, tets, edges] = [(); 5].map(|()| film.u32() as usize);
    assert_eq!((kind, points, tets, edges), (2, 27, 40, 0));
    film.at += 4 * (3 * triangles + 4 * tets + 3 * points);
    assert_eq!(film.u32(), 11);
    let low = [(); 3].map(|()| film.f32());
    let high = [(); 3].map(|()| film.f32());
    let fastest = film.f32();
    let speeds = frames.iter().flat_map(|frame| &frame.velocities).map(|v| v.amax() as f32);
    assert_eq!(fastest, speeds.fold(0.0, f32::max));
    assert_eq!(film.u32(), written.fields);
    let mut before: [Vec<u16>; 6] = Default::default();
    for frame in &frames {
        assert_eq!(film.f64(), frame.ledger.t);
        let ledger: Vec<f64> = (0..25).map(|_| film.f64()).collect();
        assert_eq!((ledger[0], ledger[1]), (frame.ledger.t, frame.ledger.kinetic));
        film.planes(3 * points, &mut before[0]);
        for (k, x) in frame.positions.iter().flat_map(|x| [x.x, x.y, x.z]).enumerate() {
            let (low, high) = (f64::from(low[k % 3]), f64::from(high[k % 3]));
            let quantum = (high - low) / 65535.0;
            let back = low + quantum * f64::from(before[0][k]);
            assert!((back - x).abs() <= 0.5 * quantum * 1.0001 + 1e-7 * x.abs(), "{back} for {x}");
        }
        // Velocities, stress, energy, contact, reactions.
        for (place, width) in [(1, 3), (2, 1), (3, 1), (4, 3), (5, 3)] {
            let (low, high) = (f64::from(film.f32()), f64::from(film.f32()));
            film.planes(width * points, &mut before[place]);
            if place == 1 {
                let quantum = (high - low) / 65535.0;
                for (k, v) in frame.velocities.iter().flat_map(|v| [v.x, v.y, v.z]).enumerate() {
                    let back = low + quantum * f64::from(before[1][k]);
                    assert!((back - v).abs() <= 0.5 * quantum * 1.0001 + 1e-7 * v.abs(), "{back} for {v}");
                }
            }
        }
    }
    assert_eq!(film.at, film.bytes.len());
}

#[test]
fn damaged_frames_are_left_out_of_a_page_and_told() {
    let folder = tempfile::tempdir().unwrap();
    Writer::new(&folder.path().join("run"), BLOCK).finish();
    std::fs::write(folder.path().join("run/frames/000004.vtu"), "nothing").unwrap();
    let out = folder.path().join("film.html");
    let written = film::write_into(PAGE, &folder.path().join("run"), &out, |_| true).unwrap();
    assert_eq!(written.frames, 10);
    assert!(written.notices.iter().any(|notice| notice.contains("frame 4 is left out")), "{written:?}");
    let some = film::write_into(PAGE, &folder.path().join("run"), &out, |number| number > 7).unwrap();
    assert_eq!(some.frames, 3);
    for frame in 0..11 {
        std::fs::write(folder.path().join(format!("run/frames/{frame:06}.vtu")), "").unwrap();
    }
    let before = std::fs::read(&out).unwrap();
    let error = film::write_into(PAGE, &folder.path().join("run"), &out, |_| true).unwrap_err();
    assert!(error.to_string().contains("has no frame that can be read"), "{error}");
    assert_eq!(std::fs::read(&out).unwrap(), before, "the page that was there stays");
}
