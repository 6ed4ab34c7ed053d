//! How long a picture of a run takes on one core: the best of some tries.
//!
//!     cargo run --release -p aspic-io --example render_speed -- RUN [FRAME] [WIDTH HEIGHT]

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use aspic::mesh::Plane;
use aspic_io::render::{Effort, Look, Renderer, Survey};
use aspic_io::run_film::RunFilm;

/// How often each picture is drawn.
const TRIES: usize = 15;

/// Time that this thread has worked \[s\], where the system tells; else the time on the wall.
fn clock() -> f64 {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let worked = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let worked = worked.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    worked.map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| 1e-9 * nanoseconds)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let run = PathBuf::from(arguments.first().ok_or("name a run folder")?);
    let number = |place: usize, usual: usize| arguments.get(place).map_or(Ok(usual), |text| text.parse());
    let film = RunFilm::open(&run)?;
    let all: Vec<usize> = (0..film.len()).collect();
    let place = number(1, film.loudest(&all).unwrap_or(0))?;
    let look = Look { width: number(2, 1280)? as u32, height: number(3, 720)? as u32, ..Look::default() };
    let frame = film.frame_with(place, Survey::fields(&look))?;
    let mut survey = Survey::new(&look, film.start());
    for place in all {
        survey.see(film.topology(), &film.frame_with(place, Survey::fields(&look))?);
    }
    let planes = film.planes().iter();
    let planes: Vec<Plane> =
        planes.filter_map(|p| Plane::new(p.point.into(), p.normal.into()).ok()).collect();
    let renderer = Renderer::new(&look, film.topology(), &planes, &survey);

    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut best = f64::INFINITY;
    for _ in 0..TRIES {
        let took = pool.install(|| {
            let begin = clock();
            renderer.draw(&frame);
            clock() - begin
        });
        best = best.min(took);
    }
    let image = renderer.draw(&frame);
    let begin = Instant::now();
    let bytes = image.to_png(Effort::Fast)?.len();
    let file = begin.elapsed().as_secs_f64();
    println!(
        "frame {place}, {} triangles, {} × {}: {:.1} ms on one core; as PNG {:.1} ms, {} kB",
        film.topology().triangles.len(),
        look.width,
        look.height,
        1e3 * best,
        1e3 * file,
        bytes / 1000
    );
    Ok(())
}
