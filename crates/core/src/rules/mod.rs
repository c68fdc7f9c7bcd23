//! The rules: pure functions, with time and ids passed in.

pub mod routing;
