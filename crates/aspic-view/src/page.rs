//! The page, as the build script left it.

/// The page of the viewer: one file with script and style, or a few words where it could not be built.
pub const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/page/index.html"));

/// Whether [`PAGE`] is the viewer; otherwise it only says how to get it.
pub const PAGE_IS_THERE: bool = include!(concat!(env!("OUT_DIR"), "/page/is_there"));

/// How to get the viewer, where it is not there.
pub const WITHOUT_PAGE: &str = include_str!("without_page.txt");
