//! Draws some frames of a run folder and tells how long it takes.
//!
//!     cargo run --release -p aspic-io --example pictures -- RUN OUT [light|dark] [FRAME …]
use std::path::PathBuf;
use std::time::Instant;

use aspic::mesh::Plane;
use aspic_io::render::{ColorBy, Effort, Look, Renderer, Survey, Theme};
use aspic_io::run_film::RunFilm;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let run = PathBuf::from(arguments.next().ok_or("name a run")?);
    let out = PathBuf::from(arguments.next().ok_or("name a folder")?);
    let theme = arguments.next().unwrap_or_default();
    let frames: Vec<usize> = arguments.filter_map(|n| n.parse().ok()).collect();
    let film = RunFilm::open(&run)?;
    let look = Look {
        theme: if theme.contains("dark") { Theme::Dark } else { Theme::Light },
        color_by: if theme.contains("speed") {
            ColorBy::Speed
        } else if theme.contains("stress") {
            ColorBy::Stress
        } else {
            ColorBy::Body
        },
        ..Look::default()
    };
    let mut survey = Survey::new(&look, film.start());
    for place in 0..film.len() {
        survey.see(film.topology(), &film.frame_with(place, Survey::fields(&look))?);
    }
    let planes: Vec<Plane> =
        film.planes().iter().filter_map(|p| Plane::new(p.point.into(), p.normal.into()).ok()).collect();
    let renderer = Renderer::new(&look, film.topology(), &planes, &survey);
    let frames = if frames.is_empty() {
        vec![film.loudest(&(0..film.len()).collect::<Vec<_>>()).unwrap_or(0)]
    } else {
        frames
    };
    std::fs::create_dir_all(&out)?;
    for &place in &frames {
        let frame = film.frame_with(place, Survey::fields(&look))?;
        let begin = Instant::now();
        let image = renderer.draw(&frame);
        let drawn = begin.elapsed();
        let begin = Instant::now();
        image.write_png(&out.join(format!("{place:06}.png")), Effort::Fast)?;
        println!(
            "{place}: {:.1} ms, file {:.1} ms",
            drawn.as_secs_f64() * 1e3,
            begin.elapsed().as_secs_f64() * 1e3
        );
    }
    Ok(())
}
