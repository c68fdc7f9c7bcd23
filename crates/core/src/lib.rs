//! Placeholder.

pub mod text;
