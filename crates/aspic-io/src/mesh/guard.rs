//! Foreign parsers panic on some damaged files. Here that becomes an error.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static PARSING: Cell<bool> = const { Cell::new(false) };
}

/// Runs `parse`; a panic inside becomes its message. The panic is not printed, those of other threads are.
pub(super) fn guarded<T>(parse: impl FnOnce() -> T) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !PARSING.get() {
                usual(info);
            }
        }));
    });
    PARSING.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(parse));
    PARSING.set(false);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the parser gave up").to_string()
    })
}
