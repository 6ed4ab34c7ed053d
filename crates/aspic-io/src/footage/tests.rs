use std::path::Path;

use super::*;

/// A slope from blue to white with a red square that moves.
fn picture(step: u32) -> Image {
    let (width, height) = (64, 48);
    let pixel = |at: u32| {
        let (x, y) = (at % width, at / width);
        let inside = (8 + 5 * step..18 + 5 * step).contains(&x) && (10..20).contains(&y);
        if inside { [220, 40, 30] } else { [(x * 4) as u8, 100 + (y * 3) as u8, 250] }
    };
    Image { width, height, rgb: (0..width * height).flat_map(pixel).collect() }
}

fn gif(path: &Path, rate: f64, pictures: &[Image]) {
    let mut film = GifFilm::begin(path, rate, pictures).unwrap();
    pictures.iter().for_each(|picture| film.push(picture).unwrap());
    Box::new(film).finish().unwrap();
}

/// Frames as a screen shows them, by the decoder of the library, and their delays.
fn read_back(path: &Path) -> (Vec<Vec<u8>>, Vec<u16>, ::gif::Repeat) {
    let mut options = ::gif::DecodeOptions::new();
    options.set_color_output(::gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let (mut screen, mut frames, mut delays) = (vec![0; 3 * width * height], vec![], vec![]);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (at, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
            let x = usize::from(frame.left) + at % usize::from(frame.width);
            let y = usize::from(frame.top) + at / usize::from(frame.width);
            if pixel[3] > 0 {
                screen[3 * (y * width + x)..][..3].copy_from_slice(&pixel[..3]);
            }
        }
        frames.push(screen.clone());
        delays.push(frame.delay);
    }
    (frames, delays, decoder.repeat())
}

#[test]
fn a_gif_film_comes_back_picture_by_picture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.gif");
    let pictures: Vec<Image> = (0..5).map(picture).collect();
    gif(&path, 10.0, &pictures);
    let (frames, delays, repeat) = read_back(&path);
    assert_eq!((frames.len(), delays), (5, vec![10; 5]));
    assert_eq!(repeat, ::gif::Repeat::Infinite);
    for (picture, frame) in pictures.iter().zip(&frames) {
        let differences = picture.rgb.iter().zip(frame).map(|(a, b)| f64::from(a.abs_diff(*b)));
        let mean = differences.sum::<f64>() / frame.len() as f64;
        assert!(mean < 5.0, "{mean}");
        // The square is where it should be, and not where it was.
        let red = |x: usize, y: usize| frame[3 * (64 * y + x)] > 180 && frame[3 * (64 * y + x) + 2] < 90;
        let reds = (0..48).flat_map(|y| (0..64).map(move |x| (x, y))).filter(|&(x, y)| red(x, y)).count();
        assert_eq!(reds, 100);
    }
}

#[test]
fn delays_of_a_gif_add_up_to_the_length_of_the_film() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.gif");
    let pictures: Vec<Image> = (0..24).map(|k| picture(k % 5)).collect();
    gif(&path, 24.0, &pictures);
    let (_, delays, _) = read_back(&path);
    // 1/24 s is 4.17 hundredths: some pictures stay 4, some 5, and 24 of them a second.
    assert_eq!(delays.iter().map(|&d| u32::from(d)).sum::<u32>(), 100);
    assert!(delays.iter().all(|d| (4..=5).contains(d)), "{delays:?}");
}

#[test]
fn what_stands_still_takes_no_room_in_a_gif() {
    let folder = tempfile::tempdir().unwrap();
    let size = |count: usize| {
        let path = folder.path().join("film.gif");
        gif(&path, 10.0, &vec![picture(0); count]);
        std::fs::metadata(path).unwrap().len()
    };
    let (one, many) = (size(1), size(21));
    assert!(many - one < 20 * 64, "{one} {many}");
}

#[test]
fn a_film_that_is_not_finished_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.gif");
    let mut film = GifFilm::begin(&path, 10.0, &[picture(0)]).unwrap();
    film.push(&picture(0)).unwrap();
    let error = film.push(&Image { width: 1, height: 1, rgb: vec![0; 3] }).unwrap_err().to_string();
    assert!(error.contains("3 entries where 9216"), "{error}");
    drop(film);
    if ffmpeg_is_there() {
        let path = folder.path().join("film.mp4");
        let mut film = Mp4Film::begin(&path, 10.0, [64, 48]).unwrap();
        film.push(&picture(0)).unwrap();
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn ffmpeg_makes_a_film_of_odd_sides_where_it_is_installed() {
    if !ffmpeg_is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    let mut film = Mp4Film::begin(&path, 24.0, [63, 49]).unwrap();
    for _ in 0..5 {
        film.push(&Image { width: 63, height: 49, rgb: vec![90; 3 * 63 * 49] }).unwrap();
    }
    Box::new(film).finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(&bytes[4..8], b"ftyp");
    let place = |name: &[u8]| bytes.windows(4).position(|word| word == name);
    assert!(place(b"moov") < place(b"mdat"), "the index comes first");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_film_in_a_folder_that_is_missing_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nowhere/film.gif");
    let error = GifFilm::begin(&path, 10.0, &[picture(0)]).err().unwrap().to_string();
    assert!(error.contains("nowhere") && error.contains("folder is missing"), "{error}");
}
