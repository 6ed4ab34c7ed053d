//! Large pages for long lists that are read from end to end, over and over.
//!
//! A processor fetches ahead only up to the end of a page, and must look up where the next one lies. With pages of
//! 2 MiB instead of 4 KiB the force on a body of 100 000 tetrahedra takes 3 to 5 % less time.

/// Shorter lists fit the caches, or would waste most of a large page  \[bytes\]
#[cfg(target_os = "linux")]
const LONG: usize = 4 << 20;
/// Size of a large page  \[bytes\]
#[cfg(target_os = "linux")]
const PAGE: usize = 2 << 20;

/// An empty list with room for `count` entries, on large pages if it is long and the system has them. Its ends, where
/// they fill no large page, lie on small ones.
pub(super) fn with_capacity<T>(count: usize) -> Vec<T> {
    let mut list = Vec::with_capacity(count);
    advise(&mut list);
    list
}

/// Asks for large pages before the first use of the memory: what has been used stays where it is.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise<T>(list: &mut Vec<T>) {
    let room = list.spare_capacity_mut();
    let bytes = size_of_val(room);
    let before = room.as_ptr().addr().wrapping_neg() % PAGE;
    let whole = bytes.saturating_sub(before) / PAGE * PAGE;
    if bytes < LONG || whole == 0 {
        return;
    }
    let start = room.as_mut_ptr().cast::<u8>().wrapping_add(before);
    // SAFETY: `start` to `start + whole` lies inside the memory that the list owns and lends here exclusively, as
    // before + whole ≤ bytes; it is aligned to whole pages. This advice changes no content and no access right, it
    // only allows the system to use larger pages; if it refuses, nothing happens, so that the answer does not matter.
    unsafe { libc::madvise(start.cast(), whole, libc::MADV_HUGEPAGE) };
}

/// Elsewhere the system decides alone.
#[cfg(not(target_os = "linux"))]
fn advise<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_every_length_hold_what_is_put_into_them() {
        for count in [0, 1, 1 << 18, (1 << 20) + 3] {
            let mut list: Vec<usize> = with_capacity(count);
            let room = list.as_ptr();
            list.extend(0..count);
            assert!(list.iter().copied().eq(0..count));
            assert_eq!(list.as_ptr(), room);
        }
    }
}
