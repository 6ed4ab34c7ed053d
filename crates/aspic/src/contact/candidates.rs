//! The list of all pairs that can come near on their way.
//!
//! Each surface point gets a box: around its path from x to x_end, widened. As long as every point stays in its box
//! the list misses no pair nearer than the contact distance, because
//!
//! - boxes of primitives that are farther apart than that keep what is inside apart, and
//! - a point that stays in its box moves by no more than its reach, the way to the farthest corner. Two primitives
//!   that are farther apart than the contact distance and both reaches stay apart.
//!
//! For pairs of a part with itself boxes and reaches are those of the motion against the part, see `own`: a part that
//! flies or spins does not come nearer to itself.

use rayon::prelude::*;

use super::bounds::Bounds;
use super::own::Own;
use super::pair::{Kind, Pair};
use super::reach::ContactDistance;
use super::search::{Basket, Item, Room, Search};
use super::surface::Surface;
use super::sweep::{PartPair, near_parts};
use super::tree::Tree;
use crate::Vec3;

/// The search is cut into about so many pieces, whatever the number of threads.
const PIECES: usize = 256;
/// Points below this number are not worth another thread.
const FEW_POINTS: usize = 2048;

/// The pairs that may touch, and how long the list is good for. Belongs to one [`Surface`].
#[derive(Clone, Debug)]
pub struct Candidates {
    trees: Vec<Tree>,
    boxes: Vec<Bounds>,
    reach: Vec<f64>,
    own: Own,
    part_boxes: Vec<Bounds>,
    part_order: Vec<u32>,
    part_pairs: Vec<PartPair>,
    work: Vec<Item>,
    next_work: Vec<Item>,
    baskets: Vec<Basket>,
    /// Pairs of each part with itself, kept while they hold  (parts)
    own_pairs: Vec<Vec<Pair>>,
    /// Whether they must not be kept.
    own_is_old: bool,
    /// Parts whose own pairs are looked for  (parts)
    renewed: Vec<bool>,
    pairs: Vec<Pair>,
}

impl Candidates {
    /// No pairs yet; builds the trees.
    pub fn new(surface: &Surface) -> Candidates {
        let tree = |k: usize| Tree::new(&surface.parts()[k].primitives, surface.rest());
        Candidates {
            trees: (0..surface.parts().len()).map(tree).collect(),
            boxes: vec![],
            reach: vec![],
            own: Own::new(surface),
            part_boxes: vec![],
            part_order: vec![],
            part_pairs: vec![],
            work: vec![],
            next_work: vec![],
            baskets: vec![],
            own_pairs: vec![vec![]; surface.parts().len()],
            own_is_old: true,
            renewed: vec![],
            pairs: vec![],
        }
    }

    /// Forgets what was found: the next list depends on the arguments of [`Candidates::rebuild`] alone.
    pub fn forget(&mut self) {
        self.own_is_old = true;
    }

    /// Lists all pairs for paths from `x` to `x_end` \[m\], one position for each surface point.
    pub fn rebuild(&mut self, surface: &Surface, x: &[Vec3], x_end: &[Vec3], distance: &ContactDistance) {
        self.fit_points(surface, x, x_end, distance);
        self.own.fit(x, x_end, distance, std::mem::take(&mut self.own_is_old));
        self.renewed.clear();
        self.renewed.resize(surface.parts().len(), false);
        self.own.renewed().for_each(|part| self.renewed[part] = true);
        self.refit_trees();
        self.part_boxes.clear();
        self.part_boxes.extend(self.trees.iter().map(Tree::whole));
        near_parts(surface, distance, &self.part_boxes, &mut self.part_order, &mut self.part_pairs);
        self.renew_own(surface, x);
        self.divide_work(surface, x, false);
        let pieces = self.search(surface, x);
        self.pairs.clear();
        // Kind by kind, which the branches of all that follows like.
        for kind in Kind::ALL {
            let found = self.baskets[..pieces].iter().flat_map(|basket| &basket.pairs);
            let all = found.chain(self.own_pairs.iter().flatten());
            self.pairs.extend(all.filter(|pair| pair.kind == kind));
        }
    }

    /// Looks for the pairs of parts with themselves where there is new room.
    fn renew_own(&mut self, surface: &Surface, x: &[Vec3]) {
        self.divide_work(surface, x, true);
        let pieces = self.search(surface, x);
        self.own.renewed().for_each(|part| self.own_pairs[part].clear());
        for pair in self.baskets[..pieces].iter().flat_map(|basket| &basket.pairs) {
            if let Some(part) = surface.part_of(pair.points[0]) {
                self.own_pairs[part].push(*pair);
            }
        }
    }

