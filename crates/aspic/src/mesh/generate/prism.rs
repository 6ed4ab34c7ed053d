//! A triangle swept from one section to the next: a prism of three tetrahedra.

/// Three tetrahedra between the sections whose first vertices are `lower` and `upper`, on a `triangle` of
/// numbers within a section.
///
/// Each side of the prism is cut from the smaller number below to the larger one above. The rule needs only
/// the numbers of that side, so the prism across it cuts it the same way.
pub(super) fn split(mut triangle: [usize; 3], lower: usize, upper: usize) -> [[u32; 4]; 3] {
    triangle.sort_unstable();
    let [a, b, c] = triangle.map(|v| (lower + v) as u32);
    let [d, e, f] = triangle.map(|v| (upper + v) as u32);
    [[a, b, c, f], [a, b, e, f], [a, d, e, f]]
}
