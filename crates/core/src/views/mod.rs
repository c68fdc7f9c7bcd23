//! The shapes of the screens: what the person's routes take and give.

pub mod acts;
