//! How large the cells are: given, or found from the number of tetrahedra that is wanted.

use aspic::Vec3;
use aspic::mesh::MAX_TETS;
use rayon::prelude::*;

use crate::error::FillError;
use crate::lattice::points_in;
use crate::soup::Soup;
use crate::tree::Winding;

/// Size of the lattice cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// Edge of a cubic cell \[m\]; the edges of tetrahedra are about as long.
    Size(f64),
    /// About so many tetrahedra.
    Count(usize),
}

/// Which of several separate bodies to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// All of them.
    #[default]
    All,
    /// The one with the largest volume.
    Largest,
}

/// The most lattice points, one byte each, in the box of a surface.
pub(crate) const MOST_POINTS: usize = 1 << 28;
/// Rays that measure the volume of a closed surface, and of one with holes.
const RAYS: [usize; 2] = [8192, 2048];
/// Most steps along a ray between two hits where there are holes.
const MOST_STEPS: f64 = 16.0;
/// Tries to meet a count, and how near is near enough.
const TRIES: usize = 7;
const NEAR_ENOUGH: f64 = 0.05;

/// A surface made ready to be asked.
pub(crate) struct Body {
    pub winding: Winding,
    /// Whether the winding number is whole everywhere.
    pub balanced: bool,
    /// Whether it faces inward on the whole.
    pub turned: bool,
    /// Volume where |w| > ½, by rays  \[m³\]
    pub volume: f64,
    /// Area  \[m²\]
    pub area: f64,
    pub low: Vec3,
    pub high: Vec3,
}

impl Body {
    pub fn new(soup: &Soup) -> Result<Body, FillError> {
        soup.check()?;
        let (low, high) = soup.bounds();
        let winding = Winding::new(soup);
        let balanced = soup.is_balanced();
        let volume = volume_by_rays(&winding, &low, &high, balanced);
        Ok(Body {
            winding,
            balanced,
            turned: soup.signed_volume() < 0.0,
            volume,
            area: soup.area(),
            low,
            high,
        })
    }

    /// About how many tetrahedra cells of a size give: 12/h³ in the volume and `layer`/h² on the surface.
    fn expected(&self, cell: f64, layer: f64) -> f64 {
        (12.0 * self.volume / cell + layer * self.area) / (cell * cell)
    }

    /// Refuses cells that would take more memory than is sensible.
    pub fn check_room(&self, cell: f64, layer: f64) -> Result<(), FillError> {
        if !(cell > 0.0 && cell.is_finite()) {
            return Err(FillError::BadSize { size: cell });
        }
        let fits = |h: f64| (self.expected(h, layer), points_in(&(self.high - self.low), h));
        let small = |(tets, points): (f64, f64)| tets <= MAX_TETS as f64 && points <= MOST_POINTS as f64;
        let (tets, points) = fits(cell);
        if small((tets, points)) {
            return Ok(());
        }
        let mut cure = cell.max((self.high - self.low).max() * 1e-9);
        while !small(fits(cure)) {
            cure *= 1.02;
        }
        Err(FillError::TooFine { size: cell, tets, points, limit: MAX_TETS, most_points: MOST_POINTS, cure })
    }

    /// A first guess of the cell size for a number of tetrahedra.
    fn guess(&self, count: usize, layer: f64) -> f64 {
        let size = (self.high - self.low).max();
        let (mut fine, mut coarse) = (size * 1e-6, size * 2.0);
        for _ in 0..100 {
            let middle = (fine * coarse).sqrt();
            let more = self.expected(middle, layer) > count as f64;
            *(if more { &mut fine } else { &mut coarse }) = middle;
        }
        coarse
    }

    /// Builds with the wanted cells. A count is met by trying, with count ∝ size^−p and p from the last two tries; the
    /// nearest try is kept. `layer` is the number of tetrahedra for each h² of surface.
    pub fn build<T>(
        &self,
        cell: Cell,
        layer: f64,
        make: impl Fn(f64) -> Result<T, FillError>,
        tets: impl Fn(&T) -> usize,
    ) -> Result<T, FillError> {
        let count = match cell {
            Cell::Size(size) => {
                self.check_room(size, layer)?;
                return make(size);
            }
            Cell::Count(count) => count,
        };
        if count == 0 || count > MAX_TETS {
            return Err(FillError::BadCount { count });
        }
        let mut size = self.guess(count, layer);
        let mut tried: Vec<(f64, f64)> = vec![];
        let mut best: Option<(f64, T)> = None;
        for _ in 0..TRIES {
            self.check_room(size, layer)?;
            let made = match make(size) {
                Ok(made) => made,
                // The size that is known to work is the next to try, once.
                Err(FillError::TooCoarse { cure, .. }) if tried.is_empty() && cure < size => {
                    size = cure;
                    continue;
                }
                Err(error) if best.is_none() => return Err(error),
                Err(_) => break,
            };
            let off = (tets(&made) as f64 / count as f64).ln();
            tried.push((size.ln(), off));
            if best.as_ref().is_none_or(|(least, _)| off.abs() < *least) {
                best = Some((off.abs(), made));
            }
            if off.abs() < NEAR_ENOUGH {
                break;
            }
            size = next_size(&tried);
        }
        best.map(|(_, made)| made).ok_or(FillError::BadCount { count })
    }
}

/// The next size from (ln size, ln count ratio) of those tried.
fn next_size(tried: &[(f64, f64)]) -> f64 {
    let (x, off) = tried[tried.len() - 1];
    let slope = match tried {
        [.., (x0, off0), _] if (x - x0).abs() > 1e-9 => ((off - off0) / (x - x0)).clamp(-4.0, -1.5),
        _ => -2.8,
    };
    (x - off / slope).exp()
}

/// Volume where the surface winds around: rays along the shortest edge of the box, at the places of Roberts' R2 sequence,
/// the winding number asked between any two hits. With holes it changes also between hits, so there it is asked in steps
/// about as long as the rays are apart.
fn volume_by_rays(winding: &Winding, low: &Vec3, high: &Vec3, balanced: bool) -> f64 {
    let size = high - low;
    let axis = size.imin();
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let rays = RAYS[usize::from(!balanced)];
    let step = (size[u] * size[v] / rays as f64).sqrt();
    let most = if balanced { 1.0 } else { MOST_STEPS };
    let one = |n: usize| -> f64 {
        let part = |ratio: f64| (0.5 + ratio * (n + 1) as f64).fract();
        let (mut a, mut b) = (*low, *high);
        a[u] += size[u] * part(0.754_877_666_246_692_8);
        a[v] += size[v] * part(0.569_840_290_998_053_3);
        (b[u], b[v]) = (a[u], a[v]);
        let hits = winding.tree().hits(&a, &b);
        let mut inner = 0.0;
        for pair in [&[0.0], hits.as_slice(), &[1.0]].concat().windows(2) {
            let steps = ((pair[1] - pair[0]) * size[axis] / step).ceil().clamp(1.0, most);
            let steps = if pair[1] - pair[0] < 1e-9 { 0.0 } else { steps };
            let along = |s: f64| pair[0] + (pair[1] - pair[0]) * (s + 0.5) / steps;
            let inside =
                (0..steps as usize).filter(|&s| winding.inside(&(a + (b - a) * along(s as f64)))).count();
            inner += (pair[1] - pair[0]) * inside as f64 / steps.max(1.0);
        }
        inner
    };
    // Collected before it is added up, so that the order of the sum is fixed.
    let parts: Vec<f64> = (0..rays).into_par_iter().map(one).collect();
    parts.iter().sum::<f64>() / rays as f64 * size.product()
}
