//! What a person may do to a run under way: hands, pins, and laws that change.

mod carry_over;
mod hand;
