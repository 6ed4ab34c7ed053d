//! Tetrahedra in twos that share a face.

use super::FACES;

/// No tetrahedron.
const NONE: u32 = u32::MAX;

/// A twin across a face for almost every tetrahedron, in the order given. Who has only one free neighbour left comes
/// first (Karp and Sipser).
pub(crate) fn matching(tets: &[[u32; 4]], order: &[u32]) -> Vec<Option<u32>> {
    let neighbours = neighbours(tets);
    let mut twin = vec![NONE; neighbours.len()];
    let free = |twin: &[u32], tet: u32| {
        let free = move |n: &u32| *n != NONE && *n != tet;
        neighbours[tet as usize]
            .into_iter()
            .filter(free)
            .filter(|&n| twin[n as usize] == NONE)
            .collect::<Vec<_>>()
    };
    let mut urgent: Vec<u32> = order.iter().copied().filter(|&tet| free(&twin, tet).len() == 1).collect();
    for &next in order {
        urgent.push(next);
        while let Some(tet) = urgent.pop() {
            if twin[tet as usize] != NONE {
                continue;
            }
            let Some(other) = free(&twin, tet).into_iter().min_by_key(|&n| free(&twin, n).len()) else {
                continue;
            };
            (twin[tet as usize], twin[other as usize]) = (other, tet);
            for touched in [tet, other].into_iter().flat_map(|tet| free(&twin, tet)) {
                if free(&twin, touched).len() == 1 {
                    urgent.push(touched);
                }
            }
        }
    }
    twin.into_iter().map(|other| Some(other).filter(|&other| other != NONE)).collect()
}

/// The tetrahedra on the other side of the faces of each.
fn neighbours(tets: &[[u32; 4]]) -> Vec<[u32; 4]> {
    let mut faces: Vec<([u32; 3], u32)> = Vec::with_capacity(4 * tets.len());
    for (tet, corners) in tets.iter().enumerate() {
        for (side, face) in FACES.iter().enumerate() {
            let mut face = face.map(|corner| corners[corner]);
            face.sort_unstable();
            faces.push((face, (4 * tet + side) as u32));
        }
    }
    faces.sort_unstable();
    let mut neighbours = vec![[NONE; 4]; tets.len()];
    for two in faces.windows(2).filter(|two| two[0].0 == two[1].0) {
        let [a, b] = [two[0].1, two[1].1];
        neighbours[a as usize / 4][a as usize % 4] = b / 4;
        neighbours[b as usize / 4][b as usize % 4] = a / 4;
    }
    neighbours
}
