//! From edges to strands: lines of points that follow each other.

/// Lines of points along the edges, each edge in exactly one of them. They end where a point has one edge, or more than
/// two; a ring begins and ends at its lowest point.
pub(crate) fn strands(edges: &[[u32; 2]]) -> Vec<Vec<u32>> {
    let web = Web::new(edges);
    let mut used = vec![false; edges.len()];
    let mut strands = vec![];
    // Ends first; what is left then are rings.
    for ends in [true, false] {
        for point in 0..web.points() {
            if ends != (web.around(point).len() != 2) {
                continue;
            }
            for &[_, edge] in web.around(point) {
                if !used[edge as usize] {
                    strands.push(web.walk(point as u32, edge, edges, &mut used));
                }
            }
        }
    }
    strands
}

/// The neighbours of each point and the edges to them.
struct Web {
    links: Vec<[u32; 2]>,
    starts: Vec<usize>,
}

impl Web {
    fn new(edges: &[[u32; 2]]) -> Web {
        let real = || edges.iter().enumerate().filter(|(_, [a, b])| a != b);
        let points = real().flat_map(|(_, e)| *e).max().map_or(0, |most| most as usize + 1);
        let mut starts = vec![0; points + 1];
        real().flat_map(|(_, e)| *e).for_each(|p| starts[p as usize + 1] += 1);
        (0..points).for_each(|p| starts[p + 1] += starts[p]);
        let mut next = starts.clone();
        let mut links = vec![[0; 2]; starts[points]];
        for (number, &[a, b]) in real() {
            for (from, to) in [(a, b), (b, a)] {
                links[next[from as usize]] = [to, number as u32];
                next[from as usize] += 1;
            }
        }
        Web { links, starts }
    }

    fn points(&self) -> usize {
        self.starts.len() - 1
    }

    fn around(&self, point: usize) -> &[[u32; 2]] {
        &self.links[self.starts[point]..self.starts[point + 1]]
    }

    /// From a point along an edge, until the line ends, forks or closes.
    fn walk(&self, start: u32, first: u32, edges: &[[u32; 2]], used: &mut [bool]) -> Vec<u32> {
        let (mut strand, mut edge) = (vec![start], first);
        loop {
            used[edge as usize] = true;
            let [a, b] = edges[edge as usize];
            let from = strand[strand.len() - 1];
            let to = if a == from { b } else { a };
            strand.push(to);
            let around = self.around(to as usize);
            let onward = around.iter().find(|[_, next]| !used[*next as usize]).filter(|_| around.len() == 2);
            match onward {
                Some(&[_, next]) => edge = next,
                None => return strand,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rope_is_one_strand_whatever_the_order_of_its_edges() {
        assert_eq!(strands(&[[2, 3], [1, 0], [2, 1]]), [[0, 1, 2, 3]]);
    }

    #[test]
    fn a_ring_begins_and_ends_at_its_lowest_point() {
        assert_eq!(strands(&[[7, 5], [5, 6], [6, 7]]), [[5, 7, 6, 5]]);
    }

    #[test]
    fn a_net_ends_its_strands_at_its_knots_and_loses_no_edge() {
        // A cross with a loop on one arm; an edge from a point to itself is none.
        let edges = [[0, 1], [0, 2], [3, 0], [0, 4], [4, 5], [5, 6], [6, 4], [2, 2]];
        let found = strands(&edges);
        assert_eq!(found, [vec![0, 1], vec![0, 2], vec![0, 3], vec![0, 4], vec![4, 5, 6, 4]]);
        assert!(strands(&[]).is_empty());
    }
}