    /// Whether the list still holds for paths that end at `x_end` \[m\] and begin where all points were in their
    /// boxes, and kept their reach against their part: what is allowed is convex, so it is enough to look at the
    /// ends. Never before the first rebuild.
    pub fn covers(&self, x_end: &[Vec3]) -> bool {
        let inside = || self.boxes.iter().zip(x_end).all(|(bounds, x)| bounds.holds(x));
        self.boxes.len() == x_end.len() && inside() && self.own.covers(x_end)
    }

    /// The pairs, each once, kind by kind, in an order that does not depend on the number of threads. No pair has a
    /// common surface point.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The same, sorted by kind and points.
    #[cfg(test)]
    pub fn sorted(&self) -> Vec<Pair> {
        let mut pairs = self.pairs.clone();
        pairs.sort_unstable();
        pairs
    }

    /// Parts whose boxes came near each other, ascending; a part with itself where it may touch itself.
    pub fn near_parts(&self) -> impl Iterator<Item = [usize; 2]> {
        self.part_pairs.iter().map(|pair| pair.parts.map(|part| part as usize))
    }

    /// The box and the reach of each surface point. Points in no part may go anywhere.
    fn fit_points(&mut self, surface: &Surface, x: &[Vec3], x_end: &[Vec3], distance: &ContactDistance) {
        self.boxes.resize(x.len(), Bounds::EMPTY);
        self.reach.resize(x.len(), 0.0);
        let each = |(i, (bounds, reach)): (usize, (&mut Bounds, &mut f64))| {
            // Fixed points do as planned; free ones need room to change their minds.
            let room = match surface.part_of(i as u32) {
                Some(part) if !surface.parts()[part].fixed => distance.room(part),
                Some(_) => 0.0,
                None => f64::INFINITY,
            };
            *bounds = Bounds::of_path(&x[i], &x_end[i], room + (x_end[i] - x[i]).norm() / 4.0);
            *reach = bounds.farthest_corner(&x[i]);
        };
        let points = self.boxes.par_iter_mut().zip(&mut self.reach).enumerate();
        points.with_min_len(FEW_POINTS).for_each(each);
    }

    fn refit_trees(&mut self) {
        let (boxes, own_boxes, renewed) = (&self.boxes, &self.own.boxes, &self.renewed);
        self.trees.par_iter_mut().enumerate().for_each(|(part, tree)| {
            tree.refit(boxes);
            if renewed[part] {
                tree.refit_own(own_boxes);
            }
        });
    }

    /// Opens the pairs of trees level by level until there is work for many threads: those of two parts, or the `own`
    /// ones that have new room.
    fn divide_work(&mut self, surface: &Surface, x: &[Vec3], own: bool) {
        let mut work = std::mem::take(&mut self.work);
        let mut next = std::mem::take(&mut self.next_work);
        work.clear();
        let wanted = |pair: &PartPair| match pair.is_own() {
            true => own && self.renewed[pair.parts[0] as usize],
            false => !own,
        };
        let pairs = (0..).zip(&self.part_pairs).filter(|(_, pair)| wanted(pair));
        work.extend(pairs.map(|(pair, _)| Item { pair, nodes: [0, 0] }));
        let search = self.look(surface, x);
        loop {
            next.clear();
            let mut opened = false;
            for &item in &work {
                match search.open(item, &mut next) {
                    true => next.push(item),
                    false => opened = true,
                }
            }
            std::mem::swap(&mut work, &mut next);
            if !opened || work.len() >= PIECES {
                break;
            }
        }
        (self.work, self.next_work) = (work, next);
    }

    /// Each piece of the work fills its own basket; returns how many there are.
    fn search(&mut self, surface: &Surface, x: &[Vec3]) -> usize {
        let mut baskets = std::mem::take(&mut self.baskets);
        let size = self.work.len().div_ceil(PIECES).max(1);
        let pieces = self.work.len().div_ceil(size);
        baskets.resize_with(pieces.max(baskets.len()), Basket::default);
        let search = self.look(surface, x);
        let each = |(basket, items): (&mut Basket, &[Item])| search.run(items, basket);
        baskets[..pieces].par_iter_mut().zip(self.work.par_chunks(size)).for_each(each);
        self.baskets = baskets;
        pieces
    }

    fn look<'a>(&'a self, surface: &'a Surface, positions: &'a [Vec3]) -> Search<'a> {
        let Candidates { trees, part_pairs, boxes, reach, own, .. } = self;
        let room = Room { boxes, reach };
        let own_room = Room { boxes: &own.boxes, reach: &own.reach };
        Search { trees, part_pairs, rest: surface.rest(), positions, room, own_room }
    }
}
